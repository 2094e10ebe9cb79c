// geometry.mjs - makes arrays for the graphics card from a mesh. They are in parts that have few enough vertices for
// 16-bit indices. When other faces become visible, the indices are written again.
import * as THREE from 'three';

// Most vertices with 16-bit indices. The last index cannot be used, because it restarts primitives on graphics cards.
const MOST_VERTICES = 65535;
const SIZES = { position: 3, normal: 3, uv: 2, lightUv: 2, vertexColor: 4, blendAlpha: 1, blendWeights: 4 };

// Returns the vertex attributes of a mesh, by their names in the shader.
export function arraysOf(mesh) {
	const { vertex_count: count } = mesh;
	const colors = mesh.colors ?? new Uint8Array(4 * count).fill(255);
	return {
		position: mesh.positions,
		normal: mesh.normals,
		uv: mesh.uvs,
		lightUv: mesh.lightmap_uvs ?? new Float32Array(2 * count),
		vertexColor: colors,
		blendAlpha: mesh.blend_alphas ?? Float32Array.from({ length: count }, (_, i) => colors[4 * i + 3] / 255),
		...(mesh.blend_weights && { blendWeights: mesh.blend_weights }),
	};
}

export const attributeOf = (name, array) =>
	new THREE.BufferAttribute(array, SIZES[name], array instanceof Uint8Array);

// Groups sections that follow each other, so that 16-bit indices are enough for the vertices of a group. A section that
// is too large for that is a group of its own.
function rowsOf(sections) {
	const rows = [];
	for (const section of [...sections].sort((a, b) => a.first_vertex - b.first_vertex)) {
		const end = section.first_vertex + section.vertex_count;
		const row = rows.at(-1);
		if (row && Math.max(end, row.end) - row.first <= MOST_VERTICES) {
			row.sections.push(section);
			row.end = Math.max(end, row.end);
		} else rows.push({ first: section.first_vertex, end, sections: [section] });
	}
	return rows;
}

// The arrays for one group of sections of a mesh.
class Part {
	constructor({ first, end, sections }, arrays, indices) {
		this.first = first;
		this.count = end - first;
		this.attributes = {};
		for (const [name, array] of Object.entries(arrays)) this.attributes[name] = this.attribute(name, array);
		const size = sections.reduce((sum, section) => sum + section.index_count, 0);
		const Indices = this.count <= MOST_VERTICES ? Uint16Array : Uint32Array;
		this.whole = new Indices(size);
		this.starts = new Map();
		let at = 0;
		for (const section of sections) {
			this.starts.set(section, at);
			const { first_index: from, index_count: much } = section;
			for (let i = 0; i < much; i++) this.whole[at + i] = indices[from + i] - first;
			at += much;
		}
		this.index = new THREE.BufferAttribute(this.whole.slice(), 1);
	}

	// Returns the part of an array that belongs to this group. The array is for all vertices of the mesh.
	attribute(name, array) {
		return attributeOf(name, array.subarray(SIZES[name] * this.first, SIZES[name] * (this.first + this.count)));
	}
}

export class Geometry {
	constructor(mesh) {
		this.mesh = mesh;
		this.arrays = arraysOf(mesh);
		this.parts = new Map();
		const drawn = mesh.sections.filter((section) => section.index_count);
		for (const row of rowsOf(drawn)) {
			const part = new Part(row, this.arrays, mesh.indices);
			for (const section of row.sections) this.parts.set(section, part);
		}
	}

	// Makes the geometry of a section. `colors`: colors of its vertices if they differ from those of the mesh.
	draw(section, colors) {
		const part = this.parts.get(section);
		const own = colors ? { vertexColor: part.attribute('vertexColor', colors) } : {};
		const geometry = geometryOf({ ...part.attributes, ...own, index: part.index });
		geometry.setDrawRange(part.starts.get(section), section.index_count);
		geometry.boundingSphere = this.sphereOf([section]);
		return geometry;
	}

	// Returns a sphere around the vertices of some sections or faces.
	sphereOf(ranges) {
		const { positions } = this.mesh;
		const { min, max } = new THREE.Box3();
		for (const { first_vertex: first, vertex_count: count } of ranges) {
			for (let i = 3 * first; i < 3 * (first + count); i += 3) {
				if (positions[i] < min.x) min.x = positions[i];
				if (positions[i] > max.x) max.x = positions[i];
				if (positions[i + 1] < min.y) min.y = positions[i + 1];
				if (positions[i + 1] > max.y) max.y = positions[i + 1];
				if (positions[i + 2] < min.z) min.z = positions[i + 2];
				if (positions[i + 2] > max.z) max.z = positions[i + 2];
			}
		}
		return new THREE.Box3(min, max).getBoundingSphere(new THREE.Sphere());
	}

	// Makes a geometry of draw() show only these faces of its section. null: all faces.
	show(geometry, section, faces) {
		const part = this.parts.get(section);
		const start = part.starts.get(section);
		const { first_index: from } = section;
		const ranges = faces ?? [section];
		let end = start;
		for (const { first_index: first, index_count: count } of ranges) {
			const at = start + first - from;
			part.index.array.set(part.whole.subarray(at, at + count), end);
			end += count;
		}
		part.index.needsUpdate = true;
		geometry.setDrawRange(start, end - start);
		geometry.boundingSphere = this.sphereOf(ranges);
	}
}

export function geometryOf(attributes) {
	const geometry = new THREE.BufferGeometry();
	for (const [name, attribute] of Object.entries(attributes)) {
		if (name === 'index') geometry.setIndex(attribute);
		else geometry.setAttribute(name, attribute);
	}
	return geometry;
}
