// bspscene.mjs - turns compiled game maps (BSP) into scenes, in browsers and node: `open` files, `load` maps, `convert`
// them. Each source works in a worker of its own. Results are plain objects and arrays that the caller owns.
export { constants } from './layout.mjs';

const inNode = typeof process === 'object' && Boolean(process.versions?.node) && typeof window === 'undefined';

// Thrown if the library cannot load or write a map. `status` is one of constants.ERROR_...
export class MapError extends Error {
	constructor(details) {
		super(details.message);
		Object.assign(this, details);
		this.name = 'MapError';
	}
}

// Opens a map, an archive or a game. The files stay on the user's machine.
//   open('baseq3/maps/atrium.bsp')   in node: a path; files around it are found
//   open([file, ...])                File objects; or { path, blob } or { path, bytes }
// options: { path, games, more, signal, base, module }
//   path     which file to open if there are several
//   games    paths of other files that a map may need
//   more     such files themselves, in the forms of `input`
//   base     base address of the files of the WebAssembly module
//   module   these files themselves, { worker, core, files }: the address of the worker or a function that starts it,
//            and the bytes of the two modules
export async function open(input, options = {}) {
	const host = await Host.start(options);
	try {
		const source =
			typeof input === 'string'
				? await host.call(
						'openDisk',
						[
							await absolute(input),
							await Promise.all((options.games ?? []).map(absolute)),
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

async function absolute(name) {
	const { resolve } = await ofNode('path');
	return resolve(name).replaceAll('\\', '/');
}

// Gives each file a path. A map without a path is put in the folder "maps", where games have their maps.
function filesOf(input, { path, games = [], more = [] }) {
	const files = named(input);
	const rest = named(more);
	// Folders that may be games: one for files without a folder, and each folder that was dropped as a whole.
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
		// The property `bytes` is not read from a Blob, because newer Blobs have a function of that name.
		if (!(file instanceof Blob)) return { path: file.path, blob: file.blob, bytes: file.bytes };
		const relative = file.webkitRelativePath || (MAP.test(file.name) ? `maps/${file.name}` : file.name);
		return { path: relative, blob: file };
	});
}

// MORE is the folder for files that are added later. CONTENT recognizes the folders inside a game.
const MORE = '.more';
const CONTENT = /^(env|gfx|maps|materials|models|pics|progs|scripts|sound|sprites|textures)$/i;

const MAP = /\.bsp(\.(bz2|gz|xz|zst))?$/i;
const MODEL = /\.(mdl|md2|md3|iqm|spr)$/i;
const MAP_OR_ARCHIVE = /\.(bsp|pk3|pk4|iwd|pkz|dpk|kpf|pak|vpk|gma|wad|zip|7z|rar|tar|gz|xz|bz2|zst)$/i;

// Returns the path to open: the only file, a model that comes with other files, or the folder that has all files.
function commonFolder(paths) {
	if (paths.length === 1) return `/${paths[0]}`;
	// Names of a model's other files begin with its own name, so the shortest name is that of the model.
	const [model] = paths.filter((path) => MODEL.test(path)).sort();
	if (model && !paths.some((path) => MAP_OR_ARCHIVE.test(path))) return `/${model}`;
	const folders = new Set(paths.map((path) => path.split('/')[0]));
	return folders.size === 1 && paths.every((path) => path.includes('/')) && !folders.has('maps')
		? `/${[...folders][0]}`
		: '/';
}

async function fetchCore(url) {
	if (!inNode) return (await fetch(url)).arrayBuffer();
	const { readFile } = await ofNode('fs/promises');
	return readFile(url);
}

// Imports a module of node. Its name is computed, because bundlers for browsers would fail if they could read it.
function ofNode(name) {
	return import(/* @vite-ignore */ /* webpackIgnore: true */ `node:${name}`);
}

// The worker that runs the WebAssembly module, and the calls that wait for results from it.
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
		const { Worker: NodeWorker } = await ofNode('worker_threads');
		return new NodeWorker(url);
	}

	// options: { signal, progress }. If the signal is aborted, the worker ends, and its source and scenes cannot be
	// used any more.
	async call(call, args, { signal, progress } = {}) {
		signal?.throwIfAborted();
		const worker = await this.running;
		if (this.stopped) throw this.stopped;
		const id = ++this.last;
		const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, progress }));
		try {
			worker.postMessage({ id, call, args, watched: Boolean(progress) });
		} catch (error) {
			// postMessage fails if a value cannot be cloned, such as a function.
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

	// In node, lets the program end while the worker has nothing to do.
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

// What `open` returns. `maps`: [{ name, path }]. `problems`: lines about files that were skipped. `kind`: 'map',
// 'archive' or 'game'.
export class Source {
	constructor(host, { number, kind, maps, problems }) {
		Object.assign(this, { kind, maps, problems });
		this.host = host;
		this.number = number;
	}

	// Returns the formats in which scenes can be written: [{ name, title, extension }].
	get writers() {
		return this.host.writers;
	}

	// Loads the map with this name or path, which may be left out if there is only one map. `options` are fields of
	// bspscene_load_options (textures: 'names', models: 'none', ...), and { signal, progress }.
	async load(map, options = {}) {
		const { signal, progress, ...fields } = options;
		return new Scene(this, await this.host.call('load', [this.number, map, fields], { signal, progress }));
	}

	// Returns the object that `bspscene info --json` prints.
	async info(map, options = {}) {
		const { signal, ...fields } = options;
		const scene = await this.load(map, {
			textures: 'names',
			identify: true,
			sparse_lightmaps: true,
			...fields,
			signal,
		});
		try {
			return await this.host.call('describe', [scene.number, this.number, `${scene.data.name}.bsp`]);
		} finally {
			await scene.free();
		}
	}

	// Converts a map to the files of a format: [{ name, data }], the main file first. `options` are those of
	// Scene.write; `options.load` are those of `load`.
	async convert(map, writer, { load = {}, ...options } = {}) {
		const { signal } = options;
		const scene = await this.load(map, { signal, sparse_lightmaps: true, ...load });
		try {
			return await scene.write(writer, options);
		} finally {
			await scene.free();
		}
	}

	// Returns lightmap pages as PNG or HDR, and atlas.json.
	bake(map, options) {
		return this.convert(map, 'atlas', options);
	}

	close() {
		this.host.stop();
	}
}

// A loaded map. `data` has copies of the records and arrays of bspscene_scene. They stay valid when the scene is freed.
export class Scene {
	constructor(source, { number, data }) {
		this.source = source;
		this.number = number;
		this.data = data;
	}

	// Returns a large part of the scene that `data` leaves out: 'faces', 'tree', 'vis', 'map_light', 'light_grid',
	// 'ambients', 'detail_props' or 'pakfile'.
	part(name) {
		return this.source.host.call('part', [this.number, name]);
	}

	// Returns an image of data.images as { width, height, data }: RGBA, the top row first. If the file has the image
	// in several sizes, the largest one that is at most `side` pixels wide and high is used.
	pixels(image, side) {
		return this.source.host.call('pixels', [this.number, image, side]);
	}

	// Returns the sky around the map as six squares of at most `most` x `most` pixels: { size, sides, corners }, or
	// null if the sky is not known. A side is RGB. Its corners (top left, top right, bottom left, bottom right) are
	// directions from the center.
	sky(most = 1024) {
		return this.source.host.call('sky', [this.number, most]);
	}

	// Returns, for each of the points [x, y, z], the light on a model there: { sides, directed, direction } or null.
	lightAt(points) {
		return this.source.host.call('lightAt', [this.number, points]);
	}

	// Returns the camera of `bspscene render --overview` for a picture with this aspect: { origin, pitch, yaw,
	// fov_degrees, aspect, shown }. Angles are in degrees, and the field of view is horizontal. `shown` is the bounding
	// box of the area that players reach.
	overview(width = 640, height = 480) {
		return this.source.host.call('overview', [this.number, width, height]);
	}

	// Writes the files of a format ('glb', 'fbx', ...): [{ name, data }]. `options` are fields of
	// bspscene_write_options (lighting: 'lightmap', compress: true, ...), and { signal, progress }.
	write(writer, { signal, progress, ...options } = {}) {
		return this.source.host.call('write', [this.number, writer, options], { signal, progress });
	}

	// Makes a new scene that has the light of one moment. `options` are fields of bspscene_bake_options.
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
