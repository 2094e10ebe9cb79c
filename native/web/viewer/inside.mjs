// inside.mjs - finds the worker and the modules, which are next to the page or, if the page is a single file, inside
// it. A page from file:// can neither start a worker nor fetch a file. So a single-file page contains both as data,
// packed by scripts/lib/web_package.py. A page that `bspscene convert MAP out.html` wrote also contains the files of a
// map.
let found;

// Returns the options for `open` that say where the module is.
export function moduleOptions() {
	found ??= document.getElementById('inside-worker') ? unpacked() : { base: new URL('.', location.href) };
	return found;
}

async function unpacked() {
	const [worker, core, files] = await Promise.all(
		['worker', 'core', 'files'].map((name) => unpack(`inside-${name}`)),
	);
	const script = URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
	// The worker is a classic script, because browsers start no workers that are modules from file://.
	return { module: { worker: () => new Worker(script), core, files } };
}

// Returns the bytes that an element of the page has as base64.
function decode(id) {
	const text = atob(document.getElementById(id).textContent);
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
	return bytes;
}

// Returns the bytes that an element of the page has as gzip in base64.
function unpack(id) {
	const stream = new Blob([decode(id)]).stream().pipeThrough(new DecompressionStream('gzip'));
	return new Response(stream).arrayBuffer();
}

// Returns the arguments for Viewer.open if the page contains a map, otherwise null.
export function filesInside() {
	const list = document.getElementById('inside-map');
	if (!list) return null;
	const { files } = JSON.parse(list.textContent);
	const found = files.map((path, i) => ({ path, blob: new Blob([decode(`inside-file-${i}`)]) }));
	return [found, { path: `/${files[0]}` }];
}
