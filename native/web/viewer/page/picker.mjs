// picker.mjs - the list of the maps in an opened archive or folder. It has a tile with a picture for each, and can be
// filtered by a part of the name.
import { element, elements, tile } from './elements.mjs';

// Only this many tiles get pictures, because each picture must be read and decoded.
const MOST_PICTURES = 400;

// Shows in the bar the name of the map, and which of the maps it is.
export function showMapName(viewer) {
	const { maps } = viewer.source;
	const number = maps.findIndex(({ path }) => path === viewer.path);
	elements['map-name'].textContent = viewer.world.data.name;
	elements['map-count'].textContent = maps.length > 1 ? `${number + 1} of ${maps.length} maps` : 'the only map';
	elements['map-button'].hidden = false;
}

async function addPicture(shots, { path }, button) {
	const picture = await shots.of(path);
	if (picture) button.firstChild.replaceWith(element('img', [], { src: picture, alt: '', loading: 'lazy' }));
}

function fillTiles(viewer) {
	const { source, shots } = viewer;
	const tiles = source.maps.map((map) => {
		const about = map.path.replace(/^\//, '').split('/').slice(0, -1).join('/') || 'map';
		const button = tile(null, map.name, about, () => {
			elements.picker.close();
			viewer.load(map.path);
		});
		if (map.path === viewer.path) button.setAttribute('aria-current', 'true');
		return element('li', button);
	});
	elements.maps.replaceChildren(...tiles);
	source.maps.slice(0, MOST_PICTURES).forEach((map, i) => addPicture(shots, map, tiles[i].firstChild));
}

function search() {
	const wanted = elements.search.value.trim().toLowerCase();
	let left = 0;
	for (const one of elements.maps.children) {
		one.hidden = !one.textContent.toLowerCase().includes(wanted);
		left += !one.hidden;
	}
	elements['no-map'].hidden = left > 0;
}

export function openPicker(viewer) {
	if (!viewer.world || elements.picker.open) return;
	fillTiles(viewer);
	elements.search.value = '';
	search();
	elements.picker.showModal();
	const current = elements.maps.querySelector('[aria-current]');
	current?.scrollIntoView({ block: 'center' });
	// On touch screens a tile gets the focus instead of the filter, because the keyboard on the screen would cover the
	// tiles.
	if (matchMedia('(pointer: coarse)').matches) current?.focus();
}

export function listenPicker(viewer) {
	elements['map-button'].addEventListener('click', () => openPicker(viewer));
	elements.search.addEventListener('input', search);
	elements.search.addEventListener('keydown', (event) => {
		if (event.key !== 'Enter') return;
		event.preventDefault();
		elements.maps.querySelector('li:not([hidden]) button')?.click();
	});
	elements.picker.addEventListener('click', (event) => event.target === elements.picker && elements.picker.close());
	elements.picker.addEventListener('close', () => elements.view.focus());
}
