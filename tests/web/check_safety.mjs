// check_safety.mjs VIEWER FIXTURES: tests that hostile maps cannot harm the viewer's page, in headless Chromium. Text
// of maps is never read as markup, the policy forbids evaluation, and no other server is contacted. If a map is
// refused, requests too much or ends its worker, the page shows a message. The next map opens.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { runLines } from './page_test.mjs';
import { serve } from './serve.mjs';

const [, , viewer] = process.argv;
const fixtures = path.resolve(process.argv[3]);
const GAME = path.join(fixtures, 'atrium/quake3');
const MAP = path.join(GAME, 'maps/atrium.bsp');
const HOSTILE = `<img src=x onerror="document.title='pwned'">`;
const scratch = mkdtempSync(path.join(tmpdir(), 'bspscene-safety-'));
process.on('exit', () => rmSync(scratch, { recursive: true }));

const status = (page) => page.ask("document.getElementById('status').textContent");

// Waits until the page shows the file, or the last message about it.
function settled(page, name) {
	return page.until(`viewer.asked?.files[0].name === '${name}' && document.getElementById('progress').hidden
		&& !/^(Opening|\\w+\\.\\.\\.)/.test(document.getElementById('status').textContent)`);
}

// Makes a map with markup in names of materials and values of entities.
function hostileMap() {
	const bytes = Buffer.from(readFileSync(MAP));
	for (let at = -1; (at = bytes.indexOf('textures/sample/', at + 1)) >= 0;)
		bytes.fill(0, at, at + 64).write(HOSTILE, at, 'latin1');
	const [from, size] = [bytes.readInt32LE(8), bytes.readInt32LE(12)];
	const entities = bytes.toString('latin1', from, from + size);
	const changed = entities.replaceAll(/"([^"\n]+)" "([^"\n]{9,})"/g, (whole, key, value) =>
		/classname|origin|model/.test(key)
			? whole
			: `"${key}" "${'<b>'.padEnd(value.length, '<i>').slice(0, value.length)}"`,
	);
	assert(changed !== entities && changed.length === entities.length);
	bytes.write(changed, from, 'latin1');
	const file = path.join(scratch, 'hostile.bsp');
	writeFileSync(file, bytes);
	return file;
}

// Makes small files that request much (tests/hostile/bombs.py).
function bombs() {
	const folder = path.join(fixtures, '../hostile');
	const code = `import sys; sys.path.insert(0, sys.argv[1]); import bombs, pathlib
for make in (bombs.patches, bombs.styles): print(make(pathlib.Path(sys.argv[2])))`;
	const made = spawnSync('python3', ['-c', code, folder, scratch], { encoding: 'utf8' });
	assert.equal(made.status, 0, made.stderr);
	return made.stdout.trim().split('\n');
}

async function goesOn(page) {
	await page.choose('files', [MAP]);
	await page.until("viewer.world?.data.name === 'atrium' && document.getElementById('progress').hidden");
	assert.match(await status(page), /^atrium: \d+ triangles/);
}

let deadWorker = false;
const DEAD = path.join(scratch, 'worker.mjs');
writeFileSync(
	DEAD,
	`const ANSWERS = { start: { version: '', writers: [], families: [] },
	openFiles: { number: 1, kind: 'map', maps: [{ name: 'x', path: '/x.bsp' }], problems: [] } };
self.onmessage = ({ data: { id, call } }) => {
	if (!ANSWERS[call]) throw new Error('the stack is full');
	self.postMessage({ id, result: ANSWERS[call] });
};`,
);

