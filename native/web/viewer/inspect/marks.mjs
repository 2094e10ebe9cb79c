// marks.mjs - objects for things that no engine draws, so that they can be seen and clicked: lamps and entities as
// small solids, hidden surfaces as translucent triangles, BSP leafs as boxes.
import * as THREE from 'three';
import { constants as C } from '../../bspscene.mjs';

const LAMP = 8;
const ENTITY = 6;
const PANE = 0.3;
// Angle in degrees: the edge between two triangles is not drawn if the angle between their planes is smaller.
const FLAT = 1;

export const COLORS = {
	[C.SURFACE_NODRAW]: 0xd9b310,
	[C.SURFACE_HINT]: 0x35c46b,
	[C.SURFACE_SKIP]: 0x8bc34a,
	[C.SURFACE_CLIP]: 0xb05cff,
	[C.SURFACE_CAULK]: 0xff7ab8,
	[C.SURFACE_TOOL]: 0x4f9dff,
	[C.SURFACE_TRIGGER]: 0xff8a1f,
	[C.SURFACE_COLLISION]: 0x22d3ee,
};

// Makes a small solid for each row { at, color, node }. All are drawn by one call.
function solids(data, rows, geometry) {
	const made = new THREE.MeshBasicMaterial({ transparent: true });
	const object = new THREE.InstancedMesh(geometry, made, rows.length);
	const color = new THREE.Color();
	rows.forEach((row, i) => {
		object.setMatrixAt(i, new THREE.Matrix4().makeTranslation(...row.at));
		object.setColorAt(i, color.setRGB(...row.color));
	});
	object.userData = { pass: 0, of: ({ instanceId }) => ({ data, node: rows[instanceId].node }) };
	return object;
}

// Returns the position of a node in the world.
const placed = (places, node) => new THREE.Vector3().setFromMatrixPosition(places[node]).toArray();

export function lamps(data, places) {
	const rows = data.lights
		.filter(({ kind }) => kind !== C.LIGHT_SURFACE && kind !== C.LIGHT_SUN)
		.map(({ node, color }) => ({ node, color, at: placed(places, node) }));
	return rows.length ? solids(data, rows, new THREE.OctahedronGeometry(LAMP)) : null;
}

// Returns solids for point entities that the map's picture does not show.
export function points(data, places) {
	const isPoint = ({ kind }) => kind === C.NODE_POINT_ENTITY || kind === C.NODE_CAMERA || kind === C.NODE_PROP;
	const rows = data.nodes
		.map((node, number) => ({ ...node, node: number }))
		.filter((node) => node.entity !== C.NO_INDEX && node.mesh === C.NO_INDEX && isPoint(node))
		.map(({ node, kind }) => ({
			node,
			at: placed(places, node),
			color: kind === C.NODE_CAMERA ? [0.2, 0.8, 0.4] : [0.9, 0.4, 0.9],
		}));
	return rows.length ? solids(data, rows, new THREE.BoxGeometry(ENTITY, ENTITY, ENTITY)) : null;
}

// Makes one object with the triangles and edges of sections: [{ node, section, color }]. `places`: the transforms of
// all nodes.
export function panes(data, places, sections) {
	const size = sections.reduce((sum, { section }) => sum + section.index_count, 0);
	if (!size) return null;
	const positions = new Float32Array(3 * size);
	const colors = new Float32Array(3 * size);
	const starts = [];
	const [at, color] = [new THREE.Vector3(), new THREE.Color()];
	let vertex = 0;
	for (const { node, section, color: said } of sections) {
		const { positions: from, indices } = data.meshes[data.nodes[node].mesh];
		starts.push(vertex);
		color.setHex(said, THREE.LinearSRGBColorSpace);
		for (let i = section.first_index; i < section.first_index + section.index_count; i++, vertex++) {
			at.fromArray(from, 3 * indices[i])
				.applyMatrix4(places[node])
				.toArray(positions, 3 * vertex);
			color.toArray(colors, 3 * vertex);
		}
	}
	const geometry = new THREE.BufferGeometry();
	geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
	geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
	return withEdges(geometry, ({ faceIndex }) => {
		const { node, section } = sections[starts.findLastIndex((start) => start <= 3 * faceIndex)];
		return { data, node, section, material: section.material };
	});
}

function withEdges(geometry, of) {
	const pane = new THREE.Mesh(
		geometry,
		new THREE.MeshBasicMaterial({
			vertexColors: true,
			transparent: true,
			opacity: PANE,
			side: THREE.DoubleSide,
			depthWrite: false,
			polygonOffset: true,
			polygonOffsetFactor: -1,
			polygonOffsetUnits: -1,
		}),
	);
	pane.userData = { pass: 0, of };
	const edges = new THREE.LineSegments(
		new THREE.EdgesGeometry(geometry, FLAT),
		new THREE.LineBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.5 }),
	);
	pane.add(edges);
	return pane;
}

const EDGES = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((from) =>
	[1, 2, 4].filter((bit) => !(from & bit)).map((bit) => [from, from | bit]),
);

// Draws a box of lines for each row { bounds, color }.
export function boxes(rows) {
	const positions = [];
	const colors = [];
	const color = new THREE.Color();
	for (const { bounds, color: said } of rows) {
		const corner = (bits) => [0, 1, 2].map((i) => (bits & (1 << i) ? bounds.max : bounds.min)[i]);
		for (const [from, to] of EDGES) {
			positions.push(...corner(from), ...corner(to));
			color.setHex(said, THREE.LinearSRGBColorSpace);
			colors.push(...color.toArray(), ...color.toArray());
		}
	}
	const geometry = new THREE.BufferGeometry();
	geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
	geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 3));
	return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true, transparent: true }));
}
