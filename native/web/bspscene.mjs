// bspscene.mjs - compiled game maps (BSP) to scenes, in browsers and node: `open` files, `load` maps, `convert` them.
// All work is done in a worker of its own; what comes back is plain objects and arrays that belong to the caller.
export { constants } from './layout.mjs';

const inNode = typeof process === 'object' && Boolean(process.versions?.node) && typeof window === 'undefined';

// What the library says of a map that it cannot load or write; `status` is one of constants.ERROR_...
export class MapError extends Error {
	constructor(details) {
		super(details.message);
		Object.assign(this, details);
		this.name = 'MapError';
	}
}

// Opens a map, an archive or a game: files of the user's machine that nobody else gets.
//   open('baseq3/maps/atrium.bsp')                node: a path; what lies around it is found
//   open([file, ...])                             File objects, or { path, blob } or { path, bytes } with paths
//   options: { path, games, more, signal, base, module }
//                                                 path: which of several files; games: paths with what else a map may
//                                                 need; more: files with it, as `input` has them; base: where the
//                                                 module's files are; module: they themselves, { worker, core, files }:
//                                                 the script's address or what starts it, and the bytes of the two
//                                                 modules
export async function open(input, options = {}) {
	const host = await Host.start(options);
	try {
		const source =
			typeof input === 'string'
				? await host.call(
						'openDisk',
						[
							absolute(await import('node:path'), input),
							(options.games ?? []).map((game) =>
								absolute(globalThis.process.getBuiltinModule?.('path'), game),
							),
						],
						options,
					)
				: await host.call('openFiles', filesOf(input, options), options);
		return new Source(host, source);
	} catch (error) {
		host.stop();
		throw error;
	}
}

function absolute(path, name) {
	return path ? path.resolve(name).replaceAll('\\', '/') : name;
}

// Files with their paths; maps without one are put where their game's archives find them.
function filesOf(input, { path, games = [], more = [] }) {
	const files = named(input);
	const rest = named(more);
	// The game that loose files and archives are in, and the games that whole folders are.
	const folders = new Set(rest.filter((file) => file.path.includes('/')).map((file) => file.path.split('/')[0]));
	const others = [...folders].filter((folder) => !CONTENT.test(folder)).map((folder) => `/${MORE}/${folder}`);
	const moved = rest.map((file) => ({ ...file, path: `${MORE}/${file.path}` }));
	return [
		[...files, ...moved],
		path ?? commonFolder(files.map((file) => file.path)),
		[...games, ...(rest.length ? [`/${MORE}`, ...others] : [])],
	];
}

function named(files) {
	return [...files].map((file) => {
		// Newer Blobs have a function `bytes`.
		if (!(file instanceof Blob)) return { path: file.path, blob: file.blob, bytes: file.bytes };
		const relative = file.webkitRelativePath || (MAP.test(file.name) ? `maps/${file.name}` : file.name);
		return { path: relative, blob: file };
	});
}

// Where files that come later lie, apart from the others; and folders of games' contents.
const MORE = '.more';
const CONTENT = /^(env|gfx|maps|materials|models|pics|progs|scripts|sound|sprites|textures)$/i;

const MAP = /\.bsp(\.(bz2|gz|xz|zst))?$/i;
const MODEL = /\.(mdl|md2|md3|iqm|spr)$/i;
const MAP_OR_ARCHIVE = /\.(bsp|pk3|pk4|iwd|pkz|dpk|kpf|pak|vpk|gma|wad|zip|7z|rar|tar|gz|xz|bz2|zst)$/i;

// The path to open: the one file, a model with what belongs to it, or the folder that all are in.
function commonFolder(paths) {
	if (paths.length === 1) return `/${paths[0]}`;
	// Files with the rest of a model are called after it: the shortest name is the model's.
	const [model] = paths.filter((path) => MODEL.test(path)).sort();
	if (model && !paths.some((path) => MAP_OR_ARCHIVE.test(path))) return `/${model}`;
	const folders = new Set(paths.map((path) => path.split('/')[0]));
	return folders.size === 1 && paths.every((path) => path.includes('/')) && !folders.has('maps')
		? `/${[...folders][0]}`
		: '/';
}

async function fetchCore(url) {
	if (!inNode) return (await fetch(url)).arrayBuffer();
	const { readFile } = await import('node:fs/promises');
	return readFile(url);
}

// The worker with its module, and the calls that wait for it.
class Host {
	static async start({ base = new URL('.', import.meta.url), module }) {
		const host = new Host();
		const at = (name) => new URL(name, base);
		host.running = host.worker(module?.worker ?? at('worker.mjs')).then((worker) => host.listen(worker));
		try {
			const core = module?.core ?? (await fetchCore(at('bspscene_core.wasm')));
			const files = module?.files ?? at('bspscene_files.wasm').href;
			return Object.assign(host, await host.call('start', [core, files]));
		} catch (error) {
			await host.running.catch(() => {});
			host.stop(error);
			throw error;
		}
	}

	constructor() {
		this.waiting = new Map();
		this.last = 0;
	}

	async worker(url) {
		if (typeof url === 'function') return url();
		if (!inNode) return new Worker(url, { type: 'module' });
		const { Worker: NodeWorker } = await import('node:worker_threads');
		return new NodeWorker(url);
	}

