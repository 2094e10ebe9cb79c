// inside.mjs - where the page has its worker and its modules: beside it, or, in the page of one file, in itself.
// Browsers start no worker and fetch nothing from file://, so that page has them as data, which
// scripts/lib/web_package.py packs.
let found;

// What `open` is told of them.
export function moduleOptions() {
	found ??= document.getElementById('inside-worker') ? unpacked() : { base: new URL('.', location.href) };
	return found;
}

async function unpacked() {
	const [worker, core, files] = await Promise.all(
		['worker', 'core', 'files'].map((name) => unpack(`inside-${name}`)),
	);
	const script = URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
	// Not as a module: from file:// browsers start none.
	return { module: { worker: () => new Worker(script), core, files } };
}

// base64 of gzip.
function unpack(id) {
	const packed = Uint8Array.from(atob(document.getElementById(id).textContent), (one) => one.charCodeAt(0));
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
	return new Response(stream).arrayBuffer();
}
