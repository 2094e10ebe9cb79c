// walker.mjs - a player who walks, climbs steps, jumps, falls and swims among bodies (bodies.mjs), as in the games' own
// movement code (bg_slidemove.c, sv_phys.c).
import { along, dot, Tracer } from './trace.mjs';

const SPEED = 320;
const GRAVITY = 800;
const JUMP = 270;
const STEP = 18;
// A player can stand on ground whose normal has at least this upward part.
const STEEPEST = 0.7;
const LONGEST_TICK = 1 / 60;
const FASTEST_FALL = 2000;
// Rates per second at which the player's velocity exponentially approaches the wanted one.
const GRIP = { ground: 10, air: 1.5, water: 4 };
const MOST_BUMPS = 4;
const LEAST_HALF = 16;
// Offsets in game units that are tried if the player has no room at a position: LIFTS upward, SHIFTS along X and Y.
const LIFTS = [0, 1, 4, 9, 18, 32, 64];
const SHIFTS = [0, 8, -8, 24, -24];

const up = (at, amount) => [at[0], at[1], at[2] + amount];

export class Walker {
	// `solids`, `liquids` and the measures of the player come from bodiesOf. Below the height `floor` the player is out
	// of the world.
	constructor({ solids, liquids, half, middle, eyes }, floor) {
		this.tracer = new Tracer(solids, half);
		this.liquids = new Tracer(liquids, [0, 0, 0]);
		Object.assign(this, { middle, eyes, floor, origin: null, velocity: [0, 0, 0], standing: false });
	}

	// Puts the player's eyes at a position, or at the nearest one where the player has room. Returns false if no tried
	// position has room.
	place(eye) {
		const wanted = up(eye, -this.eyes);
		const origin = this.findRoom(wanted);
		if (!origin) return false;
		Object.assign(this, { origin, velocity: [0, 0, 0], standing: false, safe: origin });
		return true;
	}

	findRoom(wanted) {
		for (const lift of LIFTS) {
			for (const x of SHIFTS) {
				for (const y of SHIFTS) {
					const at = along(wanted, [x, y, lift], 1);
					if (!this.tracer.isInside(up(at, this.middle))) return at;
				}
			}
		}
		return null;
	}

	get eye() {
		return up(this.origin, this.eyes);
	}

	// Returns the player's box, { min, max }. In maps with hulls the player moves as a point, so the box gets a fixed
	// width.
	get box() {
		const middle = up(this.origin, this.middle);
		const half = this.tracer.half.map((value) => Math.max(value, LEAST_HALF));
		return { min: along(middle, half, -1), max: along(middle, half, 1) };
	}

	// `ahead`, `left` and `above` are from -1 to 1. `above` makes the player jump, or swim up or down. `yaw` and
	// `pitch` are in radians.
	move(seconds, { ahead, left, above, yaw, pitch, fast }) {
		const ticks = Math.max(Math.ceil(seconds / LONGEST_TICK), 1);
		for (let i = 0; i < ticks; i++) this.tick(seconds / ticks, { ahead, left, above, yaw, pitch, fast });
	}

	tick(seconds, wish) {
		const inWater = this.liquids.isInside(this.origin);
		const wanted = this.wantedVelocity(wish, inWater);
		const grip = 1 - Math.exp(-seconds * GRIP[inWater ? 'water' : this.standing ? 'ground' : 'air']);
		for (let i = 0; i < (inWater ? 3 : 2); i++) this.velocity[i] += (wanted[i] - this.velocity[i]) * grip;
		const jumps = this.standing && !inWater && wish.above > 0;
		if (jumps) this.velocity[2] = JUMP;
		else if (!inWater && !this.standing)
			this.velocity[2] = Math.max(this.velocity[2] - GRAVITY * seconds, -FASTEST_FALL);
		const stood = this.standing && !jumps;
		this.climb(seconds);
		this.findGround(stood && !inWater);
		if (this.standing) this.safe = this.origin;
		// A player who has fallen out of the world is put back on the last ground.
		if (this.origin[2] < this.floor) Object.assign(this, { origin: this.safe, velocity: [0, 0, 0] });
	}

