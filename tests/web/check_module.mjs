// check_module.mjs PACKAGE PROGRAM FIXTURES: the npm package in node agrees with the command line on the same files.
// glTF, FBX and lightmap pages have the same bytes, facts are the same, and errors have the same message. Calls report
// progress and can be canceled, and memory is freed.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
	closeSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , folder, program, fixtures] = process.argv;
if (!existsSync(join(folder, 'bspscene_core.wasm'))) {
	console.log(`${folder} is not there: scripts/package-web makes it`);
	process.exit(77);
}
const { open, MapError, constants } = await import(pathToFileURL(join(folder, 'bspscene.mjs')));
const scratch = mkdtempSync(join(tmpdir(), 'bspscene-web-'));
process.on('exit', () => rmSync(scratch, { recursive: true }));

const maps = ['atrium', 'callofduty', 'genesis3d', 'mohaa', 'nightfire', 'source', 'ufoai'].flatMap((family) =>
	readdirSync(join(fixtures, family), { recursive: true })
		.filter((name) => name.endsWith('.bsp'))
		.map((name) => join(fixtures, family, name)),
);
assert(maps.length >= 10, `${maps.length} maps below ${fixtures}`);
let checks = 0;

function native(...args) {
	return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
}

// Writes an uncompressed zip with two files: one of many zeros, which is a hole on the disk, then the given one.
function writeLargeZip(path, size, name, bytes) {
	const entries = [
		{ name: 'textures/zeros.tga', size },
		{ name, size: bytes.length, bytes },
	];
	const file = openSync(path, 'w');
	const directory = [];
	let at = 0;
	for (const entry of entries) {
		const [head, listed] = [Buffer.alloc(30 + entry.name.length), Buffer.alloc(46 + entry.name.length)];
		// A local header and a directory record have these fields in common, from the required version to the lengths
		// of name and extra data.
		for (const [record, mark, fields] of [
			[head, 0x04034b50, 4],
			[listed, 0x02014b50, 6],
		]) {
			record.writeUInt32LE(mark, 0);
			record.writeUInt32LE(entry.bytes ? crc32(entry.bytes) : 0, fields + 10);
			record.writeUInt32LE(entry.size, fields + 14);
			record.writeUInt32LE(entry.size, fields + 18);
			record.writeUInt16LE(entry.name.length, fields + 22);
			record.write(entry.name, record.length - entry.name.length, 'latin1');
		}
		listed.writeUInt32LE(at, 42);
		directory.push(listed);
		writeSync(file, head, 0, head.length, at);
		at += head.length;
		if (entry.bytes) writeSync(file, entry.bytes, 0, entry.size, at);
		at += entry.size;
	}
	const list = Buffer.concat(directory);
	const end = Buffer.alloc(22);
	end.writeUInt32LE(0x06054b50, 0);
	end.writeUInt16LE(entries.length, 8);
	end.writeUInt16LE(entries.length, 10);
	end.writeUInt32LE(list.length, 12);
	end.writeUInt32LE(at, 16);
	writeSync(file, Buffer.concat([list, end]), 0, list.length + 22, at);
	closeSync(file);
}

// Computes zip's CRC-32. node's zlib has it only from version 22 on.
function crc32(bytes) {
	let crc = ~0;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
	}
	return ~crc >>> 0;
}

// Returns the files that the program writes, by name.
function filesOf(map, ending, options) {
	const into = mkdtempSync(join(scratch, 'out-'));
	native('convert', map, join(into, `atrium.${ending}`), '--quiet', ...options);
	return new Map(readdirSync(into).map((name) => [name, readFileSync(join(into, name))]));
}

function same(written, expected, what) {
	assert.deepEqual(written.map(({ name }) => name).sort(), [...expected.keys()].sort(), what);
	for (const { name, data } of written) assert(expected.get(name).equals(data), `${what}: ${name} differs`);
	checks++;
}

for (const map of maps) {
	const source = await open(map);
	// The program leaves normal maps out if the written file has no lamps. The module must be told to do so.
	const load = { skip_normal_maps: true };
	const glb = await source.convert(undefined, 'glb', { file_name: 'atrium.glb', load });
	same(glb, filesOf(map, 'glb', []), `${map} as GLB`);
	const scene = await source.load();
	// Compares with the metadata that `render --overview` writes into its picture.
	const above = join(scratch, 'above.png');
	native('render', map, above, '--overview', '--size', '64x48', '--samples', '1', '--quiet');
	const [, ...eye] = /--camera=(-?[\d.]+),(-?[\d.]+),(-?[\d.]+),(-?[\d.]+),(-?[\d.]+)/.exec(
		readFileSync(above, 'latin1'),
	);
	const { origin, pitch, yaw, shown } = await scene.overview(64, 48);
	for (const [i, value] of [...origin, pitch, yaw].entries())
		assert(
			Math.abs(value - eye[i]) <= 1e-5 * Math.max(Math.abs(value), 1),
			`${map}: overview from ${origin}, not ${eye}`,
		);
	assert(
		shown.min.every((value, i) => value >= scene.data.bounds.min[i] && value <= shown.max[i]),
		`${map}: ${shown.min}`,
	);
	same(
		await scene.write('glb', { file_name: 'atrium.glb', lighting: 'lightmap', omit_entities: true }),
		filesOf(map, 'glb', ['--lighting', 'lightmap', '--no-entities']),
		`${map} with lightmaps`,
	);
	const { pages, ...facts } = { ...(await source.info()) };
	const expected = JSON.parse(native('info', map, '--json'));
	for (const name of ['format', 'counts', 'bounds', 'identity', 'title'])
		assert.deepEqual(facts[name], expected[name], `${map}: ${name}`);
	const { data } = scene;
	assert.equal(data.mesh_count, data.meshes.length);
	for (const mesh of data.meshes) {
		assert.equal(mesh.positions.length, 3 * mesh.vertex_count);
		assert(mesh.indices.every((index) => index < mesh.vertex_count));
	}
	assert(data.entities.every((entity) => data.nodes[entity.node]));
	assert.equal((await scene.part('faces')).length, data.face_count);
	const texts = JSON.stringify([data.images, data.materials, data.warnings, facts]);
	assert(!/\/source\d/.test(texts), `${map}: where the module keeps files: ${/.{60}\/source\d.{20}/.exec(texts)}`);
	await scene.free();
	assert(data.meshes[0].positions.every(Number.isFinite), 'arrays stay when the scene is freed');
	source.close();
}

