// screen.mjs - draws the current map whenever the view, the map or the time changes, and stores the view in the
// address.
import * as THREE from 'three';
import { Fly } from './controls/fly.mjs';
import { setView } from './page/address.mjs';
import { elements } from './page/elements.mjs';

const NEAR = 2;
// Far plane. It must be beyond the clouds, which are drawn as far away as the farthest corner of the map.
const FAR = 1 << 18;
// While textures arrive, the new ones are shown only once in this many milliseconds.
const ARRIVALS = 400;
// The address changes at most once in this many milliseconds, because browsers refuse more than a hundred changes in
// half a minute.
const ADDRESS_AFTER = 500;

export class Screen {
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
		this.world = this.path = this.doors = null;
		this.time = 0;
		this.dirty = true;
		new ResizeObserver(() => {
			this.dirty = true;
		}).observe(elements.view);
		requestAnimationFrame((now) => this.frame(now));
	}

	frame(now) {
		const seconds = Math.min((now - (this.before ?? now)) / 1000, 0.1);
		this.before = now;
		const moved = this.fly.update(seconds);
		if (elements.animate.checked && !document.hidden) this.time += seconds;
		for (const { node, transform } of this.doors?.update(seconds, this.fly.walker?.box) ?? [])
			this.world.place(node, transform);
		// While textures arrive, several of them are shown with one picture.
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
		this.takePicture?.();
	}

	// Puts the map and the view in the page's address. While the view changes, this is done only from time to time.
	address() {
		clearTimeout(this.addressed);
		this.addressed = null;
		if (this.path && !this.fly.above) setView(this.path, this.fly);
	}

	// Sets the camera for a picture with this aspect.
	aim(aspect) {
		this.camera.aspect = aspect;
		if (this.fly.above) return this.fly.above.apply(this.camera, aspect);
		// Vertical field of view in degrees. It gives a 4:3 screen the horizontal field of view of games, and is larger
		// for pictures that are higher than wide.
		this.camera.fov = aspect < 1 ? 90 : 73.74;
		Object.assign(this.camera, { near: NEAR, far: FAR });
		this.camera.updateProjectionMatrix();
	}

	// Updates the line with numbers of draw calls and triangles. Screen readers do not announce it, because it changes
	// with every picture.
	tell() {
		this.telling = null;
		elements.drawn.textContent = this.drawn;
	}
}
