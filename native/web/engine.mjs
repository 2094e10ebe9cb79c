// engine.mjs - calls the WebAssembly module in the current thread. Sources, scenes and what is made from them are
// identified by numbers. Web pages call it through worker.mjs.
import createCore from './bspscene_core.mjs';
import { constants, structs } from './layout.mjs';
import { checkSizes, Memory } from './memory.mjs';
import { treeOf } from './tree.mjs';

// Large parts of a scene that few callers need. They are not in its data; part() returns them.
const ON_DEMAND = ['faces', 'tree', 'vis', 'map_light', 'light_grid', 'ambients', 'detail_props', 'pakfile'];
const isUsual = (struct, field) =>
	!(struct === 'Scene' ? ON_DEMAND.includes(field) : struct === 'Image' && field === 'data');

export class MapError extends Error {
	constructor({ status, message, lump, record, offset }) {
		super(message);
		this.name = 'MapError';
		Object.assign(this, { status, lump, record, offset });
	}
}

export class Engine {
	// `wasm`: the bytes of bspscene_core.wasm. `files()` returns the bytes of bspscene_files.wasm. It is called only
	// once, at the first use of a function that is in the second module.
	static async create(wasm, files) {
		const module = await WebAssembly.compile(wasm);
		const joined = new Joined(module, files);
		const core = await createCore({
			instantiateWasm: (imports, receive) => receive(joined.start(imports)) ?? {},
			// Keeps the module from fetching its own file, because relative addresses do not work in a worker that was
			// made from a Blob.
			locateFile: (name) => name,
			print() {},
			printErr() {},
		});
		checkSizes(core);
		return Object.assign(new Engine(core), { joined });
	}

	constructor(core) {
		this.core = core;
		this.memory = new Memory(core);
		this.sources = new Map();
		this.scenes = new Map();
		this.last = 0;
	}

	version() {
		return this.memory.text(this.core._bspscene_version());
	}

	// Returns the formats of the library's writers: { name, title, extension }.
	writers() {
		return this.table(this.core._bspscene_writers(), 'Writer');
	}

	families() {
		return this.table(this.core._bspscene_families(), 'Family');
	}

	table(pointer, struct) {
		const rows = [];
		for (let at = pointer; this.memory.view().getUint32(at, true); at += 4) {
			rows.push(this.memory.read(struct, this.memory.view().getUint32(at, true)));
		}
		return rows;
	}

	// Calls act(error), which returns a pointer or a boolean. If the result is 0 or false, throws the library's error.
	try(act) {
		const error = this.memory.take(1024);
		try {
			const result = act(error);
			if (!result) {
				const said = this.memory.read('Error', error);
				throw new MapError({ ...said, message: withoutRoots(said.message) });
			}
			return result;
		} finally {
			this.core._free(error);
		}
	}

	withText(text, act) {
		const pointer = text == null ? 0 : this.memory.putText(text);
		try {
			return act(pointer);
		} finally {
			if (pointer) this.core._free(pointer);
		}
	}

	// Opens `path`, which is a path in the file system `files` (tree.mjs), as are the paths in `games`.
	open(files, path, games = []) {
		const { FS } = this.core;
		const number = ++this.last;
		const root = `/source${number}`;
		FS.mkdir(root);
		FS.mount(treeOf(FS, files), {}, root);
		const { pointer: options, free } = this.memory.options('SourceOptions', {
			games: games.map((game) => root + game),
			game_count: games.length,
		});
		try {
			const source = this.withText(root + path, (at) =>
				this.try((error) => this.core._bspscene_source_open(at, options, error)),
			);
			const described = this.describeSource(source, root);
			this.sources.set(number, { source, root, maps: described.maps });
			return { number, ...described };
		} catch (error) {
			FS.unmount(root);
			FS.rmdir(root);
			throw error;
		} finally {
			free();
		}
	}

	describeSource(source, root) {
		const { core, memory } = this;
		const maps = [];
		for (let i = 0; i < core._bspscene_source_map_count(source); i++) {
			const path = memory.text(core._bspscene_source_map_path(source, i));
			maps.push({ name: memory.text(core._bspscene_source_map_name(source, i)), path: path.replace(root, '') });
		}
		const problems = [];
		for (let i = 0, line; (line = core._bspscene_source_problem(source, i)) !== 0; i++) {
			problems.push(memory.text(line).replaceAll(root, ''));
		}
		return { kind: ['map', 'archive', 'game'][core._bspscene_source_kind_of(source)], maps, problems };
	}

