// page.mjs - opens a gallery's page in headless Chromium: node page.mjs GALLERY [--shots FOLDER] [--measure WORD]
//
// Without --measure, axe-core checks the list and a map's page, with the screens of a phone and of a desktop, in light
// and dark mode. Serious findings are errors. --shots saves a screenshot of each of these eight cases. --measure checks
// nothing. It prints how much processor time it takes to show the first tiles, to load the whole index, and to search
// for WORD. Exit code 77: axe-core,
// chrome-remote-interface (npm install --prefix tests/archive/page) or Chromium is not installed.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { audit, evaluate, open, shoot, until, withChromium } from '../../support/browser/chromium.mjs';

const WIDTHS = { phone: 390, desk: 1280 };

const COMPLETE = "document.getElementById('count').textContent.match(/^[0-9,]+ maps?$/)";

// ---- What axe-core finds ---------------------------------------------------------------------------------------

async function look(client, url, shots) {
	let serious = 0, first = null;
	if (shots) mkdirSync(shots, { recursive: true });
	for (const scheme of ['light', 'dark']) {
		await client.Emulation.setEmulatedMedia({ features: [{ name: 'prefers-color-scheme', value: scheme }] });
		for (const [name, width] of Object.entries(WIDTHS)) {
			await client.Emulation.setDeviceMetricsOverride({
				width, height: 900, deviceScaleFactor: 1, mobile: name === 'phone',
			});
			await open(client, url);
			await until(client, COMPLETE);
			first ??= await evaluate(client, "document.querySelector('.tile').hash");
			for (const [page, address] of [['list', ''], ['map', first]]) {
				await evaluate(client, `location.hash = ${JSON.stringify(address)}`);
				if (address) await until(client, "document.getElementById('title')");
				await until(client, '[...document.images].every((image) => image.complete || image.loading)');
				const label = `${page}-${name}-${scheme}`;
				if (shots) await shoot(client, path.join(shots, `${label}.png`));
				serious += await audit(client, label);
				const wide = await evaluate(client, 'document.documentElement.scrollWidth');
				if (wide > width) console.log(`${label}: ${wide} pixels wide`);
				serious += wide > width;
			}
		}
	}
	return serious;
}

// ---- How long it takes -----------------------------------------------------------------------------------------

// Returns the processor time of all of Chromium's processes in seconds.
async function processorTime(client) {
	const { processInfo } = await client.SystemInfo.getProcessInfo();
	return processInfo.reduce((sum, one) => sum + one.cpuTime, 0);
}

async function measure(client, browser, url, word) {
	const times = [];
	const step = async (name, act) => {
		const before = await processorTime(browser), started = Date.now();
		await act();
		const spent = (await processorTime(browser)) - before;
		times.push(`${name}: ${spent.toFixed(2)} s of processor time, ${((Date.now() - started) / 1000).toFixed(2)} s`);
	};
	await step('first tiles', async () => {
		await open(client, url);
		await until(client, "document.querySelector('.tile')");
	});
	await step('all of the index', () => until(client, COMPLETE));
	for (const text of [word, word.slice(0, 1), '']) {
		await step(`search for "${text}"`, async () => {
			await evaluate(client, `(() => {
				const search = document.getElementById('search');
				search.value = ${JSON.stringify(text)};
				search.dispatchEvent(new Event('input', { bubbles: true }));
			})()`);
			await until(client, COMPLETE);
		});
		times.push(`  ${await evaluate(client, "document.getElementById('count').textContent")}`);
	}
	console.log(times.join('\n'));
}

// ---- The page --------------------------------------------------------------------------------------------------

async function main() {
	const { values, positionals } = parseArgs({
		allowPositionals: true, options: { shots: { type: 'string' }, measure: { type: 'string' } },
	});
	const url = pathToFileURL(path.resolve(positionals[0], 'index.html')).href;
	await withChromium(async (client, browser) => {
		if (values.measure) await measure(client, browser, url, values.measure);
		else if (await look(client, url, values.shots)) process.exitCode = 1;
	});
}

await main();
