// above.mjs - views from above. The overview turns around the middle of the area that players reach. The plan looks
// straight down from so far away that vertical lines become points, and can cut off the upper part of the map. The
// library chooses the overview's first camera and the box that is shown (Scene.overview).
import * as THREE from 'three';

const PLAN = { pitch: 90, yaw: 90, fov: 2 };
const MARGIN = 1.05;
const LEAST_SIDE = 64;
const RADIANS = Math.PI / 180;
// Degrees by which the view turns for each pixel of dragging.
const TURN = 0.3;
const PITCHES = [5, 90];
// NEARER: share by which each pixel of the wheel zooms. SPEED: share of the view's width by which a key moves it each
// second.
const NEARER = 0.001;
const SPEED = 0.5;

export class Above {
	// `kind`: 'overview' or 'plan'. `overview`: the result of Scene.overview. `bounds`: bounding box of everything that
	// is drawn.
	constructor(kind, overview, bounds) {
		const { min, max } = overview.shown;
		this.isPlan = kind === 'plan';
		Object.assign(
			this,
			this.isPlan ? PLAN : { pitch: overview.pitch, yaw: overview.yaw, fov: overview.fov_degrees },
		);
		this.size = max.map((value, i) => Math.max(value - min[i], LEAST_SIDE));
		this.reach = Math.hypot(...bounds.max.map((value, i) => value - bounds.min[i]));
		this.center = new THREE.Vector3(...max.map((value, i) => (value + min[i]) / 2));
		this.fitted = overview.aspect;
		// `away`, `right` and `up` are the parts of the way from the center to the eye along the axes of the picture.
		const way = new THREE.Vector3(...overview.origin).sub(this.center);
		const { forward, right, up } = this.axes();
		[this.away, this.right, this.up] = this.isPlan ? [0, 0, 0] : [-way.dot(forward), way.dot(right), way.dot(up)];
		this.top = this.cut = max[2];
		this.bottom = min[2];
		this.scale = 1;
	}

	// Returns the distance at which the box fits into a picture with this aspect. If the picture is wider than the one
	// that the overview was made for, it shows the box at the same height.
	distance(aspect) {
		const [wide, deep] = this.size;
		const tangent = Math.tan((this.fov / 2) * RADIANS);
		if (this.isPlan) return (Math.max(wide / 2, (deep / 2) * aspect) / tangent) * MARGIN;
		return this.away * Math.max(1, aspect / this.fitted);
	}

	// Sets a camera of three.js for a picture with this aspect.
	apply(camera, aspect) {
		const away = this.distance(aspect) * this.scale;
		const { forward, right, up } = this.axes();
		camera.position.copy(this.center).addScaledVector(forward, -away);
		camera.position.addScaledVector(right, this.right * this.scale).addScaledVector(up, this.up * this.scale);
		camera.up.copy(up);
		camera.lookAt(forward.add(camera.position));
		camera.fov = (2 * Math.atan(Math.tan((this.fov / 2) * RADIANS) / aspect)) / RADIANS;
		camera.near = this.isPlan ? away + this.center.z - this.cut : Math.max(away - this.reach, away / 1000);
		camera.far = away + this.reach;
		camera.updateProjectionMatrix();
		this.perPixel = 2 * away * Math.tan((this.fov / 2) * RADIANS);
	}

	// Returns the directions forward, right and up of the picture.
	axes() {
		const [pitch, yaw] = [this.pitch * RADIANS, this.yaw * RADIANS];
		const [sinPitch, cosPitch] = this.isPlan ? [1, 0] : [Math.sin(pitch), Math.cos(pitch)];
		const [sinYaw, cosYaw] = [Math.sin(yaw), Math.cos(yaw)];
		return {
			forward: new THREE.Vector3(cosPitch * cosYaw, cosPitch * sinYaw, -sinPitch),
			right: new THREE.Vector3(sinYaw, -cosYaw, 0),
			up: new THREE.Vector3(sinPitch * cosYaw, sinPitch * sinYaw, cosPitch),
		};
	}

	// Moves the center by game units to the right and up in the picture, without changing its height in the map.
	shift(right, up) {
		const yaw = this.yaw * RADIANS;
		this.center.x += Math.cos(yaw) * up + Math.sin(yaw) * right;
		this.center.y += Math.sin(yaw) * up - Math.cos(yaw) * right;
	}

	// Moves or turns by pixels of dragging, in a picture with this width.
	drag(x, y, width) {
		const unit = (this.perPixel ?? 1) / width;
		if (this.isPlan) return this.shift(-x * unit, y * unit);
		this.yaw -= x * TURN;
		this.pitch = Math.min(Math.max(this.pitch + y * TURN, PITCHES[0]), PITCHES[1] - 1);
	}

	zoom(pixels) {
		this.scale = Math.min(Math.max(this.scale * Math.exp(pixels * NEARER), 0.01), 4);
	}

	// Moves by keys and gamepad for some seconds: ahead, left and up, each from -1 to 1. In a plan, `up` moves the
	// height at which the map is cut.
	move(seconds, [ahead, left, up]) {
		const by = (this.perPixel ?? 1) * SPEED * seconds;
		this.shift(-left * by, ahead * by);
		if (!this.isPlan) return this.zoom((-up * seconds) / NEARER);
		const high = this.top - this.bottom;
		this.cut = Math.min(Math.max(this.cut + up * high * SPEED * seconds, this.bottom + 1), this.top);
	}
}
