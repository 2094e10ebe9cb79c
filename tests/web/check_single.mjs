// check_single.mjs VIEWER FIXTURES: tests the viewer's page in one file, VIEWER.html, opened from a disk. Without a
// server and within its policy, it shows a map as the page on a server does. It saves a file, for which it needs its
// second module, and makes no requests. If the page of many files is opened from a disk, it says that it needs a
// server.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { skip } from '../support/browser/chromium.mjs';
import { runLines } from './page_test.mjs';

const [, , viewer, fixtures] = process.argv;
const file = `${viewer}.html`;
if (!existsSync(file)) skip(`${file} is not there, scripts/package-web makes it`);
const MAP = path.resolve(fixtures, 'atrium/quake3/maps/atrium.bsp');

async function showMap(page) {
	await page.choose('files', [MAP]);
	await page.ready();
	await page.ask("viewer.fly.fromString('64,-32,100,90,10')");
	return page.picture();
}

const lines = [
	[
		'a map is shown from file:// as by a server, and saved',
		async (page) => {
			await page.visit();
			const served = await showMap(page);
			const asked = [];
			const forget = page.client.Network.requestWillBeSent(({ request }) => asked.push(request.url));
			await page.client.Network.enable();
			page.errors.length = 0;
			await page.visitAddress(pathToFileURL(path.resolve(file)).href);
			const shown = await showMap(page);
			assert(shown === served, 'another picture');
			assert(
				!(await page.ask('viewer.source.host.call("isWhole", [])')),
				'the second module was needed to show a map',
			);
			const [size, whole] = await page.ask(`viewer.source.convert(viewer.path, 'glb').then(async ([glb]) =>
				[glb.data.length, await viewer.source.host.call('isWhole', [])])`);
			assert(size > 10000 && whole, `${size} bytes, ${whole}`);
			forget();
			await page.client.Network.disable();
			const foreign = asked.filter(
				(address) => !/^(blob|data|about):/.test(address) && !address.endsWith('viewer.html'),
			);
			assert.deepEqual([foreign, page.errors], [[], []]);
		},
	],
	[
		'the page of many files says that it needs a server',
		async (page) => {
			const address = pathToFileURL(path.resolve(viewer, 'index.html')).href;
			const { frameId } = await page.client.Page.navigate({ url: address });
			assert(frameId);
			const note = "document.getElementById('unstarted')"; // the note appears when the page has loaded
			await page.until(`${note} && getComputedStyle(${note}).visibility === 'visible'`);
			assert.equal(await page.ask('typeof viewer'), 'undefined');
			page.errors.length = 0;
		},
	],
];

await runLines(viewer, () => null, lines);
