// Tests the viewer's reader of zip archives: it gives the files that Python's zipfile wrote, stored and deflated, finds
// nothing in other files, and bounds what a file may unpack to.
//
//     node check_zip.mjs PYTHON
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

import { entriesOf } from '../../native/web/viewer/zip.mjs';

if (!globalThis.DecompressionStream) {
	console.log('skipped: this node has no DecompressionStream');
	process.exit(77);
}

const WRITE = `
import io, sys, zipfile
out = io.BytesIO()
with zipfile.ZipFile(out, "w") as archive:
    archive.writestr("levelshots/stored.jpg", b"stored", zipfile.ZIP_STORED)
    archive.writestr("levelshots/deflated.png", b"deflated " * 99, zipfile.ZIP_DEFLATED)
    archive.writestr("folder/", b"")
    archive.writestr("bomb.png", bytes(65 << 20), zipfile.ZIP_DEFLATED)
    archive.comment = b"a comment at the end"
sys.stdout.buffer.write(out.getvalue())
`;
const archive = new Blob([execFileSync(process.argv[2], ['-c', WRITE], { maxBuffer: 1 << 20 })]);
const entries = new Map((await entriesOf(archive)).map(({ path, read }) => [path, read]));
assert.deepEqual([...entries.keys()], ['levelshots/stored.jpg', 'levelshots/deflated.png', 'bomb.png']);
const text = async (path) => (await entries.get(path)()).text();
assert.equal(await text('levelshots/stored.jpg'), 'stored');
assert.equal(await text('levelshots/deflated.png'), 'deflated '.repeat(99));
await assert.rejects(entries.get('bomb.png')(), /larger than 64 MiB/);
assert.deepEqual(await entriesOf(new Blob(['no archive'])), []);
const cut = archive.slice(0, archive.size - 40);
assert.deepEqual(await entriesOf(cut), []);
console.log('passed');
