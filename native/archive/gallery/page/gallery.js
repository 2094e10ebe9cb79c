// gallery.js - the gallery's page: shows rows of the index as tiles, and records as pages of maps.
//
// Texts from maps are inserted only by textContent or by attributes that cannot run code, never as markup. Data is in
// scripts that call the functions of `gallery`, because a page opened from a folder can load only scripts.
'use strict';

const gallery = (() => {
	const TILES = 60; // tiles on a page
	const PAUSE = 100; // milliseconds for drawing the first tiles before the rest of the index is loaded
	const MIB = 1 << 20;
	// Indexes into a row, as gallery_pages.c writes it. TILE is a number in PICTURES, counted from 1, or the URL of a
	// level shot.
	const ID = 0, NAME = 1, TITLE = 2, AUTHOR = 3, FORMAT = 4, FILE = 5, SIZE = 6, TRIANGLES = 7,
		ENTITIES = 8, MISSING = 9, DATE = 10, TILE = 11, QUARANTINED = 12, LIVE = 13, GROUP = 14;
	const TILE_FILES = ['', 'tile.png', 'start.png', 'overview.png', 'roofs.png', 'plan.png', 'sheet.png'];
	const ORDERS = { date: DATE, size: SIZE, triangles: TRIANGLES, missing: MISSING };
	const PICTURES = {
		'start.png': 'What a player sees first', 'tile.png': 'What a player sees first, small',
		'overview.png': 'From above', 'roofs.png': 'With roofs', 'plan.png': 'Plan', 'sheet.png': 'From where players begin',
	};
	const TURN = 'turn.webp';
	const DOWNLOADS = {
		'map.glb': 'The map as GLB', 'info.json': 'All facts', 'entities.json': 'All entities',
		'lightmaps/atlas.json': 'Lightmaps', 'result.json': 'How it went', 'files.json': 'The files it is made of',
	};
	const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'; // base64 digits, in which lists
	                                                                                   // of maps are encoded
	const DIGIT_VALUES = new Uint8Array(128);
	for (let i = 0; i < DIGITS.length; i++) DIGIT_VALUES[DIGITS.charCodeAt(i)] = i;
	const FILTERS = ['search', 'uses', 'format', 'size', 'missing', 'state', 'from', 'to', 'order', 'fold'];
	const numbers = new Intl.NumberFormat('en');

	let summary = null;
	const rows = []; // rows by number; complete when all pieces are loaded
	const near = []; // for each row, the most similar maps, if they are loaded
	const words = []; // lowercase text of each row for the search
	const lists = new Map(); // from the first two characters of words to pairs: a word, and the encoded list of maps
	                         // that use it
	const formats = new Map(); // format, such as "Quake III Arena (IBSP 46)", to its number of maps
	const records = new Map(); // from a map's id to its record
	const loading = new Map(); // from a file name to the promise of its load
	let loaded = 0;
	let used = null; // for each row, 1 if the map uses the searched words; null: no words are searched
	let looked = ''; // the searched words for which `used` was computed
	let setComplete = null;
	const complete = new Promise((resolve) => (setComplete = resolve)); // resolves when all rows are loaded
	let shown = []; // numbers of the rows that match the filters
	let versions = new Uint32Array(0); // for each group, how many of its rows match the filters
	let page = 0;

	const byId = (id) => document.getElementById(id);

	// Makes an element with attributes and children, which are elements or text.
	function make(name, attributes = {}, ...children) {
		const element = document.createElement(name);
		for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
		element.append(...children);
		return element;
	}

	function sizeText(bytes) {
		if (bytes < 1024) return `${bytes} bytes`;
		return bytes < MIB ? `${(bytes / 1024).toFixed(0)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`;
	}

	function countText(count, one, many) {
		return `${numbers.format(count)} ${count === 1 ? one : many}`;
	}

	function fold(text) {
		if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
		return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
	}

	// Loads a script of data/; keeps the promise, so that each is loaded once.
	function load(file) {
		if (!loading.has(file)) {
			loading.set(file, new Promise((resolve, reject) => {
				const script = make('script', { src: `data/${file}` });
				script.onload = resolve;
				script.onerror = () => reject(new Error(`data/${file} cannot be loaded`));
				document.head.append(script);
			}));
		}
		return loading.get(file);
	}

	// ---- The map in 3D ---------------------------------------------------------------------------------------

	// True if the viewer can run. In a page that was opened from a folder, browsers allow neither reading files nor
	// starting workers.
	function canStand() {
		return summary.viewer && location.protocol !== 'file:';
	}

	let standing = null; // a function that closes the map that is shown in 3D; only one is shown, because each needs
	                     // the memory of a game

	// Makes a button that switches between the map's picture and the map in 3D.
	function standButton(id, name, shown) {
		const button = make('button', { type: 'button', class: 'stand', 'aria-pressed': 'false' }, 'Stand in it');
		button.setAttribute('aria-label', `Stand in it: ${name}`);
		const frame = make('iframe', { src: `viewer/index.html?map=${id}&frame`, title: `${name} in 3D`, allow: 'fullscreen' });
		const leave = () => {
			frame.remove();
			shown.hidden = false;
			button.setAttribute('aria-pressed', 'false');
			button.textContent = 'Stand in it';
			standing = null;
		};
		button.addEventListener('click', () => {
			const leaves = standing === leave;
			standing?.();
			if (leaves) return;
			(shown.closest('.tile') ?? shown).before(frame);
			shown.hidden = true;
			button.setAttribute('aria-pressed', 'true');
			button.textContent = 'Leave it';
			standing = leave;
			frame.focus();
		});
		return button;
	}

	// Makes a map's picture with the button that shows the map in 3D.
	function makeStand(record, pictures) {
		if (!summary.viewer || !record.files.includes('files.json')) return [];
		if (!canStand()) return [make('p', { class: 'facts' }, 'Served by a web server, this page shows the map itself here.')];
		const own = make('a', { href: `viewer/index.html?map=${record.id}` }, 'in a page of its own');
		return [make('p', { class: 'standing' }, standButton(record.id, record.name, pictures), ' or ', own)];
	}

	// ---- Tiles -----------------------------------------------------------------------------------------------

	function makePicture(row) {
		if (!row[TILE]) return make('span', { class: 'blank' }, 'no picture');
		const url = typeof row[TILE] === 'string' ? summary.store + row[TILE] : fileUrl(row[ID], TILE_FILES[row[TILE]]);
		return make('img', { src: url, alt: '', loading: 'lazy', width: 320, height: 240 });
	}

	function makeTile(number, likeness) {
		const row = rows[number];
		const text = make('span', { class: 'words' }, make('b', { dir: 'auto' }, row[NAME]));
		if (row[TITLE]) text.append(make('span', { class: 'title', dir: 'auto' }, row[TITLE]));
		const facts = [row[FORMAT], row[SIZE] ? sizeText(row[SIZE]) : ''].filter(Boolean).join(', ');
		if (facts) text.append(make('span', { class: 'facts' }, facts));
		if (row[QUARANTINED]) text.append(make('span', { class: 'facts bad' }, 'quarantined'));
		const count = likeness ? 1 : versions[row[GROUP]];
		if (likeness) text.append(make('span', { class: 'facts' }, likeness));
		if (byId('fold').checked && count > 1) text.append(make('span', { class: 'facts' }, `${count} versions`));
		const tile = make('a', { class: 'tile', href: `#map/${row[ID]}` }, makePicture(row), text);
		return make('li', {}, tile, ...(row[LIVE] && canStand() ? [standButton(row[ID], row[NAME], tile.firstChild)] : []));
	}

	function showTiles() {
		const pages = Math.max(1, Math.ceil(shown.length / TILES));
		if (loaded === summary.index.length) page = Math.min(page, pages - 1);
		byId('tiles').replaceChildren(...shown.slice(page * TILES, (page + 1) * TILES).map((number) => makeTile(number)));
		byId('page').textContent = `Page ${numbers.format(page + 1)} of ${numbers.format(pages)}`;
		byId('previous').disabled = page === 0;
		byId('next').disabled = page + 1 >= pages;
		const rest = loaded < summary.index.length ? ' (the list is still loading)' : '';
		byId('count').textContent = countText(shown.length, 'map', 'maps') + rest;
	}

	// ---- Search for used files
	// ---------------------------------------------------------------------------------------

	// Returns the searched words, each of which is a prefix. Leaves out single letters.
	function usesWords() {
		return byId('uses').value.toLowerCase().split(/[^a-z0-9_]+/).map((word) => word.replace(/^_+/, ''))
			.filter((word) => word.length > 1);
	}

	// Sets marks[number] for each map in a list encoded as gallery_words.h describes.
	function markList(list, marks) {
		let map = 0, gap = 0, shift = 0;
		for (let i = 0; i < list.length; i++) {
			const digit = DIGIT_VALUES[list.charCodeAt(i)];
			gap |= (digit & 31) << shift;
			shift += 5;
			if (digit > 31) continue;
			map += gap;
			marks[map++] = 1;
			gap = shift = 0;
		}
	}

	async function findUses(words) {
		const found = new Uint8Array(summary.count).fill(1);
		for (const word of words) {
			const head = word.slice(0, 2), marks = new Uint8Array(summary.count);
			const file = summary.words.find((name) => name.startsWith(`words-${head}-`));
			if (file) await load(file);
			for (const [one, list] of lists.get(head) ?? []) if (one.startsWith(word)) markList(list, marks);
			for (let i = 0; i < found.length; i++) found[i] &= marks[i];
		}
		return found;
	}

	// For each row, the number of its map in the lists of words, or null before it is needed. Rows are in the order of
	// names, but these lists number the maps in the order of their ids.
	let numbersOfRows = null;

	function marksOfRows(marks) {
		if (!numbersOfRows) {
			const sorted = Array.from(rows, (row, i) => [row[ID], i]).sort((a, b) => (a[0] < b[0] ? -1 : 1));
			numbersOfRows = new Uint32Array(sorted.length);
			sorted.forEach((pair, number) => (numbersOfRows[pair[1]] = number));
		}
		return Uint8Array.from(numbersOfRows, (number) => marks[number]);
	}

	async function lookUp(wanted) {
		const text = wanted.join(' ');
		looked = text;
		used = new Uint8Array(summary.count); // no row matches until the lists are loaded
		const marks = await findUses(wanted);
		await complete;
		if (text !== looked) return; // something else was typed meanwhile
		used = marksOfRows(marks);
		applyFilters();
	}

	// ---- Filters ---------------------------------------------------------------------------------------------

	function makeFilter() {
		const value = (id) => byId(id).value;
		const wanted = fold(value('search')).split(/\s+/).filter(Boolean);
		const [format, size, missing, state, from, to] = ['format', 'size', 'missing', 'state', 'from', 'to'].map(value);
		const [least, most] = size.split('-').map((text) => (text === '' ? Infinity : Number(text) * MIB));
		return (row, text) =>
			wanted.every((word) => text.includes(word)) && (!format || row[FORMAT] === format) &&
			(!size || (row[SIZE] >= least && row[SIZE] < most)) &&
			(!missing || (missing === 'some') === row[MISSING] > 0) &&
			(!from || row[DATE] >= from) && (!to || (row[DATE] && row[DATE] <= to)) &&
			(!state || (state === 'quarantined') === Boolean(row[QUARANTINED]));
	}

	function applyFilters() {
		const passes = makeFilter(), folded = byId('fold').checked, order = ORDERS[byId('order').value];
		shown = [];
		versions = new Uint32Array(summary.count);
		for (let i = 0; i < rows.length; i++) {
			const row = rows[i];
			if (!row || (used && !used[i]) || !passes(row, words[i])) continue;
			const count = versions[row[GROUP]]++;
			if (!folded || count === 0) shown.push(i);
		}
		if (order === DATE) shown.sort((a, b) => rows[b][DATE].localeCompare(rows[a][DATE]) || a - b);
		else if (order) shown.sort((a, b) => rows[b][order] - rows[a][order] || a - b);
		showTiles();
	}

	// The search is part of the address, so that it can be bookmarked and Back returns to it.
	function listAddress() {
		const query = new URLSearchParams();
		for (const id of FILTERS.slice(0, -1)) if (byId(id).value) query.set(id, byId(id).value);
		if (!byId('fold').checked) query.set('fold', 'no');
		if (page) query.set('page', page + 1);
		return `#${query}`;
	}

	function readAddress() {
		const query = new URLSearchParams(location.hash.slice(1));
		const format = query.get('format');
		if (format && !formats.has(format)) addFormat(format);
		for (const id of FILTERS.slice(0, -1)) byId(id).value = query.get(id) ?? '';
		byId('fold').checked = query.get('fold') !== 'no';
		page = Math.max(0, Math.floor(Number(query.get('page')) || 1) - 1);
	}

	function addFormat(format) {
		formats.set(format, 0);
		const select = byId('format'), kept = select.value;
		const options = [...formats.keys()].sort().map((name) => make('option', { value: name }, name));
		select.replaceChildren(make('option', { value: '' }, 'all'), ...options);
		select.value = kept;
	}

	// ---- A map -----------------------------------------------------------------------------------------------

	function fileUrl(id, name) {
		return `${summary.store}${id.slice(0, 2)}/${id}/${name}`;
	}

	function placeText(place) {
		return [place.path, ...place.members].join(': ');
	}

	function makeFacts(record) {
		const counts = record.counts, scale = record.meters_per_unit, box = record.bounds;
		const extent = [0, 1, 2].map((i) => (box.max[i] - box.min[i]) * scale);
		const known = Object.keys(counts).length > 0;
		const facts = [
			['Author', record.author], ['Made', record.made], ['Played', record.modes.join(', ')], ['Format', record.format],
			['Size', record.size ? `${sizeText(record.size)} (${numbers.format(record.size)} bytes)` : ''],
			['Date of the file', record.modified],
			['Extent', known && extent.every((side) => side >= 0)
				? `${extent.map((side) => side.toFixed(1)).join(' × ')} m` : ''],
			['Triangles', known ? numbers.format(counts.triangles) : ''],
			['Faces', known ? numbers.format(counts.faces) : ''],
			['Entities', known ? numbers.format(counts.entities) : ''],
			['Lights', known ? numbers.format(counts.lights) : ''],
			['Lightmaps', record.lightmaps.pages ? countText(record.lightmaps.pages, 'page', 'pages') : ''],
			['Found in', placeText(record)], ['SHA-256', record.bytes || record.id], ['Light beside it', record.light],
			['Geometry', record.geometry],
		];
		const list = make('dl');
		for (const [name, value] of facts) {
			if (value) list.append(make('dt', {}, name), make('dd', { dir: 'auto' }, value));
		}
		return list;
	}

	function makePictures(record) {
		const box = make('div', { class: 'pictures' }), large = record.files.includes('start.png');
		for (const [file, caption] of Object.entries(PICTURES)) {
			if (!record.files.includes(file) || (file === 'tile.png' && large)) continue;
			const url = fileUrl(record.id, file);
			const picture = make('img', { src: url, alt: `${caption}: ${record.name}`, loading: 'lazy' });
			box.append(make('figure', {}, make('a', { href: url }, picture), make('figcaption', {}, caption)));
		}
		for (const file of record.kept.filter((one) => one.shown)) {
			const url = summary.store + file.shown, caption = `Level shot: ${file.name}`;
			const picture = make('img', { src: url, alt: `${caption}, ${record.name}`, loading: 'lazy' });
			box.append(make('figure', {}, make('a', { href: url }, picture), make('figcaption', { dir: 'auto' }, caption)));
		}
		// Shows the animation only on request.
		if (record.files.includes(TURN)) {
			const picture = make('img', { src: fileUrl(record.id, TURN), alt: `Turning: ${record.name}`, loading: 'lazy' });
			box.append(make('details', {}, make('summary', {}, 'Show it turning'), picture));
		}
		return box;
	}

	function makeTable(headings, lines) {
		const head = make('tr', {}, ...headings.map((text) => make('th', { scope: 'col' }, text)));
		const body = lines.map((cells) => make('tr', {}, ...cells.map((cell) => make('td', { dir: 'auto' }, cell))));
		const table = make('table', {}, make('thead', {}, head), make('tbody', {}, ...body));
		return make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': headings.join(', ') }, table);
	}

	// Adds a section with a table to a map's page, unless `lines` is empty. If `open` is false, the table is collapsed
	// until the reader opens it.
	function addTable(article, heading, headings, lines, { open = true } = {}) {
		if (!lines.length) return;
		article.append(make('h2', {}, heading));
		const table = makeTable(headings, lines);
		if (open) article.append(table);
		else article.append(make('details', {}, make('summary', {}, `Show ${numbers.format(lines.length)}`), table));
	}

	function addLinks(article, heading, links) {
		if (!links.length) return;
		article.append(make('h2', {}, heading), make('ul', { class: 'plain' }, ...links.map((link) => make('li', {}, link))));
	}

	// Makes a link to a file of the store. The store names files by a hash, so the link saves the file under its
	// original name.
	function savedLink(file, text) {
		return make('a', { href: summary.store + file.file, download: file.name.split('/').pop(), dir: 'auto' },
			text.trim() || 'nameless');
	}

	// Shows the files that came with the map: texts as text, others as downloads.
	function addCompanions(article, record) {
		addLinks(article, 'What belongs to it',
			record.kept.map((file) => make('span', {}, savedLink(file, file.name), ` ${file.kind}, ${sizeText(file.size)}`)));
		const texts = record.kept.filter((one) => one.text), first = texts.find((one) => one.kind === 'text');
		for (const file of texts) {
			const rest = file.cut ? ' (its beginning)' : '';
			article.append(make('details', file === first ? { open: '' } : {},
				make('summary', { dir: 'auto' }, `Read ${file.name}${rest}`), make('pre', { dir: 'auto' }, file.text)));
		}
	}

	function addNeeds(article, record) {
		const missing = record.needs.filter((need) => !need.found), found = record.needs.filter((need) => need.found);
		addTable(article, 'Missing', ['Kind', 'Name'], missing.map((need) => [need.kind, need.name]));
		addTable(article, 'Used', ['Kind', 'Name', 'From'],
			found.map((need) => [need.kind, need.name, [need.archive, need.path].filter(Boolean).join(': ')]),
			{ open: false });
	}

	function versionLinks(own) {
		return rows.filter((row) => row && row !== own && row[GROUP] === own[GROUP]).map((row) => {
			const link = make('a', { href: `#map/${row[ID]}`, dir: 'auto' }, row[NAME]);
			return make('span', {}, link, ` ${row[FILE]}, ${sizeText(row[SIZE])}`);
		});
	}

	function makeMap(record) {
		const parts = document.createDocumentFragment();
		const back = make('a', { href: lastList }, 'All maps');
		parts.append(make('p', {}, back), make('h1', { id: 'title', dir: 'auto' }, record.name.trim() || record.id.slice(0, 12)));
		if (record.title) parts.append(make('p', { class: 'lead', dir: 'auto' }, record.title));
		if (record.status !== 'done') {
			parts.append(make('p', { class: 'bad' }, `${record.status}: ${record.reason}: ${record.message}`));
		}
		const pictures = makePictures(record);
		parts.append(...makeStand(record, pictures), pictures, make('h2', {}, 'Facts'), makeFacts(record));
		const links = Object.entries(DOWNLOADS).filter(([file]) => record.files.includes(file))
			.map(([file, label]) => make('a', { href: fileUrl(record.id, file) }, `${label} (${file})`));
		const original = record.original;
		if (original.file) links.push(savedLink(original, `As it came: ${original.name} (${sizeText(original.size)})`));
		addLinks(parts, 'Files', links);
		addCompanions(parts, record);
		parts.append(make('div', { id: 'versions' }));
		addLinks(parts, 'The same file also lies in', record.places.map((place) => make('span', {}, placeText(place))));
		addNeeds(parts, record);
		parts.append(make('div', { id: 'alike' }));
		addTable(parts, 'Keys of the map', ['Key', 'Value'], record.worldspawn, { open: false });
		addTable(parts, 'Entities', ['Class', 'Count'],
			record.classes.map(([name, count]) => [name, numbers.format(count)]), { open: false });
		addTable(parts, 'Warnings', ['What', 'Count', 'First'],
			record.warnings.map((warning) => [warning.code, numbers.format(warning.count), warning.message]),
			{ open: false });
		return parts;
	}

	// Adds links to versions and similar maps. Only the index has these facts, and it may be loaded after the map's
	// page is shown.
	async function showRelatives(record) {
		const number = rows.findIndex((row) => row && row[ID] === record.id);
		const box = byId('versions');
		if (number < 0 || !box) return;
		box.replaceChildren();
		addLinks(box, 'Other versions of the same geometry', versionLinks(rows[number]));
		if (loaded < summary.index.length) return;
		try {
			await load(summary.near[Math.floor(number / summary.piece)]);
		} catch {
			return;
		}
		if (byId('versions') === box) byId('alike').replaceChildren(...makeNeighbors(near[number]));
	}

	// Makes tiles of a list in which a row and its similarity in percent alternate.
	function makeNeighbors(pairs) {
		const tiles = [];
		for (let i = 0; i < pairs.length; i += 2) tiles.push(makeTile(pairs[i], `${pairs[i + 1]} % in common`));
		return tiles.length ? [make('h2', {}, 'Maps like it'), make('ul', { class: 'tiles' }, ...tiles)] : [];
	}

	async function showMap(id) {
		const article = byId('map'), prefix = id.slice(0, summary.digits);
		const file = summary.records.find((name) => name.startsWith(`maps-${prefix}-`));
		byId('list').hidden = byId('filters').hidden = true;
		article.hidden = false;
		let failure = 'no map of this gallery';
		try {
			if (file) await load(file);
		} catch (error) {
			failure = error.message;
		}
		if (currentMap() !== id) return;
		const record = records.get(id);
		if (record) article.replaceChildren(makeMap(record));
		else article.replaceChildren(make('h1', { id: 'title' }, 'Not found'), make('p', {}, `${id}: ${failure}`));
		document.title = record ? `${record.name} - Maps` : 'Maps';
		window.scrollTo(0, 0);
		article.focus();
		if (record) await showRelatives(record);
	}

	// ---- Addresses -------------------------------------------------------------------------------------------

	let lastList = '#';

	function currentMap() {
		return location.hash.startsWith('#map/') ? location.hash.slice('#map/'.length) : null;
	}

	function route() {
		const id = currentMap();
		if (id !== null) {
			showMap(id);
			return;
		}
		const returning = byId('list').hidden;
		byId('map').hidden = true;
		byId('list').hidden = byId('filters').hidden = false;
		document.title = 'Maps';
		readAddress();
		filter();
		lastList = listAddress();
		if (returning) byId('list').focus();
	}

	// Filters the list, at once or as soon as the data for the filters is loaded.
	function filter() {
		const wanted = usesWords();
		if (!wanted.length) {
			looked = '';
			used = null;
		} else if (looked !== wanted.join(' ')) {
			lookUp(wanted).catch((error) => (byId('count').textContent = error.message));
		}
		applyFilters();
	}

	function refilter() {
		page = 0;
		filter();
		lastList = listAddress();
		history.replaceState(null, '', lastList);
	}

	function turn(step) {
		page += step;
		lastList = listAddress();
		history.pushState(null, '', lastList);
		showTiles();
		window.scrollTo(0, 0);
		byId('list').focus();
	}

	// ---- Functions that the data scripts call
	// ------------------------------------------------------------------------------------

	async function begin(given) {
		summary = given;
		byId('filters').addEventListener('input', refilter);
		byId('filters').addEventListener('submit', (event) => event.preventDefault());
		byId('skip').addEventListener('click', (event) => {
			event.preventDefault();
			byId(currentMap() === null ? 'list' : 'map').focus();
		});
		byId('previous').addEventListener('click', () => turn(-1));
		byId('next').addEventListener('click', () => turn(1));
		window.addEventListener('hashchange', route);
		route();
		try {
			for (const file of summary.index) {
				await load(file);
				loaded++;
				// Shows the rows of the first piece, and later, when all pieces are loaded, all rows. Between these two
				// times the list stays as it is, so that it does not grow again and again while somebody reads it.
				if (loaded === 1 || loaded === summary.index.length) afterPiece();
				if (loaded === 1) await new Promise((resolve) => setTimeout(resolve, PAUSE));
			}
			setComplete();
		} catch (error) {
			byId('count').textContent = error.message;
		}
	}

	function afterPiece() {
		const id = currentMap();
		if (id === null) applyFilters();
		else if (records.has(id)) showRelatives(records.get(id));
	}

	function addRows(from, piece) {
		let last = ''; // a cache: most rows have the format of the row before
		piece.forEach((row, i) => {
			const format = row[FORMAT];
			rows[from + i] = row;
			words[from + i] = fold(`${row[NAME]}\n${row[TITLE]}\n${row[AUTHOR]}\n${row[FILE]}`);
			if (format !== last && format && !formats.has(format)) addFormat(format);
			last = format;
		});
	}

	function addWords(piece) {
		lists.set(piece[0][0].slice(0, 2), piece);
	}

	function addNear(from, piece) {
		piece.forEach((pairs, i) => (near[from + i] = pairs));
	}

	function addRecords(piece) {
		for (const record of piece) records.set(record.id, record);
	}

	return { begin, rows: addRows, near: addNear, words: addWords, records: addRecords };
})();
