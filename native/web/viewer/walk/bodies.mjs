// bodies.mjs - makes convex bodies for trace.mjs. They are everything that a player collides with: brushes or hulls,
// curved patches and displacements of a scene with BSPSCENE_SURFACE_COLLISION. The liquids become bodies too.
import { constants as C } from '../../bspscene.mjs';
import { Directions } from './trace.mjs';

// The options for loading the scene from which bodies are made. Invisible patches are loaded, because they collide
// too. Models are not loaded, because their collision shapes are not known.
export const COLLIDING = {
	textures: 'none',
	models: 'none',
	include_mask: ['collision', 'nodraw', 'clip', 'caulk', 'tool'],
};

// Box of the player around the position of its entity, as in the games: half of its width, then its lowest and its
// highest point.
const PLAYERS = {
	quake: [16, -24, 32],
	goldsrc: [16, -36, 36],
	nightfire: [16, -36, 36],
	quake2: [16, -24, 32],
	ufoai: [12, -24, 20],
	quake3: [15, -24, 32],
	rtcw: [18, -24, 48],
	et: [18, -24, 48],
	raven: [15, -24, 40],
	uebertools: [15, -24, 32],
	mohaa: [15, 0, 94],
	callofduty: [15, 0, 70],
	callofduty4: [15, 0, 70],
	respawn: [16, 0, 72],
	source: [16, 0, 72],
};
// Contents that stop players, and contents that they swim in. In Quake's trees these are values, in other games bits.
const NUMBERS = { solid: [-2, -8], liquid: [-3, -4, -5] };
const BITS = {
	quake2: { solid: 0x10003, liquid: 0x38 },
	ufoai: { solid: 0x10003, liquid: 0x20 },
	quake3: { solid: 0x10001, liquid: 0x38 },
	raven: { solid: 0x11, liquid: 0x6 },
	uebertools: { solid: 0x10001, liquid: 0x38 },
	callofduty: { solid: 0x10001, liquid: 0x20 },
	callofduty4: { solid: 0x10001, liquid: 0x20 },
	source: { solid: 0x1400b, liquid: 0x30 },
};
// Entities that do not stop players. Doors open when a player comes near (doors.mjs); the others are not solid in the
// games.
const OPEN = /^(trigger_|func_(door|illusionary|areaportal|ladder|water|group|conveyor_trigger))/;

function rulesOf({ family, variant }) {
	const player = PLAYERS[variant] ?? PLAYERS[family] ?? PLAYERS.quake3;
	const bits = BITS[variant] ?? BITS[family];
	const test = bits
		? (kind) => (flags) => (flags & bits[kind]) !== 0
		: (kind) => (flags) => NUMBERS[kind].includes(flags | 0);
	return { player, isSolid: test('solid'), isLiquid: test('liquid') };
}

// Returns the transform from a node to the world, as rows of four numbers.
function placeOf(nodes, number) {
	let whole = nodes[number].transform;
	for (let up = nodes[nodes[number].parent]; up; up = nodes[up.parent]) {
		const t = up.transform;
		const cell = (row, k) =>
			t[row] * whole[k] + t[row + 1] * whole[4 + k] + t[row + 2] * whole[8 + k] + (k === 3 ? t[row + 3] : 0);
		whole = [0, 4, 8].flatMap((row) => [0, 1, 2, 3].map((k) => cell(row, k)));
	}
	return whole;
}

// A mesh at a place in the world; its points are positions there.
class Placed {
	constructor(mesh, place) {
		Object.assign(this, { mesh, place });
	}

	point(vertex) {
		const { positions: p } = this.mesh;
		const t = this.place;
		const [x, y, z] = [p[3 * vertex], p[3 * vertex + 1], p[3 * vertex + 2]];
		return [0, 4, 8].map((row) => t[row] * x + t[row + 1] * y + t[row + 2] * z + t[row + 3]);
	}

