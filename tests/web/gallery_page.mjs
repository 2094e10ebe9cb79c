// gallery_page.mjs STORE JOBS OUT: opens a gallery with a viewer in headless Chromium. JOBS is a JSON list of { id,
// name, camera } of maps in the store. Writes OUT/NAME.png, and OUT/facts.json with each map's own description, errors,
// tiles that became their maps, and axe-core's findings.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { audit, evaluate, open, shoot, until, withChromium } from '../support/browser/chromium.mjs';
import { draw } from './picture.mjs';
import { serve } from './serve.mjs';

const [, , store, jobFile, out] = process.argv;
const jobs = JSON.parse(readFileSync(jobFile, 'utf8'));
const STATUS = "document.getElementById('status').textContent";
// True when the page shows the map or an error. A message that ends in dots tells that the page is still working.
const ENDED = `globalThis.viewer && (viewer.world || !/^(|No map.*|[A-Za-z ]+\\.\\.\\.)$/.test(${STATUS}))`;
const COMPLETE = "document.getElementById('count').textContent.match(/^[0-9,]+ maps?$/)";
const LIVE = `((world) => world?.waiting === 0 && !world.isOld)(
	document.querySelector('iframe')?.contentWindow.viewer?.world)`;
mkdirSync(out, { recursive: true });
const { url, close } = await serve((name) => path.join(store, path.normalize(name)));
const facts = { maps: {}, serious: 0 };

// Clicks on tiles, so that they become maps, one at a time. Then turns them back into pictures.
async function standInTiles(client) {
	const count = (selector) => evaluate(client, `document.querySelectorAll('${selector}').length`);
	const press = (number) => evaluate(client, `document.querySelectorAll('.stand')[${number}].click()`);
	[facts.buttons, facts.tiles] = [await count('.tile + .stand'), await count('.tile')];
	facts.live = [];
	for (const number of [0, 1]) {
		await press(number);
		await until(client, LIVE);
		facts.live.push(
			await evaluate(
				client,
				`[document.querySelectorAll('iframe').length, document.querySelectorAll('.tile > [hidden]').length,
				document.querySelector('iframe').contentWindow.viewer.world.data.name]`,
			),
		);
	}
	await shoot(client, path.join(out, 'tiles.png'));
	facts.serious += await audit(client, 'tiles');
	await press(1);
	facts.left = await count('iframe, .tile > [hidden]');
}

async function standInPage(client, width, { id }) {
	await client.Emulation.setDeviceMetricsOverride({ width, height: 844, deviceScaleFactor: 1, mobile: width < 600 });
	await open(client, `${url}gallery/index.html#map/${id}`);
	await until(client, "document.querySelector('#map .stand')");
	await evaluate(client, "document.querySelector('#map .stand').click()");
	await until(client, LIVE);
	await shoot(client, path.join(out, `page-${width}.png`));
	facts.serious += await audit(client, `page-${width}`);
	if ((await evaluate(client, 'document.documentElement.scrollWidth')) > width) facts.serious++;
}

await withChromium(
	async (client) => {
		const problems = [];
		client.Runtime.exceptionThrown(({ exceptionDetails }) =>
			problems.push(exceptionDetails.exception?.description ?? exceptionDetails.text),
		);
		client.Log.entryAdded(({ entry: { level, text, url: at = '' } }) => {
			if (level === 'error' && !at.endsWith('/favicon.ico')) problems.push(`${text} ${at}`);
		});
		client.Network.requestWillBeSent(({ request }) => {
			const isOwn = /^(blob|data):/.test(request.url) || request.url.startsWith(url);
			if (!isOwn) problems.push(`asks ${request.url}`);
		});
		await Promise.all([client.Runtime.enable(), client.Log.enable(), client.Network.enable()]);
		const desk = { width: 1280, height: 844, deviceScaleFactor: 1, mobile: false };
		await client.Emulation.setDeviceMetricsOverride(desk);
		await open(client, `${url}gallery/index.html`);
		await until(client, COMPLETE);
		await standInTiles(client);
		for (const job of jobs) {
			await open(client, `${url}gallery/viewer/index.html?map=${job.id}`);
			await until(client, ENDED);
			const said = await evaluate(client, STATUS);
			facts.maps[job.id] = { said, title: await evaluate(client, 'document.title') };
			if (!(await evaluate(client, 'Boolean(viewer.world)'))) continue;
			const { picture } = await draw(client, job.camera, 0);
			writeFileSync(path.join(out, `${job.name}.png`), Buffer.from(picture.split(',')[1], 'base64'));
		}
		for (const width of [390, 1280]) await standInPage(client, width, jobs[0]);
		facts.problems = problems.splice(0);
		// This id is not in the store.
		await open(client, `${url}gallery/viewer/index.html?map=${'0'.repeat(64)}`);
		await until(client, `${STATUS}.includes('404')`);
		// If the gallery is opened from a folder, it shows the list of maps and a note on what needs a server.
		await open(client, `${pathToFileURL(path.join(store, 'gallery/index.html')).href}#map/${jobs[0].id}`);
		await until(client, "document.getElementById('title')");
		facts.fromFolder = await evaluate(
			client,
			`[document.querySelectorAll('.stand').length,
			document.getElementById('map').textContent.includes('web server')]`,
		);
	},
	['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
);
close();
writeFileSync(path.join(out, 'facts.json'), JSON.stringify(facts, null, '\t'));
