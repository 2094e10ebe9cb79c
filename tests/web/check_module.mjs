// The npm package in node, against the command line on the same files: PACKAGE PROGRAM FIXTURES. The same bytes of
// glTF, FBX and lightmap pages, the same facts; what is refused is refused in the same words; calls can be watched and
// ended; memory comes back.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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

// What the program writes, by name.
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
	const place = await open(map);
	// The program leaves them out where no lamp will light the file.
	const load = { no_normal_maps: true };
	const glb = await place.convert(undefined, 'glb', { file_name: 'atrium.glb', load });
	same(glb, filesOf(map, 'glb', []), `${map} as GLB`);
	const scene = await place.load();
	same(
		await scene.write('glb', { file_name: 'atrium.glb', lighting: 'lightmap', no_entities: true }),
		filesOf(map, 'glb', ['--lighting', 'lightmap', '--no-entities']),
		`${map} with lightmaps`,
	);
	const { pages, ...facts } = { ...(await place.info()) };
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
	assert(!/\/place\d/.test(texts), `${map}: where the module keeps files: ${/.{60}\/place\d.{20}/.exec(texts)}`);
	await scene.free();
	assert(data.meshes[0].positions.every(Number.isFinite), 'arrays stay when the scene is freed');
	place.close();
}

// Files of a browser, here as bytes, without a folder around them.
{
	const bytes = readFileSync(maps[0]);
	const place = await open([{ path: 'atrium.bsp', bytes }]);
	const stages = new Set();
	let last = 0;
	const [glb] = await place.convert('atrium', 'glb', {
		load: { textures: 'none' },
		progress: (stage, part) => {
			stages.add(stage);
			assert(part >= last);
			last = part;
		},
	});
	assert.equal(new TextDecoder().decode(glb.data.subarray(0, 4)), 'glTF');
	assert(stages.size > 0 && last === 1, [...stages].join());
	const [, ...pages] = (await place.bake()).map(({ name }) => name).sort();
	assert(pages.every((name) => name.endsWith('.png')) && pages.length > 0);
	await assert.rejects(
		place.convert('atrium', 'nothing'),
		(error) => error instanceof MapError && error.status === constants.ERROR_UNSUPPORTED_FORMAT,
	);
	await assert.rejects(place.convert('other', 'glb'), MapError);
	await assert.rejects(place.load('atrium', { nothing: 1 }), { message: /no option "nothing"/ });
	checks++;
	place.close();
}

// What is refused, in the words of the command line.
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

// A signal ends the work, and a budget refuses it; others go on.
{
	const place = await open(maps[0]);
	const control = new AbortController();
	await assert.rejects(place.load('', { signal: control.signal, progress: () => control.abort() }), {
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

// Memory comes back: what 200 loads take does not grow.
{
	const place = await open(maps[0]);
	const sizes = [];
	for (let i = 0; i < 200; i++) {
		const scene = await place.load();
		await scene.free();
		sizes.push(await place.host.call('memory', []));
	}
	assert.equal(sizes[199], sizes[20], 'memory of 200 loads');
	place.close();
	checks++;
}
console.log(`${maps.length} maps, ${checks} checks passed`);
