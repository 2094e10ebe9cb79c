// check_misuse.mjs PACKAGE FIXTURES BOMBS: tests errors of callers, and files that request too much, in node. BOMBS is
// the folder tests/hostile, whose scripts make such files. Wrong types, freed scenes and closed sources must give
// errors. The process must not end or hang. After each error, a valid map must give the same bytes as before.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , folder, fixtures, bombs] = process.argv;
if (!existsSync(join(folder, 'bspscene_core.wasm'))) {
	console.log(`${folder} is not there: scripts/package-web makes it`);
	process.exit(77);
}
const { open } = await import(pathToFileURL(join(folder, 'bspscene.mjs')));
const map = join(fixtures, 'atrium/quake3/maps/atrium.bsp');
const scratch = mkdtempSync(join(tmpdir(), 'bspscene-misuse-'));
process.on('exit', () => rmSync(scratch, { recursive: true }));

const honest = () => open([{ path: 'maps/atrium.bsp', bytes: readFileSync(map) }]);

async function write(place) {
	const [file] = await place.convert(undefined, 'glb');
	return Buffer.from(file.data);
}

const first = await honest();
const expected = await write(first);
first.close();
let refused = 0;

// Checks that a call is rejected by an Error with a message.
async function refuses(what, call) {
	try {
		await call();
	} catch (error) {
		assert(error instanceof Error && error.message, `${what}: ${error}`);
		refused++;
		return;
	}
	assert.fail(`${what}: is taken`);
}

// Waits for a call that may give a result or an Error.
async function ends(what, call) {
	try {
		await call();
	} catch (error) {
		assert(error instanceof Error && error.message, `${what}: ${error}`);
		refused++;
	}
}

// ---- Wrong types ---------------------------------------------------------------------------------------------------

const values = [null, -1, 1e300, '\0', {}, [[]], () => 0, Symbol.iterator];
const wrong = await honest();
for (const value of values) {
	const named = String(typeof value === 'object' ? JSON.stringify(value) : String(value));
	await ends(`open([${named}])`, async () => (await open([value])).close());
	await ends(`load(${named})`, async () => (await wrong.load(value)).free());
	await ends(`load of ${named}`, async () => (await wrong.load(undefined, { patch_error: value })).free());
	await ends(`convert to ${named}`, () => wrong.convert(undefined, value));
	const scene = await wrong.load();
	for (const name of ['part', 'pixels', 'overview', 'lightAt', 'write']) {
		await ends(`${name}(${named})`, async () => scene[name](value));
	}
	await scene.free();
}
assert((await write(wrong)).equals(expected), 'after wrong types the map is another');
wrong.close();
await refuses('an unknown writer', async () => {
	const place = await honest();
	try {
		await place.convert(undefined, 'exe');
	} finally {
		place.close();
	}
});

// ---- After the end -------------------------------------------------------------------------------------------------

const place = await honest();
const scene = await place.load();
await scene.free();
await ends('freed twice', () => scene.free());
const calls = { pixels: 0, sky: 64, write: 'glb', lightAt: [[0, 0, 0]], bakeLight: {} };
for (const [name, value] of Object.entries(calls)) {
	await refuses(`${name} of a freed scene`, () => scene[name](value));
}
// If a scene is freed while it is written, the result is complete or an error.
const other = await place.load();
await Promise.all([ends('written', () => other.write('glb')), ends('freed', () => other.free())]);
assert((await write(place)).equals(expected));
place.close();
await refuses('load of a closed place', () => place.load());
await refuses('convert of a closed place', () => place.convert(undefined, 'glb'));

// ---- Too much ------------------------------------------------------------------------------------------------------

function make(script, name) {
	const code = `import sys; sys.path.insert(0, sys.argv[1]); import ${script} as b; from pathlib import Path; `
		+ `print(b.BOMBS[sys.argv[2]](Path(sys.argv[3])))`;
	return execFileSync('python3', ['-c', code, bombs, name, scratch], { encoding: 'utf8' }).trim();
}

for (const [script, name] of [
	['bombs', 'patches'],
	['bombs', 'source'],
	['bombs', 'small_tga'],
	['bombs', 'scripts'],
	['archive_bombs', 'overlap'],
]) {
	const file = make(script, name);
	const opened = await open([{ path: basename(file), bytes: readFileSync(file) }]);
	const path = opened.maps[0]?.path;
	await ends(`${name}: load`, async () => (await opened.load(path)).free());
	await ends(`${name}: convert`, () => opened.convert(path, 'glb'));
	opened.close();
	const again = await honest();
	assert((await write(again)).equals(expected), `after ${name} the map is another`);
	again.close();
	rmSync(file);
}
console.log(`${refused} refused`);
