// viewer.mjs - shows one map of the opened files, describes in the panel what is clicked, and saves files.
import * as THREE from 'three';
import { constants as C, open } from '../bspscene.mjs';
import { Above } from './controls/above.mjs';
import { moduleOptions } from './inside.mjs';
import { entityGroups } from './inspect/entities.mjs';
import { HIDDEN, Layers } from './inspect/layers.mjs';
import { describeHit, describeMap } from './inspect/panel.mjs';
import { hitAt } from './inspect/pick.mjs';
import { learn, loadWorld } from './load_world.mjs';
import { addressed, Past } from './page/address.mjs';
import { elements, fill } from './page/elements.mjs';
import { LevelShots } from './page/level_shots.mjs';
import { endProgress, hideNotice, say, sayError, sayProgress } from './page/notice.mjs';
import { showMapName } from './page/picker.mjs';
import { remember } from './page/recent.mjs';
import { showRecents } from './page/welcome.mjs';
import { Screen } from './screen.mjs';
import { dropped, offer } from './transfer.mjs';
import { bodiesOf, COLLIDING } from './walk/bodies.mjs';
import { Doors } from './walk/doors.mjs';
import { Walker } from './walk/walker.mjs';

// Background of views from above, as in `render --overview`.
const AROUND = new THREE.Color(0.16, 0.17, 0.19);
// A player who is this many game units below the lowest surface has fallen out of the world.
const FALL = 1024;
const TITLE = 'bspscene viewer';

export class Viewer extends Screen {
	// `isAlone`: the page shows only the map that its address names.
	constructor(isAlone) {
		super();
		this.past = new Past(this, isAlone);
		this.source = this.opened = this.shots = null;
	}

	// Opens files and shows the map that `options.map` names. Without that option, a page that has not shown a map yet
	// shows the map that the address names. If no such map is found, the first map is shown. The previous map stays
	// until the new one is loaded, and also stays if loading fails. `options.at`: the view. `options.handles`: the
	// handles of the files, or a promise of them.
	async open(files, options = {}) {
		const entry = { files, options };
		this.asked = entry;
		if (this.opening !== this.source) this.opening?.close();
		this.busy(true, 'Opening');
		let source;
		try {
			source = await open(files, { ...(await moduleOptions()), ...options });
			if (this.asked !== entry) return source.close();
			this.opening = source;
			if (!source.maps.length) throw new Error('There is no map in these files.');
			const query = new URLSearchParams(location.search).get('map');
			const wanted = options.map ?? (this.hasShown ? null : (addressed().map ?? query));
			const found = source.maps.find(({ name, path }) => name === wanted || path === wanted) ?? source.maps[0];
			await this.load(found.path, { source, entry, at: options.at });
		} catch (error) {
			if (this.asked === entry) this.fail(error);
		}
		if (source !== this.source) source?.close();
		if (this.asked !== entry) return;
		this.opening = this.source;
		this.busy(false);
	}

	// Opens the same files again, together with further files that the map may need.
	async add(files) {
		const { files: before, options } = this.opened;
		await this.open(before, {
			...options,
			more: [...(options.more ?? []), ...files],
			map: this.path,
			at: String(this.fly),
			instead: this.opened,
		});
	}

	// Shows a map of a source. If it is another source than before, it replaces the old one once the map is loaded.
	async load(path, { source = this.source, entry = this.opened, at } = {}) {
		this.loading = path;
		this.busy(true, 'Loading');
		try {
			const { world, faces } = await loadWorld(source, path, (stage, part) => this.busy(true, stage, part));
			// Drops the loaded map if another one was requested meanwhile.
			if (this.loading !== path || (source !== this.source && source !== this.opening)) {
				world.dispose();
				return source === this.source && (await world.scene.free());
			}
			const isNew = source !== this.source;
			await this.replace(source, entry, world);
			this.path = path;
			await this.showScene(isNew, at);
			this.learning = learn(world, faces).catch((error) => this.world === world && this.fail(error));
		} catch (error) {
			if (this.loading === path) this.fail(error);
		}
		if (this.loading === path) this.busy(false);
	}

	// Replaces the world that is shown by a new one.
	async replace(source, entry, world) {
		await this.clear(source);
		Object.assign(this, { source, opened: entry, world });
		this.three.add(world.root);
		this.layers = new Layers(world, () => this.loadHidden(this.path), this.host.changed);
		this.doors = new Doors(world.data, (node) => world.boxOf(node));
	}

	// Drops the world that is shown. Also closes its source, unless the source is `kept`.
	async clear(kept) {
		const { world, source } = this;
		this.fly.walk(null);
		this.player = this.world = this.doors = null;
		this.layers?.dispose();
		this.layers = null;
		if (world) this.three.remove(world.root);
		world?.dispose();
		if (source && source === kept) return world?.scene.free();
		source?.close();
		this.shots?.free();
		this.shots = null;
	}

	// Returns to the welcome screen.
	async leave() {
		this.asked = this.loading = null;
		this.opening?.close();
		await this.clear();
		this.source = this.opened = this.path = this.opening = null;
		document.body.classList.remove('open', 'walks');
		document.title = TITLE;
		elements.view.tabIndex = -1;
		elements.home.disabled = true;
		elements.panel.hidden = elements['map-button'].hidden = true;
		elements['panel-button'].setAttribute('aria-expanded', 'false');
		endProgress();
		hideNotice();
		await showRecents(this);
	}

