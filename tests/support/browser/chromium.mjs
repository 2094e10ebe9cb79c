// chromium.mjs - headless Chromium, controlled by the DevTools protocol: opens pages, takes pictures, evaluates scripts
// and runs axe-core. `modules` is the folder where chrome-remote-interface and axe-core are installed
// (tests/archive/page). Without them, or without Chromium, the program ends with 77.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const modules = createRequire(new URL('../../archive/page/package.json', import.meta.url));

export function skip(reason) {
	console.log(`skipped: ${reason}`);
	process.exit(77);
}

export function load(name) {
	try {
		return modules(name);
	} catch {
		return skip(`${name} is not installed`);
	}
}

// Starts Chromium. Resolves with { child, port } when Chromium listens.
async function startChromium(profile, options) {
	const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : ['chromium', 'chromium-browser', 'google-chrome'];
	const name = names.find((one) => spawnSync(one, ['--version']).status === 0) ?? skip('Chromium is not installed');
	const words = [
		'--headless',
		'--no-sandbox',
		'--hide-scrollbars',
		'--remote-debugging-port=0',
		`--user-data-dir=${profile}`,
		...options,
		'about:blank',
	];
	const child = spawn(name, words, { stdio: ['ignore', 'ignore', 'pipe'] });
	let said = '';
	for await (const part of child.stderr) {
		said += part;
		const port = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(said)?.[1];
		if (port) return { child, port: Number(port) };
	}
	throw new Error(`Chromium ended: ${said}`);
}

export async function evaluate(client, expression) {
	const { result, exceptionDetails } = await client.Runtime.evaluate({
		expression,
		awaitPromise: true,
		returnByValue: true,
	});
	if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
	return result.value;
}

// Waits until the expression is true. It is evaluated for each frame of the page; an exception ends the wait.
export function until(client, expression) {
	return evaluate(
		client,
		`new Promise((resolve, reject) => {
		const look = () => {
			try {
				if (${expression}) resolve(true);
				else requestAnimationFrame(look);
			} catch (error) {
				reject(error);
			}
		};
		look();
	})`,
	);
}

export async function open(client, url) {
	await client.Page.navigate({ url: 'about:blank' });
	await client.Page.navigate({ url });
	await client.Page.domContentEventFired();
}

// Runs axe-core. Prints the serious findings and returns their number.
export async function audit(client, label) {
	await evaluate(client, load('axe-core').source);
	const found = await evaluate(
		client,
		`axe.run().then((report) => report.violations.map((one) =>
		({ id: one.id, impact: one.impact, help: one.help, where: one.nodes.slice(0, 3).map((node) => node.html) })))`,
	);
	for (const one of found) {
		console.log(`${label}: ${one.impact}: ${one.id}: ${one.help}\n  ${one.where.join('\n  ')}`);
	}
	return found.filter((one) => ['serious', 'critical'].includes(one.impact)).length;
}

export async function shoot(client, file) {
	const { data } = await client.Page.captureScreenshot({ format: 'png' });
	writeFileSync(file, Buffer.from(data, 'base64'));
}

// Calls act(client, browser) with a page and with Chromium as a whole. `options` are command line options of Chromium.
export async function withChromium(act, options = ['--disable-gpu']) {
	const connect = load('chrome-remote-interface');
	const profile = mkdtempSync(path.join(tmpdir(), 'bspscene-chromium-'));
	const { child, port } = await startChromium(profile, options);
	try {
		const { webSocketDebuggerUrl } = await connect.Version({ port });
		const browser = await connect({ target: webSocketDebuggerUrl }),
			client = await connect({ port });
		await client.Page.enable();
		await act(client, browser);
		await client.close();
		await browser.close();
	} finally {
		child.kill();
		await new Promise((resolve) => child.once('exit', resolve));
		// Processes of Chromium may still write files for a while, so the removal is retried.
		try {
			rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
		} catch (error) {
			console.error(`${profile} stays: ${error.message}`);
		}
	}
}
