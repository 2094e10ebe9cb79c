// baked.mjs - checks the size of the picture with baked light: node baked.mjs BSPSCENE DIRECTORY MAP
//
// Without options, the picture's size follows from the map's textures and luxels. --baked-size limits the sides of the
// picture. The Khronos validator must accept both files. Exit code 77: the validator is not installed.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const SIZE = 256;
const [bspscene, directory, map] = process.argv.slice(2);
const validator = await import('gltf-validator').catch((error) => {
	if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
	console.log('skipped: the glTF validator is not installed; run: npm install --prefix tests/gltf');
	return process.exit(77);
});

// Writes the map with baked light, and returns the sides of the baked picture.
async function sidesOf(name, ...options) {
	const file = path.join(directory, name);
	const done = spawnSync(bspscene, ['convert', map, file, '--lighting', 'baked', '--quiet', ...options]);
	if (done.status) throw new Error(done.stderr.toString());
	const bytes = await readFile(file);
	const json = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString('utf8'));
	const report = await validator.default.validateBytes(new Uint8Array(bytes), { maxIssues: 0 });
	if (report.issues.numErrors || report.issues.numWarnings) throw new Error(`${name}: the validator complains`);
	const pointer = `/images/${json.images.findIndex((image) => image.name === 'lit')}`;
	const { width, height } = report.info.resources.find((one) => one.pointer === pointer).image;
	console.log(`${name}: ${width}x${height}`);
	return [width, height];
}

const usual = await sidesOf('usual.glb');
const small = await sidesOf('small.glb', '--baked-size', String(SIZE));
const isRight = Math.max(...small) <= SIZE && Math.max(...small) > SIZE / 2 && Math.max(...usual) > SIZE;
process.exit(isRight ? 0 : 1);
