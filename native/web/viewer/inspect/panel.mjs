// panel.mjs - the panel with facts about the map and about the object that was clicked. Strings from maps are inserted
// as text, never as markup.
import { constants as C } from '../../bspscene.mjs';
import { element } from '../page/elements.mjs';
import { entityOf, keysOf } from './entities.mjs';
import { surfaceAt, vertexLightAt } from './surface.mjs';

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

function list(lines) {
	return element(
		'ul',
		lines.map((line) => element('li', line)),
	);
}

const known = (number) => (number === C.NO_INDEX ? '-' : number);
const hex = (bits) => `0x${(bits >>> 0).toString(16)}`;
// Formats the three channels of a color with as few digits as needed.
const color = (channels) => channels.map((value) => Number(value.toFixed(3))).join(' ');

function materialRows(data, index) {
	const material = data.materials[index];
	const image = data.images[material.base_image];
	return [
		['material', material.name],
		[
			'texture',
			image ? `${image.path || image.name}${image.format === C.IMAGE_MISSING ? ' (missing)' : ''}` : 'none',
		],
		// Removes the module's own folder (/source1 and so on) from the path.
		['from', (image?.archive || '-').replace(/^\/source\d+\//, '')],
		['flags', `${hex(material.surface_flags)}, contents ${hex(material.content_flags)}`],
		['passes', material.pass_count],
	];
}

// Shows the script of the material in an element that is closed at first.
function sourceText({ script_text: text, script_file: file, script_line: line }) {
	if (!text) return [];
	const from = file ? `${file.replace(/^\/source\d+\//, '')}${line ? `:${line}` : ''}` : 'Source text';
	return [element('details', [element('summary', from), element('pre', text)])];
}

function lightRows(world, found, surface, hit) {
	const { section } = found;
	const { luxel, triangle, mesh } = surface;
	if (luxel) {
		const { x, y, page, light } = luxel;
		return [
			['luxel', `${x}, ${y} of page ${page}`],
			...light.map(({ style, intensity, color: bytes }) => [
				`light, style ${style}`,
				`${bytes.join(' ')}, times ${Number(intensity.toFixed(3))}`,
			]),
		];
	}
	if (section.lighting === C.LIGHTING_VERTEX) {
		const node = world.data.nodes[found.node];
		const stored = node.prop === C.NO_INDEX ? null : world.data.props[node.prop].colors;
		const lamp = stored ? null : world.light.get(found.node);
		if (lamp)
			return [['light here', `from six sides ${lamp.sides.map(color).join(', ')}; lamp ${color(lamp.directed)}`]];
		return [
			[
				'light',
				triangle ? `${vertexLightAt(mesh, stored, triangle).join(' ')} of its vertices` : 'in its vertices',
			],
		];
	}
	return [['light', section.lighting === C.LIGHTING_BLACK ? 'none, black' : 'none, as bright as its texture']];
}

function rectangleOf({ lightmap_x: x, lightmap_y: y, lightmap_width: width, lightmap_height: height }) {
	return `${width} x ${height} at ${x}, ${y}`;
}

function faceRows(face) {
	if (!face) return [];
	const end = face.styles.indexOf(255);
	const styles = face.styles.slice(0, end < 0 ? face.styles.length : end);
	return [
		['face', face.record],
		['luxels', face.lightmap_page === C.NO_INDEX ? 'none' : rectangleOf(face)],
		...(face.lightmap_page === C.NO_INDEX ? [] : [['styles', [...styles].join(' ')]]),
		['lies in', `leaf ${known(face.leaf)}, cluster ${known(face.cluster)}, area ${known(face.area)}`],
	];
}

function leafRows(tree, number) {
	if (number === null) return [];
	const { cluster, area, contents } = tree.leafs[number];
	return [['leaf here', `${number}, cluster ${known(cluster)}, area ${known(area)}, contents ${hex(contents)}`]];
}

function place(hit) {
	const at = hit.point.toArray().map((value) => value.toFixed(1));
	return ['place', at.join(' ')];
}

// Describes a surface of the map that was clicked.
function describeSurface(world, found, hit) {
	const { data } = world;
	const surface = surfaceAt(world, found, hit);
	const node = data.nodes[found.node];
	const parts = [
		element('h2', 'Surface'),
		table([
			...materialRows(data, found.material),
			...lightRows(world, found, surface, hit),
			...faceRows(surface.face),
			...leafRows(world.tree, surface.leaf),
			place(hit),
		]),
		...sourceText(data.materials[found.material]),
	];
	if (node.prop !== C.NO_INDEX)
		parts.push(
			element('h2', 'Model'),
			table([
				['file', data.props[node.prop].model],
				['node', node.name],
			]),
		);
	return parts;
}

// Describes what was clicked: a part of the map's picture, or an object of a layer that no engine draws.
export function describeHit(world, hit) {
	const { of, ...own } = hit.object.userData;
	const found = of ? of(hit) : own;
	const data = found.data ?? world.data;
	const parts = of
		? [
				element('h2', found.section ? 'Hidden surface' : 'Entity without a surface'),
				table([...(found.section ? materialRows(data, found.material) : []), place(hit)]),
			]
		: describeSurface(world, found, hit);
	const entity = entityOf(data, found.node);
	if (entity !== C.NO_INDEX) parts.push(element('h2', 'Entity'), table(keysOf(data, entity)));
	return parts;
}

function check(text, checked, change) {
	const box = element('input', [], { type: 'checkbox', checked });
	box.addEventListener('change', () => change(box.checked, box));
	return element('li', element('label', [box, ` ${text}`]));
}

function layerBoxes(layers, say) {
	return layers.rows().map(({ text, shown, show }) =>
		check(text, shown, async (on, box) => {
			try {
				say(await show(on));
			} catch (error) {
				box.checked = !on;
				say(error.message);
			}
		}),
	);
}

function styleBoxes(world, changed) {
	const styles = world.data.light_styles.filter(({ switchable, pattern }) => switchable || pattern.length > 1);
	return styles.map(({ style, name, start }) =>
		check(`${style} ${name}`, (world.switches.get(style) ?? 1) > 0, (on) => {
			world.switches.set(style, on ? start || 1 : 0);
			changed();
		}),
	);
}

// Lists missing textures, with a button and a place for dropping files. add() receives the files of an <input>, or the
// items of a drop.
function missing(names, add) {
	const input = element('input', [], { type: 'file', multiple: true, id: 'more', hidden: true });
	input.addEventListener('change', () => add([...input.files]));
	const button = element('button', 'Add files', { type: 'button' });
	button.addEventListener('click', () => input.click());
	const target = element('div', ['Drop the folder or the archives of the game here. ', input, button], {
		id: 'missing',
	});
	target.addEventListener('dragover', () => target.classList.add('over'));
	for (const type of ['dragleave', 'drop']) target.addEventListener(type, () => target.classList.remove('over'));
	target.addEventListener('drop', (event) => {
		event.preventDefault();
		event.stopPropagation();
		document.body.classList.remove('over');
		add(event.dataTransfer.items);
	});
	return [element('h2', `Missing textures (${names.length})`), target, list(names)];
}

// Describes the map: facts, layers, light styles, missing textures and warnings. The second argument is Viewer.host.
export function describeMap(world, { layers, changed, say, add }) {
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
			['light pages', data.lightmap_page_count],
		]),
		element('h2', 'Layers'),
		element('ul', layerBoxes(layers, say)),
	];
	const styles = styleBoxes(world, changed);
	if (styles.length) parts.push(element('h2', 'Light styles'), element('ul', styles));
	const names = data.images.filter(({ format }) => format === C.IMAGE_MISSING).map(({ name }) => name);
	if (names.length) parts.push(...missing(names, add));
	if (data.warnings.length)
		parts.push(
			element('h2', 'Warnings'),
			list(data.warnings.map(({ message, count }) => (count > 1 ? `${message} (first of ${count})` : message))),
		);
	return parts;
}