// Showing a map needs only the first module. The second module is loaded before anything is written.
{
	const source = await open(maps[0]);
	const scene = await source.load();
	for (const image of scene.data.images.keys())
		await scene.pixels(image).catch((error) => assert(error instanceof MapError));
	await scene.sky();
	await scene.lightAt([[0, 0, 0]]);
	await scene.overview();
	for (const part of ['faces', 'tree', 'vis', 'light_grid']) await scene.part(part);
	assert.equal(await source.host.call('isWhole', []), false, 'the second module shows maps too');
	await scene.write('obj');
	assert.equal(await source.host.call('isWhole', []), true);
	source.close();
	// The modules can also be passed as bytes.
	const [core, files] = ['bspscene_core.wasm', 'bspscene_files.wasm'].map((name) => readFileSync(join(folder, name)));
	const other = await open(maps[0], { module: { worker: pathToFileURL(join(folder, 'worker.mjs')), core, files } });
	assert.equal((await other.convert('', 'obj')).length > 0, true);
	other.close();
	checks++;
}

// In a browser, files are given without a folder. Here they are given as bytes.
{
	const bytes = readFileSync(maps[0]);
	const source = await open([{ path: 'atrium.bsp', bytes }]);
	const material_passes = new Set();
	let last = 0;
	const [glb] = await source.convert('atrium', 'glb', {
		load: { textures: 'none' },
		progress: (stage, part) => {
			material_passes.add(stage);
			assert(part >= last);
			last = part;
		},
	});
	assert.equal(new TextDecoder().decode(glb.data.subarray(0, 4)), 'glTF');
	assert(material_passes.size > 0 && last === 1, [...material_passes].join());
	const [, ...pages] = (await source.bake()).map(({ name }) => name).sort();
	assert(pages.every((name) => name.endsWith('.png')) && pages.length > 0);
	await assert.rejects(
		source.convert('atrium', 'nothing'),
		(error) => error instanceof MapError && error.status === constants.ERROR_UNSUPPORTED_FORMAT,
	);
	await assert.rejects(source.convert('other', 'glb'), MapError);
	await assert.rejects(source.load('atrium', { nothing: 1 }), { message: /no option "nothing"/ });
	checks++;
	source.close();
}

// Errors have the messages of the command line.
for (const cut of [3, 64, 700, 4000]) {
	const bytes = readFileSync(maps[0]).subarray(0, cut);
	const path = join(scratch, 'cut.bsp');
	(await import('node:fs')).writeFileSync(path, bytes);
	const said = spawnSync(program, ['info', path], { encoding: 'utf8' }).stderr;
	const failure = await (async () => (await open(path)).load())().then(
		() => null,
		(error) => error,
	);
	assert(failure instanceof MapError, `${cut} bytes: ${failure}`);
	assert(said.includes(failure.message.replace(/^.*?cut\.bsp: /, '')), `${said} and ${failure.message}`);
	checks++;
}

// A call can be canceled by a signal, and it is refused if it exceeds the memory budget. Other calls continue.
{
	const source = await open(maps[0]);
	const control = new AbortController();
	await assert.rejects(source.load('', { signal: control.signal, progress: () => control.abort() }), {
		name: 'AbortError',
	});
	const next = await open(maps[0]);
	await assert.rejects(
		next.load('', { memory_limit: 20000 }),
		(error) => error.status === constants.ERROR_MEMORY_LIMIT,
	);
	assert((await next.load()).data.mesh_count > 0);
	next.close();
	checks++;
}

// The game's archive has 290 MB, but only the needed parts are read. The module's memory stays below 64 MB, and node's
// memory hardly grows.
{
	const game = join(scratch, 'large');
	mkdirSync(game);
	writeLargeZip(join(game, 'pak0.pk3'), 290 << 20, 'maps/atrium.bsp', readFileSync(maps[0]));
	const before = process.memoryUsage().rss;
	const source = await open(game);
	const written = await source.convert('atrium', 'glb');
	const [size, grown] = [await source.host.call('memory', []), process.memoryUsage().rss - before];
	console.log(`a game of 290 MB: ${size >> 20} MB of the module, ${grown >> 20} MB of the process`);
	assert(written[0].data.length > 10000);
	assert(size < 64 << 20, `${size} bytes of the module`);
	source.close();
	checks++;
}

// Memory is freed: 200 loads need no more than the first ones.
{
	const source = await open(maps[0]);
	const sizes = [];
	for (let i = 0; i < 200; i++) {
		const scene = await source.load();
		await scene.free();
		sizes.push(await source.host.call('memory', []));
	}
	assert.equal(sizes[199], sizes[20], 'memory of 200 loads');
	source.close();
	checks++;
}
console.log(`${maps.length} maps, ${checks} checks passed`);
