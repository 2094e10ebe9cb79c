// address.mjs - keeps the map and the view in the page's address, so that they can be linked and the browser's Back
// button leaves a map. The state of an entry in the browser's history is { opened, path } or { welcome: true }.
// `opened` is an index into Past.opened, which lists what was opened.

// Reads an address that ends with #map=maps/NAME.bsp&at=X,Y,Z,YAW,PITCH. Each of the two may be missing.
export function addressed() {
	const hash = new URLSearchParams(location.hash.slice(1));
	return { map: hash.get('map'), at: hash.get('at') ?? '' };
}

const hashOf = (path, at) => `#map=${encodeURIComponent(path)}${at ? `&at=${at}` : ''}`;

// Puts the view in the address, without a new entry in the browser's history.
export function setView(path, at) {
	const hash = hashOf(path, at);
	if (location.hash !== hash) history.replaceState(history.state, '', hash);
}

export class Past {
	// `isAlone`: the page shows only the map that its address names, so Back leaves the page.
	constructor(viewer, isAlone) {
		Object.assign(this, { viewer, isAlone });
		this.opened = [];
		if (!isAlone) history.replaceState({ welcome: true }, '');
		addEventListener('popstate', ({ state }) => this.go(state));
	}

	// Adds an entry to the browser's history for the map that is shown now. `entry`: the { files, options } that were
	// opened. If `options.instead` is an earlier entry, the new one takes its place.
	add(entry, path) {
		const known = this.opened.indexOf(entry.options.instead ?? entry);
		const opened = known < 0 ? this.opened.length : known;
		this.opened[opened] = entry;
		const isSame = history.state?.path === path && history.state.opened === opened;
		const replaces = this.isAlone || this.isGoing || isSame;
		history[replaces ? 'replaceState' : 'pushState']({ opened, path }, '', hashOf(path));
		if (!document.body.classList.contains('frame')) this.isAlone = false;
	}

	leave() {
		history.pushState({ welcome: true }, '', location.pathname + location.search);
		this.viewer.leave();
	}

	// Shows what belongs to the entry that the browser went to. If it has no state, a user has edited the address.
	async go(state) {
		const { viewer } = this;
		const { map, at } = addressed();
		const entry = this.opened[state?.opened];
		if (state?.welcome) return viewer.leave();
		this.isGoing = true;
		try {
			if (entry && entry !== viewer.opened)
				await viewer.open(entry.files, { ...entry.options, map: state.path, at });
			else if (viewer.source && (map ?? viewer.path) === viewer.path) viewer.look(at);
			else if (viewer.source?.maps.some(({ path }) => path === map)) await viewer.load(map, { at });
			else if (!viewer.source) viewer.leave();
		} finally {
			this.isGoing = false;
		}
	}
}
