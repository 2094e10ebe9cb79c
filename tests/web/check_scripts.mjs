// Tests the scripts of native/web that do not need the module. The files of a host form a tree, and are read by blocks.
// Every array of a scene has a length. Waves are computed as in the games. A walker is stopped by walls and climbs
// steps. Doors open as the keys of their entity state. Surfaces in clusters that cannot be seen are left out. Every
// script parses, also those that only a browser runs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [, , python, folder] = process.argv;
const source = fileURLToPath(new URL('../../native/web/', import.meta.url));
for (const name of readdirSync(source, { recursive: true })) {
	if (!name.endsWith('.mjs') || name.includes('node_modules')) continue;
	execFileSync(process.execPath, ['--check', join(source, name)]);
}
mkdirSync(folder, { recursive: true });
for (const name of ['tree.mjs', 'counts.mjs', 'memory.mjs', 'bspscene.mjs'])
	cpSync(join(source, name), join(folder, name));
mkdirSync(join(folder, 'viewer'), { recursive: true });
for (const name of ['viewer/waves.mjs', 'viewer/visible.mjs', 'viewer/walk'])
	cpSync(join(source, name), join(folder, name), { recursive: true });
execFileSync(python, [join(source, 'make_layout.py'), folder]);
const load = (name) => import(pathToFileURL(join(folder, name)));
const { structs, constants } = await load('layout.mjs');
const { counts } = await load('counts.mjs');
const { sourceOfFiles, treeOf } = await load('tree.mjs');
const { Memory } = await load('memory.mjs');
const { waveAt, modifiersAt, frameAt, styleAt } = await load('viewer/waves.mjs');
const { Directions, Tracer } = await load('viewer/walk/trace.mjs');
const { isPatch } = await load('viewer/walk/bodies.mjs');
const { Walker } = await load('viewer/walk/walker.mjs');
const { Doors, motionOf, openedBy } = await load('viewer/walk/doors.mjs');
const { Visibility } = await load('viewer/visible.mjs');
// These names have underscores because they belong to emscripten, not to the library.
const OWN_NAMES = ['node_ops', 'stream_ops'];
let passed = 0;

function test(name, run) {
	try {
		run();
		passed++;
	} catch (error) {
		console.error(`${name}: ${error.stack}`);
		process.exitCode = 1;
	}
}

// Implements the part of emscripten's file system that tree.mjs uses.
const FS = {
	ErrnoError: class extends Error {
		constructor(errno) {
			super(`errno ${errno}`);
			this.errno = errno;
		}
	},
	isDir: (mode) => (mode & 0o170000) === 0o040000,
	createNode(parent, name, mode) {
		const node = { name, mode, id: 1 };
		node.parent = parent ?? node;
		return node;
	},
};

const bytes = Uint8Array.from({ length: 700000 }, (_, i) => (i * 7 + (i >> 9)) & 255);

