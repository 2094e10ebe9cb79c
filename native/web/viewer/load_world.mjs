// load_world.mjs - loads a map of a source as a World, which can be drawn.
import { constants as C } from '../bspscene.mjs';
import { World } from './world.mjs';

// Returns the point at which the game samples a prop's light.
function lightOrigin(data, node) {
	const prop = data.props[node.prop];
	if (prop.flags & C.PROP_LIGHTING_ORIGIN) return prop.lighting_origin;
	const at = [node.transform[3], node.transform[7], node.transform[11]];
	for (let up = data.nodes[node.parent]; up; up = data.nodes[up.parent]) {
		const t = up.transform;
		at.splice(
			0,
			3,
			...[0, 4, 8].map((row) => t[row] * at[0] + t[row + 1] * at[1] + t[row + 2] * at[2] + t[row + 3]),
		);
	}
	return at;
}

// Returns { world, faces }. `faces` is empty if no surface changes its shape. progress(stage, part) is called with the
// part that is done, 0 to 1.
export async function loadWorld(source, path, progress) {
	const scene = await source.load(path, { include_mask: ['sky'], progress });
	const { data } = scene;
	const placed = data.nodes
		.map((node, number) => [node, number])
		.filter(([node]) => node.prop !== C.NO_INDEX && node.mesh !== C.NO_INDEX);
	const deforms = data.materials.some(({ deform_count: count }) => count > 0);
	const hasSkybox = data.nodes.some(({ kind }) => kind === C.NODE_SKY);
	const [cube, lights, faces] = await Promise.all([
		hasSkybox ? scene.sky().catch(() => null) : null,
		scene.lightAt(placed.map(([node]) => lightOrigin(data, node))),
		deforms ? scene.part('faces') : [],
	]);
	const world = new World(scene, cube, new Map(placed.map(([, number], i) => [number, lights[i]])), faces);
	return { world, faces };
}

// Loads what is needed only after the first picture, such as the visibility.
export async function learn(world, faces) {
	const { scene } = world;
	const [tree, vis] = [await scene.part('tree'), await scene.part('vis')];
	world.learn(faces.length ? faces : await scene.part('faces'), tree, vis);
}