const lines = [
	[
		'the policy lets nothing be evaluated and no attribute run',
		async (page) => {
			await page.visit();
			const { result } = await page.client.Runtime.evaluate({
				expression: `(() => {
					const tried = [];
					for (const act of [() => eval('1'), () => new Function('return 1')()]) {
						try {
							act();
							tried.push('ran');
						} catch (error) {
							tried.push(error.name);
						}
					}
					const link = document.createElement('a');
					document.body.append(link);
					link.setAttribute('onclick', 'globalThis.ran = true');
					link.click();
					const script = document.createElement('script');
					script.textContent = 'globalThis.ran = true';
					document.body.append(script);
					return JSON.stringify([...tried, Boolean(globalThis.ran)]);
				})()`,
				allowUnsafeEvalBlockedByCSP: false,
			});
			assert.deepEqual(JSON.parse(result.value), ['EvalError', 'EvalError', false]);
			const policy = await page.ask(`document.querySelector('meta[http-equiv]').content`);
			assert(policy.includes("'wasm-unsafe-eval'") && !policy.includes("'unsafe-"), policy);
		},
	],
	[
		'nothing is asked of another server',
		async (page) => {
			let asked = 0;
			const other = await serve(() => void asked++ ?? MAP);
			const addresses = [];
			const forget = page.client.Network.requestWillBeSent(({ request }) => addresses.push(request.url));
			await page.client.Network.enable();
			await page.visit();
			await page.drop('#view', [GAME]);
			await page.ready();
			await page.ask("viewer.source.convert(viewer.path, 'glb').then(() => 0)");
			const isOwn = (address) => address.startsWith(page.url) || /^(blob|data|about):/.test(address);
			assert(addresses.length > 3 && addresses.every(isOwn), addresses.filter((one) => !isOwn(one)).join());
			const refused = await page.ask(`fetch('${other.url}').then(() => 'fetched', () => 'refused')`);
			await page.ask(`new Promise((resolve) => {
				const picture = new Image();
				picture.onload = picture.onerror = resolve;
				picture.src = '${other.url}x.png';
			})`);
			forget();
			await page.client.Network.disable();
			other.close();
			assert.deepEqual([refused, asked], ['refused', 0]);
		},
	],
	[
		"a map's text is never markup",
		async (page) => {
			await page.visit();
			await page.choose('files', [hostileMap()]);
			await page.ready();
			await page.click('#panel-button');
			const facts = await page.ask(`(async () => {
				const meshes = [];
				viewer.world.root.traverse((one) => one.isMesh && one.userData.pass === 0 && meshes.push(one));
				const ray = { direction: viewer.camera.position.clone().set(0, 0, -1) };
				const { data } = viewer.world;
				for (const one of meshes.slice(0, 20)) {
					one.geometry.computeBoundingSphere();
					await viewer.tellOf({ object: one, point: one.geometry.boundingSphere.center, ray });
				}
				await viewer.layers.show('points', '', true);
				const solids = viewer.layers.shown.get('points');
				const shown = [];
				for (let instanceId = 0; instanceId < (solids?.count ?? 0); instanceId++) {
					await viewer.tellOf({ object: solids, instanceId, point: ray.direction });
					shown.push(document.getElementById('panel').textContent);
				}
				const panel = document.getElementById('panel');
				const names = data.materials.filter(({ name }) => name.includes('<img')).length;
				return { names, title: document.title,
					text: panel.textContent + shown.join(),
					foreign: document.querySelectorAll('i, [onerror], :is(#panel, select) :is(b, img)').length };
			})()`);
			assert(facts.names > 0 && facts.text.includes('<img src=x'), `${facts.names} names`);
			assert.deepEqual([facts.title, facts.foreign], ['hostile - bspscene viewer', 0]);
		},
	],
	[
		'refused maps are told of in words, and the page goes on',
		async (page) => {
			await page.visit();
			const folder = path.join(fixtures, 'rejected');
			const files = readdirSync(folder).filter((name) => name.endsWith('.bsp') && !name.startsWith('bad-data'));
			assert(files.length > 5, `${files.length} files`);
			for (const name of files.slice(0, 8)) {
				await page.choose('files', [path.join(folder, name)]);
				await settled(page, name);
				const said = await status(page);
				assert(said.length > 10 && !/triangles/.test(said), `${name}: ${said}`);
			}
			await goesOn(page);
		},
	],
	[
		'maps that ask for much are drawn or told of in words, and the page goes on',
		async (page) => {
			let told = 0;
			for (const file of bombs()) {
				await page.visit();
				await page.choose('files', [file]);
				await settled(page, path.basename(file));
				const said = await status(page);
				console.log(`${path.basename(file)}: ${said}`);
				if (!/ triangles, /.test(said)) told++;
				await goesOn(page);
			}
			assert(told > 0, 'no bomb breaks a limit');
		},
	],
	[
		'a worker that ends is told of in words, and the page goes on',
		async (page) => {
			await page.visit();
			deadWorker = true;
			await page.choose('files', [MAP]);
			await page.until("/the worker ended/.test(document.getElementById('status').textContent)");
			deadWorker = false;
			assert.match(await status(page), /the worker ended: .*the stack is full/);
			await goesOn(page);
		},
	],
];

await runLines(viewer, (name) => (deadWorker && name === '/worker.mjs' ? DEAD : null), lines);
