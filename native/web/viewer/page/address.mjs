// address.mjs - keeps the map and the view in the page's address, for links and for the browser's Back button, which
// leaves a map. An entry of the browser's history is { opened: number of what was opened, path } or { welcome: true }.

// Reads #map=maps/NAME.bsp&at=X,Y,Z,YAW,PITCH; each part may be missing.
export function addressed() {
	const hash = new URLSearchParams(location.hash.slice(1));
	return { map: hash.get('map'), at: hash.get('at') ?? '' };
}

const hashOf = (path, at) => `#map=${encodeURIComponent(path)}${at ? `&at=${at}` : ''}`;

// Sets the view in the address without a new entry.
export function setView(path, at) {
	const hash = hashOf(path, at);
	if (location.hash !== hash) history.replaceState(history.state, '', hash);
}

export class Past {
	// `isAlone`: the page shows one map that its address names, so that Back leaves the page.
	constructor(viewer, isAlone) {
		Object.assign(this, { viewer, isAlone });
		this.opened = [];
		if (!isAlone) history.replaceState({ welcome: true }, '');
		addEventListener('popstate', ({ state }) => this.go(state));
	}

	// Adds an entry for a map that is shown now. `entry`: { files, options } of what was opened; `options.instead` is
	// the earlier entry that it replaces.
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

	// Shows the entry that the browser went to. An entry without a state means that a user edited the address.
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
