// deforms.mjs - computes surfaces that change their shape, as native/render/shade/deform.c does: sprites that face the
// viewer, waves, bulges, moves and swelling liquids. They are computed for each picture, in the space of the mesh.
import { constants as C } from '../bspscene.mjs';
import { cutLiquid } from './liquids.mjs';
import { waveAt } from './waves.mjs';

const FARTHEST = 1e6;
const GLOW_FROM = 200;
// The size of a glow grows with its distance from the eye. In views from above, it stops growing at this many game
// units, because glows with the size for the real distance would cover a whole map.
const GLOW_FROM_ABOVE = 512;
const QUAD = 4;
const SQUARE = [
	[1, 1],
	[-1, 1],
	[-1, -1],
	[1, -1],
];
const EDGES = [
	[0, 1],
	[0, 2],
	[0, 3],
	[1, 2],
	[1, 3],
	[2, 3],
];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// How many numbers each vertex attribute has for a vertex.
const WIDTHS = { position: 3, normal: 3, uv: 2, lightUv: 2, vertexColor: 4, blendAlpha: 1 };

// A section whose vertices change. `ranges` are its faces: [{ first, count, firstIndex, indexCount }].
export class Deforming {
	// `attributes`: arrays of the mesh, by the names in WIDTHS. `faces`: the faces of the section; may be empty.
	constructor(attributes, indices, section, faces, deforms) {
		this.deforms = deforms;
		const [only] = deforms;
		const isLiquid = deforms.length === 1 && only.kind === C.DEFORM_LIQUID && faces.length > 0;
		if (isLiquid) this.cut(attributes, indices, faces, only);
		else this.copy(attributes, indices, section, faces);
		this.live = {};
		for (const [name, array] of Object.entries(this.stored)) this.live[name] = array.slice();
		this.liveIndices = this.indices.slice();
	}

	copy(attributes, indices, section, faces) {
		const { first_vertex: first, vertex_count: count, first_index: start, index_count: size } = section;
		this.stored = {};
		for (const [name, width] of Object.entries(WIDTHS))
			this.stored[name] = attributes[name].slice(width * first, width * (first + count));
		this.indices = Uint32Array.from(indices.subarray(start, start + size), (index) => index - first);
		const whole = { first, count, firstIndex: start, indexCount: size };
		const ranges = faces.map((face) => ({
			first: face.first_vertex,
			count: face.vertex_count,
			firstIndex: face.first_index,
			indexCount: face.index_count,
		}));
		this.ranges = (ranges.length ? ranges : [whole]).map((range) => ({
			...range,
			first: range.first - first,
			firstIndex: range.firstIndex - start,
		}));
	}

	cut(attributes, indices, faces, liquid) {
		const corner = (vertex) =>
			Object.entries(WIDTHS).flatMap(([name, width]) =>
				Array.from(attributes[name].subarray(width * vertex, width * (vertex + 1))),
			);
		const [corners, triangles] = [[], []];
		this.ranges = [];
		const add = (polygon, turned) => {
			const made = cutLiquid(polygon, liquid, turned);
			this.ranges.push({ first: corners.length, count: made.corners.length });
			for (const index of made.triangles) triangles.push(corners.length + index);
			for (const one of made.corners) corners.push(one);
		};
		for (const face of faces) {
			const { first_vertex: first, vertex_count: count, first_index: start, index_count: size } = face;
			const [a, b, c] = indices.subarray(start, start + 3);
			if (size === 3 * (count - 2)) {
				const turned = (b - a + count) % count > (c - a + count) % count;
				add(
					Array.from({ length: count }, (_, k) => corner(first + k)),
					turned,
				);
			} else {
				for (let i = start; i < start + size; i += 3) add([0, 1, 2].map((k) => corner(indices[i + k])), false);
			}
		}
		this.stored = {};
		let from = 0;
		for (const [name, width] of Object.entries(WIDTHS)) {
			const made = new attributes[name].constructor(corners.length * width);
			corners.forEach((one, v) => made.set(one.slice(from, from + width), v * width));
			this.stored[name] = made;
			from += width;
		}
		this.indices = Uint32Array.from(triangles);
	}

