// screen.mjs - draws the current map whenever the view, the map or the time changes, and stores the view in the
// address.
import * as THREE from 'three';
import { Fly } from './controls/fly.mjs';
import { setView } from './page/address.mjs';
import { elements } from './page/elements.mjs';

const NEAR = 2;
// Clouds are drawn as far away as the farthest corner of the map.
const FAR = 1 << 18;
// Milliseconds between pictures while textures arrive.
const ARRIVALS = 400;
// Milliseconds between changes of the address: browsers refuse more than a hundred in half a minute.
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
		this.takePicture?.();
	}

	// Sets the page's address to the map and the view, at most at intervals while they change.
	address() {
		clearTimeout(this.addressed);
		this.addressed = null;
		if (this.path && !this.fly.above) setView(this.path, this.fly);
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

	// Updates a line that screen readers do not announce, because it changes with every picture.
	tell() {
		this.telling = null;
		elements.drawn.textContent = this.drawn;
	}
}
