// main.mjs - the page: takes files, shows one map, and shows answers in the panel or saves files.
import * as THREE from 'three';
import { constants as C, open } from '../bspscene.mjs';
import { Above } from './controls/above.mjs';
import { Fly } from './controls/fly.mjs';
import { listen } from './controls/listen.mjs';
import { moduleOptions } from './inside.mjs';
import { entityGroups } from './inspect/entities.mjs';
import { HIDDEN, Layers } from './inspect/layers.mjs';
import { describeHit, describeMap } from './inspect/panel.mjs';
import { isStored, storedMap } from './store.mjs';
import { dropped, offer } from './transfer.mjs';
import { bodiesOf, COLLIDING } from './walk/bodies.mjs';
import { Doors } from './walk/doors.mjs';
import { Walker } from './walk/walker.mjs';
import { World } from './world.mjs';

const byId = (id) => document.getElementById(id);
const elements = Object.fromEntries(
	[
		'view',
		'files',
		'folder',
		'map',
		'camera',
		'show',
		'animate',
		'walk',
		'jump',
		'save',
		'full',
		'panel',
		'panel-button',
		'progress',
		'status',
		'drawn',
	].map((id) => [id, byId(id)]),
);
// Background of the map seen from above, as in `render --overview`.
const AROUND = new THREE.Color(0.16, 0.17, 0.19);
const NEAR = 2;
// Clouds are drawn as far away as the farthest corner of the map.
const FAR = 1 << 18;
// Milliseconds between pictures while textures arrive.
const ARRIVALS = 400;
// Milliseconds between changes of the address: browsers refuse more than a hundred in half a minute.
const ADDRESS_AFTER = 500;
// Game units below the lowest surface, where a player has fallen out of the world.
const FALL = 1024;

class Viewer {
	constructor() {
		this.renderer = new THREE.WebGLRenderer({
			canvas: elements.view,
			antialias: true,
			preserveDrawingBuffer: true,
		});
		this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
		this.renderer.sortObjects = true;
		this.three = new THREE.Scene();
		this.three.matrixAutoUpdate = false;
		this.camera = new THREE.PerspectiveCamera(73.74, 1, NEAR, FAR);
		this.camera.up.set(0, 0, 1);
		this.fly = new Fly(this.camera, elements.view);
		this.time = 0;
		this.dirty = true;
		new ResizeObserver(() => {
			this.dirty = true;
		}).observe(elements.view);
		requestAnimationFrame((now) => this.frame(now));
	}

	// Opens files and shows the first map, or the one that the address or `options.map` names.
	async open(files, options = {}) {
		this.source?.close();
		this.opened = { files, options };
		this.say('Opening...');
		try {
			this.source = await open(files, { ...(await moduleOptions()), ...options });
			fill(
				elements.map,
				this.source.maps.map(({ name, path }) => [path, name]),
			);
			fill(elements.save, [
				['', 'a file...'],
				['png', 'This view (.png)'],
				...this.source.writers.map(({ name, title, extension }) => [name, `${title} (.${extension})`]),
			]);
			if (!this.source.maps.length) return this.say('There is no map in these files.');
			const wanted = options.map ?? addressed().map ?? new URLSearchParams(location.search).get('map');
			const found =
				this.source.maps.find(({ name, path }) => name === wanted || path === wanted) ?? this.source.maps[0];
			elements.map.value = found.path;
			await this.load(found.path);
		} catch (error) {
			this.fail(error);
		}
	}

	// Opens the same files again with further files that the map may need.
	async add(files) {
		const { files: before, options } = this.opened;
		this.address();
		await this.open(before, { ...options, more: [...(options.more ?? []), ...files], map: this.path });
	}

