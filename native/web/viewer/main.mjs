// main.mjs - starts the page. It opens the map that the address names or that the page contains, or shows the welcome
// screen.
import { filesInside } from './inside.mjs';
import { listen } from './controls/listen.mjs';
import { elements } from './page/elements.mjs';
import { isStored, storedMap } from './store.mjs';
import { Viewer } from './viewer.mjs';

// ?map=ID shows a map of the gallery's store. &frame hides the bars, for use inside the gallery's page. ?file=ADDRESS
// opens a file that is next to the page.
const query = new URLSearchParams(location.search);
const addresses = query.getAll('file');
const inside = filesInside();
document.body.classList.toggle('frame', query.has('frame'));
const viewer = new Viewer(isStored(query.get('map')) || addresses.length > 0 || inside !== null);
globalThis.viewer = viewer;
listen(viewer, elements);
document.body.classList.add('started');

async function fetchFile(address) {
	const answer = await fetch(address);
	if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
	return new File([await answer.blob()], decodeURIComponent(address.split('/').at(-1)));
}

// Opens the map that the page contains or that the address names.
async function begin() {
	if (inside) return viewer.open(...inside);
	if (isStored(query.get('map'))) {
		viewer.busy(true, 'fetching');
		const { files, path } = await storedMap(query.get('map'), (part) => viewer.busy(true, 'fetching', part));
		await viewer.open(files, { path });
		if (query.has('frame')) elements.view.focus();
	} else if (addresses.length) await viewer.open(await Promise.all(addresses.map(fetchFile)));
}

begin().catch((error) => viewer.fail(error));
