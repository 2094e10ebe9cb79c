// fly.mjs - movement through a map. The mouse or a finger turns the view. W A S D and the arrow keys move, and Q and E
// sink and rise. A gamepad does both. Without a walker (walk/walker.mjs) there is no gravity and no collision.
import * as THREE from 'three';

const SPEED = 320;
const TURN = 0.0035;
// If a finger is this many pixels from where it touched the screen, the player walks at full speed.
const STICK = 60;
// Least distance in game units from the camera to the center of what it looks at.
const BEFORE = 96;
const DEAD_ZONE = 0.15;
// Each pixel by which two fingers move apart zooms as much as this many pixels of the wheel.
const PINCH = 4;
const PAD_JUMP = 0;
const KEYS = {
	KeyW: [1, 0, 0],
	ArrowUp: [1, 0, 0],
	KeyS: [-1, 0, 0],
	ArrowDown: [-1, 0, 0],
	KeyA: [0, 1, 0],
	ArrowLeft: [0, 1, 0],
	KeyD: [0, -1, 0],
	ArrowRight: [0, -1, 0],
	KeyE: [0, 0, 1],
	Space: [0, 0, 1],
	KeyQ: [0, 0, -1],
	KeyC: [0, 0, -1],
};

export class Fly {
	constructor(camera, canvas) {
		this.camera = camera;
		this.pressed = new Set();
		this.yaw = 0;
		this.pitch = 0;
		this.pointers = new Map();
		this.walker = null;
		// The view of above.mjs if the map is seen from above, otherwise null.
		this.above = null;
		this.before = null;
		this.canvas = canvas;
		this.jumps = false;
		canvas.addEventListener('keydown', (event) => this.key(event, true));
		canvas.addEventListener('keyup', (event) => this.key(event, false));
		canvas.addEventListener('blur', () => this.pressed.clear());
		canvas.addEventListener('pointerdown', (event) => {
			canvas.focus();
			canvas.setPointerCapture(event.pointerId);
			this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
			this.moved = 0;
			// While walking, a touch on the left part of the screen is a stick for the thumb.
			const isLeft = event.offsetX < canvas.clientWidth * 0.4;
			if (this.walker && event.pointerType === 'touch' && isLeft && !this.stick)
				this.stick = { id: event.pointerId, from: [event.clientX, event.clientY], way: [0, 0, 0] };
		});
		canvas.addEventListener('pointermove', (event) => this.drag(event));
		for (const end of ['pointerup', 'pointercancel']) {
			canvas.addEventListener(end, (event) => {
				this.pointers.delete(event.pointerId);
				this.apart = 0;
				if (this.stick?.id === event.pointerId) this.stick = null;
			});
		}
		canvas.addEventListener(
			'wheel',
			(event) => {
				if (this.above) this.above.zoom(event.deltaY);
				else if (!this.walker) this.step([-event.deltaY * 0.5, 0, 0]);
				this.changed = true;
				event.preventDefault();
			},
			{ passive: false },
		);
	}

	key(event, down) {
		if (!KEYS[event.code] || event.ctrlKey || event.metaKey || event.altKey) return;
		if (down) this.pressed.add(event.code);
		else this.pressed.delete(event.code);
		this.fast = event.shiftKey;
		event.preventDefault();
	}

	// One finger or the mouse turns the view, and two fingers move it. While walking, the finger on the stick moves the
	// player.
	drag(event) {
		const before = this.pointers.get(event.pointerId);
		if (!before) return;
		const [x, y] = [event.clientX - before[0], event.clientY - before[1]];
		this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
		this.moved += Math.abs(x) + Math.abs(y);
		if (this.above) this.dragAbove(x, y);
		else if (this.stick?.id === event.pointerId) {
			const { from } = this.stick;
			const part = (value) => Math.min(Math.max(value / STICK, -1), 1);
			this.stick.way = [part(from[1] - event.clientY), part(from[0] - event.clientX), 0];
		} else if (this.pointers.size > 1 && !this.walker) this.step([-y, x, 0]);
		else this.turn(x * TURN, y * TURN);
	}

	// Moving two fingers apart zooms in.
	dragAbove(x, y) {
		if (this.pointers.size > 1) {
			const [a, b] = [...this.pointers.values()];
			const apart = Math.hypot(a[0] - b[0], a[1] - b[1]);
			if (this.apart) this.above.zoom((this.apart - apart) * PINCH);
			this.apart = apart;
		} else this.above.drag(x, y, this.canvas.clientWidth);
		this.changed = true;
	}

	// Switches to a view from above. null switches back to the view before it.
	lookFrom(above) {
		if (!above && !this.above) return;
		const { camera } = this;
		this.before ??= camera.position.clone();
		this.above = above;
		this.apart = 0;
		this.changed = true;
		if (above) return;
		camera.up.set(0, 0, 1);
		camera.position.copy(this.before);
		this.before = null;
		this.aim();
	}

