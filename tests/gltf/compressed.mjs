// compressed.mjs - compares a map's file with those that --compress-with writes: node compressed.mjs BSPSCENE DIRECTORY
// MAP... | --real
//
// Each map is written uncompressed and in each compressed form, with light in vertices and in pages. The file must
// require those extensions that the help of --compress-with names. meshoptimizer's own decoder unpacks the compressed
// file. It must then pass the Khronos validator, and have the vertices and triangles of the uncompressed file. Because
// of rounding, positions may differ by a millimeter, and texture coordinates by a texel. With --real, the maps are
// those of $BSPSCENE_SHARED_DATA, with narrow triangles and textures of many sizes. Exit code 77: three.js (which
// contains the decoder), the validator or the maps are not installed, or the build cannot compress.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const MILLIMETER = 0.001;
const LIGHT = 0.0012;                 // tolerance of linear light: half a step of 1/1024, and some more for rounding
const NORMAL = 0.0002;
const EXACT = 1e-6;
const TYPES = { 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const LARGEST = { 5121: 255, 5122: 32767, 5123: 65535 };
// For each kind of compression: the extensions that a file may require, and the formats that its pictures may have.
const KINDS = {
	webp: { required: ['EXT_texture_webp'], pictures: ['image/webp', 'image/png', 'image/jpeg'] },
	jpeg: { required: [], pictures: ['image/png', 'image/jpeg'] },
	meshopt: {
		required: ['EXT_meshopt_compression', 'EXT_texture_webp', 'KHR_mesh_quantization'],
		pictures: ['image/webp', 'image/png', 'image/jpeg'],
	},
};
const REAL_MAPS = ['maps/goldsrc/nzp_kino.bsp', 'maps/goldsrc/nzp_Alleyways.bsp'];
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

async function load(name, from) {
	try {
		return await import(from);
	} catch (error) {
		if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
		console.log(`skipped: ${name} is not installed; run: npm install --prefix tests/gltf`);
		return process.exit(77);
	}
}

const { MeshoptDecoder } = await load('three.js', 'three/addons/libs/meshopt_decoder.module.js');
const validator = (await load('the glTF validator', 'gltf-validator')).default;
await MeshoptDecoder.ready;

function parse(bytes) {
	const jsonSize = bytes.readUInt32LE(12);
	const json = JSON.parse(bytes.subarray(20, 20 + jsonSize).toString('utf8'));
	return { json, binary: bytes.subarray(28 + jsonSize) };
}

// Returns the same file without EXT_meshopt_compression. It has one buffer, with the unpacked content of all views.
function unpack({ json, binary }) {
	const parts = [];
	let size = 0;
	for (const view of json.bufferViews) {
		const packed = view.extensions?.EXT_meshopt_compression;
		const from = packed ?? view;
		const source = binary.subarray(from.byteOffset ?? 0, (from.byteOffset ?? 0) + from.byteLength);
		let data = source;
		if (packed) {
			data = new Uint8Array(packed.count * packed.byteStride);
			MeshoptDecoder.decodeGltfBuffer(data, packed.count, packed.byteStride, source, packed.mode, packed.filter);
		}
		delete view.extensions;
		Object.assign(view, { buffer: 0, byteOffset: size, byteLength: data.length });
		const padded = new Uint8Array((data.length + 3) & ~3);
		padded.set(data);
		parts.push(padded);
		size += padded.length;
	}
	json.buffers = [{ byteLength: size }];
	for (const key of ['extensionsUsed', 'extensionsRequired']) {
		json[key] = json[key]?.filter((name) => name !== 'EXT_meshopt_compression');
		if (!json[key]?.length) delete json[key];
	}
	return { json, binary: Buffer.concat(parts) };
}

function glbOf({ json, binary }) {
	const text = Buffer.from(JSON.stringify(json));
	const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]);
	const header = Buffer.alloc(20);
	[0x46546c67, 2, 28 + padded.length + binary.length, padded.length, 0x4e4f534a].forEach(
		(word, i) => header.writeUInt32LE(word, 4 * i));
	const chunk = Buffer.alloc(8);
	chunk.writeUInt32LE(binary.length, 0);
	chunk.writeUInt32LE(0x004e4942, 4);
	return Buffer.concat([header, padded, chunk, binary]);
}

