// above.mjs - the map from above: an overview that turns about the map's middle, and a plan, straight from above and
// so far away that lines which go up are points, whose upper part may be cut off. Frames and angles are those of
// bspscene_view_overview and bspscene_view_plan (native/render/overview).
import * as THREE from 'three';

const OVERVIEW = { pitch: 50, yaw: 60, fov: 30 };
const PLAN = { pitch: 90, yaw: 90, fov: 2 };
const MARGIN = 1.05;
const LEAST_SIDE = 64;
const RADIANS = Math.PI / 180;
// A full turn is as many pixels of dragging.
const TURN = 0.3;
const PITCHES = [5, 90];
// Of what is in view, for each step of a wheel and each second of a key.
const NEARER = 0.001;
const SPEED = 0.5;

export class Above {
	// `kind`: 'overview' or 'plan'; `bounds`: of what is drawn.
	constructor(kind, { min, max }) {
		this.isPlan = kind === 'plan';
		Object.assign(this, this.isPlan ? PLAN : OVERVIEW);
		this.size = max.map((value, i) => Math.max(value - min[i], LEAST_SIDE));
		this.center = new THREE.Vector3(...max.map((value, i) => (value + min[i]) / 2));
		this.top = this.cut = max[2];
		this.bottom = min[2];
		this.scale = 1;
	}

	// The distance from which all of the map is in a picture of this shape.
	distance(aspect) {
		const [wide, deep, high] = this.size;
		const tangent = Math.tan((this.fov / 2) * RADIANS);
		if (this.isPlan) return (Math.max(wide / 2, (deep / 2) * aspect) / tangent) * MARGIN;
		const radius = Math.hypot(wide, deep, high) / 2;
		return (radius / Math.sin(Math.atan(tangent * Math.min(1, 1 / aspect)))) * MARGIN;
	}

	// Sets a camera of three.js, whose picture has this shape.
	apply(camera, aspect) {
		const away = this.distance(aspect) * this.scale;
		const forward = this.forward();
		camera.position.copy(this.center).addScaledVector(forward, -away);
		camera.up.set(0, this.isPlan ? 1 : 0, this.isPlan ? 0 : 1);
		camera.lookAt(this.center);
		camera.fov = (2 * Math.atan(Math.tan((this.fov / 2) * RADIANS) / aspect)) / RADIANS;
		const radius = Math.hypot(...this.size);
		camera.near = this.isPlan ? away + this.center.z - this.cut : Math.max(away - radius, away / 1000);
		camera.far = away + radius;
		camera.updateProjectionMatrix();
		this.perPixel = 2 * away * Math.tan((this.fov / 2) * RADIANS);
	}

	forward() {
		const [pitch, yaw] = [this.pitch * RADIANS, this.yaw * RADIANS];
		if (this.isPlan) return new THREE.Vector3(0, 0, -1);
		return new THREE.Vector3(Math.cos(pitch) * Math.cos(yaw), Math.cos(pitch) * Math.sin(yaw), -Math.sin(pitch));
	}

	// Game units to the right and up in the picture, level.
	shift(right, up) {
		const yaw = this.yaw * RADIANS;
		this.center.x += Math.cos(yaw) * up + Math.sin(yaw) * right;
		this.center.y += Math.sin(yaw) * up - Math.cos(yaw) * right;
	}

	// By pixels, of a picture that is so wide.
	drag(x, y, width) {
		const unit = (this.perPixel ?? 1) / width;
		if (this.isPlan) return this.shift(-x * unit, y * unit);
		this.yaw -= x * TURN;
		this.pitch = Math.min(Math.max(this.pitch + y * TURN, PITCHES[0]), PITCHES[1] - 1);
	}

	zoom(pixels) {
		this.scale = Math.min(Math.max(this.scale * Math.exp(pixels * NEARER), 0.01), 4);
	}

	// What keys and the gamepad ask for in so many seconds: ahead, left and up. Up and down move a plan's cut.
	move(seconds, [ahead, left, up]) {
		const by = (this.perPixel ?? 1) * SPEED * seconds;
		this.shift(-left * by, ahead * by);
		if (!this.isPlan) return this.zoom((-up * seconds) / NEARER);
		const high = this.top - this.bottom;
		this.cut = Math.min(Math.max(this.cut + up * high * SPEED * seconds, this.bottom + 1), this.top);
	}
}
