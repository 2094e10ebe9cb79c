// memory.mjs - reads structs and strings from the module's memory, and writes options into it. Structs become plain
// objects, whose arrays are copies. So the objects stay valid when the scene is freed or the memory grows.
import { counts } from './counts.mjs';
import { constants, structs } from './layout.mjs';

const NUMBERS = {
	bool: (view, at) => view.getUint8(at) !== 0,
	u8: (view, at) => view.getUint8(at),
	i32: (view, at) => view.getInt32(at, true),
	u32: (view, at) => view.getUint32(at, true),
	u64: (view, at) => Number(view.getBigUint64(at, true)),
	f32: (view, at) => view.getFloat32(at, true),
	f64: (view, at) => view.getFloat64(at, true),
};
const SETTERS = {
	bool: (view, at, value) => view.setUint8(at, value ? 1 : 0),
	i32: (view, at, value) => view.setInt32(at, value, true),
	u32: (view, at, value) => view.setUint32(at, value, true),
	u64: (view, at, value) => view.setBigUint64(at, BigInt(value), true),
	f32: (view, at, value) => view.setFloat32(at, value, true),
	text: (view, at, value) => view.setUint32(at, value, true),
	to: (view, at, value) => view.setUint32(at, value, true),
	function: (view, at, value) => view.setUint32(at, value, true),
};
const ARRAYS = { f16: Uint16Array, f32: Float32Array, u32: Uint32Array, i32: Int32Array, u8: Uint8Array };
const SINGULAR = { meshes: 'mesh', entities: 'entity', material_passes: 'material_pass' };
// For each option, the prefix of its constants in the headers. With it, lighting: 'lightmap' means
// WRITE_LIGHTING_LIGHTMAP.
const WORDS = {
	compress: 'COMPRESS_',
	compression: 'COMPRESSION_',
	engine: 'ENGINE_',
	entity_source: 'ENTITY_SOURCE_',
	hdr_format: 'PICTURE_',
	include_mask: 'SURFACE_',
	light_range: 'LIGHT_RANGE_',
	lighting: 'WRITE_LIGHTING_',
	lightmap_encoding: 'LIGHTMAP_ENCODING_',
	lights: 'WRITE_LIGHTS_',
	merge: 'WRITE_MERGE_',
	missing: 'MISSING_',
	models: 'MODELS_',
	parts: 'PARTS_',
	picture_format: 'PICTURE_',
	sky: 'WRITE_SKY_',
	textures: 'TEXTURES_',
};

const decoder = new TextDecoder();
const encoder = new TextEncoder();

function isPointer(kind) {
	return kind[0] === 'to' || kind[0] === 'pointer';
}

export class Memory {
	constructor(core) {
		this.core = core;
	}

	// Returns the module's memory. It is a new buffer whenever the memory has grown, so no view is kept across a call.
	get buffer() {
		return this.core.HEAPU8.buffer;
	}

	view() {
		return new DataView(this.buffer);
	}

	text(pointer) {
		if (!pointer) return null;
		const bytes = new Uint8Array(this.buffer);
		return decoder.decode(bytes.subarray(pointer, bytes.indexOf(0, pointer)));
	}

	// Returns a copy of `count` numbers. Half floats of a page are not converted.
	numbers(kind, pointer, count) {
		return new ARRAYS[kind](this.buffer, pointer, count).slice();
	}

	// Copies a text into new memory, which the caller frees with core._free.
	putText(text) {
		const bytes = encoder.encode(text);
		const pointer = this.take(bytes.length + 1);
		new Uint8Array(this.buffer).set(bytes, pointer);
		return pointer;
	}

	take(size) {
		const pointer = this.core._malloc(size);
		if (!pointer) throw new Error('out of memory');
		new Uint8Array(this.buffer).fill(0, pointer, pointer + size);
		return pointer;
	}

	// Reads a record, given the name of its struct. `up` is the record that contains it. The pointers for which
	// wanted(struct, field) is true are followed.
	read(name, pointer, up, wanted = () => true) {
		const record = {};
		const view = this.view();
		const { fields } = structs[name];
		for (const [field, offset, ...kind] of fields) {
			if (!isPointer(kind)) record[field] = this.value(view, pointer + offset, kind, record, wanted);
		}
		for (const [field, offset, ...kind] of fields) {
			if (!isPointer(kind) || !wanted(name, field)) continue;
			record[field] = this.pointed(
				name,
				field,
				kind,
				view.getUint32(pointer + offset, true),
				record,
				up,
				wanted,
			);
		}
		return record;
	}

