// check_page.mjs VIEWER FIXTURES: uses the viewer's page as a person does, in headless Chromium. The tests drop and
// choose files, switch styles and layers, click surfaces, look from above, drop missing files later, and save files.
// They also open an address with a camera, use mouse, keys and gamepad, and use the full screen.
import assert from 'node:assert/strict';
import path from 'node:path';

import { runLines } from './page_test.mjs';

const [, , viewer, fixtures] = process.argv;
const GAME = path.resolve(fixtures, 'atrium/quake3');
const QUAKE = path.resolve(fixtures, 'atrium/quake');
const MAP = 'atrium';
const OTHER = 'atrium_nometa';
// The tolerated difference of a channel, in steps of 1/255, for light that is filtered between luxels.
const NEAR = 24;

async function openGame(page, name = MAP) {
	await page.visit(`?map=${name}`);
	await page.drop('#view', [GAME]);
	await page.ready();
}

// Clicks at an offset from the middle of the picture. Returns the contents of the panel.
async function clickAt(page, offset) {
	await page.click('#view', offset);
	await page.until("document.querySelector('#panel:not([hidden]) h2')");
	await page.ask('viewer.picking');
	return page.panel();
}

const valueOf = ({ rows }, name) => rows.find(([key]) => key === name)?.[1];
const numbersOf = (text) => text.match(/-?[\d.]+/g).map(Number);

async function changes(page, act) {
	const before = await page.picture();
	await act();
	return (await page.picture()) !== before;
}

// Switches a check box of the panel on, which must change the picture, and off, which must restore it.
async function switches(page, words) {
	const before = await page.picture();
	const said = await page.tick(words, true);
	const on = await page.picture();
	assert(on !== before, `"${words}" changes nothing: ${said}`);
	await page.tick(words, false);
	assert((await page.picture()) === before, `"${words}" switched off is another picture`);
	return said;
}

// Returns names and first bytes of the files that the page offers to save.
function saves(page, writer) {
	return page.ask(`(async () => {
		const given = [];
		const { createObjectURL } = URL;
		const { click } = HTMLAnchorElement.prototype;
		URL.createObjectURL = (blob) => (given.push({ blob }), createObjectURL(blob));
		HTMLAnchorElement.prototype.click = function () { given.at(-1).name = this.download; };
		await viewer.save('${writer}');
		const isGiven = () => given.some(({ name }) => name);
		for (let look = 0; look < 100 && !isGiven(); look++) await new Promise((resolve) => setTimeout(resolve, 50));
		URL.createObjectURL = createObjectURL;
		HTMLAnchorElement.prototype.click = click;
		const head = async (blob) => [...new Uint8Array(await blob.slice(0, 8).arrayBuffer())];
		const files = given.filter(({ name }) => name); // The page makes addresses of its own pictures, too.
		return Promise.all(files.map(async ({ name, blob }) => ({ name, size: blob.size, head: await head(blob) })));
	})()`);
}

const text = (bytes) => String.fromCharCode(...bytes);

