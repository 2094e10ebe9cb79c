/* build_map.c - writes neutral arrays to a file by the layout tables: the reverse of map/read.c. See build_map.h. */
#include "support/make/build_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/source/swap_source.h"

static const struct {
	const char *family;
	void (*room)(const bspi_variant *variant, bspt_parts *parts);
} builders[] = {
	{ "quake", bspt_room_quake },
	{ "goldsrc", bspt_room_goldsrc },
	{ "quake2", bspt_room_quake2 },
	{ "quake3", bspt_room_quake3 },
	{ "source", bspt_room_source },
	{ "uebertools", bspt_room_uebertools },
	{ "nightfire", bspt_room_nightfire },
	{ "ufoai", bspt_room_ufoai },
	{ "callofduty", bspt_room_callofduty },
	{ "callofduty4", bspt_room_callofduty4 },
	{ "genesis3d", bspt_room_genesis3d },
	{ "respawn", bspt_room_respawn },
};

static size_t file_element_size(uint8_t type)
{
	switch (type) {
	case BSPI_U16: case BSPI_I16: return 2;
	case BSPI_U32: case BSPI_I32: case BSPI_F32: return 4;
	default: return 1;
	}
}

/* Returns an element in memory as an integer for the file. If the element is a float, it is truncated. */
static uint32_t memory_integer(uint8_t type, const uint8_t *p)
{
	float number;
	uint32_t integer;
	switch (type) {
	case BSPI_MEMORY_U8: case BSPI_MEMORY_CHAR: return *p;
	case BSPI_MEMORY_F32:
		memcpy(&number, p, sizeof number);
		return number < 0 ? (uint32_t)(int32_t)number : (uint32_t)number;
	default:
		memcpy(&integer, p, sizeof integer);
		return integer;
	}
}

static void encode_field(const bspi_field *field, const uint8_t *record, uint8_t *out)
{
	size_t file_step = file_element_size(field->file_type), memory_step = BSPI_TYPE_SIZE(field->memory_type);
	for (uint16_t i = 0; i < field->count; i++) {
		const uint8_t *p = record + field->memory_offset + i * memory_step;
		uint8_t *q = out + field->file_offset + i * file_step;
		uint32_t value;
		/* Copies the bits, so that NaNs stay unchanged. */
		if (field->file_type == BSPI_F32) memcpy(&value, p, sizeof value);
		else value = memory_integer(field->memory_type, p);
		for (size_t k = 0; k < file_step; k++) q[k] = (uint8_t)(value >> 8 * k);
	}
}

void bspt_encode(const bspi_layout *layout, const void *records, uint32_t count, uint8_t *out)
{
	for (uint32_t r = 0; r < count; r++) {
		const uint8_t *record = (const uint8_t *)records + (size_t)r * layout->memory_size;
		for (uint16_t i = 0; i < layout->field_count; i++) {
			if (layout->fields[i].file_type == BSPI_SKIP) continue;
			encode_field(&layout->fields[i], record, out + (size_t)r * layout->file_size);
		}
	}
}

/* Returns the records of the array `id` of the map. *count becomes their number. */
static const void *array_of(const bspi_map *map, uint16_t id, uint32_t *count)
{
	const void *records;
	memcpy(&records, (const uint8_t *)map + bspi_array_infos[id].data_offset, sizeof records);
	memcpy(count, (const uint8_t *)map + bspi_array_infos[id].count_offset, sizeof *count);
	return records;
}

static void store_u32(uint8_t *p, size_t value)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
}

size_t bspt_directory_at(const bspi_variant *variant)
{
	for (uint32_t i = 0; i < bspi_family_count; i++) {
		const bspi_family *family = bspi_families[i];
		if (variant < family->variants || variant >= family->variants + family->variant_count) continue;
		return family->directory_at + (family->directory_moved ? family->directory_moved(variant) : 0);
	}
	bspt_die("find the family of", variant->name);
	return 0;
}

/* Returns the size of a lump in bytes: that of its raw bytes, or of the longest array that it holds. */
static size_t lump_size(const bspi_variant *variant, const bspt_parts *parts, uint32_t slot)
{
	size_t size = parts->raw[slot].size;
	for (uint32_t i = 0; i < variant->lump_row_count; i++) {
		uint32_t count;
		if (variant->lumps[i].slot != slot) continue;
		array_of(&parts->map, variant->lumps[i].array, &count);
		size_t wanted = (size_t)count * variant->lumps[i].layout->file_size;
		if (wanted > size) size = wanted;
	}
	return size;
}