	close(number) {
		const { source, root } = this.sources.get(number);
		this.core._bspscene_source_free(source);
		this.sources.delete(number);
		this.core.FS.unmount(root);
		this.core.FS.rmdir(root);
	}

	// Calls act(). Until it returns, the library reports its progress to `progress`, which may return false to cancel.
	during(progress, act) {
		this.core.told = progress ? (stage, fraction) => progress(stage, fraction) !== false : () => true;
		return act();
	}

	// Returns the index of the map with this path or name.
	mapNumber({ source, maps }, map) {
		const listed = maps.findIndex(({ path }) => path === map);
		if (listed >= 0) return listed;
		const found = this.try((error) => {
			const index = this.withText(map, (at) => this.core._bspscene_source_find_map(source, at, error)) >>> 0;
			return index === constants.NO_INDEX ? 0 : index + 1;
		});
		return found - 1;
	}

	// Loads a map of the source with this number. `given` are fields of bspscene_load_options.
	load(number, map, given, progress) {
		const found = this.sources.get(number);
		const { source } = found;
		const index = this.mapNumber(found, map);
		const { pointer: options, free } = this.memory.options('LoadOptions', { threads: 1, ...given });
		try {
			const scene = this.during(progress, () =>
				this.try((error) => this.core._web_load(source, index, options, error)),
			);
			return this.keep(scene);
		} finally {
			free();
		}
	}

	keep(pointer, base) {
		const number = ++this.last;
		this.scenes.set(number, { pointer, base });
		const data = this.memory.read('Scene', pointer, undefined, isUsual);
		for (const image of data.images) image.archive = withoutRoots(image.archive);
		for (const warning of data.warnings) {
			warning.message = withoutRoots(warning.message);
			for (const occurrence of warning.occurrences) occurrence.message = withoutRoots(occurrence.message);
		}
		return { number, data };
	}

	// Makes a scene that has the light of one moment. `given` are fields of bspscene_bake_options. The new scene needs
	// the old one, which must not be freed before it.
	bakeLight(number, given, progress) {
		const { pointer } = this.scenes.get(number);
		const { pointer: options, free } = this.memory.options('BakeOptions', { threads: 1, ...given });
		try {
			return this.keep(
				this.during(progress, () => this.try((error) => this.core._web_bake_light(pointer, options, error))),
				number,
			);
		} finally {
			free();
		}
	}

	// Returns one of the parts of a scene that ON_DEMAND lists.
	part(number, name) {
		if (!ON_DEMAND.includes(name)) throw new RangeError(`there is no part "${name}", only ${ON_DEMAND.join(', ')}`);
		const { pointer } = this.scenes.get(number);
		return this.memory.read('Scene', pointer, undefined, (struct, field) => struct !== 'Scene' || field === name)[
			name
		];
	}

	// Returns the files that a writer makes, with their names, the main file first. `given` are fields of
	// bspscene_write_options.
	write(number, writer, given, progress) {
		const { pointer } = this.scenes.get(number);
		const { pointer: options, free } = this.memory.options('WriteOptions', { threads: 1, ...given });
		const files = [];
		this.core.began = (name) => files.push({ name, parts: [] }) > 0;
		this.core.wrote = (data, size) => files.at(-1).parts.push(this.memory.numbers('u8', data, size)) > 0;
		try {
			this.during(progress, () =>
				this.withText(writer, (name) =>
					this.try((error) => this.core._web_write(pointer, name, options, error)),
				),
			);
		} finally {
			free();
		}
		return files.map(({ name, parts }) => ({ name, data: joined(parts) }));
	}

	// Returns what `bspscene info --json` prints about a map. The map must have been loaded with `identify`.
	describe(number, sourceNumber, file) {
		const { pointer } = this.scenes.get(number);
		const { source } = this.sources.get(sourceNumber);
		const text = this.withText(file, (at) => this.core._web_describe(pointer, source, at));
		try {
			return JSON.parse(withoutRoots(this.memory.text(text)));
		} finally {
			this.core._free(text);
		}
	}