	// Computes the shape at a time for a viewer. `axes`: { forward, left, up, upright, eye } of the viewer, in the
	// space of the mesh.
	update(time, axes) {
		for (const [name, array] of Object.entries(this.stored)) this.live[name].set(array);
		this.liveIndices.set(this.indices);
		for (const range of this.ranges) for (const deform of this.deforms) this.deform(deform, time, axes, range);
	}

	deform(deform, time, axes, range) {
		const quads = range.count % QUAD === 0 && range.indexCount === (range.count / QUAD) * 6;
		const each = (amount) => this.alongNormals(range, amount);
		switch (deform.kind) {
			case C.DEFORM_WAVE:
				return each(([x, y, z]) => {
					const moving = deform.wave.frequency !== 0 ? (x + y + z) * deform.spread : 0;
					return waveAt({ ...deform.wave, phase: deform.wave.phase + moving }, time);
				});
			case C.DEFORM_BULGE:
				return each((_, u) => Math.sin(u * deform.width + time * deform.speed) * deform.height);
			case C.DEFORM_MOVE: {
				const amount = waveAt(deform.wave, time);
				return this.alongNormals(range, () => amount, deform.vector);
			}
			case C.DEFORM_AUTOSPRITE:
				return quads && this.eachQuad(range, (first, index) => this.stamp(axes, first, index));
			case C.DEFORM_AUTOSPRITE2:
				return quads && this.eachQuad(range, (first, index) => this.turn(axes, first, index));
			case C.DEFORM_SPRITE:
			case C.DEFORM_SPRITE_UPRIGHT:
			case C.DEFORM_SPRITE_FACING:
				return this.sprite(deform.kind, axes, range);
			case C.DEFORM_GLOW:
				return this.grow(axes, range);
			case C.DEFORM_LIQUID:
				return this.swell(deform, time, axes, range);
		}
	}

	point(vertex) {
		return Array.from(this.live.position.subarray(3 * vertex, 3 * vertex + 3));
	}

	alongNormals({ first, count }, amount, direction) {
		const { position, normal, uv } = this.live;
		for (let v = first; v < first + count; v++) {
			const at = this.point(v);
			const by = amount(at, uv[2 * v]);
			const way = direction ?? normal.subarray(3 * v, 3 * v + 3);
			const moved = at.map((value, i) => value + way[i] * by);
			if (moved.every((value) => Math.abs(value) <= FARTHEST)) position.set(moved, 3 * v);
		}
	}

	eachQuad({ first, count, firstIndex }, act) {
		for (let q = 0; q < count / QUAD; q++) act(first + q * QUAD, firstIndex + q * 6);
	}

	// Replaces a quad by a square that faces the viewer, with the same diagonal and new texture coordinates.
	stamp({ forward, left, up }, first, index) {
		const { position, normal, uv, lightUv, vertexColor } = this.live;
		const corners = [0, 1, 2, 3].map((k) => this.point(first + k));
		const middle = [0, 1, 2].map((i) => corners.reduce((sum, corner) => sum + corner[i], 0) / QUAD);
		const radius = Math.hypot(...corners[0].map((value, i) => value - middle[i])) * 0.707;
		const color = vertexColor.slice(4 * first, 4 * first + 4);
		SQUARE.forEach(([x, y], k) => {
			const v = first + k;
			position.set(
				middle.map((value, i) => value + (left[i] * x + up[i] * y) * radius),
				3 * v,
			);
			normal.set(
				forward.map((value) => -value),
				3 * v,
			);
			for (const coordinates of [uv, lightUv]) coordinates.set([(1 - x) / 2, (1 - y) / 2], 2 * v);
			vertexColor.set(color, 4 * v);
		});
		this.liveIndices.set([0, 3, 1, 3, 2, 1].map((k) => first + k), index);
	}

