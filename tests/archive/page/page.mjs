// page.mjs - a gallery's page in headless Chromium: node page.mjs GALLERY [--shots FOLDER] [--measure WORD]
//
// Without options axe-core looks at the list and at a map's page, on a phone and on a desk, in light and dark, and
// serious findings are errors. --shots keeps a picture of each. --measure prints processor time until the first tiles
// are there, until all of the index is, and for a search. Exit code 77: axe-core, chrome-remote-interface (npm install
// --prefix tests/archive/page) or Chromium is not installed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const WIDTHS = { phone: 390, desk: 1280 };

function skip(reason) {
	console.log(`skipped: ${reason}`);
	process.exit(77);
}

function load(name) {
	try {
		return createRequire(import.meta.url)(name);
	} catch {
		return skip(`${name} is not installed`);
	}
}

// Resolves with { kill, port } once Chromium listens.
async function startChromium(profile) {
	const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : ['chromium', 'chromium-browser', 'google-chrome'];
	const name = names.find((one) => spawnSync(one, ['--version']).status === 0) ?? skip('Chromium is not installed');
	const words = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--remote-debugging-port=0',
		`--user-data-dir=${profile}`, 'about:blank'];
	const child = spawn(name, words, { stdio: ['ignore', 'ignore', 'pipe'] });
	let said = '';
	for await (const part of child.stderr) {
		said += part;
		const port = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(said)?.[1];
		if (port) return { child, port: Number(port) };
	}
	throw new Error(`Chromium ended: ${said}`);
}

async function evaluate(client, expression) {
	const { result, exceptionDetails } = await client.Runtime.evaluate({
		expression, awaitPromise: true, returnByValue: true,
	});
	if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
	return result.value;
}

// Until the expression is true, as often as the page draws.
function until(client, expression) {
	return evaluate(client, `new Promise((resolve) => {
		const look = () => ((${expression}) ? resolve(true) : requestAnimationFrame(look));
		look();
	})`);
}

const COMPLETE = "document.getElementById('count').textContent.match(/^[0-9,]+ maps?$/)";

async function open(client, url) {
	await client.Page.navigate({ url: 'about:blank' });
	await client.Page.navigate({ url });
	await client.Page.domContentEventFired();
}

// ---- What axe-core finds ---------------------------------------------------------------------------------------

async function audit(client, axe, label) {
	await evaluate(client, axe);
	const found = await evaluate(client, `axe.run().then((report) => report.violations.map((one) =>
		({ id: one.id, impact: one.impact, help: one.help, where: one.nodes.slice(0, 3).map((node) => node.html) })))`);
	for (const one of found) {
		console.log(`${label}: ${one.impact}: ${one.id}: ${one.help}\n  ${one.where.join('\n  ')}`);
	}
	return found.filter((one) => ['serious', 'critical'].includes(one.impact)).length;
}

async function shoot(client, file) {
	const { data } = await client.Page.captureScreenshot({ format: 'png' });
	writeFileSync(file, Buffer.from(data, 'base64'));
}

async function look(client, url, shots) {
	const axe = load('axe-core').source;
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
				serious += await audit(client, axe, label);
				const wide = await evaluate(client, 'document.documentElement.scrollWidth');
				if (wide > width) console.log(`${label}: ${wide} pixels wide`);
				serious += wide > width;
			}
		}
	}
	return serious;
}

// ---- How long it takes -----------------------------------------------------------------------------------------

// Seconds of processor time of all of Chromium's processes.
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
	const connect = load('chrome-remote-interface');
	const profile = mkdtempSync(path.join(tmpdir(), 'gallery-'));
	const { child, port } = await startChromium(profile);
	try {
		const url = pathToFileURL(path.resolve(positionals[0], 'index.html')).href;
		const { webSocketDebuggerUrl } = await connect.Version({ port });
		const browser = await connect({ target: webSocketDebuggerUrl }), client = await connect({ port });
		await client.Page.enable();
		if (values.measure) await measure(client, browser, url, values.measure);
		else if (await look(client, url, values.shots)) process.exitCode = 1;
		await client.close();
		await browser.close();
	} finally {
		child.kill();
		await new Promise((resolve) => child.once('exit', resolve));
		rmSync(profile, { recursive: true, force: true });
	}
}

await main();