	// options: { signal, progress }. A signal ends the worker: the source and its scenes are gone then.
	async call(call, args, { signal, progress } = {}) {
		signal?.throwIfAborted();
		const worker = await this.running;
		if (this.stopped) throw this.stopped;
		const id = ++this.last;
		const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, progress }));
		try {
			worker.postMessage({ id, call, args, watched: Boolean(progress) });
		} catch (error) {
			// What cannot be sent, such as a function, is never answered.
			this.waiting.delete(id);
			throw error;
		}
		this.rest();
		const abort = () => this.stop(signal.reason);
		signal?.addEventListener('abort', abort, { once: true });
		return answer.finally(() => signal?.removeEventListener('abort', abort));
	}

	listen(worker) {
		this.thread = worker;
		const take = ({ id, result, error, progress, broken }) => {
			const call = this.waiting.get(id);
			if (!call) return;
			if (progress) return void call.progress?.(progress.stage, progress.fraction);
			this.waiting.delete(id);
			this.rest();
			if (error)
				call.reject(
					error.status === undefined ? Object.assign(new Error(error.message), error) : new MapError(error),
				);
			else call.resolve(result);
			if (broken) this.stop(new Error(`the module ended: ${error.message}`));
		};
		const fail = (event) => this.stop(new Error(`the worker ended: ${event.message ?? event}`));
		if (inNode) {
			worker.on('message', take).on('error', fail);
		} else {
			worker.onmessage = ({ data }) => take(data);
			worker.onerror = fail;
		}
		return worker;
	}

	// A worker of node that nobody waits for does not keep the program running.
	rest() {
		if (inNode) this.waiting.size ? this.thread.ref() : this.thread.unref();
	}

	stop(reason = new Error('closed')) {
		this.stopped ??= reason;
		this.thread?.terminate();
		for (const { reject } of this.waiting.values()) reject(this.stopped);
		this.waiting.clear();
	}
}

// What `open` found: `maps` as { name, path }, `problems` as lines of what was left out, `kind`.
export class Source {
	constructor(host, { number, kind, maps, problems }) {
		Object.assign(this, { kind, maps, problems });
		this.host = host;
		this.number = number;
	}

	// All formats that scenes are written in: { name, title, extension }.
	get writers() {
		return this.host.writers;
	}

	// Loads the map of that name or path; of a single one the name may be left out. `options` are fields of
	// bspscene_load_options (textures: 'names', models: 'none', ...), and besides { signal, progress }.
	async load(map, options = {}) {
		const { signal, progress, ...fields } = options;
		return new Scene(this, await this.host.call('load', [this.number, map, fields], { signal, progress }));
	}

	// What is in a map, as `bspscene info --json` has it.
	async info(map, options = {}) {
		const { signal, ...fields } = options;
		const scene = await this.load(map, { textures: 'names', identify: true, ...fields, signal });
		try {
			return await this.host.call('describe', [scene.number, this.number, `${scene.data.name}.bsp`]);
		} finally {
			await scene.free();
		}
	}

	// A map as files of a format: [{ name, data }], the main one first. `options`: see Scene.write; and `load`.
	async convert(map, writer, { load = {}, ...options } = {}) {
		const { signal } = options;
		const scene = await this.load(map, { signal, ...load });
		try {
			return await scene.write(writer, options);
		} finally {
			await scene.free();
		}
	}

	// Lightmap pages as PNG or HDR, and atlas.json.
	bake(map, options) {
		return this.convert(map, 'atlas', options);
	}

	close() {
		this.host.stop();
	}
}

// A loaded map. `data` has the records and arrays of bspscene_scene, copied: they stay when the scene is freed.
export class Scene {
	constructor(source, { number, data }) {
		this.source = source;
		this.number = number;
		this.data = data;
	}

	// What `data` leaves out because it is large: 'faces', 'tree', 'vis', 'map_light', 'light_grid', 'ambients',
	// 'detail_props', 'pakfile'.
	part(name) {
		return this.source.host.call('part', [this.number, name]);
	}

	// An image of data.images as { width, height, data }: RGBA, top row first. `side`: no larger than this where the
	// file has smaller ones.
	pixels(image, side) {
		return this.source.host.call('pixels', [this.number, image, side]);
	}

	// The sky around the map as six squares, no larger than `most` pixels: { size, sides, corners }, where a side is
	// RGB and its corners, left and right of the top and of the bottom, are ways from the middle. null: not known.
	sky(most = 1024) {
		return this.source.host.call('sky', [this.number, most]);
	}

	// What lights a model at each of the points [x, y, z]: { sides, directed, direction } or null.
	lightAt(points) {
		return this.source.host.call('lightAt', [this.number, points]);
	}

	// From where `bspscene render --overview` looks in a picture of that shape: { origin, pitch, yaw, fov_degrees,
	// aspect, shown }, angles in degrees, fov from left to right; `shown` is the box of what players get to.
	overview(width = 640, height = 480) {
		return this.source.host.call('overview', [this.number, width, height]);
	}

	// Files of a writer ('glb', 'fbx', ...): [{ name, data }]. `options` are fields of bspscene_write_options
	// (lighting: 'lightmap', compress: true, ...), and besides { signal, progress }.
	write(writer, { signal, progress, ...options } = {}) {
		return this.source.host.call('write', [this.number, writer, options], { signal, progress });
	}

	// A new scene as this one shows at one moment; `options` are fields of bspscene_bake_options.
	async bakeLight({ signal, progress, ...options } = {}) {
		return new Scene(
			this.source,
			await this.source.host.call('bakeLight', [this.number, options], { signal, progress }),
		);
	}

	free() {
		return this.source.host.call('free', [this.number]);
	}
}