	// Returns what the panel needs from the viewer: layers, and functions that it calls.
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

	// Loads a separate scene with the surfaces that no engine draws.
	async loadHidden(path) {
		const scene = await this.source.load(path, HIDDEN);
		await scene.free();
		return scene.data;
	}

	// Shows what the menu names: the game's picture, only its light or textures, the wireframe, or the map from above.
	async show(what) {
		const { world } = this;
		const kind = ['overview', 'plan'].includes(what) ? what : null;
		elements.show.value = what;
		const above = kind && new Above(kind, await this.overview(), world.data.bounds);
		// Stops here if another map was opened or something else was chosen meanwhile.
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

	// Returns Scene.overview() for a picture with the aspect of the canvas.
	overview() {
		const { clientWidth: width, clientHeight: height } = elements.view;
		return this.world.scene.overview(Math.max(width, 1), Math.max(height, 1));
	}

	// Shows the world that was just loaded. `isNew`: its source is not that of the previous map.
	async showScene(isNew, at) {
		const { data } = this.world;
		document.body.classList.add('open');
		document.title = `${data.name} - ${TITLE}`;
		elements.view.tabIndex = 0;
		elements.home.disabled = false;
		if (isNew) this.shots = new LevelShots(this.opened.files);
		this.takePicture = () => this.takeFirst();
		showMapName(this);
		this.fillMenus(isNew);
		this.world.animated = elements.animate.checked;
		elements.panel.replaceChildren(...describeMap(this.world, this.host));
		this.fly.lookFrom(null);
		elements.show.value = 'game';
		this.renderer.setClearColor(0);
		const view = at ?? this.linkedView();
		this.past.add(this.opened, this.path);
		if (!this.fly.fromString(view)) await this.goTo(data.cameras.length ? '0' : 'top');
		const missing = data.counts.textures_missing;
		this.say(
			`${data.name}: ${data.counts.triangles} triangles, ${data.entity_count} entities` +
				(missing
					? `; ${missing} textures are missing: open the game's folder or its archives together with the map`
					: ''),
		);
	}

	fillMenus(isNew) {
		const { data } = this.world;
		if (isNew)
			fill(elements.save, [
				['', 'a file...'],
				['png', 'This view (.png)'],
				...this.source.writers.map(({ name, title, extension }) => [name, `${title} (.${extension})`]),
			]);
		const views = data.cameras.map((camera, i) => [String(i), data.nodes[camera.node].name]);
		fill(elements.camera, [['', 'a place...'], ['top', 'above the map'], ...views]);
		elements.camera.append(...entityGroups(data));
		elements.show.disabled = elements.walk.disabled = false;
		elements.walk.setAttribute('aria-pressed', 'false');
		document.body.classList.remove('walks');
	}

	// Returns the view in the address if it belongs to this map, otherwise ''. A view without the name of a map belongs
	// to the first map that the page shows.
	linkedView() {
		const { map, at } = addressed();
		const isFirst = !this.hasShown;
		this.hasShown = true;
		return isFirst && (map === this.path || map === null) ? at : '';
	}

	// Moves to the view `at`, which comes from an address.
	look(at) {
		if (this.fly.above) this.show('game');
		this.fly.fromString(at);
	}

	// Once all textures of a map are shown, stores a picture of it for its tile. Also stores the opened files for the
	// next visit.
	async takeFirst() {
		const { world, path, shots, opened } = this;
		if (world.waiting || world.isOld || this.fly.above) return;
		this.takePicture = null;
		const picture = await shots.take(path, elements.view);
		const handles = await opened.options.handles;
		this.remembering = remember(handles, { name: world.data.name, map: path, picture });
	}

	// Walks, or flies if `on` is false. The data for collisions is loaded when it is first needed.
	async walk(on) {
		if (on && !this.player) this.busy(true, 'Loading what is solid');
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

	// Moves the camera in front of an entity, so that it looks at the center of the entity.
	goToEntity(node) {
		const { data, places } = this.world;
		const hasBox = data.nodes[node].mesh !== C.NO_INDEX;
		const point = new THREE.Vector3().setFromMatrixPosition(places[node]).toArray();
		const { min, max } = hasBox ? this.world.boxOf(node) : { min: point, max: point };
		if (this.fly.walker) this.walk(false);
		this.fly.lookAt(min, max);
	}

	// Describes in the panel what is at a point of the canvas.
	pick(x, y) {
		const hit = this.world && hitAt(x, y, { canvas: elements.view, camera: this.camera, world: this.world });
		if (hit) this.picking = this.tellOf(hit);
	}

	// Describes a hit, once faces and leafs are loaded. They are loaded after the first picture.
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
		this.busy(true, 'Loading');
		try {
			// The map is loaded again, because the scene that is shown has surfaces of the sky, and written files do
			// not contain these.
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
		if (is) sayProgress(stage, part);
		else endProgress();
		this.dirty = true;
	}

	say(text) {
		say(text);
	}

	fail(error) {
		console.error(error);
		sayError(error.message);
	}
}