function accessor({ json, binary }, index) {
	const { bufferView, byteOffset = 0, componentType, count, type, normalized } = json.accessors[index];
	const view = json.bufferViews[bufferView];
	const Type = TYPES[componentType];
	const width = WIDTHS[type];
	const stride = view.byteStride ?? width * Type.BYTES_PER_ELEMENT;
	const out = [];
	for (let i = 0; i < count; i += 1) {
		const start = binary.byteOffset + (view.byteOffset ?? 0) + byteOffset + i * stride;
		const element = new Type(binary.buffer.slice(start, start + width * Type.BYTES_PER_ELEMENT));
		out.push(Array.from(element, (value) => (normalized ? value / LARGEST[componentType] : value)));
	}
	return out;
}

const distance = (a, b) => Math.max(...a.map((value, i) => Math.abs(value - b[i])));

// Divides space into cells of one centimeter. Returns for each cell the indices of the positions in it.
function gridOf(positions) {
	const grid = new Map();
	positions.forEach((p, i) => {
		const key = p.map((value) => Math.floor(value * 100)).join();
		if (!grid.has(key)) grid.set(key, []);
		grid.get(key).push(i);
	});
	return grid;
}

function* near(grid, p) {
	const cells = p.map((value) => [value - MILLIMETER, value + MILLIMETER].map((v) => Math.floor(v * 100)));
	const seen = new Set();
	for (const x of cells[0]) for (const y of cells[1]) for (const z of cells[2]) seen.add([x, y, z].join());
	for (const key of seen) yield* grid.get(key) ?? [];
}

// Returns triangles, each with its corners and its center.
function trianglesOf(positions, indices) {
	const triangles = [];
	for (let i = 0; i < indices.length; i += 3) {
		const corners = [0, 1, 2].map((k) => positions[indices[i + k][0]]);
		triangles.push({ corners, center: [0, 1, 2].map((k) => (corners[0][k] + corners[1][k] + corners[2][k]) / 3) });
	}
	return triangles;
}

// Returns whether two triangles have the same corners in the same cyclic order. They may begin with different corners.
function isSame(a, b) {
	return [0, 1, 2].some((turn) => a.corners.every((p, k) => distance(p, b.corners[(k + turn) % 3]) <= MILLIMETER));
}

// Returns whether the triangle has two corners within a millimeter of each other. Compression may have merged them.
function isSpeck({ corners }) {
	return corners.some((p, k) => distance(p, corners[(k + 1) % 3]) <= MILLIMETER);
}

// The areas of triangles are not compared. If corners move by half a millimeter, the area of a narrow triangle may
// change by any factor.
function* compareTriangles(from, to, what) {
	const grid = gridOf(to.map((triangle) => triangle.center));
	const lost = from.filter((triangle) => {
		for (const j of near(grid, triangle.center)) if (isSame(triangle, to[j])) return false;
		return !isSpeck(triangle);
	});
	if (lost.length) yield `${lost.length} of ${from.length} ${what}`;
}

// Returns the tolerance of each attribute. `texels` is the result of texelsOf for the primitive.
function tolerances(texels, kind) {
	if (kind !== 'meshopt') return {};
	return {
		POSITION: MILLIMETER, NORMAL, TANGENT: NORMAL, COLOR_0: LIGHT, TEXCOORD_0: 1 / texels, TEXCOORD_1: 1 / 65535,
	};
}

function* compareVertices(from, to, names, limits, what) {
	const grid = gridOf(to.POSITION);
	let lost = 0;
	from.POSITION.forEach((p, i) => {
		for (const j of near(grid, p)) {
			if (names.every((name) => distance(from[name][i], to[name][j]) <= (limits[name] ?? EXACT))) return;
		}
		lost += 1;
	});
	if (lost) yield `${lost} of ${from.POSITION.length} ${what}`;
}

// Returns how many texels of the primitive's texture lie between the texture coordinates 0 and 1, in u or v, whichever
// has more. Returns 1 if the primitive has no texture, because its coordinates are then not used.
function texelsOf({ json }, primitive, sizes) {
	const info = json.materials[primitive.material].pbrMetallicRoughness.baseColorTexture;
	if (!info) return 1;
	const texture = json.textures[info.index];
	const { width, height } = sizes.get(texture.extensions?.EXT_texture_webp?.source ?? texture.source);
	const scale = info.extensions?.KHR_texture_transform?.scale ?? [1, 1];
	return Math.max(width * Math.abs(scale[0]), height * Math.abs(scale[1]));
}

