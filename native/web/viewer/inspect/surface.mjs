// surface.mjs - for a point that was clicked, finds the triangle, the face of the file, and the luxel with its light.
import * as THREE from 'three';
import { constants as C } from '../../bspscene.mjs';
import { leafNumberAt } from '../visible.mjs';

// The leaf of a surface is looked up at a point that is this many game units nearer to the eye than the surface.
const BEFORE = 1;

// Returns the triangle of a section that is nearest to a point in the space of the mesh: { index, corners, weights }.
// `index` is the position of its first corner in the mesh's indices. Returns null if no triangle has an area.
export function triangleAt({ positions, indices }, { first_index: first, index_count: count }, point) {
	const triangle = new THREE.Triangle();
	const at = new THREE.Vector3();
	let best = null;
	for (let index = first; index < first + count; index += 3) {
		const corners = [0, 1, 2].map((k) => indices[index + k]);
		triangle.set(...corners.map((vertex) => new THREE.Vector3().fromArray(positions, 3 * vertex)));
		const square = triangle.closestPointToPoint(point, at).distanceToSquared(point);
		if (best && !(square < best.square)) continue;
		const weights = triangle.getBarycoord(at, new THREE.Vector3());
		if (weights) best = { square, index, corners, weights: weights.toArray() };
	}
	return best;
}

function mixed(array, size, { corners, weights }) {
	return Array.from({ length: size }, (_, i) =>
		corners.reduce((sum, vertex, k) => sum + array[size * vertex + i] * weights[k], 0),
	);
}

// Returns the luxel at a point of a triangle: its page, its column and row, and for each light style its color as
// bytes (0 to 255). Returns null if the surface has no page.
export function luxelAt(data, mesh, section, triangle) {
	if (section.lightmap_page === C.NO_INDEX || !mesh.lightmap_uvs) return null;
	const [u, v] = mixed(mesh.lightmap_uvs, 2, triangle);
	const sets = data.lightmap_sets.filter(({ kind }) => kind === C.LIGHTMAP_SET_LIGHT);
	const { width, height } = sets[0].pages[section.lightmap_page];
	const within = (value, size) => Math.min(Math.max(Math.floor(value * size), 0), size - 1);
	const [x, y] = [within(u, width), within(v, height)];
	const light = sets.map(({ style, intensity, pages }) => {
		const bytes = pages[section.lightmap_page].data;
		const first = 3 * (y * width + x);
		return { style, intensity, color: bytes ? [...bytes.subarray(first, first + 3)] : [0, 0, 0] };
	});
	return { page: section.lightmap_page, x, y, light };
}

// Returns the light at a point of a triangle, interpolated between its vertices, as three numbers from 0 to 255.
export function vertexLightAt(mesh, colors, triangle) {
	const all = colors ?? mesh.colors;
	return all ? mixed(all, 4, triangle).slice(0, 3).map(Math.round) : [255, 255, 255];
}

// Returns all facts about a hit of three.js. `faces` and `tree` are the parts of the scene with these names, or null.
export function surfaceAt({ data, faces, tree }, { node, section }, hit) {
	const mesh = data.meshes[data.nodes[node].mesh];
	const inverse = hit.object.matrixWorld.clone().invert();
	const triangle = triangleAt(mesh, section, hit.point.clone().applyMatrix4(inverse));
	const { first_face: first, face_count: count } = section;
	const face = faces
		?.slice(first, first + count)
		.find((one) => triangle?.index >= one.first_index && triangle.index < one.first_index + one.index_count);
	const before = hit.point.clone().addScaledVector(hit.ray.direction, -BEFORE).toArray();
	const leaf = tree?.node_count ? leafNumberAt(tree, before) : null;
	return { mesh, triangle, face, leaf, luxel: triangle && luxelAt(data, mesh, section, triangle) };
}
