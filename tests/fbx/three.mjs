// three.mjs - prints what three.js' FBXLoader finds in an FBX, as lines of JSON: node three.mjs FILE. Exit code 77:
// three.js is not installed (npm install --prefix tests/gltf).
import { readFileSync } from 'node:fs';

/* Pictures are not loaded, because this test needs only their names. */
const element = () => ({ addEventListener() {}, removeEventListener() {} });
globalThis.window = globalThis.self = globalThis;
globalThis.document = { createElementNS: element, createElement: element };

async function load(name) {
	return import(`../gltf/node_modules/three/${name}`).catch(() => {
		console.log('skipped: three.js is not installed');
		process.exit(77);
	});
}

const { FBXLoader } = await load('examples/jsm/loaders/FBXLoader.js');
const data = readFileSync(process.argv[2]);
const say = (facts) => console.log(JSON.stringify(facts));
console.warn = (text) => say({ what: 'warning', text });

const root = new FBXLoader().parse(data.buffer.slice(data.byteOffset, data.byteOffset + data.length), './');
const SLOTS = {
	map: 'DiffuseColor', emissiveMap: 'EmissiveColor', alphaMap: 'TransparentColor', normalMap: 'NormalMap',
};
const told = new Set();

function sayMaterial(material) {
	if (told.has(material)) return;
	told.add(material);
	for (const [slot, property] of Object.entries(SLOTS)) {
		if (!material[slot]) continue;
		say({ what: 'texture', material: material.name, property, file: material[slot].name, set: '' });
	}
}

root.traverse((object) => {
	if (object.isMesh) {
		const { attributes, index } = object.geometry;
		const sets = ['uv', 'uv1'].filter((name) => attributes[name]);
		say({ what: 'mesh', name: object.name, triangles: (index ?? attributes.position).count / 3, sets });
		[object.material].flat().forEach(sayMaterial);
	}
	if (object.isLight) {
		say({ what: 'light', name: object.name, intensity: object.intensity, color: object.color.toArray() });
	}
	if (object.isCamera) say({ what: 'camera', name: object.name, fov: [null, object.fov] });
});
