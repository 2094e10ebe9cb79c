// pick.mjs - finds the object at a point of the canvas.
import * as THREE from 'three';

// Returns the nearest object at a point of the canvas as a hit of three.js, with its ray, or null.
export function hitAt(x, y, { canvas, camera, world }) {
	const box = canvas.getBoundingClientRect();
	const caster = new THREE.Raycaster();
	caster.layers.enableAll();
	caster.setFromCamera(
		new THREE.Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2),
		camera,
	);
	const shown = [];
	world.root.traverseVisible((object) => object.isMesh && object.userData.pass === 0 && shown.push(object));
	const [hit] = caster.intersectObjects(shown, false);
	return hit ? { ...hit, ray: caster.ray } : null;
}
