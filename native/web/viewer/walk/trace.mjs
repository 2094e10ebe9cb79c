// trace.mjs - sweeps a box through convex bodies by the separating axis test. It finds where the box stops, and which
// body stops it. A body is separated from the box along one of its normals, one of the box's axes, or a cross product
// of two edges. The first moment without a separating axis is the hit. `half` is half the size of the box; [0, 0, 0] is
// a point.

// The distance in game units that the box keeps from what it hits.
export const APART = 1 / 32;
const LEAF_BODIES = 4;
// Two directions count as one if the cosine of the angle between them is larger than this.
const SAME = 0.99999;
const ROW = 6;

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const along = (a, direction, amount) => a.map((value, i) => value + direction[i] * amount);
export const cross = (a, b) => [
	a[1] * b[2] - a[2] * b[1],
	a[2] * b[0] - a[0] * b[2],
	a[0] * b[1] - a[1] * b[0],
];

// Collects directions as unit vectors in `list`. A direction is left out if the list has the same or the opposite one.
export class Directions {
	constructor() {
		this.list = [];
	}

	add(direction) {
		const length = Math.hypot(...direction);
		if (!(length > 1e-6)) return;
		const unit = direction.map((value) => value / length);
		if (!this.list.some((one) => Math.abs(dot(one, unit)) > SAME)) this.list.push(unit);
	}
}

const BOX_AXES = [
	[1, 0, 0],
	[0, 1, 0],
	[0, 0, 1],
];

export class Tracer {
	// `bodies`: an array of { points: [x, y, z, ...], normals, edges, min, max, ... }
	constructor(bodies, half) {
		this.half = half;
		this.bodies = bodies;
		this.root = bodies.length ? divide(bodies.map((body) => body)) : null;
		this.rows = new Map();
	}

	// Returns six numbers for each separating axis of a body and the box: the axis (x, y, z), the least and the largest
	// position of the body along it, and half the length of the box along it.
	rowsOf(body) {
		let rows = this.rows.get(body);
		if (rows) return rows;
		const found = new Directions();
		for (const axis of BOX_AXES) found.add(axis);
		for (const normal of body.normals) found.add(normal);
		for (const edge of body.edges) for (const axis of BOX_AXES) found.add(cross(edge, axis));
		rows = new Float64Array(found.list.length * ROW);
		found.list.forEach((axis, i) => {
			let [low, high] = [Infinity, -Infinity];
			for (let p = 0; p < body.points.length; p += 3) {
				const at = axis[0] * body.points[p] + axis[1] * body.points[p + 1] + axis[2] * body.points[p + 2];
				low = Math.min(low, at);
				high = Math.max(high, at);
			}
			rows.set([...axis, low, high, dot(axis.map(Math.abs), this.half)], i * ROW);
		});
		this.rows.set(body, rows);
		return rows;
	}

	// Calls act(body) for all bodies whose bounds touch a box.
	near(min, max, act) {
		const open = this.root ? [this.root] : [];
		while (open.length) {
			const node = open.pop();
			if (node.min.some((low, i) => low > max[i] || node.max[i] < min[i])) continue;
			if (node.bodies) node.bodies.forEach(act);
			else open.push(node.first, node.second);
		}
	}

	// Sweeps the box's center from one point to another. Returns the part of the way before the hit, the position
	// there, the normal of the surface that was hit (null: no hit), and whether the sweep began in a body.
	trace(from, to) {
		const way = to.map((value, i) => value - from[i]);
		const [min, max] = [0, 1].map((side) =>
			from.map((value, i) =>
				side
					? Math.max(value, to[i]) + this.half[i] + 1
					: Math.min(value, to[i]) - this.half[i] - 1,
			),
		);
		const hit = { part: 1, normal: null, inside: false };
		this.near(min, max, (body) => this.meet(body, from, way, hit));
		hit.position = along(from, way, hit.part);
		return hit;
	}

	meet(body, from, way, hit) {
		const rows = this.rowsOf(body);
		let [enter, leave, speed, axis, sign] = [-Infinity, Infinity, 0, -1, 0];
		for (let i = 0; i < rows.length; i += ROW) {
			const at = rows[i] * from[0] + rows[i + 1] * from[1] + rows[i + 2] * from[2];
			const moved = rows[i] * way[0] + rows[i + 1] * way[1] + rows[i + 2] * way[2];
			const [low, high] = [rows[i + 3] - rows[i + 5], rows[i + 4] + rows[i + 5]];
			if (Math.abs(moved) < 1e-9) {
				if (at <= low || at >= high) return;
				continue;
			}
			const [first, last] = moved > 0 ? [low - at, high - at] : [high - at, low - at];
			if (first / moved > enter)
				[enter, speed, axis, sign] = [first / moved, Math.abs(moved), i, -Math.sign(moved)];
			leave = Math.min(leave, last / moved);
			if (enter >= leave || leave <= 0) return;
		}
		if (enter > 1 || (enter >= 0 && axis < 0)) return;
		if (enter < 0) {
			Object.assign(hit, { inside: true, part: 0 });
			return;
		}
		const part = Math.max(enter - APART / speed, 0);
		if (part < hit.part || !hit.normal) {
			hit.part = Math.min(part, hit.part);
			hit.normal = [rows[axis] * sign, rows[axis + 1] * sign, rows[axis + 2] * sign];
		}
	}

	// True if the box overlaps a body while its center is at this position.
	isInside(at) {
		let inside = false;
		this.near(
			at.map((value, i) => value - this.half[i]),
			at.map((value, i) => value + this.half[i]),
			(body) => {
				const rows = this.rowsOf(body);
				for (let i = 0; i < rows.length && !inside; i += ROW) {
					const here = rows[i] * at[0] + rows[i + 1] * at[1] + rows[i + 2] * at[2];
					if (here <= rows[i + 3] - rows[i + 5] || here >= rows[i + 4] + rows[i + 5]) return;
				}
				inside = true;
			},
		);
		return inside;
	}
}

function boundsOf(bodies) {
	const [min, max] = [Array(3).fill(Infinity), Array(3).fill(-Infinity)];
	for (const body of bodies) {
		for (let i = 0; i < 3; i++) {
			min[i] = Math.min(min[i], body.min[i]);
			max[i] = Math.max(max[i], body.max[i]);
		}
	}
	return { min, max };
}

// Makes a tree of bounding boxes by splitting the bodies along the longest side of their common box.
function divide(bodies) {
	const { min, max } = boundsOf(bodies);
	if (bodies.length <= LEAF_BODIES) return { min, max, bodies };
	const sides = max.map((value, i) => value - min[i]);
	const axis = sides.indexOf(Math.max(...sides));
	bodies.sort((a, b) => a.min[axis] + a.max[axis] - b.min[axis] - b.max[axis]);
	const half = bodies.length >> 1;
	return { min, max, first: divide(bodies.slice(0, half)), second: divide(bodies.slice(half)) };
}