static void fill_lump(const bspi_variant *variant, const bspt_parts *parts, uint32_t slot, uint8_t *out)
{
	if (parts->raw[slot].size) memcpy(out, parts->raw[slot].data, parts->raw[slot].size);
	for (uint32_t i = 0; i < variant->lump_row_count; i++) {
		uint32_t count;
		if (variant->lumps[i].slot != slot) continue;
		const void *records = array_of(&parts->map, variant->lumps[i].array, &count);
		bspt_encode(variant->lumps[i].layout, records, count, out);
	}
}

static void store_entry(const bspt_parts *parts, uint32_t slot, size_t offset, size_t size, uint8_t *directory)
{
	uint32_t place = parts->swap_first && slot < 2 ? 1 - slot : slot;
	uint8_t *entry = directory + (parts->versions ? 16 : 8) * (size_t)place;
	if (parts->versions) store_u32(entry + (parts->version_first ? 0 : 8), parts->version[slot]);
	if (parts->version_first) entry += 4;
	store_u32(entry, parts->size_first ? size : offset);
	store_u32(entry + 4, parts->size_first ? offset : size);
}

/* Writes the chunks' types and sizes to the directory. Returns the number of chunks. */
static uint32_t store_chunks(const bspi_variant *variant, const bspt_parts *parts, uint8_t *directory)
{
	uint32_t count = 0;
	for (uint32_t slot = 0; slot < parts->lump_count; slot++) {
		size_t size = lump_size(variant, parts, slot);
		if (!size) continue;
		if (directory) {
			store_u32(directory + 8 * (size_t)count, slot);
			store_u32(directory + 8 * (size_t)count + 4, size);
		}
		count++;
	}
	if (directory) store_u32(directory - 4, count);
	return count;
}

static size_t record_size_of(const bspi_variant *variant, const bspt_parts *parts, uint32_t slot)
{
	for (uint32_t i = 0; i < variant->lump_row_count; i++) {
		if (variant->lumps[i].slot == slot) return variant->lumps[i].layout->file_size;
	}
	return parts->record_size[slot] ? parts->record_size[slot] : 1;
}

static bspt_bytes encode_with_heads(const bspi_variant *variant, const bspt_parts *parts)
{
	enum { HEAD = 12, END = 0xffff };
	size_t size = HEAD, at = 0;
	for (uint32_t slot = 0; slot < parts->lump_count; slot++) size += HEAD + lump_size(variant, parts, slot);
	bspt_bytes file = { calloc(size, 1), 0 };
	if (!file.data) bspt_die("allocate", "a map");
	for (uint32_t slot = 0; slot < parts->lump_count; slot++) {
		size_t wanted = lump_size(variant, parts, slot), record = record_size_of(variant, parts, slot);
		if (!wanted) continue;
		store_u32(file.data + at, slot);
		store_u32(file.data + at + 4, record);
		store_u32(file.data + at + 8, wanted / record);
		fill_lump(variant, parts, slot, file.data + at + HEAD);
		at += HEAD + wanted;
	}
	store_u32(file.data + at, END);
	file.size = at + HEAD;
	return file;
}

enum { BSPX_HEAD = 8, BSPX_NAME = 24, BSPX_ENTRY = BSPX_NAME + 8 };

static size_t bspx_size(const bspt_parts *parts)
{
	size_t size = parts->bspx_count ? BSPX_HEAD + (size_t)parts->bspx_count * BSPX_ENTRY : 0;
	for (uint32_t i = 0; i < parts->bspx_count; i++) size += parts->bspx[i].bytes.size;
	return size;
}

static void fill_bspx(const bspt_parts *parts, uint8_t *file, size_t at)
{
	uint8_t *head = file + at;
	if (!parts->bspx_count) return;
	memcpy(head, "BSPX", 4);
	store_u32(head + 4, parts->bspx_count);
	at += BSPX_HEAD + (size_t)parts->bspx_count * BSPX_ENTRY;
	for (uint32_t i = 0; i < parts->bspx_count; i++) {
		const bspt_bspx *lump = &parts->bspx[i];
		uint8_t *entry = head + BSPX_HEAD + (size_t)i * BSPX_ENTRY;
		memcpy(entry, lump->name, strlen(lump->name));
		store_u32(entry + BSPX_NAME, at);
		store_u32(entry + BSPX_NAME + 4, lump->bytes.size);
		if (lump->bytes.size) memcpy(file + at, lump->bytes.data, lump->bytes.size);
		at += lump->bytes.size;
	}
}