	wantedVelocity({ ahead, left, above, yaw, pitch, fast }, inWater) {
		const rise = inWater ? pitch : 0;
		const forward = [Math.cos(yaw) * Math.cos(rise), Math.sin(yaw) * Math.cos(rise), Math.sin(rise)];
		const aside = [-Math.sin(yaw), Math.cos(yaw), 0];
		const way = forward.map((value, i) => value * ahead + aside[i] * left);
		if (inWater) way[2] += above || (ahead || left ? 0 : -0.2);
		const length = Math.max(Math.hypot(...way), 1);
		const speed = SPEED * (fast ? 1.5 : 1) * (inWater ? 0.7 : 1);
		return way.map((value) => (value / length) * speed);
	}

	trace(from, to) {
		const hit = this.tracer.trace(up(from, this.middle), up(to, this.middle));
		return { ...hit, position: up(hit.position, -this.middle) };
	}

	// Moves for this many seconds, and slides along the bodies that are hit. Returns { origin, velocity, met }; `met`
	// is true if something was hit.
	slide(from, velocity, seconds) {
		let [origin, speed, left] = [from, velocity, seconds];
		const planes = [];
		for (let bump = 0; bump < MOST_BUMPS; bump++) {
			const hit = this.trace(origin, along(origin, speed, left));
			if (hit.inside) return { origin, velocity: [0, 0, 0], met: true };
			origin = hit.position;
			if (!hit.normal) break;
			left -= left * hit.part;
			planes.push(hit.normal);
			speed = clip(speed, planes);
			if (dot(speed, velocity) <= 0) speed = [0, 0, 0];
			if (!speed.some((value) => value)) break;
		}
		return { origin, velocity: speed, met: planes.length > 0 };
	}

	// Moves straight on, or over a step if that leads farther.
	climb(seconds) {
		const plain = this.slide(this.origin, this.velocity, seconds);
		const stepped = plain.met && this.standing ? this.stepOver(seconds) : null;
		const far = ({ origin }) => Math.hypot(origin[0] - this.origin[0], origin[1] - this.origin[1]);
		const chosen = stepped && far(stepped) > far(plain) + 1e-3 ? stepped : plain;
		this.origin = chosen.origin;
		this.velocity = chosen.velocity;
	}

	stepOver(seconds) {
		const lifted = this.trace(this.origin, up(this.origin, STEP));
		if (lifted.inside) return null;
		const gone = this.slide(lifted.position, [this.velocity[0], this.velocity[1], 0], seconds);
		const landed = this.trace(gone.origin, up(gone.origin, this.origin[2] - lifted.position[2]));
		const isGround = landed.normal && landed.normal[2] >= STEEPEST;
		return isGround ? { origin: landed.position, velocity: gone.velocity } : null;
	}

	// Finds out whether the player stands on ground. A player who walked down a step is moved onto it.
	findGround(walked) {
		this.standing = false;
		if (this.velocity[2] > JUMP / 2) return;
		const below = this.trace(this.origin, up(this.origin, walked ? -STEP : -0.25));
		if (below.inside || !below.normal || below.normal[2] < STEEPEST) return;
		this.origin = below.position;
		this.standing = true;
		this.velocity[2] = 0;
	}
}

// Returns a velocity that leads into none of the planes. It goes along the last plane, or along the edge between two
// planes, or is zero.
function clip(velocity, planes) {
	const last = planes.at(-1);
	const flat = along(velocity, last, -Math.min(dot(velocity, last), 0));
	const blocking = planes.find((plane) => dot(flat, plane) < -1e-6);
	if (!blocking) return flat;
	const edge = [
		last[1] * blocking[2] - last[2] * blocking[1],
		last[2] * blocking[0] - last[0] * blocking[2],
		last[0] * blocking[1] - last[1] * blocking[0],
	];
	const length = Math.hypot(...edge);
	if (!(length > 1e-6)) return [0, 0, 0];
	const unit = edge.map((value) => value / length);
	const amount = dot(velocity, unit);
	const result = unit.map((value) => value * amount);
	return planes.some((plane) => dot(result, plane) < -1e-6) ? [0, 0, 0] : result;
}