test('functions, structs, fields and constants have the names that the library has', () => {
	const text = (name) => readFileSync(join(source, name), 'utf8');
	const own = ['web.c', 'web_files.c', 'exports.txt'].map(text).join('\n');
	const fields = Object.values(structs).flatMap((struct) => struct.fields.map(([name]) => name));
	const known = new Set([...fields, ...Object.keys(constants).map((name) => name.toLowerCase()), ...OWN_NAMES]);
	for (const file of readdirSync(source, { recursive: true })) {
		if (!file.endsWith('.mjs') || file.includes('node_modules')) continue;
		const code = text(file).replaceAll(/\/\/.*$/gm, '');
		const hold = (pattern, isKnown) => {
			for (const [, name] of code.matchAll(pattern)) assert(isKnown(name), `${file}: the library has no ${name}`);
		};
		hold(/\b_((?:bspscene|web)_\w+)/g, (name) => own.includes(name));
		hold(/\b(?:options|read)\('(\w+)'/g, (name) => structs[name]);
		hold(/\bstructs\.(\w+)/g, (name) => structs[name]);
		hold(/\bC\.([A-Z]\w+)/g, (name) => name in constants);
		hold(/\.([a-z]+(?:_[a-z0-9]+)+)\b/g, (name) => known.has(name));
	}
});

test('bundlers for browsers read no import of node', () => {
	const script = readFileSync(join(source, 'bspscene.mjs'), 'utf8');
	assert.doesNotMatch(script, /(import\(|from )\s*['"]node:/);
	assert.match(script, /webpackIgnore: true/);
});

test('a tree has the folders of its files and nothing else', () => {
	const tree = sourceOfFiles([
		{ path: 'baseq3/maps/a.bsp', bytes },
		{ path: '/../b.pk3', bytes: bytes.subarray(0, 3) },
	]);
	assert.deepEqual(tree.list('/'), ['baseq3', 'b.pk3']);
	assert.deepEqual(tree.list('/baseq3/maps'), ['a.bsp']);
	assert.deepEqual(tree.stat('/b.pk3'), { directory: false, size: 3 });
	assert.deepEqual(tree.stat('/baseq3'), { directory: true });
	assert.equal(tree.stat('/nothing'), null);
});

test('reads over borders of blocks and past the end give what the file has', () => {
	let reads = 0;
	const inner = sourceOfFiles([{ path: 'a.bsp', bytes }]);
	const tree = treeOf(FS, {
		...inner,
		read: (...where) => {
			reads++;
			return inner.read(...where);
		},
	});
	const root = tree.mount();
	const node = root.node_ops.lookup(root, 'a.bsp');
	for (const [position, length, expected] of [
		[0, 10, 10],
		[262140, 10, 10],
		[0, 700000, 700000],
		[699990, 50, 10],
		[700000, 5, 0],
		[900000, 5, 0],
	]) {
		const out = new Uint8Array(length + 2);
		assert.equal(node.stream_ops.read({ node }, out, 2, length, position), expected);
		assert.deepEqual(out.subarray(2, 2 + expected), bytes.subarray(position, position + expected));
	}
	assert.equal(reads, 3, 'each block is fetched once');
	assert.throws(() => root.node_ops.lookup(root, 'b.bsp'), { errno: 44 });
	assert.throws(() => node.stream_ops.write(), { errno: 69 });
});

test('what a scene points to has a length', () => {
	const singular = { meshes: 'mesh', entities: 'entity', material_passes: 'material_pass' };
	const seen = new Set();
	const walk = (name) => {
		if (seen.has(name)) return;
		seen.add(name);
		const names = structs[name].fields.map(([field]) => field);
		for (const [field, , kind, to, ...more] of structs[name].fields) {
			[to, ...more].filter((word) => structs[word]).forEach(walk);
			if (kind !== 'to' && kind !== 'pointer') continue;
			const counted = counts[name]?.[field] || names.includes(`${singular[field] ?? field.slice(0, -1)}_count`);
			if (kind === 'pointer' || to !== 'struct') assert(counted, `${name}.${field} has no length`);
		}
	};
	walk('Scene');
	assert(seen.size > 30 && seen.has('TcMod') && seen.has('Occurrence'));
	for (const [name, rules] of Object.entries(counts)) {
		for (const field of Object.keys(rules))
			assert(
				structs[name].fields.some(([one]) => one === field),
				`${name}.${field} is gone`,
			);
	}
});

test('structs are laid out as for 32 bits', () => {
	const offset = (struct, field) => structs[struct].fields.find(([name]) => name === field)[1];
	assert.equal(structs.Pixels.size, 16);
	assert.equal(offset('Image', 'size'), offset('Image', 'data') + 4);
	assert.equal(offset('Error', 'offset'), 8);
	assert.equal(structs.Stream.fields.find(([name]) => name === 'size')[2], 'u64');
	assert.equal(structs.LoadOptions.fields.find(([name]) => name === 'struct_size')[2], 'u32');
});

test('options become structs, and what is no option is refused', () => {
	const buffer = new ArrayBuffer(65536);
	let top = 16;
	const core = {
		HEAPU8: new Uint8Array(buffer),
		_malloc: (size) => {
			top += (size + 7) & ~7;
			return top - ((size + 7) & ~7);
		},
		_free() {},
	};
	const memory = new Memory(core);
	const { pointer } = memory.options('WriteOptions', {
		lighting: 'lightmap',
		compress: 'webp',
		file_name: 'ä.glb',
		light_error: 4,
		light_styles: new Float32Array(256).fill(0.5),
		sky: 'cube',
	});
	const read = memory.read('WriteOptions', pointer, undefined, () => false);
	assert.equal(read.struct_size, structs.WriteOptions.size);
	assert.equal(read.lighting, constants.WRITE_LIGHTING_LIGHTMAP);
	assert.equal(read.compress, constants.COMPRESS_WEBP);
	assert.equal(read.file_name, 'ä.glb');
	assert.equal(read.light_error, 4);
	assert.equal(read.sky, constants.WRITE_SKY_CUBE);
	assert.equal(
		memory.read(
			'LoadOptions',
			memory.options('LoadOptions', { include_mask: ['sky', 'clip'] }).pointer,
			undefined,
			() => false,
		).include_mask,
		constants.SURFACE_SKY | constants.SURFACE_CLIP,
	);
	for (const wrong of [{ lightning: 'lightmap' }, { struct_size: 3 }, { progress_user: {} }]) {
		assert.throws(() => memory.options('WriteOptions', wrong), TypeError);
	}
	for (const wrong of [{ lighting: 'bright' }, { merge: 'toString' }])
		assert.throws(() => memory.options('WriteOptions', wrong), RangeError);
});

test('a list of texts is read as texts', () => {
	const core = { HEAPU8: new Uint8Array(4096) };
	const view = new DataView(core.HEAPU8.buffer);
	const { size, fields } = structs.Scene;
	const at = (name) => fields.find(([field]) => field === name)[1];
	view.setUint32(at('lighting_variant_count'), 2, true);
	view.setUint32(at('lighting_variants'), size, true);
	view.setUint32(size, size + 8, true);
	view.setUint32(size + 4, size + 12, true);
	core.HEAPU8.set(new TextEncoder().encode('day\0night\0'), size + 8);
	const isWanted = (_, field) => field === 'lighting_variants';
	const { lighting_variants: names } = new Memory(core).read('Scene', 0, undefined, isWanted);
	assert.deepEqual(names, ['day', 'night']);
});

test('waves and coordinates are those of the games', () => {
	const wave = (func) => ({ func, base: 1, amplitude: 2, phase: 0.25, frequency: 1 });
	assert.equal(waveAt(wave(constants.WAVE_SIN), 0), 3);
	assert.equal(waveAt(wave(constants.WAVE_SQUARE), 0.5), -1);
	assert.equal(waveAt(wave(constants.WAVE_TRIANGLE), 0.25), 1);
	assert.equal(waveAt(wave(constants.WAVE_INVERSE_SAWTOOTH), 0), 2.5);
	const mod = (kind, values) => ({ kind, values, wave: wave(constants.WAVE_SIN) });
	const stage = {
		tc_mods: [mod(constants.TC_MOD_SCALE, [2, 3]), mod(constants.TC_MOD_SCROLL, [0.5, -0.25])],
		tc_mod_count: 2,
	};
	assert.deepEqual(modifiersAt(stage, 1).before, [2, 0, 0.5, 0, 3, 0.75]);
	assert.equal(frameAt(1.05, 10, 4), 2);
	assert.equal(frameAt(9, 1, 4, true), 3);
	assert.equal(styleAt({ start: 1, pattern: 'mza' }, 0.1), 25 / 12);
	assert.equal(styleAt({ start: 0.48, pattern: 'mza' }, 0.1), 1);
	assert.equal(styleAt({ start: 1, pattern: 'z' }, 0.1), 1);
});

// Makes a box as a body; `top` moves the corners of its upper side along x.
function block(min, max, top = 0) {
	const points = [];
	for (let corner = 0; corner < 8; corner++)
		points.push(...min.map((value, i) => (corner & (1 << i) ? max[i] : value) + (i === 0 && corner & 4 ? top : 0)));
	const normals = new Directions();
	normals.add([0, 1, 0]);
	normals.add([0, 0, 1]);
	normals.add([max[2] - min[2], 0, -top]);
	const edges = new Directions();
	edges.add([top, 0, max[2] - min[2]]);
	return { points, normals: normals.list, edges: edges.list, min, max: [max[0] + top, max[1], max[2]] };
}

const HALF = [16, 16, 28];
const AHEAD = { ahead: 1, left: 0, above: 0, yaw: 0, pitch: 0 };

function walked(solids, seconds, wish = {}, liquids = []) {
	const walker = new Walker({ solids, liquids, half: HALF, middle: 4, eyes: 26 }, -1000);
	assert(walker.place([0, 0, 24 + 26 + 1]));
	for (let i = 0; i < seconds * 50; i++) walker.move(0.02, { ...AHEAD, ...wish });
	return walker;
}

const FLOOR = block([-100, -100, -16], [2000, 100, 0]);

test('a box stops before what it meets, and at its edges', () => {
	const tracer = new Tracer([block([100, -50, -50], [200, 50, 50])], HALF);
	const hit = tracer.trace([0, 0, 0], [300, 0, 0]);
	assert(Math.abs(hit.position[0] - (100 - 16 - 1 / 32)) < 1e-9);
	assert(hit.normal[0] === -1);
	assert.equal(tracer.trace([0, 66.01, 0], [300, 66.01, 0]).normal, null);
	assert(tracer.trace([0, 65.9, 0], [300, 65.9, 0]).normal);
	assert(tracer.trace([150, 0, 0], [160, 0, 0]).inside);
	assert(tracer.isInside([190, 0, 0]) && !tracer.isInside([217, 0, 0]));
	// A point above the slope of a wedge is free, although it is inside of the wedge's bounds.
	const wedge = new Tracer([block([100, -50, -50], [200, 50, 50], 80)], [4, 4, 4]);
	assert(!wedge.isInside([110, 0, 40]) && wedge.isInside([110, 0, -40]));
});

test('who walks stands, is stopped, climbs steps, falls back and swims', () => {
	const free = walked([FLOOR], 2);
	assert(free.standing && free.origin[0] > 500 && Math.abs(free.origin[2] - 24) < 0.1);
	const wall = block([300, -100, 0], [320, 100, 200]);
	assert(Math.abs(walked([FLOOR, wall], 3).origin[0] - (300 - 16)) < 0.1);
	const step = (height) => block([300, -100, 0], [2000, 100, height]);
	assert(Math.abs(walked([FLOOR, step(16)], 2).origin[2] - 40) < 0.1);
	assert(walked([FLOOR, step(24)], 2).origin[0] < 300);
	assert(walked([FLOOR, step(24)], 3, { above: 1 }).origin[0] > 400, 'a jump is higher');
	const slope = (length) => block([300, -100, 0], [2000, 100, 100], length);
	assert(walked([FLOOR, slope(150)], 2).origin[2] > 100, 'a slope is climbed');
	assert(walked([FLOOR, slope(50)], 2).origin[2] < 60, 'a steep one is not');
	assert.deepEqual(free.box.max.map((value, i) => Math.round(value - free.box.min[i])), [32, 32, 56]);
	const edge = walked([block([-100, -100, -16], [200, 100, 0])], 6);
	assert(edge.origin[2] >= -1000, 'out of the world is back on the ground');
	const water = block([-500, -500, -500], [500, 500, 500]);
	assert(walked([], 2, { pitch: 1 }, [water]).origin[2] > 200, 'in water one goes where one looks');
	const slow = walked([FLOOR], 1, {}, [water]).origin[0];
	assert(slow > 100 && slow < walked([FLOOR], 1).origin[0] * 0.8, 'in water one is slow');
});

test('curved patches are known by their triangles', () => {
	const [upper, lower] = [
		[0, 1, 3],
		[1, 4, 3],
	];
	const grid = [0, 1, 3, 4].flatMap((at) => [upper, lower].flatMap((one) => one.map((i) => i + at)));
	assert(isPatch(grid, { first_index: 0, index_count: 24, vertex_count: 9 }));
	assert(isPatch(grid.slice(3), { first_index: 0, index_count: 21, vertex_count: 9 }), 'the first may be flat');
	assert(!isPatch([0, 1, 2, 0, 2, 3, 0, 3, 4], { first_index: 0, index_count: 9, vertex_count: 5 }));
});

// Makes a scene of brush entities: { classname, KEY: value, ... }, each with a node.
function sceneOf(entities, family = 'quake') {
	const pairs = [];
	const described = entities.map(({ classname, ...keys }, node) => {
		const first = pairs.length;
		for (const [key, value] of Object.entries(keys)) pairs.push({ key, value });
		return { classname, node, first_pair: first, pair_count: pairs.length - first };
	});
	return { family, first_key_wins: false, pairs, entities: described, nodes: entities.map(() => ({ mesh: 0 })) };
}

test('doors open where their entities say', () => {
	const motion = (keys, family) => {
		const data = sceneOf([{ classname: 'func_door', ...keys }], family);
		return motionOf(data, data.entities[0], [64, 16, 128]);
	};
	const end = (found) => [3, 7, 11].map((i) => Math.round(openedBy(found, 1)[i]));
	assert.deepEqual(end(motion({ angle: '-1' })), [0, 0, 120]);
	assert.deepEqual(end(motion({ angle: '-2', lip: '-4' })), [0, 0, -132]);
	assert.deepEqual(end(motion({ angle: '180' })), [-56, 0, 0]);
	assert.deepEqual(end(motion({ angles: '0 90 0' }, 'goldsrc')), [0, 16, 0]);
	assert.deepEqual(end(motion({ movedir: '90 0 0' }, 'source')), [0, 0, -128]);
	assert.deepEqual(end(motion({ angle: '0', lip: '500' })), [0, 0, 0]);
	// A secret door moves sideways first, then ahead.
	const secret = motion({ classname: 'func_door_secret', spawnflags: '2' });
	assert.deepEqual(end(secret), [64, 16, 0]);
	assert.deepEqual(
		openedBy(secret, 0.5).map((value) => value + 0),
		[1, 0, 0, 0, 0, 1, 0, 16, 0, 0, 1, 0],
	);
	const turned = (keys) =>
		openedBy(motion({ classname: 'func_door_rotating', ...keys }), 1).map((value) => Math.round(value) + 0);
	assert.deepEqual(turned({}).slice(0, 3), [0, -1, 0]);
	assert.deepEqual(turned({ spawnflags: '2' }).slice(0, 3), [0, 1, 0]);
	assert.deepEqual(turned({ spawnflags: '64' }).slice(4, 7), [0, 0, -1]);
});

test('doors side by side open together when somebody is near, and close again', () => {
	const boxes = [0, 64, 300].map((x) => ({ min: [x, 0, 0], max: [x + 64, 16, 128] }));
	const door = { classname: 'func_door', angle: '90' };
	const doors = new Doors(sceneOf([door, door, door]), (node) => boxes[node]);
	const near = { min: [-70, 0, 0], max: [-50, 16, 56] };
	const far = { min: [-200, 0, 0], max: [-180, 16, 56] };
	assert.deepEqual(doors.update(0.1, far), []);
	assert.deepEqual(
		doors.update(0.1, near).map(({ node }) => node),
		[0, 1],
	);
	doors.update(10, near);
	assert.deepEqual(doors.update(10, near), [], 'it is open');
	const [{ transform }] = doors.update(10, null);
	assert.deepEqual(transform, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
});

test('a cluster that the eye does not see is left out', () => {
	// Three rooms lie along x, and each sees its neighbors. The floor of the middle one is water.
	const none = 0xffffffff;
	const leaf = (cluster, contents = 0) => ({ cluster, contents });
	const tree = {
		node_count: 3,
		planes: Float32Array.of(1, 0, 0, 100, 1, 0, 0, 200, 0, 0, 1, 0),
		children: Int32Array.of(1, -1, -3, 2, -2, -4),
		leafs: [leaf(0), leaf(1), leaf(2), leaf(3, 8), leaf(none)],
	};
	const vis = { cluster_count: 4, row_size: 1, rows: Uint8Array.of(0b0011, 0b0111, 0b0110, 0b1000) };
	const found = Visibility.of(tree, vis);
	assert.equal(Visibility.of(null, vis), null);
	assert.equal(Visibility.of(tree, { ...vis, rows: null }), null);
	const wall = found.clustersOf(Float32Array.of(50, 0, 50, 150, 0, 50, 150, 9, 50));
	assert.deepEqual(wall.sort(), [0, 1]);
	const onPlane = Float32Array.of(100, 0, 50, 100, 5, 50, 100, 5, 90);
	assert.deepEqual(found.clustersOf(onPlane).sort(), [0, 1], 'on a plane');
	const seen = (eye, clusters) => found.from(found.placeOf(eye))(clusters);
	assert(seen([0, 0, 0], [0, 1]) && seen([0, 0, 0], [1]) && !seen([0, 0, 0], [2]));
	assert(seen([0, 0, 0], null), 'what has no cluster is seen');
	assert(!seen([150, 0, 50], [3]) && seen([150, 0, 10], [3]), 'what is under the surface, from near it');
	found.steps = 0;
	assert.equal(found.clustersOf(Float32Array.of(50, 0, 50)), null, 'after so much work all is seen');
	tree.leafs[0].cluster = none;
	assert.equal(found.placeOf([0, 0, 0]), '', 'from outside all is seen');
});

if (!process.exitCode) console.log(`${passed} passed`);