const lines = [
	[
		'a folder is dropped, and one of its maps is chosen',
		async (page) => {
			await page.visit();
			await page.drop('#view', [GAME]);
			await page.ready();
			const names = await page.ask('viewer.source.maps.map(({ name }) => name)');
			assert(names.length > 3 && names.includes('atrium_styles'), names.join());
			await page.pick('atrium_styles');
			await page.until("viewer.world?.data.name === 'atrium_styles'");
			assert.match(await page.ready(), /atrium_styles: \d+ triangles/);
		},
	],
	[
		'files and folders are picked',
		async (page) => {
			await page.visit();
			await page.choose('files', [path.join(QUAKE, 'maps/atrium.bsp')]);
			assert.match(await page.ready(), /^atrium: /);
			await page.visit();
			await page.choose('folder', [GAME]);
			assert.match(await page.ready(), /^atrium/);
		},
	],
	[
		'light styles have switches',
		async (page) => {
			await openGame(page, 'atrium_styles');
			await page.click('#panel-button');
			const { styles } = await page.ask(`({ styles: viewer.world.data.light_styles
				.filter(({ switchable, pattern }) => switchable || pattern !== 'm').map(({ style }) => style) })`);
			assert(styles.length > 0, 'the map has no styles');
			let seen = 0;
			const count = await page.ask('viewer.world.data.cameras.length');
			for (let camera = 0; camera < count && !seen; camera++) {
				await page.ask(`viewer.goTo('${camera}')`);
				for (const style of styles) {
					const on = await page.ask(`viewer.world.switches.get(${style}) > 0`);
					if (await changes(page, () => page.tick(`${style} `, !on))) seen++;
					await page.tick(`${style} `, on);
				}
			}
			assert(seen > 0, 'no style changes the picture');
		},
	],
	[
		'a surface that is clicked tells of itself',
		async (page) => {
			await openGame(page);
			let luxels = 0;
			// The picture shows light that is interpolated between luxels. On narrow faces and where light changes, it
			// may differ from that of a luxel. So some clicks may show another value.
			const far = [];
			for (const offset of [
				[0, 60],
				[-150, 40],
				[150, 40],
				[0, -60],
				[-200, 120],
				[200, 120],
			]) {
				const panel = await clickAt(page, offset);
				assert.equal(panel.heads[0], 'Surface');
				assert.match(valueOf(panel, 'material'), /^(textures|models)\//);
				assert.equal(valueOf(panel, 'place').split(' ').length, 3);
				assert.match(valueOf(panel, 'leaf here'), /^\d+, cluster \d+, area \d+/);
				const luxel = valueOf(panel, 'luxel');
				if (!luxel || valueOf(panel, 'passes') !== '2') continue;
				luxels++;
				assert(Number(valueOf(panel, 'face')) >= 0);
				const [x, y] = numbersOf(luxel);
				const [wide, high, left, top] = numbersOf(valueOf(panel, 'luxels'));
				assert(x >= left - 1 && x <= left + wide && y >= top - 1 && y <= top + high, `${luxel} in its face`);
				const [red, green, blue, times] = numbersOf(valueOf(panel, 'light, style 0'));
				await page.select('show', 'light');
				const drawn = await page.ask(`(() => {
					viewer.draw(0);
					const gl = viewer.renderer.getContext();
					const { width, height } = viewer.renderer.domElement;
					const pixel = new Uint8Array(4);
					const [x, y] = [width / 2 + ${offset[0]}, height / 2 - ${offset[1]}];
					gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
					return [...pixel];
				})()`);
				await page.select('show', 'game');
				const isFar = [red, green, blue].some((value, i) => {
					return Math.abs(Math.min(value * times, 255) - drawn[i]) > NEAR;
				});
				if (isFar) far.push(`${[red, green, blue]} x ${times}, drawn ${drawn}`);
			}
			assert(luxels > 1 && 2 * far.length < luxels, `of ${luxels} luxels: ${far.join('; ')}`);
		},
	],
	[
		'a script is shown as it is written',
		async (page) => {
			await openGame(page);
			const found = await page.ask(`(async () => {
				const { materials } = viewer.world.data;
				const meshes = [];
				viewer.world.root.traverse((one) => one.isMesh && one.userData.pass === 0 && meshes.push(one));
				const mesh = meshes.find(({ userData }) => materials[userData.material].script_text);
				const { script_text: text, name } = materials[mesh.userData.material];
				mesh.geometry.computeBoundingSphere();
				const at = mesh.geometry.boundingSphere.center;
				const ray = { direction: at.clone().set(0, 0, -1) };
				await viewer.tellOf({ object: mesh, point: at, ray });
				return { text, name, shown: document.querySelector('#panel details pre')?.textContent };
			})()`);
			assert(found.text.includes('{') && found.shown === found.text, `${found.name}: ${found.shown}`);
		},
	],
	[
		'layers that no engine draws',
		async (page) => {
			await openGame(page);
			await page.click('#panel-button');
			await page.ask("viewer.goTo('top')");
			for (const words of ['triggers', 'collision', 'lights', 'point entities']) await switches(page, words);
			await page.ask("viewer.goTo('0')");
			assert.match(
				await switches(page, 'the cluster here'),
				/^Cluster \d+ .*sees \d+ of \d+ clusters, \d+ leafs\.$/,
			);
		},
	],
	[
		'a lamp and a trigger that are clicked tell their entities',
		async (page) => {
			await openGame(page);
			await page.click('#panel-button');
			await page.tick('lights', true);
			const told = await page.ask(`(async () => {
				const solids = viewer.layers.shown.get('lights');
				await viewer.tellOf({ object: solids, instanceId: 0, point: viewer.camera.position.clone() });
				const { nodes, lights, entities } = viewer.world.data;
				return entities[nodes[lights[0].node].entity].classname;
			})()`);
			assert.equal(valueOf(await page.panel(), 'classname'), told);
			await page.tick('triggers', true);
			await page.ask(`(async () => {
				const pane = viewer.layers.shown.get('triggers');
				await viewer.tellOf({ object: pane, faceIndex: 0, point: viewer.camera.position.clone() });
			})()`);
			assert.match(valueOf(await page.panel(), 'classname'), /^trigger_/);
		},
	],
	[
		'light, textures, wires, from above and a plan',
		async (page) => {
			await openGame(page);
			const game = await page.picture();
			const seen = new Set([game]);
			for (const what of ['light', 'textures', 'wireframe', 'overview', 'plan']) {
				await page.select('show', what);
				const picture = await page.picture();
				assert(!seen.has(picture), `${what} is a picture that was there before`);
				seen.add(picture);
			}
			const cut = () => page.ask('viewer.fly.above.move(1, [0, 0, -1])');
			assert(await changes(page, cut), 'a plan is not cut');
			const at = await page.middle('#view');
			const wheel = { type: 'mouseWheel', x: at[0], y: at[1], deltaX: 0, deltaY: -300 };
			assert(
				await changes(page, () => page.client.Input.dispatchMouseEvent(wheel)),
				'a wheel makes nothing larger',
			);
			await page.select('show', 'game');
			assert((await page.picture()) === game, 'the game is another picture');
		},
	],
	[
		'what is missing is dropped later, and the view stays',
		async (page) => {
			await page.visit();
			await page.choose('files', [path.join(GAME, 'maps/atrium.bsp')]);
			assert.match(await page.ready(), /textures are missing/);
			await page.ask("viewer.fly.fromString('10,20,90,33,-5')");
			await page.click('#panel-button');
			await page.ask('new Promise((resolve) => setTimeout(resolve, 500))');
			await page.drop('#missing', [
				path.join(GAME, 'textures'),
				path.join(GAME, 'scripts'),
				path.join(GAME, 'env'),
			]);
			await page.until('viewer.world.data.counts.textures_found > 5');
			await page.ready();
			const facts = await page.ask(`({ name: viewer.world.data.name, at: String(viewer.fly),
				found: viewer.world.data.counts.textures_found, missing: viewer.world.data.counts.textures_missing })`);
			assert.equal(facts.at, '10.0,20.0,90.0,33.0,-5.0');
			assert(facts.name === MAP && facts.found > 5, JSON.stringify(facts));
		},
	],
	[
		'a picture, GLB, FBX, USDZ and the atlas are saved',
		async (page) => {
			await openGame(page);
			const heads = { png: 'PNG', glb: 'glTF', fbx: 'Kaydara ', usdz: 'PK' };
			for (const [writer, head] of Object.entries(heads)) {
				const [file] = await saves(page, writer);
				assert(file.name.endsWith(`.${writer}`), file.name);
				assert(
					text(file.head).includes(head) && file.size > 1000,
					`${writer}: ${text(file.head)}, ${file.size} bytes`,
				);
			}
			const atlas = await saves(page, 'atlas');
			assert(atlas.length > 1 && atlas.some(({ name }) => name.endsWith('.json')), JSON.stringify(atlas));
			assert(atlas.every(({ name, head }) => name.endsWith('.json') || text(head).includes('PNG')));
			assert.match(await page.ask("document.getElementById('status').textContent"), /files were saved/);
		},
	],
	[
		'the address has the map and the camera',
		async (page) => {
			await openGame(page);
			await page.ask("viewer.fly.fromString('64,-32,100,90,10'); viewer.dirty = true");
			await page.until("location.hash === '#map=maps%2Fatrium.bsp&at=64.0,-32.0,100.0,90.0,10.0'");
			for (const link of [`?map=${MAP}#at=64,-32,100,90,10`, '#map=maps%2Fatrium.bsp&at=64,-32,100,90,10']) {
				await page.visit(link);
				await page.drop('#view', [GAME]);
				await page.ready();
				assert.equal(await page.ask('String(viewer.fly)'), '64.0,-32.0,100.0,90.0,10.0');
				assert.equal(await page.ask('viewer.path'), 'maps/atrium.bsp');
			}
		},
	],
	[
		'another map begins at its own camera',
		async (page) => {
			await openGame(page, OTHER);
			const own = await page.ask('String(viewer.fly)');
			await openGame(page);
			await page.ask("viewer.fly.fromString('640,-320,1000,90,10'); viewer.dirty = true");
			await page.until("location.hash.includes('at=640.0')");
			await page.pick(OTHER);
			await page.until(`viewer.path.endsWith('${OTHER}.bsp')`);
			await page.ready();
			assert.equal(await page.ask('String(viewer.fly)'), own);
			await page.until(`location.hash.includes('${OTHER}')`);
		},
	],
	[
		'one goes to a camera and to an entity',
		async (page) => {
			await openGame(page);
			const options = await page.ask(`[...document.querySelectorAll('#camera optgroup option')]
				.map(({ value, textContent }) => [value, textContent])`);
			assert(options.length > 5, `${options.length} entities`);
			const [value, name] = options.find(([, one]) => /^(light|item|info|trigger|misc)/.test(one));
			assert(await changes(page, () => page.select('camera', value)), name);
			const apart = await page.ask(`(() => {
				const { data, places } = viewer.world;
				const node = data.entities[${value.split(' ')[1]}].node;
				const at = viewer.camera.position.clone().setFromMatrixPosition(places[node]);
				return at.project(viewer.camera).setZ(0).length();
			})()`);
			assert(apart < 0.7, `${name} is ${apart} off the middle`);
		},
	],
	[
		'keys and a gamepad move, and full screen is a button',
		async (page) => {
			await openGame(page);
			await page.ask("document.getElementById('view').focus()");
			const at = () => page.ask('String(viewer.fly)');
			let before = await at();
			await page.client.Input.dispatchKeyEvent({ type: 'keyDown', code: 'KeyE', key: 'e' });
			await page.until(`String(viewer.fly) !== '${before}'`);
			await page.client.Input.dispatchKeyEvent({ type: 'keyUp', code: 'KeyE', key: 'e' });
			before = await at();
			await page.ask(`(() => {
				const pad = { axes: [0, -1, 0.5, 0], buttons: [{ pressed: false }] };
				Object.defineProperty(navigator, 'getGamepads', { value: () => [null, pad], configurable: true });
			})()`);
			await page.until(`String(viewer.fly) !== '${before}'`);
			await page.ask('delete navigator.getGamepads');
			const [x, y, , yaw] = numbersOf(await at());
			assert(
				Math.hypot(x - numbersOf(before)[0], y - numbersOf(before)[1]) > 0.1 && yaw !== numbersOf(before)[3],
			);
			await page.click('#full');
			await page.until('document.fullscreenElement');
			await page.until("document.getElementById('full').getAttribute('aria-pressed') === 'true'");
			await page.click('#full');
			await page.until('!document.fullscreenElement');
		},
	],
	[
		'a map moves, but not for those who want less motion',
		async (page) => {
			await page.visit();
			assert.equal(await page.ask("document.getElementById('animate').checked"), false);
			await page.emulate({ 'prefers-reduced-motion': 'no-preference' });
			await page.visit();
			assert.equal(await page.ask("document.getElementById('animate').checked"), true);
			await page.emulate({ 'prefers-reduced-motion': 'reduce' });
		},
	],
];

await runLines(viewer, () => null, lines);
