// validate.mjs - runs the Khronos validator over .glb and .gltf files: node validate.mjs FILE_OR_DIRECTORY...
//
// Fails on any error or warning, and on any remark or hint that our writer can avoid. Exit code 77: the validator is
// not installed (npm install --prefix tests/gltf).
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

// Messages that are accepted. The validator does not know MOZ_lightmap, so it reports textures and uvs as unused if
// only this extension uses them. It also reports textures that only extras name. Games' textures have any size.
const UNAVOIDABLE = new Set(['UNSUPPORTED_EXTENSION', 'UNUSED_OBJECT', 'IMAGE_NPOT_DIMENSIONS']);
const SEVERITIES = ['error', 'warning', 'remark', 'hint'];
const SHOWN_PER_FILE = 8;

async function loadValidator() {
	try {
		return (await import('gltf-validator')).default;
	} catch (error) {
		if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
		console.log('skipped: the glTF validator is not installed; run: npm install --prefix tests/gltf');
		process.exit(77);
	}
}

async function findFiles(place) {
	if (!(await stat(place)).isDirectory()) return [place];
	const names = await readdir(place, { recursive: true });
	return names.filter((name) => /\.(glb|gltf)$/.test(name)).sort().map((name) => path.join(place, name));
}

function unusedIsExpected(message, document) {
	const [, kind, index] = message.pointer.split('/');
	const usesLightmaps = (document.extensionsUsed ?? []).includes('MOZ_lightmap');
	const named = ({ extras }) => [extras?.secondTexture, extras?.blendMask?.texture, extras?.detail?.texture,
		...(extras?.layers ?? []).map((layer) => layer.texture)];
	const inExtras = (material) => named(material).includes(Number(index));
	if (kind === 'textures' && (document.materials ?? []).some(inExtras)) return true;
	return usesLightmaps && (kind === 'textures' || kind === 'meshes');
}

function isAcceptable(message, document) {
	if (message.severity < 2 || !UNAVOIDABLE.has(message.code)) return false;
	if (message.code === 'UNSUPPORTED_EXTENSION') {
		return ['MOZ_lightmap', 'EXT_meshopt_compression'].some((name) => message.message.includes(name));
	}
	return message.code !== 'UNUSED_OBJECT' || unusedIsExpected(message, document);
}

function documentOf(bytes) {
	const isBinary = bytes.subarray(0, 4).toString('latin1') === 'glTF';
	return JSON.parse((isBinary ? bytes.subarray(20, 20 + bytes.readUInt32LE(12)) : bytes).toString('utf8'));
}

async function validate(validator, file) {
	const bytes = await readFile(file);
	const report = await validator.validateBytes(new Uint8Array(bytes), {
		uri: path.basename(file),
		maxIssues: 0,
		externalResourceFunction: (uri) => readFile(path.join(path.dirname(file), decodeURIComponent(uri))),
	});
	const document = documentOf(bytes);
	const bad = report.issues.messages.filter((message) => !isAcceptable(message, document));
	const { totalTriangleCount: triangles, materialCount: materials } = report.info;
	const { numErrors, numWarnings, numInfos, numHints } = report.issues;
	console.log(`${bad.length ? 'FAILED' : 'ok    '} ${file}: ${numErrors} errors, ${numWarnings} warnings, ` +
		`${numInfos + numHints} remarks; ${triangles ?? 0} triangles, ${materials ?? 0} materials`);
	for (const message of bad.slice(0, SHOWN_PER_FILE)) {
		const place = message.pointer ?? message.offset;
		console.log(`\t${SEVERITIES[message.severity]} ${message.code} at ${place}: ${message.message}`);
	}
	if (bad.length > SHOWN_PER_FILE) console.log(`\tand ${bad.length - SHOWN_PER_FILE} more`);
	return bad.length === 0;
}

const places = process.argv.slice(2);
const validator = await loadValidator();
const files = (await Promise.all(places.map(findFiles))).flat();
if (!files.length) {
	console.log('no .glb or .gltf files to validate');
	process.exit(2);
}
let failed = 0;
for (const file of files) {
	try {
		failed += !(await validate(validator, file));
	} catch (error) {
		console.log(`FAILED ${file}: ${error.message ?? error}`);
		failed += 1;
	}
}
console.log(`${files.length} files, ${failed} failed`);
process.exit(failed ? 1 : 0);
