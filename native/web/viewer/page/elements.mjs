// elements.mjs - the page's elements by their ids, and its icons.
const IDS = `view files folder files-button folder-button welcome recent recent-shelf samples sample-shelf forgets home
	map-button map-name map-count picker search maps no-map camera show animate walk jump save full panel panel-button
	help help-button notice notice-close progress status drawn`;

export const elements = Object.fromEntries(
	IDS.trim()
		.split(/\s+/)
		.map((id) => [id, document.getElementById(id)]),
);

// Returns a new element with this content and these properties.
export function element(name, content = [], properties = {}) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...[content].flat());
	return made;
}

// Returns an <svg> that shows one of the symbols in index.html.
export function icon(name) {
	const made = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
	const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
	use.setAttribute('href', `#i-${name}`);
	made.append(use);
	return made;
}

// Fills a <select> with options, from rows [value, text].
export function fill(select, rows) {
	select.replaceChildren(...rows.map(([value, text]) => new Option(text, value)));
	select.disabled = rows.length === 0;
}

// Returns a tile for a list. It has a picture (`picture` is its address, if there is one), a name and a description.
export function tile(picture, name, about, act) {
	const seen = picture ? element('img', [], { src: picture, alt: '' }) : icon('cube');
	const made = element('button', [seen, element('b', name), element('small', about)], {
		type: 'button',
		className: 'tile',
		title: name,
	});
	made.addEventListener('click', act);
	return made;
}
