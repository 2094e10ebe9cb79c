// check_calls.mjs VIEWER: the viewer's page needs at most MOST draw calls for every map of OpenArena
// (BSPSCENE_OPENARENA), from each player start, and from above with nothing culled.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';

import { skip } from '../support/browser/chromium.mjs';
import { runLines } from './page_test.mjs';

const MOST = 300;
const PLACES = 24;
const game = process.env.BSPSCENE_OPENARENA ?? '';
if (!existsSync(game)) skip('BSPSCENE_OPENARENA names no folder');

// Counts draw calls. Returns the most calls from any player start, and those from above.
const count = `(async () => {
	await viewer.learning;
	const callsNow = () => (viewer.draw(0), viewer.renderer.info.render.calls);
	const { cameras } = viewer.world.data;
	const step = Math.max(Math.ceil(cameras.length / ${PLACES}), 1);
	let most = 0;
	for (let camera = 0; camera < cameras.length; camera += step) {
		await viewer.goTo(String(camera));
		most = Math.max(most, callsNow());
	}
	await viewer.show('overview');
	const above = callsNow();
	await viewer.show('game');
	return { most, above, triangles: viewer.world.data.counts.triangles };
})()`;

const lines = [
	[
		'every map of OpenArena is drawn by few calls',
		async (page) => {
			await page.visit();
			await page.choose('folder', [game]);
			await page.ready();
			const maps = await page.ask('viewer.source.maps');
			assert(maps.length > 10, `${maps.length} maps`);
			const over = [];
			for (const { name, path } of maps) {
				await page.ask(`viewer.load(${JSON.stringify(path)}).then(() => 0)`);
				const { most, above, triangles } = await page.ask(count);
				console.log(`${name}: ${most} calls, ${above} from above, ${triangles} triangles`);
				if (Math.max(most, above) > MOST) over.push(`${name}: ${most} and ${above}`);
			}
			assert.deepEqual(over, []);
		},
	],
];

await runLines(process.argv[2], () => null, lines);
