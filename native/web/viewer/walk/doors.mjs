// doors.mjs - opens doors when a walking player comes near, as in most games, and closes them again. The entity of a
// door says how far it moves and in which direction (func_door, func_door_rotating, func_door_secret). Doors that need
// a button or trigger in the game open too. Doors do not collide (bodies.mjs).
import { constants as C } from '../../bspscene.mjs';

const DOOR = /^func_door/;
const SECONDS = 0.5;
// A door opens if the player's box is within these distances of it along X, Y and Z, in game units (the trigger field
// of func_door).
const REACH = [60, 60, 8];
// Doors that are at most this many game units apart open together.
const APART = 1;
const BACKWARDS = 2;
const ABOUT_X = 64;
const ABOUT_Y = 128;
const SECRET = { FIRST_LEFT: 2, FIRST_DOWN: 4 };
// How many game units of an open door remain visible if its entity has no "lip", by family.
const LIPS = { goldsrc: 0, source: 0 };
const RADIANS = Math.PI / 180;

function valueOf(data, { first_pair: first, pair_count: count }, name) {
	const pairs = data.pairs.slice(first, first + count).filter(({ key }) => key.toLowerCase() === name);
	return pairs.at(data.first_key_wins ? 0 : -1)?.value;
}

const numbersOf = (text) => (text ?? '').trim().split(/\s+/).map(Number);

// Returns the directions forward, right and up for two angles in degrees. It is the same as AngleVectors of the games
// without roll.
function axesOf(pitch, yaw) {
	const [sp, cp, sy, cy] = [pitch, yaw].flatMap((angle) => [Math.sin(angle * RADIANS), Math.cos(angle * RADIANS)]);
	return { forward: [cp * cy, cp * sy, -sp], right: [sy, -cy, 0], up: [sp * cy, sp * sy, cp] };
}

function anglesOf(data, entity) {
	const said = numbersOf(valueOf(data, entity, 'movedir') ?? valueOf(data, entity, 'angles'));
	if (said.length === 3 && said.every(Number.isFinite)) return said;
	const yaw = Number(valueOf(data, entity, 'angle') ?? 0);
	return [0, Number.isFinite(yaw) ? yaw : 0, 0];
}

const times = (way, amount) => way.map((value) => value * amount);
const reachOf = (way, size) => way.reduce((sum, value, i) => sum + Math.abs(value * size[i]), 0);

// Returns how a door opens. { way: [[x, y, z], ...] } are moves that follow each other; { axis, degrees } is a
// rotation.
export function motionOf(data, entity, size) {
	const flags = Number(valueOf(data, entity, 'spawnflags')) || 0;
	const number = (name, usual) => {
		const value = Number.parseFloat(valueOf(data, entity, name));
		return Number.isFinite(value) ? value : usual;
	};
	const angles = anglesOf(data, entity);
	if (/rotating/.test(entity.classname)) {
		const axis = flags & ABOUT_X ? 0 : flags & ABOUT_Y ? 1 : 2;
		return { axis, degrees: number('distance', 90) * (flags & BACKWARDS ? -1 : 1) };
	}
	const { forward, right, up } = axesOf(angles[0], angles[1]);
	if (/secret/.test(entity.classname)) {
		const side = flags & SECRET.FIRST_DOWN ? times(up, -1) : times(right, flags & SECRET.FIRST_LEFT ? -1 : 1);
		return {
			way: [
				times(side, number('t_width', reachOf(side, size))),
				times(forward, number('t_length', reachOf(forward, size))),
			],
		};
	}
	// The angles -1 and -2 are those of Quake for up and down.
	const direction = { '-1': [0, 0, 1], '-2': [0, 0, -1] }[angles[0] === 0 ? angles[1] : 0] ?? forward;
	const lip = number('lip', LIPS[data.family] ?? 8);
	return { way: [times(direction, Math.max(reachOf(direction, size) - lip, 0))] };
}

// Returns the transform of a door in its own space, a 3x4 matrix in the order of rows. `part` says how far the door is
// open (0 to 1).
export function openedBy({ way, axis, degrees }, part) {
	if (way) {
		const at = [0, 0, 0];
		way.forEach((move, k) => {
			const share = Math.min(Math.max(part * way.length - k, 0), 1);
			move.forEach((value, i) => (at[i] += value * share));
		});
		return [1, 0, 0, at[0], 0, 1, 0, at[1], 0, 0, 1, at[2]];
	}
	const out = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
	const [s, c] = [Math.sin(degrees * part * RADIANS), Math.cos(degrees * part * RADIANS)];
	const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
	[out[4 * a + a], out[4 * a + b], out[4 * b + a], out[4 * b + b]] = [c, -s, s, c];
	return out;
}

const meet = (a, b, reach) => a.min.every((low, i) => low <= b.max[i] + reach[i] && a.max[i] >= b.min[i] - reach[i]);

// Returns the doors in groups that open together. Doors of a group touch each other or belong to the same team.
function teamsOf(doors) {
	const teams = doors.map((door) => new Set([door]));
	doors.forEach((door, i) => {
		for (let k = 0; k < i; k++) {
			const other = doors[k];
			const isOne = meet(door, other, [APART, APART, APART]) || (door.team && door.team === other.team);
			if (!isOne || teams[i] === teams[k]) continue;
			for (const one of teams[i]) teams[k].add(one);
			const old = teams[i];
			doors.forEach((_, n) => teams[n] === old && (teams[n] = teams[k]));
		}
	});
	return [...new Set(teams)].map((team) => [...team]);
}

export class Doors {
	// boxOf(node) returns the bounding box of a node in the world: { min, max }.
	constructor(data, boxOf) {
		const doors = data.entities
			.filter(({ classname, node }) => DOOR.test(classname) && data.nodes[node].mesh !== C.NO_INDEX)
			.map((entity) => {
				const { min, max } = boxOf(entity.node);
				const motion = motionOf(data, entity, max.map((value, i) => value - min[i]));
				return { node: entity.node, min, max, motion, team: valueOf(data, entity, 'team') };
			});
		this.teams = teamsOf(doors).map((team) => ({ doors: team, part: 0 }));
	}

	// Moves doors for a time of `seconds`: opens those near a box { min, max } and closes the others. Without a box,
	// closes all doors. Returns the doors that moved: [{ node, transform }].
	update(seconds, box) {
		const moved = [];
		for (const team of this.teams) {
			const isNear = box && team.doors.some((door) => meet(box, door, REACH));
			const part = Math.min(Math.max(team.part + ((isNear ? 1 : -1) * seconds) / SECONDS, 0), 1);
			if (part === team.part) continue;
			team.part = part;
			for (const { node, motion } of team.doors) moved.push({ node, transform: openedBy(motion, part) });
		}
		return moved;
	}
}