bspt_bytes bspt_encode_parts(const bspi_variant *variant, const bspt_parts *parts)
{
	if (parts->heads) return encode_with_heads(variant, parts);
	size_t directory = bspt_directory_at(variant);
	size_t entries = parts->chunks ? store_chunks(variant, parts, NULL) : parts->lump_count;
	size_t data = directory + (parts->versions ? 16 * entries + 4 : 8 * entries), size = data;
	for (uint32_t slot = 0; slot < parts->lump_count; slot++) size += (lump_size(variant, parts, slot) + 3) / 4 * 4;

	size_t bspx_at = size;
	size += bspx_size(parts);
	bspt_bytes file = { calloc(size, 1), size };
	if (!file.data) bspt_die("allocate", "a map");
	memcpy(file.data, variant->magic, variant->magic[0] ? 4 : 0);
	if (variant->version) store_u32(file.data + (variant->magic[0] ? 4 : 0), (uint32_t)variant->version);
	if (parts->chunks) store_chunks(variant, parts, file.data + directory);
	size_t at = data;
	for (uint32_t slot = 0; slot < parts->lump_count; slot++) {
		size_t wanted = lump_size(variant, parts, slot);
		if (!parts->chunks) store_entry(parts, slot, at, wanted, file.data + directory);
		fill_lump(variant, parts, slot, file.data + at);
		for (uint32_t i = 0; i < parts->moved_count; i++) {
			uint8_t *number = file.data + at + parts->moved[i].at;
			if (parts->moved[i].slot == slot) store_u32(number, bspi_load_u32(number) + at);
		}
		at += (wanted + 3) / 4 * 4;
	}
	fill_bspx(parts, file.data, bspx_at);
	if (strcmp(variant->magic, "PSBV")) return file;
	bspt_bytes swapped = bspt_swap_source(file.data, file.size, parts->version_first);
	free(file.data);
	return swapped;
}

bspscene_scene *bspt_load_parts(const bspi_variant *variant, const bspt_parts *parts,
                                const bspscene_load_options *options)
{
	bspscene_error error;
	bspt_bytes file = bspt_encode_parts(variant, parts);
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, options, &error);
	if (!scene) bspt_die("load", error.message);
	free(file.data);
	return scene;
}

bool bspt_room_parts(const bspi_family *family, const bspi_variant *variant, bspt_parts *parts)
{
	*parts = (bspt_parts){ .lump_count = 0 };
	for (uint32_t i = 0; i < BSPI_MAX_LUMPS; i++) parts->raw[i] = BSPI_NO_BYTES;
	for (size_t i = 0; i < sizeof builders / sizeof *builders; i++) {
		if (strcmp(builders[i].family, family->about.name)) continue;
		builders[i].room(variant, parts);
		return true;
	}
	return false;
}

bspt_bytes bspt_build_room(const bspi_family *family, const bspi_variant *variant)
{
	bspt_parts parts;
	if (!bspt_room_parts(family, variant, &parts)) {
		const char *name = family->about.name;
		fprintf(stderr, "the family %s has no room, which tests load, damage and write; write bspt_room_%s in "
		        "tests/support/rooms/build_%s.c, declare it in tests/support/make/build_map.h, and add the row "
		        "{ \"%s\", bspt_room_%s } to `builders` in build_map.c\n", name, name, name, name, name);
		abort();
	}
	return bspt_encode_parts(variant, &parts);
}

bspt_bytes bspt_build_named_room(const char *variant)
{
	for (uint32_t i = 0; i < bspi_family_count; i++) {
		for (uint32_t k = 0; k < bspi_families[i]->variant_count; k++) {
			const bspi_variant *one = &bspi_families[i]->variants[k];
			if (!strcmp(one->name, variant)) return bspt_build_room(bspi_families[i], one);
		}
	}
	bspt_die("find the variant", variant);
}

const bspi_variant *bspt_find_variant(const bspi_family *family, const char *name)
{
	for (uint32_t i = 0; i < family->variant_count; i++) {
		if (!strcmp(family->variants[i].name, name)) return &family->variants[i];
	}
	bspt_die("find the variant", name);
}

const char *bspt_variant_name(const bspi_family *family, const bspi_variant *variant)
{
	static char name[64];
	snprintf(name, sizeof name, "%s-%s", family->about.name, variant->name);
	return name;
}