	async load(path) {
		const { source } = this;
		this.fly.walk(null);
		this.player = null;
		this.busy(true);
		try {
			const scene = await source.load(path, {
				include_mask: ['sky'],
				progress: (stage, part) => this.busy(true, stage, part),
			});
			const placed = scene.data.nodes
				.map((node, number) => [node, number])
				.filter(([node]) => node.prop !== C.NO_INDEX && node.mesh !== C.NO_INDEX);
			const deforms = scene.data.materials.some(({ deform_count: count }) => count > 0);
			const hasSkybox = scene.data.nodes.some(({ kind }) => kind === C.NODE_SKY);
			const [cube, lights, faces] = await Promise.all([
				hasSkybox ? scene.sky().catch(() => null) : null,
				scene.lightAt(placed.map(([node]) => originOf(scene.data, node))),
				deforms ? scene.part('faces') : [],
			]);
			// Drops what belonged to the closed source.
			if (this.world?.scene.source === source) await this.world.scene.free();
			this.world?.dispose();
			if (this.world) this.three.remove(this.world.root);
			this.world = new World(scene, cube, new Map(placed.map(([, number], i) => [number, lights[i]])), faces);
			this.three.add(this.world.root);
			this.layers?.dispose();
			this.layers = new Layers(this.world, () => this.loadHidden(path), this.host.changed);
			this.doors = new Doors(scene.data, (node) => this.world.boxOf(node));
			this.path = path;
			await this.showScene(scene);
			this.learning = this.learn(scene, faces);
		} catch (error) {
			this.fail(error);
		}
		this.busy(false);
	}

	// Visibility and the like are loaded after the first picture.
	async learn(scene, faces) {
		const { world } = this;
		try {
			const [tree, vis] = [await scene.part('tree'), await scene.part('vis')];
			const all = faces.length ? faces : await scene.part('faces');
			if (this.world === world) world.learn(all, tree, vis);
		} catch (error) {
			if (this.world === world) this.fail(error);
		}
	}

	// Functions that the panel calls.
	get host() {
		return {
			layers: this.layers,
			changed: () => {
				this.dirty = true;
			},
			say: (text) => text && this.say(text),
			add: async (files) => this.add(Array.isArray(files) ? files : await dropped(files)),
		};
	}

	// Loads the surfaces that no engine draws, in a load of their own.
	async loadHidden(path) {
		const scene = await this.source.load(path, HIDDEN);
		await scene.free();
		return scene.data;
	}

	// Shows the game's picture, parts of it, or the map from above.
	async show(what) {
		const { world } = this;
		const kind = ['overview', 'plan'].includes(what) ? what : null;
		elements.show.value = what;
		const above = kind && new Above(kind, await this.overview(), world.data.bounds);
		// Another map was opened meanwhile, or another mode was chosen.
		if (this.world !== world || elements.show.value !== what) return;
		const picture = { light: 2, textures: 1 }[what] ?? 0;
		this.world.shared.show.value = picture;
		for (const { made } of this.world.passes) made.wireframe = what === 'wireframe';
		if (kind && this.fly.walker) this.walk(false);
		this.fly.lookFrom(above);
		this.renderer.setClearColor(kind ? AROUND : 0);
		this.world.showAbove(Boolean(kind));
		this.dirty = true;
	}

	// Returns what a picture from above shows, in the canvas' aspect.
	overview() {
		const { clientWidth: width, clientHeight: height } = elements.view;
		return this.world.scene.overview(Math.max(width, 1), Math.max(height, 1));
	}

	async showScene(scene) {
		const { data } = scene;
		document.body.classList.add('open');
		document.title = `${data.name} - bspscene viewer`;
		const views = data.cameras.map((camera, i) => [String(i), data.nodes[camera.node].name]);
		fill(elements.camera, [['', 'a place...'], ['top', 'above the map'], ...views]);
		elements.camera.append(...entityGroups(data));
		elements.show.disabled = elements.walk.disabled = false;
		elements.walk.setAttribute('aria-pressed', 'false');
		document.body.classList.remove('walks');
		this.world.animated = elements.animate.checked;
		elements.panel.replaceChildren(...describeMap(this.world, this.host));
		this.fly.lookFrom(null);
		elements.show.value = 'game';
		if (!this.fly.fromString(this.viewOf())) await this.goTo(data.cameras.length ? '0' : 'top');
		const missing = data.counts.textures_missing;
		this.say(
			`${data.name}: ${data.counts.triangles} triangles, ${data.entity_count} entities` +
				(missing
					? `; ${missing} textures are missing: open the game's folder or its archives together with the map`
					: ''),
		);
	}

	// Applies the address' view if it is of this map. A view without a map is for the first map that the page shows.
	viewOf() {
		const { map, at } = addressed();
		const isFirst = !this.hasShown;
		this.hasShown = true;
		return map === this.path || (map === null && isFirst) ? at : '';
	}

