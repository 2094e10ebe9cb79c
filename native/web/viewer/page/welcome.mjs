// welcome.mjs - the welcome screen: buttons for choosing files, recently opened files, and sample maps.
import { entriesOf } from '../zip.mjs';
import { element, elements, tile } from './elements.mjs';
import { chooseHandles, filesOf, forget, isKept, recents } from './recent.mjs';

// Opens files by their handles, and has the handles stored for the next visit.
export async function openHandles(viewer, handles, options = {}) {
	try {
		viewer.busy(true, 'Reading');
		await viewer.open(await filesOf(handles), { ...options, handles });
	} catch (error) {
		viewer.fail(error);
	}
}

async function choose(viewer, isFolder) {
	if (!isKept) return elements[isFolder ? 'folder' : 'files'].click();
	try {
		const handles = await chooseHandles(isFolder);
		if (handles) await openHandles(viewer, handles);
	} catch (error) {
		viewer.fail(error);
	}
}

// Opens one of the sample maps that are next to the page.
async function openSample(viewer, name) {
	viewer.busy(true, 'Fetching');
	try {
		const answer = await fetch(new URL(`sample_${name}.zip`, location.href));
		if (!answer.ok) throw new Error(`This copy of the page has no sample maps (${answer.status}).`);
		const entries = await entriesOf(await answer.blob());
		const files = await Promise.all(entries.map(async ({ path, read }) => ({ path, blob: await read() })));
		await viewer.open(files);
	} catch (error) {
		viewer.fail(error);
	}
}

function recentTile(viewer, { key, handles, name, map, picture }) {
	const about = handles.length > 1 ? `${handles[0].name} and ${handles.length - 1} more` : handles[0].name;
	const button = tile(picture ? URL.createObjectURL(picture) : null, name, about, async () => {
		try {
			viewer.busy(true, 'Reading');
			await viewer.open(await filesOf(handles), { handles, map });
		} catch (error) {
			// If the file was moved or deleted, the entry is removed.
			if (error.name === 'NotFoundError') await forget(key);
			viewer.fail(error.name === 'NotFoundError' ? new Error(`${about} is not there any more.`) : error);
			await showRecents(viewer);
		}
	});
	return element('li', button);
}

// Lists the recently opened files.
export async function showRecents(viewer) {
	const kept = await recents();
	elements['recent-shelf'].hidden = !kept.length;
	elements.recent.replaceChildren(...kept.map((one) => recentTile(viewer, one)));
}

export function listenWelcome(viewer) {
	elements['files-button'].addEventListener('click', () => choose(viewer, false));
	elements['folder-button'].addEventListener('click', () => choose(viewer, true));
	for (const input of [elements.files, elements.folder]) {
		input.addEventListener('change', () => {
			viewer.open([...input.files]);
			// Without this, choosing the same files again would have no effect.
			input.value = '';
		});
	}
	elements.samples.addEventListener('click', ({ target }) => {
		const { sample } = target.closest('button')?.dataset ?? {};
		if (sample) openSample(viewer, sample);
	});
	elements.forgets.hidden = isKept;
	// A page that is a single file has no sample maps next to it.
	elements['sample-shelf'].hidden = Boolean(document.getElementById('inside-worker'));
	return showRecents(viewer);
}
