// level_shots.mjs - pictures of maps for tiles. They come from the game's levelshots/ in folders and zip archives, if
// browsers can show their format. Maps that were shown have a picture of their first view.
import { entriesOf } from '../zip.mjs';

const SHOT = /(?:^|\/)(?:levelshots|maps)\/([^/]+)\.(jpe?g|png|webp)$/i;
const ARCHIVE = /\.(pk3|pk4|zip|pkz|dpk)$/i;
const WIDE = 480;
const HIGH = 300;

const nameOf = (path) => path.split('/').at(-1).replace(/\.[^.]*$/, '').toLowerCase();

// Returns { path, blob } for a file in one of the forms that `open` takes.
function named(file) {
	return file instanceof Blob ? { path: file.webkitRelativePath || file.name, blob: file } : file;
}

export class LevelShots {
	constructor(files) {
		this.files = files.map(named).filter(({ blob }) => blob);
		// For each path of a map: the address of a picture of its first view.
		this.taken = new Map();
	}

	// Returns the address of a map's picture, or null.
	async of(path) {
		if (this.taken.has(path)) return this.taken.get(path);
		this.found ??= this.find();
		const read = (await this.found).get(nameOf(path));
		const blob = await read?.().catch(() => null);
		const address = blob ? URL.createObjectURL(blob) : null;
		if (!this.taken.has(path)) this.taken.set(path, address);
		return this.taken.get(path);
	}

	// Returns a Map from the names of maps to functions that read their pictures.
	async find() {
		const shots = new Map();
		const add = (path, read) => {
			const [, name] = SHOT.exec(path) ?? [];
			if (name) shots.set(name.toLowerCase(), read);
		};
		for (const { path, blob } of this.files) {
			add(path, async () => blob);
			if (!ARCHIVE.test(path)) continue;
			for (const entry of await entriesOf(blob).catch(() => [])) add(entry.path, entry.read);
		}
		return shots;
	}

	// Stores what the canvas shows as the picture of a map. Resolves to a Blob of the picture.
	async take(path, canvas) {
		const small = Object.assign(document.createElement('canvas'), { width: WIDE, height: HIGH });
		const scale = Math.max(WIDE / canvas.width, HIGH / canvas.height);
		const [wide, high] = [canvas.width * scale, canvas.height * scale];
		small.getContext('2d').drawImage(canvas, (WIDE - wide) / 2, (HIGH - high) / 2, wide, high);
		const blob = await new Promise((resolve) => small.toBlob(resolve, 'image/webp', 0.75));
		if (blob) this.taken.set(path, URL.createObjectURL(blob));
		return blob;
	}

	free() {
		for (const address of this.taken.values()) if (address) URL.revokeObjectURL(address);
		this.taken.clear();
	}
}
