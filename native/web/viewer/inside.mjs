// inside.mjs - finds the worker and the modules of the page: next to it, or inside it if the page is a single file.
// Browsers start no worker and fetch no file from file:// addresses, so a single-file page contains them as data,
// packed by scripts/lib/web_package.py. If `bspscene convert MAP out.html` wrote the page, it contains the files of a
// map too.
let found;

// Returns the options for `open`.
export function moduleOptions() {
	found ??= document.getElementById('inside-worker') ? unpacked() : { base: new URL('.', location.href) };
	return found;
}

async function unpacked() {
	const [worker, core, files] = await Promise.all(
		['worker', 'core', 'files'].map((name) => unpack(`inside-${name}`)),
	);
	const script = URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
	// Starts a classic script, because browsers start no worker modules from file://.
	return { module: { worker: () => new Worker(script), core, files } };
}

// Decodes base64.
function decode(id) {
	const text = atob(document.getElementById(id).textContent);
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
	return bytes;
}

// Decodes base64 of gzip.
function unpack(id) {
	const stream = new Blob([decode(id)]).stream().pipeThrough(new DecompressionStream('gzip'));
	return new Response(stream).arrayBuffer();
}

// Returns the arguments of Viewer.open for the map inside the page, or null where there is none.
export function filesInside() {
	const list = document.getElementById('inside-map');
	if (!list) return null;
	const { files } = JSON.parse(list.textContent);
	const found = files.map((path, i) => ({ path, blob: new Blob([decode(`inside-file-${i}`)]) }));
	return [found, { path: `/${files[0]}` }];
}
