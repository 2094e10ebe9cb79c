// panel.mjs - what the panel says of a map and of what was clicked. All text of maps goes in as text.
import { constants as C } from '../bspscene.mjs';

function element(name, content = [], attributes = {}) {
	const made = Object.assign(document.createElement(name), attributes);
	made.append(...[content].flat());
	return made;
}

function table(rows) {
	return element(
		'table',
		element(
			'tbody',
			rows.map(([key, value]) =>
				element('tr', [element('th', key, { scope: 'row' }), element('td', String(value))]),
			),
		),
	);
}

function keysOf(data, number) {
	const entity = data.entities[number];
	return data.pairs
		.slice(entity.first_pair, entity.first_pair + entity.pair_count)
		.map(({ key, value }) => [key, value]);
}

// The entity and the surface under the pointer.
export function describeHit({ data }, hit) {
	const { node: number, section, material: index } = hit.object.userData;
	const node = data.nodes[number];
	const material = data.materials[index];
	const image = data.images[material.base_image];
	const lighting = {
		[C.LIGHTING_LIGHTMAP]: `lightmap page ${section.lightmap_page}`,
		[C.LIGHTING_VERTEX]: 'in its vertices',
		[C.LIGHTING_FULLBRIGHT]: 'none, as bright as its texture',
		[C.LIGHTING_BLACK]: 'none, black',
	}[section.lighting];
	const parts = [
		element('h2', 'Surface'),
		table([
			['material', material.name],
			[
				'texture',
				image ? `${image.path || image.name}${image.format === C.IMAGE_MISSING ? ' (missing)' : ''}` : 'none',
			],
			// Where the module keeps files is its own affair.
			['from', (image?.archive || '-').replace(/^\/place\d+\//, '')],
			['light', lighting],
			[
				'flags',
				`0x${material.surface_flags.toString(16)}, contents 0x${(material.content_flags >>> 0).toString(16)}`,
			],
			['stages', material.stage_count],
			[
				'place',
				hit.point
					.toArray()
					.map((value) => value.toFixed(1))
					.join(' '),
			],
		]),
	];
	if (node.prop !== C.NO_INDEX)
		parts.push(
			element('h2', 'Model'),
			table([
				['file', data.props[node.prop].model],
				['node', node.name],
			]),
		);
	if (node.entity !== C.NO_INDEX) parts.push(element('h2', 'Entity'), table(keysOf(data, node.entity)));
	return parts;
}

function check(text, checked, change) {
	const box = element('input', [], { type: 'checkbox', checked });
	box.addEventListener('change', () => change(box.checked));
	return element('li', element('label', [box, ` ${text}`]));
}

// Groups of nodes to be shown or hidden.
function layers(world, changed) {
	const kinds = [
		['the world', C.NODE_WORLD],
		['brush entities', C.NODE_BRUSH_ENTITY],
		['models', C.NODE_PROP],
		['overlays', C.NODE_OVERLAY],
	];
	const groups = (test) =>
		world.root.children.filter(
			({ userData }) => userData.node !== undefined && test(world.data.nodes[userData.node]),
		);
	const rows = kinds.map(([text, kind]) => [text, groups((node) => node.kind === kind && !node.hidden), true]);
	rows.push(['what the game hides', groups((node) => node.hidden), false]);
	return rows
		.filter(([, found]) => found.length)
		.map(([text, found, shown]) =>
			check(`${text} (${found.length})`, shown, (visible) => {
				for (const group of found) group.visible = visible;
				changed();
			}),
		);
}

// The map: facts, layers, light styles, what is missing and what was repaired.
export function describeMap(world, changed) {
	const { data } = world;
	const parts = [
		element('h2', data.name),
		table([
			['format', data.variant === data.family ? data.family : `${data.variant} (${data.family})`],
			['title', keysOf(data, 0).find(([key]) => key === 'message')?.[1] ?? '-'],
			['faces', data.counts.faces],
			['triangles', data.counts.triangles],
			['materials', data.material_count],
			['entities', data.entity_count],
			['light pages', data.page_count],
		]),
		element('h2', 'Layers'),
		element('ul', layers(world, changed)),
	];
	const styles = data.light_styles.filter(({ switchable, pattern }) => switchable || pattern !== 'm');
	if (styles.length) {
		parts.push(
			element('h2', 'Light styles'),
			element(
				'ul',
				styles.map(({ style, name }) =>
					check(`${style} ${name}`, (world.switches.get(style) ?? 1) > 0, (on) => {
						world.switches.set(style, on ? 1 : 0);
						changed();
					}),
				),
			),
		);
	}
	const missing = data.images.filter(({ format }) => format === C.IMAGE_MISSING).map(({ name }) => name);
	if (missing.length)
		parts.push(
			element('h2', `Missing textures (${missing.length})`),
			element(
				'ul',
				missing.map((name) => element('li', name)),
			),
		);
	if (data.warnings.length) {
		parts.push(
			element('h2', 'Warnings'),
			element(
				'ul',
				data.warnings.map(({ message, count }) =>
					element('li', count > 1 ? `${message} (first of ${count})` : message),
				),
			),
		);
	}
	return parts;
}
