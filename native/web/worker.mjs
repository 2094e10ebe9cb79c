// worker.mjs - an engine in a worker of a browser or of node: { id, call, args } comes, { id, result }, { id, error }
// or { id, progress } goes. Arrays of results are handed over, not copied.
const port = typeof self === 'undefined' || !self.postMessage ? await portOfNode() : self;

async function portOfNode() {
	const { parentPort } = await import('node:worker_threads');
	globalThis.self ??= globalThis;
	// What emscripten asks a worker for.
	globalThis.location ??= { href: import.meta.url };
	return parentPort;
}

const { Engine } = await import('./engine.mjs');
const { sourceOfDisk, sourceOfFiles } = await import('./tree.mjs');

let engine;

const calls = {
	start: async (_, wasm) => {
		engine = await Engine.create(wasm);
		return { version: engine.version(), writers: engine.writers(), families: engine.families() };
	},
	openFiles: (_, files, path, games) => engine.open(sourceOfFiles(files), path, games),
	openDisk: async (_, path, games) => engine.open(sourceOfDisk(await import('node:fs')), path, games),
	close: (_, place) => engine.close(place),
	load: (progress, place, map, options) => engine.load(place, map, options, progress),
	bakeLight: (progress, scene, options) => engine.bakeLight(scene, options, progress),
	write: (progress, scene, writer, options) => engine.write(scene, writer, options, progress),
	describe: (_, scene, place, file) => engine.describe(scene, place, file),
	pixels: (_, scene, image, side) => engine.pixels(scene, image, side),
	part: (_, scene, name) => engine.part(scene, name),
	sky: (_, scene, most) => engine.sky(scene, most),
	lightAt: (_, scene, points) => engine.lightAt(scene, points),
	free: (_, scene) => engine.free(scene),
	memory: () => engine.core.HEAPU8.length,
};

async function answer({ id, call, args, watched }) {
	const progress = watched
		? (stage, fraction) => void port.postMessage({ id, progress: { stage, fraction } })
		: null;
	try {
		const result = await calls[call](progress, ...args);
		port.postMessage({ id, result }, buffersOf(result));
	} catch (error) {
		const { name, message, status, lump, record, offset } = error;
		port.postMessage({
			id,
			error: { name, message, status, lump, record, offset },
			broken: error instanceof WebAssembly.RuntimeError,
		});
	}
}

// All buffers in a result, each once.
function buffersOf(value, found = new Set()) {
	if (ArrayBuffer.isView(value)) found.add(value.buffer);
	else if (value && typeof value === 'object') Object.values(value).forEach((one) => buffersOf(one, found));
	return [...found];
}

if (port.on) port.on('message', answer);
else port.onmessage = ({ data }) => answer(data);
