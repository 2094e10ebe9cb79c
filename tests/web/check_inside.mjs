// check_inside.mjs VIEWER FIXTURES ONLY PROGRAM: `bspscene convert MAP out.html` writes a page, which is opened from a
// disk. This page shows the same map as the viewer's page on a server does with the game's folder. It shows the name of
// the map, saves a file, and makes no requests. The name of a map is never read as markup.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { skip } from '../support/browser/chromium.mjs';
import { runLines } from './page_test.mjs';

const [, , viewer, fixtures, , program] = process.argv;
const single = `${viewer}.html`;
if (!existsSync(single)) skip(`${single} is not there, scripts/package-web makes it`);
const GAME = path.resolve(fixtures, 'atrium/quake3');
const HOSTILE = '<!--<script>&"\'.bsp';
const scratch = mkdtempSync(path.join(tmpdir(), 'bspscene-inside-'));
process.on('exit', () => rmSync(scratch, { recursive: true }));

function convert(map) {
	const page = path.join(scratch, 'out.html');
	execFileSync(program, ['convert', map, page, '--viewer', single, '--quiet']);
	return pathToFileURL(page).href;
}

async function pictureOf(page) {
	const said = await page.ready();
	assert.match(said, /^.*: \d+ triangles, \d+ entities$/);
	await page.ask("viewer.fly.fromString('64,-32,100,90,10')");
	return page.picture();
}

const lines = [
	[
		'the map in the page is shown as by a server, and saved',
		async (page) => {
			await page.visit('?map=atrium');
			await page.drop('#view', [GAME]);
			const served = await pictureOf(page);
			const asked = [];
			const forget = page.client.Network.requestWillBeSent(({ request }) => asked.push(request.url));
			await page.client.Network.enable();
			page.errors.length = 0;
			await page.visitAddress(convert(path.join(GAME, 'maps/atrium.bsp')));
			const inside = await pictureOf(page);
			assert(inside === served, 'another picture');
			assert.equal(await page.ask('document.title'), 'atrium - bspscene viewer');
			const size = "viewer.source.convert(viewer.path, 'glb').then(([glb]) => glb.data.length)";
			assert((await page.ask(size)) > 10000);
			forget();
			await page.client.Network.disable();
			const isOwn = (address) => /^(blob|data|about):/.test(address) || address.endsWith('out.html');
			const foreign = asked.filter((address) => !isOwn(address));
			assert.deepEqual([foreign, page.errors], [[], []]);
		},
	],
	[
		"a map's name is never markup",
		async (page) => {
			cpSync(GAME, path.join(scratch, 'game'), { recursive: true });
			const map = path.join(scratch, 'game/maps', HOSTILE);
			cpSync(path.join(GAME, 'maps/atrium.bsp'), map);
			page.errors.length = 0;
			await page.visitAddress(convert(map));
			await page.ready();
			assert.deepEqual([await page.ask("document.getElementById('map-name').textContent"), page.errors],
				[HOSTILE.replace('.bsp', ''), []]);
		},
	],
];

await runLines(viewer, () => null, lines);
