// recent.mjs - remembers recently opened files for the next visit. It stores their handles (File System Access API) in
// the browser's database, with the name and the picture of the map. In browsers without that API nothing is remembered.
const MOST = 6;
const STORE = 'recent';

// True if this browser lets a page keep handles of files.
export const isKept = 'showOpenFilePicker' in globalThis && 'indexedDB' in globalThis;

// Returns a promise of the result of a database request.
function done(request) {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

async function inStore(mode, act) {
	const opening = indexedDB.open('bspscene', 1);
	opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'key' });
	const database = await done(opening);
	try {
		return await act(database.transaction(STORE, mode).objectStore(STORE));
	} finally {
		database.close();
	}
}

// Returns the stored entries, the latest one first: [{ key, handles, name, map, picture, when }].
export async function recents() {
	if (!isKept) return [];
	const all = await inStore('readonly', (store) => done(store.getAll())).catch(() => []);
	return all.sort((a, b) => b.when - a.when);
}

const keyOf = (handles) => handles.map(({ kind, name }) => `${kind} ${name}`).join('\n');

// Stores handles, together with the name and the picture of the map that is shown.
export async function remember(handles, facts) {
	if (!isKept || !handles?.length) return;
	const old = (await recents()).slice(MOST - 1);
	const key = keyOf(handles);
	await inStore('readwrite', async (store) => {
		const requests = [store.put({ key, handles, ...facts, when: Date.now() })];
		for (const one of old) if (one.key !== key) requests.push(store.delete(one.key));
		await Promise.all(requests.map(done));
	}).catch(() => {}); // In a private window nothing is stored.
}

export function forget(key) {
	return inStore('readwrite', (store) => done(store.delete(key)));
}

// Asks the user for permission to read. Browsers only ask after a click.
async function mayRead(handle) {
	const words = { mode: 'read' };
	const isGranted = (await handle.queryPermission?.(words)) === 'granted';
	return isGranted || (await handle.requestPermission(words)) === 'granted';
}

async function filesBelow(folder, path, files) {
	for await (const handle of folder.values()) {
		const inside = `${path}/${handle.name}`;
		if (handle.kind === 'directory') await filesBelow(handle, inside, files);
		else files.push({ path: inside, blob: await handle.getFile() });
	}
}

// Returns the files that handles stand for, in a form that `open` takes. For a folder, these are all files in it.
export async function filesOf(handles) {
	const files = [];
	for (const handle of handles) {
		if (!(await mayRead(handle))) throw new Error(`${handle.name}: the browser may not read it`);
		if (handle.kind === 'directory') await filesBelow(handle, handle.name, files);
		else files.push(await handle.getFile());
	}
	const hasFolder = handles.some(({ kind }) => kind === 'directory');
	return hasFolder ? files.map((file) => (file instanceof Blob ? { path: file.name, blob: file } : file)) : files;
}

// Lets the user choose files or a folder. Resolves to handles. Resolves to null if the browser has no such dialog, or
// if the user closed it.
export async function chooseHandles(isFolder) {
	try {
		if (isFolder) return [await showDirectoryPicker()];
		return await showOpenFilePicker({ multiple: true });
	} catch (error) {
		if (error.name === 'AbortError') return null;
		throw error;
	}
}
