#!/bin/bash -eu
# Builds targets, corpora and dictionaries into $OUT, with the compiler, flags and fuzzing engine of the service
# OSS-Fuzz. Libraries of the distribution are copied too, because the service runs the programs on a system without
# them.
build=$WORK/bspscene
cmake -S "$SRC/bspscene" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER="$CC" \
	-DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_CXX_FLAGS="$CXXFLAGS" -DBSPSCENE_HARDEN=OFF \
	-DBSPSCENE_CLI=OFF -DBSPSCENE_RENDER=OFF -DBSPSCENE_FUZZ=ON -DBSPT_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
	-DCMAKE_BUILD_RPATH="\$ORIGIN/lib"
mkdir -p "$OUT/lib"
for corpus in "$SRC"/bspscene/tests/fuzz/*/corpus; do
	target=$(basename "$(dirname "$corpus")")
	# This build has no targets that need the command line, because the command line links the shared library.
	ninja -C "$build" -t targets all | grep -q "^fuzz_$target:" || continue
	ninja -C "$build" "fuzz_$target"
	cp "$build/tests/fuzz/fuzz_$target" "$OUT/"
	(cd "$corpus" && zip -qr "$OUT/fuzz_${target}_seed_corpus.zip" .)
	if [ -d "$corpus/../kept" ]; then (cd "$corpus/../kept" && zip -qr "$OUT/fuzz_${target}_seed_corpus.zip" .); fi
	if [ -e "$corpus/../dict" ]; then cp "$corpus/../dict" "$OUT/fuzz_$target.dict"; fi
	ldd "$OUT/fuzz_$target" | awk '$3 ~ /^\// && $1 !~ /^(libc|libm|ld-linux.*)\.so/ { print $3 }' |
		xargs -r cp -Lnt "$OUT/lib"
done
