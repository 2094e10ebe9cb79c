// worker.mjs - an engine in a worker of a browser or of node: { id, call, args } comes, { id, result }, { id, error }
// or { id, progress } goes. Arrays of results are handed over, not copied.
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

// What reads a file of the module at once, while the library waits for it: bytes, or an address.
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

// All buffers in a result, each once.
function buffersOf(value, found = new Set()) {
	if (ArrayBuffer.isView(value)) found.add(value.buffer);
	else if (value && typeof value === 'object') Object.values(value).forEach((one) => buffersOf(one, found));
	return [...found];
}

// Nothing waits here: the page of one file has this as a script that is no module.
if (inNode) {
	import('node:worker_threads').then(({ parentPort }) => {
		globalThis.self ??= globalThis;
		// What emscripten asks a worker for.
		globalThis.location ??= { href: import.meta.url };
		port = parentPort;
		port.on('message', answer);
	});
} else {
	port = self;
	port.onmessage = ({ data }) => answer(data);
}
