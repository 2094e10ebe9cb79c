// first_picture.mjs VIEWER GAME MAP: measures how long the viewer's page takes to show a map of a game's folder in a
// fresh Chromium. Prints JSON with seconds of processor time: of the page with its worker (`first`: until the first
// picture, `whole`: with all textures), and of Chromium's software drawing, which replaces a graphics card.
import path from 'node:path';

import { withChromium } from '../support/browser/chromium.mjs';
import { Page } from './page_test.mjs';
import { serve } from './serve.mjs';

const [, , viewer, game, map] = process.argv;
const { url, close } = await serve((name) => path.join(viewer, path.normalize(name === '/' ? 'index.html' : name)));

await withChromium(
	async (client, browser) => {
		const page = new Page(client, url);
		for (const domain of ['Runtime', 'DOM']) await client[domain].enable();
		await client.Emulation.setDeviceMetricsOverride({
			width: 640,
			height: 600,
			deviceScaleFactor: 1,
			mobile: false,
		});
		await page.emulate({ 'prefers-reduced-motion': 'reduce' });
		const times = async () => {
			const { processInfo } = await browser.SystemInfo.getProcessInfo();
			return new Map(processInfo.map(({ type, id, cpuTime }) => [`${type} ${id}`, cpuTime]));
		};
		const before = await times();
		const since = async (type) => {
			const spent = [...(await times())].filter(([name]) => name.startsWith(type));
			return spent.reduce((sum, [name, seconds]) => sum + seconds - (before.get(name) ?? 0), 0);
		};
		await page.visit(`?map=${map}`);
		const loaded = await since('renderer');
		await page.choose('folder', [game]);
		await page.until(`viewer.world?.data.name === '${map}' && viewer.drawn`);
		const first = await since('renderer');
		await page.until('!viewer.world.waiting && !viewer.world.isOld');
		const [whole, drawing] = [await since('renderer'), await since('GPU')];
		const memory = await page.ask("viewer.source.host.call('memory', [])");
		const said = await page.ask("document.getElementById('status').textContent");
		console.log(JSON.stringify({ loaded, first, whole, drawing, memory, said }));
	},
	['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
);
close();
