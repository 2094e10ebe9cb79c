// crowds.mjs - instancing, for models that stand in several places. Each section is drawn once for all places, with the
// transform and the light of each instance. The instances also have objects of their own. These are not drawn, but can
// be clicked.
import * as THREE from 'three';
import { constants as C } from '../bspscene.mjs';

// A layer of three.js that no camera draws.
export const UNDRAWN = 1;
// Rows of four numbers for each instance: three rows of its transform, then six rows of light. The 24 numbers of light
// are the colors of six sides and a lamp, and the direction to the lamp.
const ROWS = 3;
const LIGHTS = 6;
const FLOATS = 4 * (ROWS + LIGHTS);

// True if nodes that are drawn with these passes, all in the same color, give the same picture in any order.
function isPlain(passes) {
	return passes.length > 0 && passes[0].depthWrite && !passes.some((pass) => pass.glows);
}

// Returns groups of entries { node, number, facts, passes, ... } of World.drawn. One call can draw all entries of a
// group.
export function crowdsOf(entries) {
	const found = new Map();
	for (const one of entries) {
		const { node, facts, passes, section, isWhole } = one;
		if (node.kind !== C.NODE_PROP || !facts?.modelLit || isWhole || !isPlain(passes)) continue;
		const key = [node.mesh, section.first_index, section.fog, ...node.color, node.color_alpha].join();
		if (!found.has(key)) found.set(key, []);
		found.get(key).push(one);
	}
	return [...found.values()].filter((members) => members.length > 1);
}

export class Crowd {
	// `members`: a group of crowdsOf. groupOf(number) returns the group (of three.js) of a node. makeObject(geometry,
	// pass, i) makes an object for a pass.
	constructor(members, groupOf, makeObject) {
		this.members = members.map((one) => ({ ...one, group: groupOf(one.number), light: lightsOf(one.facts) }));
		const { geometry: shared, passes } = members[0];
		this.numbers = new THREE.InstancedInterleavedBuffer(new Float32Array(FLOATS * members.length), FLOATS);
		this.numbers.setUsage(THREE.DynamicDrawUsage);
		this.geometry = new THREE.InstancedBufferGeometry();
		this.geometry.setIndex(shared.index);
		for (const [name, attribute] of Object.entries(shared.attributes)) this.geometry.setAttribute(name, attribute);
		const add = (name, i) =>
			this.geometry.setAttribute(name, new THREE.InterleavedBufferAttribute(this.numbers, 4, 4 * i));
		for (let i = 0; i < ROWS; i++) add(`row${i}`, i);
		for (let i = 0; i < LIGHTS; i++) add(`lit${i}`, ROWS + i);
		this.shared = shared;
		this.objects = passes.map((pass, i) => makeObject(this.geometry, pass, i));
		for (const { objects } of members) for (const object of objects) object.layers.set(UNDRAWN);
	}

	// Chooses the instances that are shown and in the view, and stores their transforms and light for drawing.
	move(frustum) {
		const sphere = new THREE.Sphere();
		let count = 0;
		for (const { objects, group, light } of this.members) {
			if (!group.visible || !objects[0].visible) continue;
			sphere.copy(this.shared.boundingSphere).applyMatrix4(group.matrix);
			if (!frustum.intersectsSphere(sphere)) continue;
			const { elements: m } = group.matrix;
			const at = FLOATS * count++;
			for (let row = 0; row < ROWS; row++)
				this.numbers.array.set([m[row], m[4 + row], m[8 + row], m[12 + row]], at + 4 * row);
			this.numbers.array.set(light, at + 4 * ROWS);
		}
		this.numbers.needsUpdate = true;
		this.geometry.instanceCount = count;
		this.geometry.setDrawRange(this.shared.drawRange.start, this.shared.drawRange.count);
		for (const object of this.objects) object.visible = count > 0;
	}
}

function lightsOf({ sides, directed, direction }) {
	return [...sides, directed, direction].flatMap((vector) => vector.toArray());
}
