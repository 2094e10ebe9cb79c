// worker.mjs - runs an engine in a worker of a browser or of node. It receives { id, call, args } and sends { id,
// result }, { id, error } or { id, progress }. Arrays in results are transferred, not copied.
import { Engine } from './engine.mjs';
import { sourceOfDisk, sourceOfFiles } from './tree.mjs';

const inNode = typeof self === 'undefined' || !self.postMessage;
let port;
let engine;

const calls = {
	start: async (_, wasm, files) => {
		engine = await Engine.create(wasm, await readerOf(files));
		return { version: engine.version(), writers: engine.writers(), families: engine.families() };
	},
	openFiles: (_, files, path, games) => engine.open(sourceOfFiles(files), path, games),
	openDisk: async (_, path, games) => engine.open(sourceOfDisk(await import('node:fs')), path, games),
	close: (_, source) => engine.close(source),
	load: (progress, source, map, options) => engine.load(source, map, options, progress),
	bakeLight: (progress, scene, options) => engine.bakeLight(scene, options, progress),
	write: (progress, scene, writer, options) => engine.write(scene, writer, options, progress),
	describe: (_, scene, source, file) => engine.describe(scene, source, file),
	pixels: (_, scene, image, side) => engine.pixels(scene, image, side),
	part: (_, scene, name) => engine.part(scene, name),
	sky: (_, scene, most) => engine.sky(scene, most),
	overview: (_, scene, width, height) => engine.overview(scene, width, height),
	lightAt: (_, scene, points) => engine.lightAt(scene, points),
	free: (_, scene) => engine.free(scene),
	memory: () => engine.core.HEAPU8.length,
	isWhole: () => engine.joined.isWhole,
};

// Returns a function that reads a file of the WebAssembly module, synchronously because the library waits for it.
// `file` has the bytes or is an address.
async function readerOf(file) {
	if (typeof file !== 'string') return () => file;
	if (inNode) {
		const { readFileSync } = await import('node:fs');
		return () => readFileSync(new URL(file));
	}
	return () => {
		const request = new XMLHttpRequest();
		request.open('GET', file, false);
		request.responseType = 'arraybuffer';
		request.send();
		if (request.status !== 200) throw new Error(`${file}: ${request.status}`);
		return request.response;
	};
}

async function answer({ id, call, args, watched }) {
	const progress = watched ? (stage, fraction) => void port.postMessage({ id, progress: { stage, fraction } }) : null;
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

// Returns all buffers in a result, each once.
function buffersOf(value, found = new Set()) {
	if (ArrayBuffer.isView(value)) found.add(value.buffer);
	else if (value && typeof value === 'object') Object.values(value).forEach((one) => buffersOf(one, found));
	return [...found];
}

// Top-level await is not used here, because the single-file page runs this code as a classic script.
if (inNode) {
	import('node:worker_threads').then(({ parentPort }) => {
		globalThis.self ??= globalThis;
		// Emscripten expects this variable in a worker, and node does not have it.
		globalThis.location ??= { href: import.meta.url };
		port = parentPort;
		port.on('message', answer);
	});
} else {
	port = self;
	port.onmessage = ({ data }) => answer(data);
}
