/* fbx_record.c - see fbx_record.h. */
#include "writers/fbx/fbx_record.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define WIDE_VERSION 7500u
#define FOOTER_ALIGNMENT 16u
#define FOOTER_ZEROS 120u

static const char magic[23] = "Kaydara FBX Binary  \0\x1a";
/* footer_id is a checksum of the FileId and the CreationTime that fbx.c writes, so it must match these. All three
 * values are those that Blender's exporter has always written. The SDK accepts them. */
static const uint8_t footer_id[16] = {
	0xFA, 0xBC, 0xAB, 0x09, 0xD0, 0xC8, 0xD4, 0x66, 0xB1, 0x76, 0xFB, 0x83, 0x1C, 0xF7, 0x26, 0x7E,
};
static const uint8_t footer_end[16] = {
	0xF8, 0x5A, 0x8C, 0x6A, 0xDE, 0xF5, 0xD9, 0x7E, 0xEC, 0xE9, 0x0C, 0xE3, 0x75, 0x8F, 0x29, 0x0B,
};

/* ---- Bytes ------------------------------------------------------------------------------------------------ */

static void put(bspi_fbx_file *file, const void *data, size_t size)
{
	if (!file->writer->failure.status) bspi_buffer_add(&file->bytes, data, size);
}

static void put_zeros(bspi_fbx_file *file, size_t count)
{
	static const uint8_t zeros[FOOTER_ZEROS];
	assert(count <= sizeof zeros);
	put(file, zeros, count);
}

static void store(uint8_t *out, uint64_t value, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++) out[i] = (uint8_t)(value >> 8 * i);
}

static void put_integer(bspi_fbx_file *file, uint64_t value, uint32_t size)
{
	uint8_t bytes[8];
	store(bytes, value, size);
	put(file, bytes, size);
}

/* ---- Records ---------------------------------------------------------------------------------------------- */

static uint32_t field_size(const bspi_fbx_file *file)
{
	return file->version >= WIDE_VERSION ? 8 : 4;
}

static uint32_t head_size(const bspi_fbx_file *file)
{
	return 3 * field_size(file) + 1;
}

static void store_field(bspi_fbx_file *file, size_t record, uint32_t field, uint64_t value)
{
	uint32_t size = field_size(file);
	store(file->bytes.data + record + field * size, value, size);
}

/* Ends the list of properties of the record that was opened last. It is called before each child record and at the
 * end of the record; only the first call has an effect. */
static void end_properties(bspi_fbx_file *file)
{
	if (!file->depth) return;
	bspi_fbx_open_record *record = &file->open[file->depth - 1];
	if (!record->end_of_properties) record->end_of_properties = file->bytes.size;
}

void bspi_fbx_open(bspi_fbx_file *file, const char *name)
{
	size_t length = strlen(name);
	assert(file->depth < BSPI_FBX_MAX_DEPTH && length <= UINT8_MAX);
	end_properties(file);
	bspi_fbx_open_record *record = &file->open[file->depth++];
	*record = (bspi_fbx_open_record){ .begin = file->bytes.size };
	put_zeros(file, head_size(file) - 1);
	put_integer(file, length, 1);
	put(file, name, length);
	record->first_property = file->bytes.size;
}

void bspi_fbx_close(bspi_fbx_file *file)
{
	assert(file->depth);
	bspi_fbx_open_record *record = &file->open[file->depth - 1];
	bool has_children = record->end_of_properties != 0;
	end_properties(file);
	file->depth--;
	if (has_children || !record->property_count) put_zeros(file, head_size(file));
	if (file->writer->failure.status) return;
	file->too_large = file->too_large || (field_size(file) == 4 && file->bytes.size > UINT32_MAX);
	store_field(file, record->begin, 0, file->bytes.size);
	store_field(file, record->begin, 1, record->property_count);
	store_field(file, record->begin, 2, record->end_of_properties - record->first_property);
}

/* ---- Properties ------------------------------------------------------------------------------------------- */

static void begin_property(bspi_fbx_file *file, char type)
{
	assert(file->depth && !file->open[file->depth - 1].end_of_properties);
	file->open[file->depth - 1].property_count++;
	put(file, &type, 1);
}

void bspi_fbx_add_bool(bspi_fbx_file *file, bool value)
{
	begin_property(file, 'C');
	put_integer(file, value, 1);
}

void bspi_fbx_add_i32(bspi_fbx_file *file, int32_t value)
{
	begin_property(file, 'I');
	put_integer(file, (uint32_t)value, 4);
}

void bspi_fbx_add_i64(bspi_fbx_file *file, int64_t value)
{
	begin_property(file, 'L');
	put_integer(file, (uint64_t)value, 8);
}

void bspi_fbx_add_f64(bspi_fbx_file *file, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	begin_property(file, 'D');
	put_integer(file, bits, 8);
}

