// view.mjs - a GLB, FBX, OBJ or USDZ as three.js shows it in headless Chromium: node view.mjs FILE OUT.png
//     [--camera NAME | --eye "X Y Z PITCH YAW" [--meters N]] [--size 640x480]
//     [--world-only] [--game display|linear] [--center "R G B"] [--tolerance 2] [--in VIEWER]
//
// NAME is the name of a camera's node or the class of its entity. Without --camera and --eye, the first camera is used.
// --meters is the length of a game's unit, for files that do not contain it. --game draws files with lightmaps as games
// do: texture and light are multiplied as display values. Textures are filtered like in games (display) or like in
// viewers (linear). With --center, a rectangle in the middle, a tenth as wide and high as the picture, must have that
// mean color; each channel may differ by the tolerance. VIEWER is babylon, model-viewer, playcanvas, online-3d-viewer
// or filament. All of them need --eye and accept --size. --exact-srgb turns on Babylon.js' useExactSrgbConversions.
// With --own-look, model-viewer chooses its own camera. Exit code 77 means that the viewer or Chromium is not
// installed. three.js is installed by `npm install --prefix tests/gltf`, and Chromium by `apt-get install chromium`.
// The other viewers are installed by `npm install --prefix tests/gltf/viewer`; the last two need --no-save.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
const three = path.join(here, '..', 'node_modules', 'three');
const modules = path.join(here, 'node_modules');
const VIEWERS = {
	babylon: 'babylonjs', 'model-viewer': '@google/model-viewer', playcanvas: 'playcanvas',
	'online-3d-viewer': 'online-3d-viewer', filament: 'filament',
};
const TYPES = {
	'.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.glb': 'model/gltf-binary',
	'.wasm': 'application/wasm',
};

function skip(reason) {
	console.log(`skipped: ${reason}`);
	process.exit(77);
}

function findChromium() {
	const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : ['chromium', 'chromium-browser', 'google-chrome'];
	return names.find((name) => spawnSync(name, ['--version']).status === 0) ?? skip('Chromium is not installed');
}

function fileOf(pathname, model, page) {
	if (pathname === `/model${path.extname(model)}`) return model;
	if (pathname === '/') return path.join(here, page);
	if (pathname === '/page.mjs' || pathname === '/eye.mjs') return path.join(here, pathname);
	if (pathname.startsWith('/modules/')) {
		return path.join(modules, path.normalize(pathname.slice('/modules'.length)));
	}
	if (pathname.startsWith('/three/')) return path.join(three, path.normalize(pathname.slice('/three'.length)));
	return path.join(path.dirname(model), path.basename(decodeURIComponent(pathname)));
}

async function bodyOf(request) {
	const chunks = [];
	for await (const chunk of request) chunks.push(chunk);
	return Buffer.concat(chunks);
}

// Resolves with the page's message { facts, picture }, or rejects with its error.
function serve(model, page) {
	let settle;
	const posted = new Promise((resolve, reject) => (settle = { resolve, reject }));
	const server = createServer(async (request, response) => {
		const url = new URL(request.url, 'http://localhost');
		if (request.method === 'POST') {
			const body = await bodyOf(request);
			response.end();
			const facts = Object.fromEntries(url.searchParams);
			if (url.pathname === '/picture') settle.resolve({ facts, picture: body });
			else settle.reject(new Error(body.toString()));
			return;
		}
		const file = fileOf(url.pathname, model, page);
		if (!file || !existsSync(file)) {
			response.writeHead(404).end();
			return;
		}
		response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream' });
		response.end(await readFile(file));
	});
	return new Promise((resolve) => {
		server.listen(0, '127.0.0.1', () => resolve({ server, posted, reject: settle.reject }));
	});
}

function checkCenter(found, wanted, tolerance) {
	const [a, b] = [found, wanted].map((text) => text.split(' ').map(Number));
	const isOff = a.some((value, i) => Math.abs(value - b[i]) > tolerance);
	if (isOff) throw new Error(`the middle is ${found} instead of ${wanted}`);
}

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		camera: { type: 'string' },
		eye: { type: 'string' },
		meters: { type: 'string' },
		size: { type: 'string', default: '640x480' },
		'world-only': { type: 'boolean' },
		game: { type: 'string' },
		in: { type: 'string' },
		'exact-srgb': { type: 'boolean' },
		'own-look': { type: 'boolean' },
		center: { type: 'string' },
		tolerance: { type: 'string', default: '2' },
	},
});
if (positionals.length !== 2 || (values.in && !(VIEWERS[values.in] && values.eye))) {
	console.error('usage: node view.mjs FILE OUT.png [--camera NAME | --eye "X Y Z PITCH YAW" [--meters N]] ' +
		'[--size 640x480] [--world-only] [--game display|linear] [--center "R G B"] [--tolerance N] ' +
		'[--in babylon|model-viewer|playcanvas|online-3d-viewer|filament] [--exact-srgb] [--own-look]');
	process.exit(2);
}
if (values.in && !existsSync(path.join(modules, VIEWERS[values.in]))) {
	skip(`${values.in} is not installed; run: npm install --prefix tests/gltf/viewer`);
}
if (!values.in && !existsSync(three)) skip('three.js is not installed; run: npm install --prefix tests/gltf');
const chromium = findChromium();
const [model, out] = positionals;
const { server, posted, reject } = await serve(model, values.in ? `${values.in}.html` : 'page.html');
const profile = await mkdtemp(path.join(tmpdir(), 'bspscene-viewer-'));
const query = new URLSearchParams({ size: values.size });
for (const name of ['camera', 'eye', 'meters']) if (values[name]) query.set(name, values[name]);
query.set('file', `/model${path.extname(model)}`);
if (values['world-only']) query.set('worldOnly', '');
if (values['exact-srgb']) query.set('exactSrgb', '');
if (values['own-look']) query.set('ownLook', '');
if (values.game) query.set('game', values.game);
// Software rendering gives the same pixels on every machine.
const browser = spawn(chromium, [
	'--headless=new', '--no-sandbox', '--no-first-run', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
	`--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/?${query}`,
], { stdio: 'ignore' });
browser.on('exit', () => reject(new Error('Chromium ended before the picture was there')));
let failed = false;
try {
	const { facts, picture } = await posted;
	await writeFile(out, picture);
	console.log(`${out}: ${Object.entries(facts).map(([name, value]) => `${name} ${value}`).join(', ')}`);
	if (values.center) checkCenter(facts.center, values.center, Number(values.tolerance));
} catch (error) {
	console.error(`${model}: ${error.message}`);
	failed = true;
}
if (browser.exitCode === null) {
	const ended = new Promise((resolve) => browser.once('exit', resolve));
	browser.kill();
	await ended;
}
server.close();
server.closeAllConnections();
await rm(profile, { recursive: true, force: true, maxRetries: 5 });
process.exit(failed ? 1 : 0);