	turn(yaw, pitch) {
		this.yaw += yaw;
		this.pitch = Math.min(Math.max(this.pitch + pitch, -1.55), 1.55);
		this.aim();
	}

	aim() {
		const way = new THREE.Vector3(
			Math.cos(this.yaw) * Math.cos(this.pitch),
			Math.sin(this.yaw) * Math.cos(this.pitch),
			Math.sin(this.pitch),
		);
		this.camera.lookAt(way.add(this.camera.position));
		this.changed = true;
	}

	// Moves the camera to the position of a node, looking along the +X axis of the node.
	jump(matrix) {
		const forward = new THREE.Vector3().setFromMatrixColumn(matrix, 0);
		this.camera.position.setFromMatrixPosition(matrix);
		this.yaw = Math.atan2(forward.y, forward.x);
		this.pitch = Math.asin(Math.min(Math.max(forward.z / (forward.length() || 1), -1), 1));
		this.walker?.place([...this.camera.position]);
		this.aim();
	}

	// Looks at a box from above and from the side, as near as possible so that the box fits.
	lookAt(min, max) {
		const middle = new THREE.Vector3(...max.map((value, i) => (value + min[i]) / 2));
		const away = Math.max(Math.hypot(...max.map((value, i) => value - min[i])), BEFORE);
		this.pitch = -0.35;
		this.aim();
		this.camera.position.copy(middle).addScaledVector(this.camera.getWorldDirection(new THREE.Vector3()), -away);
		this.aim();
	}

	// Makes the camera a player who walks with this walker from its position on. If the walker is null, the camera
	// flies again. Returns false if there is no room for the player.
	walk(walker) {
		if (walker && !walker.place([...this.camera.position])) return false;
		this.walker = walker;
		this.stick = null;
		this.changed = true;
		return true;
	}

	// Moves by game units ahead along the view, to the left, and up.
	step([ahead, left, up]) {
		const forward = this.camera.getWorldDirection(new THREE.Vector3());
		const aside = new THREE.Vector3(-Math.sin(this.yaw), Math.cos(this.yaw), 0);
		this.camera.position.addScaledVector(forward, ahead).addScaledVector(aside, left);
		this.camera.position.z += up;
		this.changed = true;
	}

	// Returns the movement that keys, stick and gamepad ask for: ahead, left and up, each from -1 to 1. The gamepad
	// also turns the view.
	wish(seconds) {
		const way = [...(this.stick?.way ?? [0, 0, 0])];
		for (const key of this.pressed) KEYS[key].forEach((part, i) => (way[i] += part));
		if (this.jumps) way[2] = 1;
		for (const pad of navigator.getGamepads?.() ?? []) {
			if (!pad) continue;
			const [x = 0, y = 0, turnX = 0, turnY = 0] = pad.axes.map((axis) =>
				Math.abs(axis) < DEAD_ZONE ? 0 : axis,
			);
			way[0] -= y;
			way[1] -= x;
			if (pad.buttons[PAD_JUMP]?.pressed) way[2] = 1;
			if (turnX || turnY) this.turn(-turnX * 2 * seconds, -turnY * 2 * seconds);
		}
		return way.map((part) => Math.min(Math.max(part, -1), 1));
	}

	// Moves the view for some seconds. Returns true if the view changed.
	update(seconds) {
		const way = this.wish(seconds);
		if (this.above) {
			if (way.some((part) => part)) this.above.move(seconds, way);
			this.changed ||= way.some((part) => part);
		} else if (this.walker) this.onFoot(seconds, way);
		else if (way.some((part) => part)) {
			const speed = SPEED * seconds * (this.fast ? 3 : 1);
			this.step(way.map((part) => part * speed));
		}
		const { changed } = this;
		this.changed = false;
		return changed;
	}

	onFoot(seconds, [ahead, left, above]) {
		const { yaw, pitch, fast, walker } = this;
		const before = walker.eye;
		walker.move(seconds, { ahead, left, above, yaw, pitch, fast });
		const { eye } = walker;
		if (!eye.some((value, i) => Math.abs(value - before[i]) > 1e-4)) return;
		this.camera.position.set(...eye);
		this.changed = true;
	}

	// Returns the view as six numbers for the page's address.
	toString() {
		return [...this.camera.position, (this.yaw * 180) / Math.PI, (this.pitch * 180) / Math.PI]
			.map((value) => value.toFixed(1))
			.join(',');
	}

	fromString(text) {
		const numbers = text.split(',').map(Number);
		if (numbers.length !== 5 || !numbers.every(Number.isFinite)) return false;
		this.camera.position.set(...numbers.slice(0, 3));
		[this.yaw, this.pitch] = numbers.slice(3).map((degrees) => (degrees * Math.PI) / 180);
		this.walker?.place([...this.camera.position]);
		this.aim();
		return true;
	}
}