	// Returns an image of the scene as RGBA. If the file has the image in several sizes, the largest one that is at
	// most `side` pixels wide and high is used.
	pixels(number, image, side = 8192) {
		const { pointer } = this.scenes.get(number);
		const images = this.memory.view().getUint32(pointer + offsetOf('Scene', 'images'), true);
		const record = this.memory.view().getUint32(images + 4 * image, true);
		const pixels = this.memory.take(structs.Pixels.size);
		const options = this.memory.options('DecodeOptions', { max_side: side });
		try {
			this.try((error) => this.core._bspscene_image_decode_with(record, options.pointer, pixels, error));
			const { width, height } = this.memory.read('Pixels', pixels, undefined, () => false);
			const data = this.memory.view().getUint32(pixels + offsetOf('Pixels', 'data'), true);
			return { width, height, data: this.memory.numbers('u8', data, 4 * width * height) };
		} finally {
			this.core._bspscene_pixels_free(pixels);
			this.core._free(pixels);
			options.free();
		}
	}

	// Returns the sky as six squares of at most `most` x `most` pixels (RGB), and the directions to the corners of
	// each, or null.
	sky(number, most) {
		const { pointer } = this.scenes.get(number);
		const size = Math.min(this.core._bspscene_sky_size(pointer), most);
		if (!size) return null;
		const { pointer: options, free } = this.memory.options('SkyOptions', {});
		const rgb = this.memory.take(18 * size * size);
		const way = this.memory.take(12);
		const corner = (side, u, v) => {
			this.core._bspscene_sky_direction(side, u, v, way);
			return [...this.memory.numbers('f32', way, 3)];
		};
		try {
			this.try((error) => this.core._bspscene_sky_cube(pointer, options, size, rgb, error));
			const sides = Array.from({ length: 6 }, (_, side) =>
				this.memory.numbers('u8', rgb + 3 * size * size * side, 3 * size * size),
			);
			const corners = sides.map((_, side) =>
				[
					[0, 0],
					[1, 0],
					[0, 1],
					[1, 1],
				].map(([u, v]) => corner(side, u, v)),
			);
			return { size, sides, corners };
		} finally {
			free();
			this.core._free(rgb);
			this.core._free(way);
		}
	}

	// Returns the camera of `bspscene render --overview` for a picture of this size, and the bounding box that it
	// shows.
	overview(number, width, height) {
		const at = this.memory.take(13 * 4);
		try {
			this.core._web_look_from_above(this.scenes.get(number).pointer, width, height, at);
			const [x, y, z, pitch, yaw, , fov, ...box] = this.memory.numbers('f32', at, 13);
			const shown = { min: box.slice(0, 3), max: box.slice(3) };
			return { origin: [x, y, z], pitch, yaw, fov_degrees: fov, aspect: width / height, shown };
		} finally {
			this.core._free(at);
		}
	}

	// Returns for each point the light on a model there, or null where the map has no light.
	lightAt(number, points) {
		const { pointer } = this.scenes.get(number);
		const at = this.memory.take(12 + structs.LightSample.size);
		try {
			return points.map((point) => {
				new Float32Array(this.memory.buffer, at, 3).set(point);
				return this.core._bspscene_sample_light(pointer, at, at + 12)
					? this.memory.read('LightSample', at + 12)
					: null;
			});
		} finally {
			this.core._free(at);
		}
	}

	free(number) {
		const { pointer } = this.scenes.get(number);
		for (const [other, { base }] of this.scenes) if (base === number) this.free(other);
		this.core._bspscene_scene_free(pointer);
		this.scenes.delete(number);
	}
}

// scripts/lib/split_web.py splits the module in two. For each function of the second module, the first one has a table
// entry. Calling such an entry loads the second module.
class Joined {
	constructor(module, files) {
		Object.assign(this, { module, files, isWhole: false });
	}

	start(imports) {
		const placeholder = new Proxy({}, { get: (_, place) => this.later(Number(place)) });
		this.instance = new WebAssembly.Instance(this.module, { ...imports, placeholder });
		this.table = Object.values(this.instance.exports).find((one) => one instanceof WebAssembly.Table);
		return this.instance;
	}

	later(place) {
		return (...words) => {
			this.fetch();
			return this.table.get(place)(...words);
		};
	}

	fetch() {
		if (this.isWhole) return;
		new WebAssembly.Instance(new WebAssembly.Module(this.files()), { primary: this.instance.exports });
		this.isWhole = true;
	}
}

// Removes the module's own folders (/source1 and so on) from messages.
function withoutRoots(text) {
	return text.replaceAll(/\/source\d+(?=\/)/g, '');
}

function offsetOf(struct, field) {
	return structs[struct].fields.find(([name]) => name === field)[1];
}

function joined(parts) {
	const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}
