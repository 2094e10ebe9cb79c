// layers.mjs - switches for layers. A layer is a group of the map's surfaces, or objects that no engine draws. The
// objects are made when they are first shown.
import * as THREE from 'three';
import { constants as C } from '../../bspscene.mjs';
import { worldTransforms } from '../world.mjs';
import { entityOf } from './entities.mjs';
import { boxes, COLORS, lamps, panes, points } from './marks.mjs';

// Load options for a second scene of the map, which has the hidden surfaces.
export const HIDDEN = {
	textures: 'none',
	models: 'none',
	include_mask: ['nodraw', 'hint', 'skip', 'clip', 'trigger', 'caulk', 'tool', 'collision'],
};
const TRIGGER = /^trigger_/;
const HERE = 0xffd84d;
const SEEN = 0x3fa9f5;

function isTrigger(data, number) {
	const entity = entityOf(data, number);
	return entity !== C.NO_INDEX && TRIGGER.test(data.entities[entity].classname);
}

// Returns the name of the layer that a section of the scene with hidden surfaces belongs to, or ''.
function layerOf(data, number, section, hasPlayerHull) {
	if (section.surface_kind === C.SURFACE_TRIGGER || isTrigger(data, number)) return 'triggers';
	const node = data.nodes[number];
	if (node.kind !== C.NODE_COLLISION) return section.surface_kind === C.SURFACE_VISIBLE ? '' : 'tools';
	// Hull 0 is skipped, because it is for points and equals the visible surfaces. The hulls of players are shown.
	return hasPlayerHull && /hull0$/.test(data.meshes[node.mesh].name) ? '' : 'collision';
}

// Returns the sections of the scene with hidden surfaces, grouped by layer.
export function hiddenLayers(data) {
	const found = { tools: [], triggers: [], collision: [] };
	const hasPlayerHull = data.meshes.some(({ name }) => /hull1$/.test(name));
	data.nodes.forEach((node, number) => {
		if (node.mesh === C.NO_INDEX) return;
		for (const section of data.meshes[node.mesh].sections) {
			const layer = layerOf(data, number, section, hasPlayerHull);
			const color =
				layer === 'triggers'
					? COLORS[C.SURFACE_TRIGGER]
					: (COLORS[section.surface_kind] ?? COLORS[C.SURFACE_COLLISION]);
			if (layer) found[layer].push({ node: number, section, color });
		}
	});
	return found;
}

const EXTRAS = [
	['tools', 'tool surfaces'],
	['triggers', 'triggers'],
	['collision', 'collision'],
	['lights', 'lights'],
	['points', 'point entities'],
	['sight', 'the cluster here and what it sees'],
];

export class Layers {
	// loadHidden() returns a promise of the scene that is loaded with HIDDEN. changed() is called when the picture must
	// be drawn again.
	constructor(world, loadHidden, changed) {
		Object.assign(this, { world, loadHidden, changed });
		this.shown = new Map();
		this.working = null;
		this.root = new THREE.Group();
		// The layers are drawn after everything else, even after the sky.
		this.root.renderOrder = 1;
		world.root.add(this.root);
	}

	// Returns the switches: [{ text, shown, show(on) }]. show(on) resolves to a message for the user, or to ''.
	rows() {
		const groups = this.groups().map(([text, found]) => ({
			text: `${text} (${found.length})`,
			shown: found.some(({ visible }) => visible),
			show: async (on) => {
				for (const group of found) group.visible = on;
				this.changed();
				return '';
			},
		}));
		const extras = EXTRAS.map(([name, text]) => ({
			text,
			shown: Boolean(this.shown.get(name)?.visible),
			show: (on) => (this.working = this.show(name, text, on)),
		}));
		return [...groups, ...extras];
	}

	groups() {
		const { data, root } = this.world;
		const found = (test) =>
			root.children.filter(({ userData }) => userData.node !== undefined && test(data.nodes[userData.node]));
		const of = (kind) => found((node) => node.kind === kind && !node.hidden);
		return [
			['the world', of(C.NODE_WORLD)],
			['brush entities', of(C.NODE_BRUSH_ENTITY)],
			['models', of(C.NODE_PROP)],
			['overlays', of(C.NODE_OVERLAY)],
			['what the game hides', found((node) => node.hidden)],
		].filter(([, list]) => list.length);
	}

	async show(name, text, on) {
		if (name === 'sight') return this.showSight(text, on);
		if (on && !this.shown.has(name)) this.shown.set(name, await this.make(name));
		const object = this.shown.get(name);
		if (object) {
			this.root.add(object);
			object.visible = on;
		}
		this.changed();
		return on && !object ? `This map has no ${text}.` : '';
	}

	async make(name) {
		const { data, places } = this.world;
		if (name === 'lights') return lamps(data, places);
		if (name === 'points') return points(data, places);
		this.hidden ??= this.loadHidden();
		const hidden = await this.hidden;
		return panes(hidden, worldTransforms(hidden.nodes), hiddenLayers(hidden)[name]);
	}

	// If `on` is true, shows only what is visible from the cluster where the eye is now, even when the eye moves on.
	// Also draws boxes for the leafs of all clusters that are visible from there.
	showSight(text, on) {
		const { world } = this;
		this.shown.get('sight')?.removeFromParent();
		this.shown.delete('sight');
		world.sightFrom = null;
		world.isOld = true;
		this.changed();
		if (!on) return '';
		const { visibility, eye } = world;
		const place = visibility?.placeOf(eye.toArray());
		if (!place) return visibility ? 'The eye is in no cluster.' : 'This map has no visibility.';
		world.sightFrom = place;
		const here = place.split(' ').map(Number);
		const isSeen = visibility.from(place);
		const leafs = visibility.tree.leafs.filter(({ cluster }) => visibility.isCluster(cluster));
		const seen = leafs.filter(({ cluster }) => isSeen([cluster]));
		const object = boxes(
			seen
				.map((leaf) => ({ bounds: leaf.bounds, color: here.includes(leaf.cluster) ? HERE : SEEN }))
				.sort((a, b) => (a.color === HERE) - (b.color === HERE)),
		);
		this.shown.set('sight', object);
		this.root.add(object);
		const clusters = new Set(seen.map(({ cluster }) => cluster)).size;
		const all = visibility.vis.cluster_count;
		return `Cluster ${here.join(' and ')} sees ${clusters} of ${all} clusters, ${seen.length} leafs.`;
	}

	dispose() {
		this.root.traverse((object) => {
			object.geometry?.dispose();
			object.material?.dispose();
		});
	}
}