	// Turns a quad about its long axis toward the viewer. The long axis joins the middles of the two shortest edges.
	turn({ forward }, first, index) {
		const corners = [0, 1, 2, 3].map((k) => this.point(first + k));
		const edges = EDGES.map(([a, b], number) => ({
			number,
			square: corners[a].reduce((sum, value, i) => sum + (value - corners[b][i]) ** 2, 0),
			middle: corners[a].map((value, i) => (value + corners[b][i]) / 2),
		}))
			.sort((a, b) => a.square - b.square)
			.slice(0, 2);
		const minor = cross(
			edges[1].middle.map((value, i) => value - edges[0].middle[i]),
			forward,
		);
		const length = Math.hypot(...minor);
		if (!(length > 1e-6)) return;
		const order = [0, 2, 1, 3, 5, 4].map((k) => this.indices[index + k] - first);
		for (const { number, square, middle } of edges) {
			const [a, b] = EDGES[number];
			const forwards = order.some((corner, k) => k < 5 && corner === a && order[k + 1] === b);
			const half = ((forwards ? -1 : 1) * Math.sqrt(square)) / 2 / length;
			[a, b].forEach((corner, end) =>
				this.live.position.set(
					middle.map((value, i) => value + minor[i] * (end ? -half : half)),
					3 * (first + corner),
				),
			);
		}
	}

	// A sprite has two quads that cross each other. Makes the one in the plane of Y and Z face the viewer, and
	// shrinks the other to a point, so that it is not drawn.
	sprite(kind, axes, { first, count }) {
		const { position, normal } = this.live;
		const flat = kind === C.DEFORM_SPRITE;
		const left = flat ? axes.left : levelLeft(axes, kind === C.DEFORM_SPRITE_FACING);
		if (!left) return;
		const up = flat ? axes.up : axes.upright;
		for (let v = 0; v < count; v++) {
			const [, y, z] = v < QUAD ? this.point(first + v) : [0, 0, 0];
			position.set(
				left.map((value, i) => value * y + up[i] * z),
				3 * (first + v),
			);
			normal.set(
				axes.forward.map((value) => -value),
				3 * (first + v),
			);
		}
	}

	grow({ eye, fromAbove }, { first, count }) {
		const distance = Math.hypot(...eye);
		const factor = (fromAbove ? Math.min(distance, GLOW_FROM_ABOVE) : distance) / GLOW_FROM;
		for (let i = 3 * first; i < 3 * (first + count); i++) this.live.position[i] *= factor;
	}

	swell({ height }, time, { eye }, { first, count }) {
		const { position } = this.live;
		if (height === 0 || !count) return;
		const by = position[3 * first + 2] >= eye[2] ? -height : height;
		const table = (at) => 8 * Math.sin(((Math.trunc(at) % 256) * 2 * Math.PI) / 256) + 8;
		for (let v = first; v < first + count; v++) {
			const [x, y] = this.point(v);
			position[3 * v + 2] += (table(time * 160 + y + x) + table(x * 5 + time * 171 - y) * 0.8) * by;
		}
	}
}

function levelLeft({ forward, upright, eye }, fromEye) {
	const left = cross(upright, fromEye ? eye.map((value) => -value) : forward);
	const length = Math.hypot(...left);
	return length > 1e-6 ? left.map((value) => value / length) : null;
}

// Converts the viewer's axes to the space of a node. `elements` is the matrix of the node, in the order of columns.
export function axesAt(elements, view) {
	const back = (direction) =>
		[0, 4, 8].map((column) => {
			const axis = elements.slice(column, column + 3);
			return dot(direction, axis) / Math.max(Math.hypot(...axis), 1e-6);
		});
	const toEye = view.eye.map((value, i) => value - elements[12 + i]);
	return {
		forward: back(view.forward),
		left: back(view.left),
		up: back(view.up),
		upright: back([0, 0, 1]),
		eye: back(toEye),
	};
}
