// tree.mjs - a read-only file system for the module. It reads the host's files on demand. `source` has
//   stat(path) -> { directory, size } or null;  list(path) -> names;  read(path, offset, size) -> Uint8Array
// with paths that begin with "/". It reads blocks and caches a few blocks of each file, because calls of the host are
// slow.
const BLOCK = 1 << 18;
const BLOCKS_KEPT = 16;
const DIRECTORY = 0o40555;
const FILE = 0o100444;
const ENOENT = 44;
const EROFS = 69;

// Returns a type of file system for core.FS.mount.
export function treeOf(FS, source) {
	const fail = (code) => {
		throw new FS.ErrnoError(code);
	};
	const pathOf = (node) => (node.parent === node ? '' : `${pathOf(node.parent)}/${node.name}`);
	const node_ops = {
		getattr(node) {
			const directory = FS.isDir(node.mode);
			const size = directory ? 4096 : node.size;
			const time = new Date(0);
			return {
				dev: 1,
				ino: node.id,
				mode: node.mode,
				nlink: 1,
				uid: 0,
				gid: 0,
				rdev: 0,
				size,
				atime: time,
				mtime: time,
				ctime: time,
				blksize: 4096,
				blocks: Math.ceil(size / 4096),
			};
		},
		setattr: () => fail(EROFS),
		lookup(parent, name) {
			const found = source.stat(`${pathOf(parent)}/${name}`);
			if (!found) fail(ENOENT);
			return nodeOf(parent, name, found);
		},
		mknod: () => fail(EROFS),
		rename: () => fail(EROFS),
		unlink: () => fail(EROFS),
		rmdir: () => fail(EROFS),
		readdir: (node) => ['.', '..', ...source.list(pathOf(node) || '/')],
		symlink: () => fail(EROFS),
	};
	const stream_ops = {
		read(stream, out, offset, length, position) {
			const { node } = stream;
			const end = Math.min(position + length, node.size);
			let at = position;
			while (at < end) {
				const block = blockOf(node, Math.floor(at / BLOCK));
				const start = at % BLOCK;
				const part = block.subarray(start, Math.min(BLOCK, start + end - at));
				if (part.length === 0) break;
				out.set(part, offset + at - position);
				at += part.length;
			}
			return Math.max(at - position, 0);
		},
		write: () => fail(EROFS),
		llseek(stream, offset, whence) {
			const from = [0, stream.position, stream.node.size][whence];
			if (from === undefined || from + offset < 0) fail(28);
			return from + offset;
		},
	};

	function nodeOf(parent, name, { directory, size }) {
		const node = FS.createNode(parent, name, directory ? DIRECTORY : FILE, 0);
		Object.assign(node, { node_ops, stream_ops, size: size ?? 0, contents: {}, blocks: new Map() });
		return node;
	}

	function blockOf(node, number) {
		let block = node.blocks.get(number);
		if (!block) block = source.read(pathOf(node), number * BLOCK, Math.min(BLOCK, node.size - number * BLOCK));
		node.blocks.delete(number);
		node.blocks.set(number, block);
		if (node.blocks.size > BLOCKS_KEPT) node.blocks.delete(node.blocks.keys().next().value);
		return block;
	}

	return { mount: () => nodeOf(null, '/', { directory: true }) };
}

// Makes a `source` of files in a browser: { path, blob } or { path, bytes }. `path` is relative, with "/".
export function sourceOfFiles(files) {
	const found = new Map([['/', new Set()]]);
	for (const file of files) {
		const parts = file.path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
		let folder = '/';
		for (const [i, part] of parts.entries()) {
			const path = folder === '/' ? `/${part}` : `${folder}/${part}`;
			found.get(folder).add(part);
			if (i === parts.length - 1) found.set(path, file);
			else if (!(found.get(path) instanceof Set)) found.set(path, new Set());
			folder = path;
		}
	}
	const reader = typeof FileReaderSync === 'undefined' ? null : new FileReaderSync();
	return {
		stat(path) {
			const entry = found.get(path);
			if (!entry) return null;
			return entry instanceof Set
				? { directory: true }
				: { directory: false, size: entry.bytes?.length ?? entry.blob.size };
		},
		list: (path) => [...found.get(path)],
		read(path, offset, size) {
			const { blob, bytes } = found.get(path);
			if (bytes) return bytes.subarray(offset, offset + size);
			return new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + size)));
		},
	};
}

// Makes a `source` of the files on the machine that runs node. `fs` is the module of node.
export function sourceOfDisk(fs) {
	return {
		stat(path) {
			try {
				const found = fs.statSync(path);
				return { directory: found.isDirectory(), size: found.size };
			} catch {
				return null;
			}
		},
		list: (path) => fs.readdirSync(path),
		read(path, offset, size) {
			const bytes = new Uint8Array(size);
			const file = fs.openSync(path, 'r');
			try {
				let done = 0;
				for (let got = 1; got > 0 && done < size; done += got) {
					got = fs.readSync(file, bytes, done, size - done, offset + done);
				}
				return bytes.subarray(0, done);
			} finally {
				fs.closeSync(file);
			}
		},
	};
}
