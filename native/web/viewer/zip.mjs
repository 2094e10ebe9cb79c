// zip.mjs - reads zip archives (.pk3 too) out of Blobs: the samples, and pictures of maps in archives.
const END_SIZE = 22;
const COMMENT_MOST = 65535;
const END_MARK = 0x06054b50;
const ENTRY_MARK = 0x02014b50;
const HEADER_SIZE = 30;
const DEFLATED = 8;
// Archives are not trusted and may claim any size. A larger directory than DIRECTORY_MOST is not read; a larger file
// than FILE_MOST is an error.
const DIRECTORY_MOST = 64 << 20;
const FILE_MOST = 64 << 20;

const viewOf = async (blob) => new DataView(await blob.arrayBuffer());

// Returns where the directory is: { offset, size }, or null.
async function findDirectory(blob) {
	const from = Math.max(blob.size - END_SIZE - COMMENT_MOST, 0);
	const view = await viewOf(blob.slice(from));
	for (let at = view.byteLength - END_SIZE; at >= 0; at--)
		if (view.getUint32(at, true) === END_MARK)
			return { size: view.getUint32(at + 12, true), offset: view.getUint32(at + 16, true) };
	return null;
}

// Returns the files of an archive as [{ path, read() }]; `read` resolves to a Blob. Returns an empty array if the blob
// is not an archive.
export async function entriesOf(blob) {
	const found = await findDirectory(blob);
	if (found?.size > DIRECTORY_MOST) return [];
	const view = found && (await viewOf(blob.slice(found.offset, found.offset + found.size)));
	const entries = [];
	for (let at = 0; view && at + 46 <= view.byteLength && view.getUint32(at, true) === ENTRY_MARK; ) {
		const [name, extra, comment] = [28, 30, 32].map((part) => view.getUint16(at + part, true));
		const letters = new Uint8Array(view.buffer, at + 46, Math.min(name, view.byteLength - at - 46));
		const path = new TextDecoder().decode(letters);
		const entry = {
			method: view.getUint16(at + 10, true),
			size: view.getUint32(at + 20, true),
			offset: view.getUint32(at + 42, true),
		};
		if (!path.endsWith('/')) entries.push({ path, read: () => read(blob, entry) });
		at += 46 + name + extra + comment;
	}
	return entries;
}

// Returns a stream that passes its input on and fails after FILE_MOST bytes.
function bounded() {
	let left = FILE_MOST;
	const transform = (chunk, controller) => {
		left -= chunk.byteLength;
		if (left < 0) controller.error(new Error(`A file of the archive is larger than ${FILE_MOST >> 20} MiB.`));
		else controller.enqueue(chunk);
	};
	return new TransformStream({ transform });
}

async function read(blob, { method, size, offset }) {
	const header = await viewOf(blob.slice(offset, offset + HEADER_SIZE));
	const from = offset + HEADER_SIZE + header.getUint16(26, true) + header.getUint16(28, true);
	const packed = blob.slice(from, from + size);
	if (method !== DEFLATED) return packed;
	const unpacked = packed.stream().pipeThrough(new DecompressionStream('deflate-raw'));
	return new Response(unpacked.pipeThrough(bounded())).blob();
}