	value(view, at, kind, record, wanted) {
		switch (kind[0]) {
			case 'text':
				return this.text(view.getUint32(at, true));
			case 'chars':
				return this.text(at);
			case 'function':
				return null;
			case 'struct':
				return this.read(kind[1], at, record, wanted);
			case 'several': {
				const [, count, size, ...each] = kind;
				return Array.from({ length: count }, (_, i) => this.value(view, at + i * size, each, record, wanted));
			}
			default:
				return NUMBERS[kind[0]](view, at);
		}
	}

	// Reads what a pointer field points to: numbers, one record, or an array of records. The rules of counts.mjs give
	// the length of arrays.
	pointed(name, field, kind, pointer, record, up, wanted) {
		const rule = counts[name]?.[field];
		const count = rule ? rule(record, up) : record[`${SINGULAR[field] ?? field.slice(0, -1)}_count`];
		const [, to, struct] = kind;
		if (kind[0] === 'pointer' || to === 'numbers') {
			if (count === undefined) throw new Error(`nothing says how long ${name}.${field} is`);
			if (!pointer) return null;
			return this.numbers(
				kind[0] === 'to' ? struct : record.format === constants.LIGHTMAP_PAGE_RGB16F ? 'f16' : 'u8',
				pointer,
				count,
			);
		}
		if (count === undefined) return pointer ? this.read(struct, pointer, record, wanted) : null;
		return Array.from({ length: pointer ? count : 0 }, (_, i) => {
			if (to === 'struct') return this.read(struct, pointer + i * structs[struct].size, record, wanted);
			if (to === 'texts') return this.text(this.view().getUint32(pointer + i * 4, true));
			return this.read(struct, this.view().getUint32(pointer + i * 4, true), record, wanted);
		});
	}

	// Writes a struct of options to memory: its size, and the fields that `given` has. Returns its pointer, and a
	// function `free`.
	options(name, given) {
		const { size, fields } = structs[name];
		const taken = [this.take(size)];
		const free = () => taken.forEach((pointer) => this.core._free(pointer));
		try {
			this.view().setUint32(taken[0], size, true);
			for (const [field, value] of Object.entries(given)) {
				const found = fields.find((one) => one[0] === field && SETTERS[one[2]] && field !== 'struct_size');
				if (!found) throw new TypeError(`there is no option "${field}"`);
				const number = this.optionValue(field, found, value, taken);
				SETTERS[found[2]](this.view(), taken[0] + found[1], number);
			}
		} catch (error) {
			free();
			throw error;
		}
		return { pointer: taken[0], free };
	}

	optionValue(field, [, , kind, to, number], value, taken) {
		if (kind === 'text') {
			taken.push(this.putText(value));
			return taken.at(-1);
		}
		if (kind === 'to' && ARRAYS[number]) {
			const { BYTES_PER_ELEMENT: size } = ARRAYS[number];
			taken.push(this.take(size * value.length));
			new ARRAYS[number](this.buffer, taken.at(-1), value.length).set(value);
			return taken.at(-1);
		}
		if (kind === 'to' && to === 'texts') {
			const texts = value.map((text) => this.putText(text));
			taken.push(...texts, this.take(4 * Math.max(texts.length, 1)));
			new Uint32Array(this.buffer, taken.at(-1), texts.length).set(texts);
			return taken.at(-1);
		}
		if (typeof value === 'string') return constantOf(field, value);
		if (Array.isArray(value)) return value.reduce((bits, word) => bits | constantOf(field, word), 0);
		if (typeof value !== 'number' && typeof value !== 'boolean') throw new TypeError(`${field}: ${typeof value}`);
		return value;
	}
}

function constantOf(field, word) {
	const prefix = WORDS[field] ?? '';
	const name = prefix + word.toUpperCase();
	if (prefix && Object.hasOwn(constants, name)) return constants[name];
	throw new RangeError(`${field}: "${word}" is no value of it`);
}

// Throws an error if a struct of the library does not have the size that layout.mjs states. The files are then of
// different builds.
export function checkSizes(core) {
	for (const [name, id] of Object.entries(constants)) {
		if (!name.startsWith('STRUCT_')) continue;
		const struct = name
			.slice(7)
			.split('_')
			.map((word) => word[0] + word.slice(1).toLowerCase())
			.join('');
		const size = core._bspscene_struct_size(id);
		if (structs[struct]?.size !== size)
			throw new Error(`${struct} has ${size} bytes, not ${structs[struct]?.size}`);
	}
}
