// store.mjs - opens a map from the store of a gallery. The store has a list of the map's files, which `process --steps
// files` made.
const AT_ONCE = 6;
const ID = /^[0-9a-f]{64}$/;
const NAME = /^[0-9a-f]{16}-([0-9a-f]+)$/;

async function get(url) {
	const answer = await fetch(url);
	if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
	return answer;
}

// True if the name is the ID of a map in a store.
export function isStored(name) {
	return ID.test(name ?? '');
}

// Returns { files, path } for `open`. told() is called with the share of the bytes that are loaded, 0 to 1.
export async function storedMap(id, told) {
	const { store } = await (await get('store.json')).json();
	const { map, files } = await (await get(`${store}${id.slice(0, 2)}/${id}/files.json`)).json();
	// For each file of the store, its size. Several paths may refer to one file, if they have the same bytes.
	const sizes = new Map(files.map(({ file }) => [file, parseInt(NAME.exec(file)?.[1], 16)]));
	for (const [file, size] of sizes) if (!Number.isFinite(size)) throw new Error(`"${file}" is no file of a store`);
	const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
	const blobs = new Map();
	const left = [...sizes];
	let here = 0;
	const some = async () => {
		for (let next; (next = left.pop()); ) {
			const [file, size] = next;
			const blob = size ? await (await get(`${store}files/${file.slice(0, 2)}/${file}`)).blob() : new Blob([]);
			if (blob.size !== size) throw new Error(`${file}: has ${blob.size} bytes`);
			blobs.set(file, blob);
			here += size;
			told(here / Math.max(all, 1));
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, some));
	return { files: files.map(({ path, file }) => ({ path, blob: blobs.get(file) })), path: `/${map}` };
}