	// Makes a convex body from the triangles of the mesh's indices from `first` to before `last`. Each side of the
	// body is a triangle fan.
	body(first, last, contents) {
		const { indices } = this.mesh;
		const points = [];
		const normals = new Directions();
		const edges = new Directions();
		const between = (a, b) => b.map((value, i) => value - a[i]);
		for (let i = first; i < last; i += 3) {
			const corners = [0, 1, 2].map((k) => this.point(indices[i + k]));
			const sides = corners.map((corner, k) => between(corner, corners[(k + 1) % 3]));
			points.push(...corners.flat());
			const [a, b] = sides;
			normals.add([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]);
			const startsFan = i === first || indices[i - 3] !== indices[i];
			const endsFan = i + 3 >= last || indices[i + 3] !== indices[i];
			if (startsFan) edges.add(sides[0]);
			edges.add(sides[1]);
			if (endsFan) edges.add(sides[2]);
		}
		const min = [...points.slice(0, 3)];
		const max = [...min];
		points.forEach((value, i) => {
			min[i % 3] = Math.min(min[i % 3], value);
			max[i % 3] = Math.max(max[i % 3], value);
		});
		return { points, normals: normals.list, edges: edges.list, min, max, contents };
	}
}

// True if the triangles of a face form a grid of vertices. This is how the library divides curved patches. Each
// triangle is (a, a + 1, a + columns) or (a + 1, a + columns + 1, a + columns). Triangles without area are missing.
export function isPatch(indices, { first_index: first, index_count: count, vertex_count: vertices }) {
	const isUpper = indices[first + 1] === indices[first] + 1;
	const columns = indices[first + (isUpper ? 2 : 1)] - indices[first];
	if (columns < 2 || vertices % columns || vertices === columns) return false;
	for (let i = first; i < first + count; i += 3) {
		const [b, c] = [indices[i + 1] - indices[i], indices[i + 2] - indices[i]];
		if (!(b === 1 && c === columns) && !(b === columns && c === columns - 1)) return false;
	}
	return true;
}

function addCurves(placed, faces, rules, solids) {
	const { mesh } = placed;
	const bumpy = mesh.triangle_tags;
	for (const face of faces) {
		const curved = bumpy ? bumpy[face.first_index / 3] !== 0 : isPatch(mesh.indices, face);
		if (!curved || !(bumpy || rules.isSolid(face.content_flags))) continue;
		for (let i = face.first_index; i < face.first_index + face.index_count; i += 3)
			solids.push(placed.body(i, i + 3, face.content_flags));
	}
}

// Returns { solids, liquids, half, middle, eyes }. `solids` and `liquids` are bodies, and `half` is half the size of
// the box that moves among the solids. `middle` and `eyes` are the heights of its center and of the eyes above the
// position of the player's entity. `faces` is the part of the scene with that name.
export function bodiesOf(data, faces) {
	const rules = rulesOf(data);
	const [width, low, high] = rules.player;
	const byMesh = data.meshes.map(() => []);
	for (const face of faces) byMesh[face.mesh].push(face);
	const solids = [];
	const liquids = [];
	let hulls = false;
	data.nodes.forEach((node, number) => {
		if (node.mesh === C.NO_INDEX) return;
		const mesh = data.meshes[node.mesh];
		const placed = new Placed(mesh, placeOf(data.nodes, number));
		const mine = byMesh[node.mesh];
		if (node.kind === C.NODE_WORLD) return addCurves(placed, mine, rules, solids);
		if (node.kind !== C.NODE_COLLISION) return;
		const owner = data.nodes[node.parent];
		const isWorld = owner.kind === C.NODE_WORLD;
		if (!isWorld && (owner.hidden || OPEN.test(data.entities[owner.entity]?.classname ?? ''))) return;
		const points = mesh.name.endsWith(':hull0');
		hulls ||= mesh.name.endsWith(':hull1');
		for (const face of mine) {
			const [first, last] = [face.first_index, face.first_index + face.index_count];
			if (!points && rules.isSolid(face.content_flags)) solids.push(placed.body(first, last, face.content_flags));
			else if (rules.isLiquid(face.content_flags)) liquids.push(placed.body(first, last, face.content_flags));
		}
	});
	// The compiler has enlarged the walls of hulls by the player's box, so only a point moves among them. The point
	// gets this small size, so that it does not slip through cracks between bodies.
	const half = hulls ? Array(3).fill(1 / 64) : [width, width, (high - low) / 2];
	const camera = data.cameras.find(({ kind }) => kind === C.CAMERA_SPAWN);
	const eyes = camera ? data.nodes[camera.node].transform[11] : high - 8;
	return { solids, liquids, half, middle: hulls ? 0 : (low + high) / 2, eyes };
}
