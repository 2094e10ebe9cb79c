// hdr_pages.mjs - reads our pages in Radiance HDR with the reader of three.js: node hdr_pages.mjs BSPSCENE DIRECTORY
// MAP
//
// Bakes the map's light as HDR and as EXR. three.js reads both. Values of the HDR page are divided by SCALE, which
// undoes a difference of three.js. Then each may differ from the value of the EXR page by 1/256 of the pixel's
// brightest channel, which is the precision of RGBE. Exit code 77: three.js is not installed, or the build lacks
// OpenEXR.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const PRECISION = 1 / 256;
const SCALE = 256 / 255;              // three.js divides mantissas by 255; Radiance, stb_image and Blender by 256
const LEAST = 2 ** -24;               // smallest half float above 0; prevents divisions by 0 at black pixels
const [bspscene, directory, map] = process.argv.slice(2);

function skip(why) {
	console.log(`skipped: ${why}`);
	process.exit(77);
}

async function load(name) {
	return import(`three/addons/loaders/${name}.js`).catch((error) => {
		if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
		return skip('three.js is not installed; run: npm install --prefix tests/gltf');
	});
}

const { FloatType } = await import('three').catch(() => skip('three.js is not installed'));
const readers = { hdr: (await load('RGBELoader')).RGBELoader, exr: (await load('EXRLoader')).EXRLoader };

function bake(format) {
	const out = path.join(directory, format);
	const options = ['--lightmap-encoding', 'hdr', '--hdr-format', format, '--every-style', '--quiet'];
	const done = spawnSync(bspscene, ['bake', map, out, ...options]);
	if (done.status) throw new Error(done.stderr.toString());
	return out;
}

async function read(format, file) {
	const bytes = await readFile(file);
	const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
	return new readers[format]().setDataType(FloatType).parse(buffer);
}

// Compares two pages. For both, three.js gives four channels. It gives the rows of an EXR from the bottom up.
function compare(hdr, exr) {
	let worst = 0;
	for (let y = 0; y < hdr.height; y++) {
		for (let x = 0; x < hdr.width; x++) {
			const from = 4 * (y * hdr.width + x);
			const to = 4 * ((exr.height - 1 - y) * exr.width + x);
			const brightest = Math.max(exr.data[to], exr.data[to + 1], exr.data[to + 2], LEAST);
			for (let k = 0; k < 3; k++) {
				worst = Math.max(worst, Math.abs(hdr.data[from + k] / SCALE - exr.data[to + k]) / brightest);
			}
		}
	}
	return worst;
}

const folders = { hdr: bake('hdr'), exr: bake('exr') };
const atlas = JSON.parse(await readFile(path.join(folders.exr, 'atlas.json'), 'utf8'));
const files = atlas.sets.flatMap((set) => set.files).filter((file) => file);
if (!files.length || !existsSync(path.join(folders.exr, files[0]))) skip('the build lacks OpenEXR');
let isRight = true;
for (const file of files) {
	const exr = await read('exr', path.join(folders.exr, file));
	const hdr = await read('hdr', path.join(folders.hdr, file.replace(/exr$/, 'hdr')));
	const isSameSize = hdr.width === exr.width && hdr.height === exr.height;
	const worst = isSameSize ? compare(hdr, exr) : Infinity;
	const brightest = exr.data.reduce((most, value, at) => (at % 4 < 3 && value > most ? value : most), 0);
	console.log(`${file}: ${hdr.width}x${hdr.height}, brightest ${brightest.toFixed(2)}, apart ${worst.toFixed(5)}`);
	isRight = isRight && worst <= PRECISION && brightest > 0;
}
process.exit(isRight ? 0 : 1);