function* comparePrimitives(plain, packed, a, b, limits) {
	const names = Object.keys(a.attributes);
	const read = (file, primitive) => Object.fromEntries(
		Object.entries(primitive.attributes).map(([name, index]) => [name, accessor(file, index)]));
	const [p, q] = [read(plain, a), read(packed, b)];
	const [before, after] = [trianglesOf(p.POSITION, accessor(plain, a.indices)),
		trianglesOf(q.POSITION, accessor(packed, b.indices))];
	if (names.join() !== Object.keys(b.attributes).join()) yield 'other attributes';
	if (after.length > before.length) yield `${after.length} triangles instead of ${before.length}`;
	yield* compareTriangles(after, before, 'triangles are none of the plain file');
	yield* compareTriangles(before, after, 'plain triangles are lost');
	yield* compareVertices(q, p, names, limits, 'vertices are none of the plain file');
	yield* compareVertices(p, q, names, limits, 'plain vertices are lost');
}

// Returns sizes of pictures by their number in the file, from the validator's report.
function imageSizes(report) {
	const pictures = (report.info.resources ?? []).filter((one) => one.image);
	return new Map(pictures.map((one) => [Number(one.pointer.split('/').pop()), one.image]));
}

async function validate(bytes) {
	const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 0 });
	return { errors: report.issues.numErrors, warnings: report.issues.numWarnings, sizes: imageSizes(report) };
}

async function convert(bspscene, map, file, ...options) {
	const done = spawnSync(bspscene, ['convert', map, file, '--quiet', ...options], { encoding: 'utf8' });
	if (done.stderr.includes('this build lacks')) {
		console.log(`skipped: ${done.stderr.trim()}`);
		process.exit(77);
	}
	if (done.status) throw new Error(done.stderr);
	return readFile(file);
}

// Checks the file's extensions and pictures. It may require only the extensions of its kind, and have pictures only in
// the formats of its kind. If it has pictures, one must have the first of these formats.
function* checkNeeds({ json }, { required, pictures }) {
	const strange = (json.extensionsRequired ?? []).filter((name) => !required.includes(name));
	if (strange.length) yield `${strange} is required`;
	const kinds = new Set((json.images ?? []).map((image) => image.mimeType));
	for (const kind of kinds) if (!pictures.includes(kind)) yield `a picture is ${kind}`;
	if (!kinds.has(pictures[0]) && kinds.size) yield `no picture is ${pictures[0]}`;
}

async function compare(bspscene, directory, map, lighting, kind) {
	const name = `${path.basename(path.dirname(path.dirname(map)))}_${path.basename(map, '.bsp')}_${lighting}_${kind}`;
	const file = path.join(directory, name);
	const plainBytes = await convert(bspscene, map, `${file}_plain.glb`, '--lighting', lighting);
	const smallBytes = await convert(bspscene, map, `${file}.glb`, '--lighting', lighting, '--compress-with', kind);
	const plain = parse(plainBytes);
	const problems = [...checkNeeds(parse(smallBytes), KINDS[kind])];
	const small = unpack(parse(smallBytes));
	const report = await validate(glbOf(small));
	if (report.errors || report.warnings) problems.push(`${report.errors} errors, ${report.warnings} warnings`);
	if (plain.json.meshes.length !== small.json.meshes.length) problems.push('other meshes');
	plain.json.meshes.forEach((mesh, m) => mesh.primitives.forEach((primitive, k) => {
		const other = small.json.meshes[m].primitives[k];
		const limits = tolerances(texelsOf(small, other, report.sizes), kind);
		for (const problem of comparePrimitives(plain, small, primitive, other, limits)) {
			problems.push(`${mesh.name}, primitive ${k}: ${problem}`);
		}
	}));
	const share = (smallBytes.length / plainBytes.length).toFixed(2);
	console.log(`${problems.length ? 'FAILED' : 'ok    '} ${name}: ${plainBytes.length} bytes become ` +
		`${smallBytes.length}, ${share}; ${report.errors} errors, ${report.warnings} warnings`);
	problems.slice(0, 8).forEach((problem) => console.log(`\t${problem}`));
	return problems.length;
}

function realMaps() {
	const shared = process.env.BSPSCENE_SHARED_DATA ?? '/nowhere';
	const maps = REAL_MAPS.map((map) => path.join(shared, map)).filter((map) => existsSync(map));
	if (maps.length) return maps;
	console.log('skipped: BSPSCENE_SHARED_DATA has none of the maps');
	return process.exit(77);
}

const [bspscene, directory, ...named] = process.argv.slice(2);
const maps = named[0] === '--real' ? realMaps() : named;
let failed = 0;
for (const map of maps) {
	for (const lighting of ['vertex', 'lightmap']) {
		for (const kind of Object.keys(KINDS)) failed += await compare(bspscene, directory, map, lighting, kind);
	}
}
process.exit(failed ? 1 : 0);
