// inside.mjs - finds the worker and the modules of the page: next to it, or inside it if the page is a single file.
// From file://, browsers start no worker and fetch nothing, so that page contains them as data, packed by
// scripts/lib/web_package.py.
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
	// Not as a module: from file://, browsers do not start those.
	return { module: { worker: () => new Worker(script), core, files } };
}

// Decodes base64 of gzip.
function unpack(id) {
	const packed = Uint8Array.from(atob(document.getElementById(id).textContent), (one) => one.charCodeAt(0));
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
	return new Response(stream).arrayBuffer();
}
