# shellcheck shell=bash
# Sourced by test-machines: fetches a Python for Windows with numpy, which wine can run.

WINDOWS_PYTHON=org.bytedeco:cpython:3.11.3-1.5.9:jar:windows-x86_64
WINDOWS_PYTHON_SHA256=3263a50b256447bb7b9e604d6587627e419891370fc33b94469e6a06ff4de834
WINDOWS_NUMPY=numpy==1.26.4
WINDOWS_NUMPY_SHA256=cd25bcecc4974d09257ffcd1f098ee778f7834c3ad767fe5db785be9a4aa9cb2

# fetch_windows_python: fetches Python and numpy into build/bundle/windows-python. Needs mvn, pip and unzip.
fetch_windows_python() {
	local folder=$PWD/build/bundle/windows-python jar
	if [ -e "$folder/ready" ]; then return; fi
	rm -rf "$folder"
	mkdir -p "$folder/packed"
	mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy -Dartifact=$WINDOWS_PYTHON \
		-DoutputDirectory="$folder/packed" || return 1
	jar=$(echo "$folder"/packed/*.jar)
	echo "$WINDOWS_PYTHON_SHA256  $jar" | sha256sum --check --quiet || return 1
	unzip -q "$jar" -d "$folder/packed"
	mv "$folder"/packed/org/bytedeco/cpython/windows-x86_64 "$folder/python"
	echo "$WINDOWS_NUMPY --hash=sha256:$WINDOWS_NUMPY_SHA256" >"$folder/requirements.txt"
	python3 -m pip -q install --disable-pip-version-check --require-hashes --no-deps --platform win_amd64 \
		--python-version 3.11 --only-binary :all: --target "$folder/python/lib/site-packages" \
		-r "$folder/requirements.txt" || return 1
	touch "$folder/ready"
}
