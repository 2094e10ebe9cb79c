// What native/web's scripts promise without the module: files of the host as a tree, read by blocks; that everything
// which a scene points to has a length; waves as the games have them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [, , python, folder] = process.argv;
const source = fileURLToPath(new URL('../../native/web/', import.meta.url));
mkdirSync(folder, { recursive: true });
for (const name of ['tree.mjs', 'counts.mjs', 'memory.mjs', 'bspscene.mjs'])
	cpSync(join(source, name), join(folder, name));
mkdirSync(join(folder, 'viewer'), { recursive: true });
cpSync(join(source, 'viewer/waves.mjs'), join(folder, 'viewer/waves.mjs'));
execFileSync(python, [join(source, 'make_layout.py'), folder]);
const load = (name) => import(pathToFileURL(join(folder, name)));
const { structs, constants } = await load('layout.mjs');
const { counts } = await load('counts.mjs');
const { sourceOfFiles, treeOf } = await load('tree.mjs');
const { Memory } = await load('memory.mjs');
const { waveAt, modifiersAt, frameAt, styleAt } = await load('viewer/waves.mjs');
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

// The least of emscripten's file system that tree.mjs uses.
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
	const singular = { meshes: 'mesh', entities: 'entity' };
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
	assert.equal(structs.Pixels.size, 12);
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
		compress: true,
		file_name: 'ä.glb',
		light_error: 4,
		light_styles: new Float32Array(256).fill(0.5),
		sky: 'cube',
	});
	const read = memory.read('WriteOptions', pointer, undefined, () => false);
	assert.equal(read.struct_size, structs.WriteOptions.size);
	assert.equal(read.lighting, constants.WRITE_LIGHTMAP);
	assert.equal(read.compress, true);
	assert.equal(read.file_name, 'ä.glb');
	assert.equal(read.light_error, 4);
	assert.equal(read.sky, constants.WRITE_SKY_CUBE);
	assert.equal(
		memory.read(
			'LoadOptions',
			memory.options('LoadOptions', { include: ['sky', 'clip'] }).pointer,
			undefined,
			() => false,
		).include,
		constants.INCLUDE_SKY | constants.INCLUDE_CLIP,
	);
	for (const wrong of [{ lightning: 'lightmap' }, { struct_size: 3 }, { progress_user: {} }]) {
		assert.throws(() => memory.options('WriteOptions', wrong), TypeError);
	}
	for (const wrong of [{ lighting: 'bright' }, { merge: 'toString' }])
		assert.throws(() => memory.options('WriteOptions', wrong), RangeError);
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
});

if (!process.exitCode) console.log(`${passed} passed`);