	// Walks or flies. The collision data is loaded on first use.
	async walk(on) {
		this.busy(true);
		try {
			if (on) this.player ??= await this.loadWalker(this.path);
			const walks = this.fly.walk(on ? this.player : null) && on;
			document.body.classList.toggle('walks', walks);
			elements.walk.setAttribute('aria-pressed', String(walks));
			if (on) this.say(walks ? 'You walk: Space jumps, F flies again.' : 'There is no room to stand here.');
		} catch (error) {
			this.fail(error);
		}
		this.busy(false);
	}

	async loadWalker(path) {
		const scene = await this.source.load(path, COLLIDING);
		try {
			const bodies = bodiesOf(scene.data, await scene.part('faces'));
			if (!bodies.solids.length) throw new Error('This map does not say what one could stand on.');
			return new Walker(bodies, scene.data.bounds.min[2] - FALL);
		} finally {
			await scene.free();
		}
	}

	async goTo(where) {
		const { data, places } = this.world;
		if (where !== '' && this.fly.above) this.show('game');
		if (where === 'top') {
			const { world } = this;
			const { min, max } = (await this.overview()).shown;
			if (this.world !== world) return;
			if (this.fly.walker) this.walk(false);
			const size = Math.max(...max.map((value, i) => value - min[i]), 64);
			this.fly.fromString(
				[(min[0] + max[0]) / 2 - size * 0.6, (min[1] + max[1]) / 2, max[2] + size * 0.6, 0, -50].join(','),
			);
		} else if (where.startsWith('entity ')) {
			this.goToEntity(data.entities[Number(where.slice(7))].node);
		} else if (where !== '') {
			this.fly.jump(places[data.cameras[Number(where)].node]);
		}
		this.dirty = true;
	}

	// Moves in front of an entity, looking at its center.
	goToEntity(node) {
		const { data, places } = this.world;
		const hasBox = data.nodes[node].mesh !== C.NO_INDEX;
		const point = new THREE.Vector3().setFromMatrixPosition(places[node]).toArray();
		const { min, max } = hasBox ? this.world.boxOf(node) : { min: point, max: point };
		if (this.fly.walker) this.walk(false);
		this.fly.lookAt(min, max);
	}

	frame(now) {
		const seconds = Math.min((now - (this.before ?? now)) / 1000, 0.1);
		this.before = now;
		const moved = this.fly.update(seconds);
		if (elements.animate.checked && !document.hidden) this.time += seconds;
		for (const { node, transform } of this.doors?.update(seconds, this.fly.walker?.box) ?? [])
			this.world.place(node, transform);
		// Draws once for several textures that arrive together.
		const isOld = this.world?.isOld && (!this.world.waiting || now - this.drawnAt > ARRIVALS);
		if (this.world && (moved || this.dirty || elements.animate.checked || isOld)) {
			this.drawnAt = now;
			this.draw(this.time);
		}
		if (this.world && !this.world.isOld) this.world.fetchAhead();
		requestAnimationFrame((next) => this.frame(next));
	}

	draw(time) {
		const { clientWidth: width, clientHeight: height } = elements.view;
		this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
		this.renderer.setSize(width, height, false);
		this.aim(width / height);
		this.dirty = this.world.isOld = false;
		this.world.move(time, this.camera);
		this.renderer.render(this.three, this.camera);
		const { calls, triangles } = this.renderer.info.render;
		this.drawn = `${calls} draw calls, ${triangles} triangles`;
		this.telling ??= setTimeout(() => this.tell(), 500);
		this.addressed ??= setTimeout(() => this.address(), ADDRESS_AFTER);
	}

	// Sets the page's address to the map and the view, at most at intervals while they change.
	address() {
		clearTimeout(this.addressed);
		this.addressed = null;
		if (!this.path) return;
		const hash = `#map=${encodeURIComponent(this.path)}&at=${this.fly}`;
		if (!this.fly.above && location.hash !== hash) history.replaceState(null, '', hash);
	}

	// Sets the camera for a picture of this aspect.
	aim(aspect) {
		this.camera.aspect = aspect;
		if (this.fly.above) return this.fly.above.apply(this.camera, aspect);
		// Field of view: horizontally as in games on a 4:3 screen, and vertically no less on a narrow one.
		this.camera.fov = aspect < 1 ? 90 : 73.74;
		Object.assign(this.camera, { near: NEAR, far: FAR });
		this.camera.updateProjectionMatrix();
	}