static void add_bytes(bspi_fbx_file *file, char type, const void *data, size_t size)
{
	if (size > UINT32_MAX) {
		bspi_writer_fail(file->writer, BSPSCENE_ERROR_LIMIT,
		                 "a picture or text of %" PRIu64 " MiB is too large for FBX", (uint64_t)size >> 20);
		return;
	}
	begin_property(file, type);
	put_integer(file, size, 4);
	put(file, data, size);
}

void bspi_fbx_add_text(bspi_fbx_file *file, const char *text)
{
	add_bytes(file, 'S', text, strlen(text));
}

void bspi_fbx_add_raw(bspi_fbx_file *file, const void *data, size_t size)
{
	add_bytes(file, 'R', data, size);
}

void bspi_fbx_add_name(bspi_fbx_file *file, const char *name, const char *kind)
{
	size_t length = strlen(name), size = length + 2 + strlen(kind);
	begin_property(file, 'S');
	put_integer(file, size, 4);
	size_t begin = file->bytes.size;
	put(file, name, length);
	put(file, "\0\1", 2);
	put(file, kind, strlen(kind));
	if (file->writer->failure.status) return;
	for (size_t i = 0; i < length; i++) {
		if (file->bytes.data[begin + i] < 0x20) file->bytes.data[begin + i] = '_';
	}
}

/* ---- Arrays ----------------------------------------------------------------------------------------------- */

bool bspi_fbx_reserve(bspi_fbx_file *file, size_t size, bspscene_error *error)
{
	file->bytes.error = error;
	bool has_room = bspi_buffer_reserve(&file->bytes, size);
	file->bytes.error = NULL;
	return has_room;
}

void bspi_fbx_add_array(bspi_fbx_file *file, const bspi_fbx_array *array)
{
	bool packed = array->packed_size != 0;
	size_t stored = packed ? array->packed_size : array->size;
	if (array->size > UINT32_MAX) {
		bspi_writer_fail(file->writer, BSPSCENE_ERROR_LIMIT, "an array of %" PRIu64 " MiB is too large for FBX",
		                 (uint64_t)array->size >> 20);
		return;
	}
	begin_property(file, array->type);
	put_integer(file, array->size / bspi_fbx_element_size(array->type), 4);
	put_integer(file, packed, 4);
	put_integer(file, stored, 4);
	put(file, packed ? array->packed : array->elements, stored);
}

bspi_fbx_array *bspi_fbx_begin_array(bspi_fbx_file *file, char type, size_t most)
{
	bspi_arena_rewind(&file->arena);
	if (!bspi_fbx_make_array(&file->array, &file->arena, type, most)) bspi_writer_fail_memory(file->writer);
	return &file->array;
}

void bspi_fbx_end_array(bspi_fbx_file *file)
{
	if (!bspi_fbx_pack_array(file, &file->array, &file->arena)) bspi_writer_fail_memory(file->writer);
	bspi_fbx_add_array(file, &file->array);
}

void bspi_fbx_set_i32(bspi_fbx_file *file, size_t place, int32_t value)
{
	assert(place + 4 <= file->bytes.size);
	store(file->bytes.data + place, (uint32_t)value, 4);
}

/* ---- Files ------------------------------------------------------------------------------------------------ */

void bspi_fbx_i32(bspi_fbx_file *file, const char *name, int32_t value)
{
	bspi_fbx_open(file, name);
	bspi_fbx_add_i32(file, value);
	bspi_fbx_close(file);
}

void bspi_fbx_text(bspi_fbx_file *file, const char *name, const char *text)
{
	bspi_fbx_open(file, name);
	bspi_fbx_add_text(file, text);
	bspi_fbx_close(file);
}

void bspi_fbx_begin_file(bspi_fbx_file *file, bspi_writer *writer, uint32_t version)
{
	*file = (bspi_fbx_file){
		.writer = writer, .version = version, .bytes = { .writer = writer },
	};
	bspi_arena_init(&file->arena, &writer->budget);
	put(file, magic, sizeof magic);
	put_integer(file, version, 4);
}

void bspi_fbx_end_file(bspi_fbx_file *file)
{
	assert(!file->depth);
	put_zeros(file, head_size(file));
	put(file, footer_id, sizeof footer_id);
	put_zeros(file, 4);
	put_zeros(file, FOOTER_ALIGNMENT - file->bytes.size % FOOTER_ALIGNMENT);
	put_integer(file, file->version, 4);
	put_zeros(file, FOOTER_ZEROS);
	put(file, footer_end, sizeof footer_end);
}

void bspi_fbx_free_file(bspi_fbx_file *file)
{
	bspi_buffer_free(&file->bytes);
	bspi_arena_reset(&file->arena);
	bspi_fbx_free_packers(file);
}
