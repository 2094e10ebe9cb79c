// walk_bot.mjs PACKAGE VIEWER SCRATCH JOBS OUT: a bot walks in maps as the viewer does, without a page. JOBS is a JSON
// list of { name, file, map }. OUT gets { NAME: [{ spawn, way: [[x, y, z], ...] }, ...] } with positions of the box's
// center. The bot walks straight, turns at times and when it is stopped, and jumps.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , packageFolder, viewer, scratch, jobFile, out] = process.argv;
const SECONDS = 10;
const RATE = 60;
const MOST_SPAWNS = 8;

// The package is copied to the same place, relative to the viewer's modules, as on the page.
cpSync(packageFolder, scratch, { recursive: true });
cpSync(join(viewer, 'walk'), join(scratch, 'viewer/walk'), { recursive: true });
const load = (name) => import(pathToFileURL(join(scratch, name)));
const { open, constants: C } = await load('bspscene.mjs');
const { bodiesOf, COLLIDING } = await load('viewer/walk/bodies.mjs');
const { Walker } = await load('viewer/walk/walker.mjs');

// Returns a function that gives the same random numbers in every run.
function dice(seed) {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
		return state / 0x7fffffff;
	};
}

function walkFrom(walker, eye, seed) {
	if (!walker.place(eye)) return null;
	const random = dice(seed);
	const middle = () => [walker.origin[0], walker.origin[1], walker.origin[2] + walker.middle];
	const way = [middle()];
	let yaw = random() * 2 * Math.PI;
	for (let i = 0; i < SECONDS * RATE; i++) {
		const [x, y] = walker.origin;
		walker.move(1 / RATE, { ahead: 1, left: 0, above: i % 90 === 89 ? 1 : 0, yaw, pitch: 0 });
		way.push(middle());
		const gone = Math.hypot(walker.origin[0] - x, walker.origin[1] - y);
		if (i % 45 === 44 || gone < 1) yaw += (random() - 0.5) * 3;
	}
	return way;
}

function eyesOf(data) {
	return data.cameras
		.filter(({ kind }) => kind === C.CAMERA_SPAWN)
		.map(({ node, entity }) => {
			const { classname, origin } = data.entities[entity];
			return { spawn: `${classname} ${origin.join(' ')}`, at: [...origin], up: data.nodes[node].transform[11] };
		})
		.filter(({ spawn }) => !spawn.includes('intermission'))
		.map(({ spawn, at: [x, y, z], up }) => ({ spawn, eye: [x, y, z + up] }));
}

const walks = {};
for (const { name, file, map } of JSON.parse(readFileSync(jobFile, 'utf8'))) {
	const source = await open(file);
	const { data, ...scene } = await source.load(map ?? source.maps[0].path, COLLIDING);
	const faces = await source.host.call('part', [scene.number, 'faces']);
	const bodies = bodiesOf(data, faces);
	const walker = new Walker(bodies, data.bounds.min[2] - 256);
	const eyes = eyesOf(data);
	const every = Math.ceil(eyes.length / MOST_SPAWNS);
	const chosen = eyes.filter((_, i) => i % every === 0);
	walks[name] = chosen.map(({ spawn, eye }, i) => ({ spawn, way: walkFrom(walker, eye, i + 1) }));
	source.close();
}
writeFileSync(out, JSON.stringify(walks));