	// Not announced by screen readers, because it changes with every picture.
	tell() {
		this.telling = null;
		elements.drawn.textContent = this.drawn;
	}

	// Returns what is under a point of the canvas.
	pick(x, y) {
		if (!this.world) return;
		const box = elements.view.getBoundingClientRect();
		const caster = new THREE.Raycaster();
		caster.layers.enableAll();
		caster.setFromCamera(
			new THREE.Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2),
			this.camera,
		);
		const shown = [];
		this.world.root.traverseVisible((object) => object.isMesh && object.userData.pass === 0 && shown.push(object));
		const [hit] = caster.intersectObjects(shown, false);
		if (!hit) return;
		this.picking = this.tellOf({ ...hit, ray: caster.ray });
	}

	// Faces and leafs are loaded after the first picture.
	async tellOf(hit) {
		const { world } = this;
		await this.learning;
		if (this.world !== world) return;
		elements.panel.hidden = false;
		elements['panel-button'].setAttribute('aria-expanded', 'true');
		elements.panel.replaceChildren(...describeHit(this.world, hit), ...describeMap(this.world, this.host));
		elements.panel.scrollTop = 0;
		this.dirty = true;
	}

	async save(writer) {
		if (writer === 'png') {
			this.draw(this.time);
			return elements.view.toBlob((blob) => offer(`${this.world.data.name}.png`, blob));
		}
		this.busy(true);
		try {
			// In a load of its own, because files are written without the sky's surfaces.
			const files = await this.source.convert(this.path, writer, {
				progress: (stage, part) => this.busy(true, stage, part),
			});
			for (const { name, data } of files) offer(name, new Blob([data]));
			this.say(files.length === 1 ? `${files[0].name} was saved.` : `${files.length} files were saved.`);
		} catch (error) {
			this.fail(error);
		}
		this.busy(false);
	}

	busy(is, stage, part = 0) {
		elements.progress.hidden = !is;
		elements.progress.value = part;
		if (stage) elements.status.textContent = `${stage}...`;
		this.dirty = true;
	}

	say(text) {
		elements.status.textContent = text;
	}

	fail(error) {
		console.error(error);
		this.say(error.message);
	}
}

function originOf(data, node) {
	const prop = data.props[node.prop];
	if (prop.flags & C.PROP_LIGHTING_ORIGIN) return prop.lighting_origin;
	const at = [node.transform[3], node.transform[7], node.transform[11]];
	for (let up = data.nodes[node.parent]; up; up = data.nodes[up.parent]) {
		const t = up.transform;
		at.splice(
			0,
			3,
			...[0, 4, 8].map((row) => t[row] * at[0] + t[row + 1] * at[1] + t[row + 2] * at[2] + t[row + 3]),
		);
	}
	return at;
}

function fill(select, rows) {
	select.replaceChildren(...rows.map(([value, text]) => new Option(text, value)));
	select.disabled = rows.length === 0;
}

// Reads the address: #map=maps/NAME.bsp&at=X,Y,Z,YAW,PITCH; each part may be missing.
function addressed() {
	const hash = new URLSearchParams(location.hash.slice(1));
	return { map: hash.get('map'), at: hash.get('at') ?? '' };
}

const viewer = new Viewer();
globalThis.viewer = viewer;
document.body.classList.add('started');

listen(viewer, elements);

// ?map=ID shows a map of the gallery's store; with &frame, without bars, as a frame in the gallery's page.
// ?file=ADDRESS opens a file next to the page.
const query = new URLSearchParams(location.search);
document.body.classList.toggle('frame', query.has('frame'));
if (isStored(query.get('map'))) {
	try {
		viewer.busy(true, 'fetching');
		const { files, path } = await storedMap(query.get('map'), (part) => viewer.busy(true, 'fetching', part));
		await viewer.open(files, { path });
		if (query.has('frame')) elements.view.focus();
	} catch (error) {
		viewer.fail(error);
		viewer.busy(false);
	}
}
const address = query.getAll('file');
if (address.length) {
	const files = await Promise.all(
		address.map(async (one) => {
			const answer = await fetch(one);
			if (!answer.ok) throw new Error(`${one}: ${answer.status}`);
			return new File([await answer.blob()], decodeURIComponent(one.split('/').at(-1)));
		}),
	);
	viewer.open(files);
}
