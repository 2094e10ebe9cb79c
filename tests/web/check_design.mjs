// check_design.mjs VIEWER FIXTURES: tests the viewer's page as a user sees it, in headless Chromium. On every screen
// size, controls have names, are inside of the window, and fade and come back. The Tab key reaches them in their visual
// order. The browser's Back button leaves a map. A broken file does not replace the map that is shown. The page offers
// files again that were opened before. axe-core finds nothing serious in the list of maps, the help and an error.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { audit } from '../support/browser/chromium.mjs';
import { runLines } from './page_test.mjs';

const [, , viewer, fixtures] = process.argv;
const GAME = path.resolve(fixtures, 'atrium/quake3');
const QUAKE_MAP = path.resolve(fixtures, 'atrium/quake/maps/atrium.bsp');
const BROKEN = path.resolve(fixtures, 'rejected/bad-header_callofduty-directory-cut.bsp');
const SIZES = [
	[390, 844],
	[844, 390],
	[768, 1024],
	[1280, 800],
	[2560, 1440],
	[3840, 2160],
];
const DESK = { width: 1000, height: 700, deviceScaleFactor: 1, mobile: false };

async function openGame(page) {
	await page.visit();
	await page.drop('#view', [GAME]);
	await page.ready();
}

async function resize(page, width, height) {
	await page.client.Emulation.setDeviceMetricsOverride({ width, height, deviceScaleFactor: 1, mobile: width < 700 });
	await page.ask('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
	await page.client.Input.dispatchMouseEvent({ type: 'mouseMoved', x: width / 2, y: height / 3 });
}

async function press(page, key, code = key, text = undefined) {
	const windowsVirtualKeyCode = key === 'Tab' ? 9 : 0;
	for (const type of ['keyDown', 'keyUp'])
		await page.client.Input.dispatchKeyEvent({ type, key, code, text, windowsVirtualKeyCode });
}

// Returns what a person sees about the shown map, such as its title and address.
const shown = (page) =>
	page.ask(`({ title: document.title, address: location.hash.replace(/&.*/, ''), world: viewer.world.data.name,
		name: document.querySelector('#map')?.selectedOptions[0].textContent
			?? document.getElementById('map-name').textContent })`);

// Returns the visible controls over the map: their labels and positions.
const controls = (page) =>
	page.ask(`[...document.querySelectorAll('header, nav')]
		.flatMap((bar) => [...bar.querySelectorAll('button, select, input')])
		.filter((one) => one.checkVisibility() && !one.hidden)
		.map((one) => {
			const whole = one.closest('label') ?? document.querySelector(\`label[for="\${one.id}"]\`) ?? one;
			const ownText = ({ childNodes }) =>
				[...childNodes].map(({ nodeType, data }) => (nodeType === Node.TEXT_NODE ? data : '')).join(' ');
			const words = [whole, ...whole.querySelectorAll(':not(select, option)')].filter((word) =>
				word.offsetWidth > 1 && word.offsetHeight > 1 && getComputedStyle(word).clipPath === 'none');
			const { left, top, right, bottom } = whole.getBoundingClientRect();
			const read = words.map(ownText).join(' ').trim();
			return { id: one.id, words: read, left, top, right, bottom };
		})`);

// Returns the positions of the elements that Tab reaches, from the beginning of the page to its end.
async function tabOrder(page) {
	await page.ask('document.activeElement.blur()');
	const places = [];
	for (let i = 0; i < 40; i++) {
		await press(page, 'Tab');
		const place = await page.ask(`(() => {
			const one = document.activeElement;
			const { left, top, bottom } = (one.closest('label') ?? one).getBoundingClientRect();
			const id = one === document.body ? 'BODY' : one.id || one.textContent.trim();
			return { id, left, top, bottom };
		})()`);
		if (place.id === 'BODY' || places.some(({ id }) => id === place.id)) break;
		places.push(place);
	}
	return places.filter(({ id }) => id !== 'view');
}

function inReadingOrder(places) {
	for (let i = 1; i < places.length; i++) {
		const [a, b] = [places[i - 1], places[i]];
		const isBelow = b.top >= a.bottom - 1;
		assert(isBelow || (b.left >= a.left && b.bottom > a.top), `${b.id} comes after ${a.id}`);
	}
}

// Returns a file of this machine as a handle in the browser's private file system, which needs no user's permission.
async function privateHandle(page, name, file) {
	const bytes = readFileSync(file).toString('base64');
	await page.ask(`(async () => {
		const folder = await navigator.storage.getDirectory();
		const handle = await folder.getFileHandle('${name}', { create: true });
		const writer = await handle.createWritable();
		await writer.write(Uint8Array.from(atob('${bytes}'), (one) => one.charCodeAt(0)));
		await writer.close();
		await viewer.open([await handle.getFile()], { handles: [handle] });
	})()`);
}

const lines = [
	[
		'every control has its name, on a phone too, and lies in the window',
		async (page) => {
			await openGame(page);
			// Hides the map, because large pictures take long without a graphics card.
			await page.ask('viewer.world.root.visible = false');
			for (const [width, height] of SIZES) {
				await resize(page, width, height);
				const found = await controls(page);
				assert(found.length >= 9, `${found.length} controls`);
				for (const { id, words, left, top, right, bottom } of found) {
					assert(words, `${id} has no name at ${width} pixels`);
					const isInside = left >= 0 && top >= 0 && right <= width + 0.5 && bottom <= height + 0.5;
					assert(isInside, `${id} is outside of ${width} x ${height}: ${[left, top, right, bottom]}`);
				}
				const isApart = (a, b) =>
					a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
				for (const a of found)
					for (const b of found) assert(a === b || isApart(a, b), `${a.id} lies on ${b.id} at ${width}`);
				assert((await page.ask('document.documentElement.scrollWidth')) <= width);
			}
			await page.client.Emulation.setDeviceMetricsOverride(DESK);
		},
	],
	[
		'after a broken file the map, its name, its address and the list stay',
		async (page) => {
			await openGame(page);
			await page.until("location.hash.includes('at=')");
			const before = await shown(page);
			await page.choose('files', [BROKEN]);
			await page.until("document.getElementById('status').textContent.includes('cut off')");
			await page.until("document.getElementById('progress').hidden");
			await page.ask('new Promise((resolve) => setTimeout(resolve, 600))');
			assert.deepEqual(await shown(page), before);
			await page.ask("document.getElementById('map-button').click()");
			assert.equal(await page.ask("document.querySelector('#maps [aria-current] b').textContent"), 'atrium');
			await page.ask("document.getElementById('picker').close()");
			assert.equal(await page.ask("viewer.source.load('atrium').then(({ data }) => data.name)"), 'atrium');
		},
	],
	[
		'the list of maps has tiles, finds and opens',
		async (page) => {
			await openGame(page);
			await page.ask("document.getElementById('view').focus()");
			await press(page, 'm', 'KeyM');
			await page.until("document.querySelector('#maps [aria-current] img')");
			const left = await page.ask(`(() => {
				const search = document.getElementById('search');
				search.value = 'NOMETA';
				search.dispatchEvent(new Event('input'));
				return [...document.querySelectorAll('#maps li:not([hidden]) b')].map((one) => one.textContent);
			})()`);
			assert.deepEqual(left, ['atrium_nometa']);
			assert((await audit(page.client, 'picker')) === 0);
			await page.ask("document.querySelector('#maps li:not([hidden]) button').click()");
			await page.until("document.getElementById('map-name').textContent === 'atrium_nometa'");
			assert.match(await page.ask("document.getElementById('map-count').textContent"), /^\d of 6 maps$/);
		},
	],
	[
		'Back goes to the map before and leaves the first one, Forward shows it again',
		async (page) => {
			await openGame(page);
			await page.pick('atrium_nometa');
			await page.until("viewer.world?.data.name === 'atrium_nometa'");
			await page.ready();
			await page.ask('history.back()');
			await page.until("viewer.world?.data.name === 'atrium'");
			await page.ready();
			await page.ask('history.back()');
			await page.until("!viewer.world && document.getElementById('welcome').checkVisibility()");
			assert.equal(await page.ask('document.title'), 'bspscene viewer');
			await page.ask('history.forward()');
			await page.until("viewer.world?.data.name === 'atrium'");
			await page.ready();
			assert.equal(await page.ask("document.getElementById('welcome').checkVisibility()"), false);
		},
	],
	[
		'what was opened is offered again after a reload',
		async (page) => {
			await page.visit();
			await privateHandle(page, 'kept.bsp', QUAKE_MAP);
			await page.ready();
			await page.until('viewer.remembering');
			await page.ask('viewer.remembering');
			await page.visit();
			await page.until("document.querySelector('#recent button img')");
			assert.match(await page.ask("document.getElementById('recent').textContent"), /kept.*kept\.bsp/);
			await page.ask("document.querySelector('#recent button').click()");
			await page.until("viewer.world?.data.name === 'kept'");
			await page.ready();
			await page.ask('navigator.storage.getDirectory().then((one) => one.removeEntry("kept.bsp"))');
			await page.visit();
			await page.until("document.querySelector('#recent button')");
			await page.ask("document.querySelector('#recent button').click()");
			await page.until("document.getElementById('status').textContent.includes('not there any more')");
			await page.until(
				"![...document.querySelectorAll('#recent button')].some((one) => one.textContent.includes('kept.bsp'))",
			);
		},
	],
	[
		'a browser that keeps nothing says so',
		async (page) => {
			const { identifier } = await page.client.Page.addScriptToEvaluateOnNewDocument({
				source: 'delete globalThis.showOpenFilePicker',
			});
			await page.visit();
			assert(await page.ask("document.getElementById('forgets').checkVisibility()"));
			await page.client.Page.removeScriptToEvaluateOnNewDocument({ identifier });
			await page.visit();
			assert(!(await page.ask("document.getElementById('forgets').checkVisibility()")));
		},
	],
	[
		'the maps to try open',
		async (page) => {
			for (const [sample, name] of [
				['quake3', 'atrium'],
				['quake', 'atrium'],
				['goldsrc', 'atrium_wad'],
			]) {
				await page.visit();
				await page.ask(`document.querySelector('[data-sample=${sample}]').click()`);
				await page.until(`viewer.world?.data.name === '${name}' || document.querySelector('#notice.bad')`);
				assert.match(await page.ready(), /^atrium\w*: \d+ triangles, \d+ entities$/);
			}
		},
	],
	[
		'controls fade and come back, by mouse and by Tab',
		async (page) => {
			await openGame(page);
			const idle = "document.body.classList.contains('idle')";
			await page.client.Input.dispatchMouseEvent({ type: 'mouseMoved', x: 500, y: 300 });
			await page.until(idle);
			await page.client.Input.dispatchMouseEvent({ type: 'mouseMoved', x: 510, y: 300 });
			assert(!(await page.ask(idle)));
			await page.until(idle);
			await press(page, 'Tab');
			assert(!(await page.ask(idle)));
		},
	],
	[
		'Tab reaches the controls as they are seen',
		async (page) => {
			for (const [width, height] of [SIZES[0], SIZES[3]]) {
				await page.visit();
				await resize(page, width, height);
				const start = await tabOrder(page);
				assert(start.length >= 6, start.map(({ id }) => id).join());
				inReadingOrder(start);
				await openGame(page);
				const map = await tabOrder(page);
				assert(map.length >= 9, map.map(({ id }) => id).join());
				inReadingOrder(map);
			}
			await page.client.Emulation.setDeviceMetricsOverride(DESK);
		},
	],
	[
		'help has keys and gestures, and axe-core finds nothing in it and in an error',
		async (page) => {
			for (const [scheme, [width, height]] of [
				['light', SIZES[3]],
				['dark', SIZES[0]],
			]) {
				await page.emulate({ 'prefers-color-scheme': scheme, 'prefers-reduced-motion': 'reduce' });
				await page.visit();
				await resize(page, width, height);
				await press(page, '?', 'Slash', '?');
				await page.until("document.getElementById('help').open");
				assert.match(await page.ask("document.getElementById('help').textContent"), /Two fingers/);
				assert((await audit(page.client, `help-${scheme}`)) === 0);
				await page.ask("document.getElementById('help').close()");
				await page.choose('files', [BROKEN]);
				await page.until("document.querySelector('#notice.bad')");
				assert((await audit(page.client, `error-${scheme}`)) === 0);
			}
			await page.emulate({ 'prefers-reduced-motion': 'reduce' });
			await page.client.Emulation.setDeviceMetricsOverride(DESK);
		},
	],
];

await runLines(viewer, () => null, lines);
