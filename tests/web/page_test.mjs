// page_test.mjs - runs named tests that use the viewer's page in headless Chromium as a person does. All are run, and
// the program fails if one of them fails.
import { existsSync } from 'node:fs';
import path from 'node:path';

import { evaluate, open, skip, withChromium } from '../support/browser/chromium.mjs';
import { serve } from './serve.mjs';

const SIZE = { width: 1000, height: 700, deviceScaleFactor: 1, mobile: false };

export class Page {
	constructor(client, url) {
		Object.assign(this, { client, url });
		this.errors = [];
	}

	ask(expression) {
		return evaluate(this.client, expression);
	}

	async until(expression) {
		while (!(await this.ask(`Boolean(${expression})`))) await new Promise((resolve) => setTimeout(resolve, 50));
	}

	// Reloads the page with `rest` appended to its address.
	visit(rest = '') {
		return this.visitAddress(this.url + rest);
	}

	async visitAddress(address) {
		await open(this.client, address);
		await this.until('globalThis.viewer');
	}

	async emulate(features) {
		await this.client.Emulation.setEmulatedMedia({
			features: Object.entries(features).map(([name, value]) => ({ name, value })),
		});
	}

	async choose(id, files) {
		const { root } = await this.client.DOM.getDocument();
		const { nodeId } = await this.client.DOM.querySelector({ nodeId: root.nodeId, selector: `#${id}` });
		await this.client.DOM.setFileInputFiles({ nodeId, files });
	}

	// Drops files or folders of this machine on the element that `selector` finds.
	async drop(selector, files) {
		const [x, y] = await this.middle(selector);
		const data = { items: [], files, dragOperationsMask: 1 };
		for (const type of ['dragEnter', 'dragOver', 'drop'])
			await this.client.Input.dispatchDragEvent({ type, x, y, data });
	}

	middle(selector) {
		return this.ask(`(() => {
			const found = document.querySelector(${JSON.stringify(selector)});
			found.scrollIntoView({ block: 'nearest' });
			const { left, top, width, height } = found.getBoundingClientRect();
			return [left + width / 2, top + height / 2];
		})()`);
	}

	async click(selector, [right, down] = [0, 0]) {
		const [x, y] = await this.middle(selector);
		const at = { x: x + right, y: y + down, button: 'left', clickCount: 1 };
		// The controls may have faded. Moving the pointer makes them visible again.
		await this.client.Input.dispatchMouseEvent({ type: 'mouseMoved', x: at.x, y: at.y });
		await this.client.Input.dispatchMouseEvent({ type: 'mousePressed', ...at });
		await this.client.Input.dispatchMouseEvent({ type: 'mouseReleased', ...at });
	}

	select(id, value) {
		return this.ask(`(async () => {
			const found = document.getElementById('${id}');
			found.value = ${JSON.stringify(value)};
			found.dispatchEvent(new Event('change'));
			await Promise.all([viewer.showing, viewer.going]);
			return found.value;
		})()`);
	}

	// Chooses the map with this name in the list of maps.
	pick(name) {
		return this.ask(`(() => {
			document.getElementById('map-button').click();
			[...document.querySelectorAll('#maps button')]
				.find((one) => one.querySelector('b').textContent === ${JSON.stringify(name)}).click();
		})()`);
	}

	// Waits until the map and its textures are loaded and the view has stopped moving.
	ready() {
		return this.ask(`(async () => {
			const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
			while (document.getElementById('progress').hidden === false || !viewer.world) await pause();
			await viewer.learning;
			document.getElementById('animate').checked = viewer.world.animated = false;
			viewer.time = 0;
			do {
				viewer.draw(0);
				await pause();
			} while (viewer.world.waiting);
			return document.getElementById('status').textContent;
		})()`);
	}

	// Draws the picture with all textures, and returns it as a data URL.
	picture() {
		return this.ask(`(async () => {
			do {
				viewer.draw(0);
				await new Promise((resolve) => setTimeout(resolve, 20));
			} while (viewer.world.waiting);
			viewer.draw(0);
			return viewer.renderer.domElement.toDataURL();
		})()`);
	}

	// Returns the rows of the panel's tables, and its text.
	panel() {
		return this.ask(`(() => {
			const rows = [...document.querySelectorAll('#panel tr')].map((row) =>
				[...row.children].map((cell) => cell.textContent));
			return { rows, text: document.getElementById('panel').textContent,
				heads: [...document.querySelectorAll('#panel h2')].map((head) => head.textContent) };
		})()`);
	}

	// Checks or unchecks the check box in the panel whose label begins with these words.
	async tick(words, on) {
		return this.ask(`(async () => {
			const label = [...document.querySelectorAll('#panel label')]
				.find((one) => one.textContent.trim().startsWith(${JSON.stringify(words)}));
			const box = label.querySelector('input');
			if (box.checked !== ${on}) box.click();
			await viewer.layers.working?.catch(() => {});
			await new Promise((resolve) => setTimeout(resolve));
			return document.getElementById('status').textContent;
		})()`);
	}
}

// Runs all tests in `lines`, a list of [name, act(page)], in order. If the program has a third argument, it only runs
// those whose name contains this argument.
export async function runLines(viewer, fileOf, lines) {
	if (!existsSync(path.join(viewer, 'main.js'))) skip(`${viewer} is not there, scripts/package-web makes it`);
	const { url, close } = await serve(
		(name) => fileOf(name) ?? path.join(viewer, path.normalize(name === '/' ? 'index.html' : name)),
	);
	const [only] = process.argv.slice(4);
	let failed = 0;
	await withChromium(
		async (client) => {
			const page = new Page(client, url);
			client.Runtime.exceptionThrown(({ exceptionDetails }) =>
				page.errors.push(exceptionDetails.exception?.description ?? exceptionDetails.text),
			);
			client.Log.entryAdded(({ entry }) => entry.level === 'error' && page.errors.push(entry.text));
			for (const domain of ['Runtime', 'Log', 'DOM']) await client[domain].enable();
			await client.Emulation.setDeviceMetricsOverride(SIZE);
			await page.emulate({ 'prefers-reduced-motion': 'reduce' });
			for (const [name, act] of lines) {
				page.errors.length = 0;
				if (only && !name.includes(only)) continue;
				try {
					await act(page);
					console.log(`ok: ${name}`);
				} catch (error) {
					failed++;
					console.log(`FAILED: ${name}: ${error.message.slice(0, 2000)}\n${page.errors.join('\n')}`);
				}
			}
		},
		['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
	);
	close();
	console.log(`${lines.length - failed} of ${lines.length} lines`);
	process.exitCode = failed || !lines.length ? 1 : 0;
}
