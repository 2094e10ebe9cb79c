/* swap_source.c - see swap_source.h. A record is described by letters, as in Python's struct module: B is a byte, H two
 * bytes, I four. A number before a letter repeats it. */
#include "support/source/swap_source.h"

#include <stdlib.h>
#include <string.h>

#include "io/lzma.h"
#include "support/store.h"

enum { LUMPS = 64, ENTRY = 16, DIRECTORY = 8, REVISION = 1032, HEADER = 1036, GAME = 35, VISIBILITY = 4 };

static const char *const records[LUMPS] = {
	[1] = "5I", [2] = "8I", [3] = "I", [5] = "3I10H", [6] = "18I", [7] = "H2BI4H4B7I2HI", [10] = "I14H",
	[11] = "H", [12] = "H", [13] = "I", [14] = "I", [15] = "I", [16] = "H", [17] = "H", [18] = "I", [19] = "3H2B",
	[20] = "I", [21] = "4HI", [26] = "9IH2B2IH4BH4BH4BH4BH4BH4BH4BH4B4H2B4H2B4H2B4H2B10I",
	[27] = "H2BI4H4B7I2HI", [30] = "I", [31] = "H", [33] = "I", [36] = "IIHH", [37] = "2B4H", [38] = "I", [39] = "H",
	[42] = "3I4B", [44] = "I", [45] = "I2H64I22I", [46] = "H", [48] = "H", [50] = "I2H256I22I", [51] = "H", [52] = "H",
	[54] = "I", [58] = "H2BI4H4B7I2HI", [60] = "I", [63] = "I",
};

/* ---- Numbers ----------------------------------------------------------------------------------------------- */

static void turn(uint8_t *p, size_t size)
{
	for (size_t i = 0; i < size / 2; i++) {
		uint8_t kept = p[i];
		p[i] = p[size - 1 - i];
		p[size - 1 - i] = kept;
	}
}

/* Byte-swaps the numbers of one record, or of the part of it before `end`. Returns the position after the record, at
 * most `end`. */
static uint8_t *turn_record(const char *letters, uint8_t *p, const uint8_t *end)
{
	for (const char *c = letters; *c; c++) {
		unsigned long count = 1;
		if (*c >= '0' && *c <= '9') {
			char *after;
			count = strtoul(c, &after, 10);
			c = after;
		}
		size_t size = *c == 'I' ? 4 : *c == 'H' ? 2 : 1;
		for (; count && (size_t)(end - p) >= size; count--, p += size) turn(p, size);
		if (count) return (uint8_t *)end;
	}
	return p;
}

static void turn_records(const char *letters, uint8_t *p, const uint8_t *end)
{
	while (p < end) p = turn_record(letters, p, end);
}

/* ---- The game lump ----------------------------------------------------------------------------------------- */

static const char *prop_letters(uint32_t version, size_t size)
{
	static const struct {
		uint32_t version;
		size_t size;
		const char *letters;
	} known[] = {
		{ 4, 56, "6I3H2B6I" }, { 5, 60, "6I3H2B7I" }, { 6, 64, "6I3H2B7I2H" }, { 7, 68, "6I3H2B7I2H4B" },
		{ 7, 72, "6I3H2B7I2HI2H" }, { 8, 68, "6I3H2B7I8B" }, { 9, 72, "6I3H2B7I8BI" }, { 10, 72, "6I3H2B7I2HI2H" },
		{ 10, 76, "6I3H2B7I8B2I" }, { 11, 80, "6I3H2B7I8B3I" },
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (known[i].version == version && known[i].size == size) return known[i].letters;
	}
	bspt_die("know", "records of static props of this size");
}

/* Byte-swaps a count and that many records of `size` bytes. Returns the position after them. */
static uint8_t *turn_list(const char *letters, size_t size, uint8_t *p, const uint8_t *end)
{
	if (end - p < 4) return (uint8_t *)end;
	size_t total = bspi_load_u32(p) * size;
	turn(p, 4);
	if (total > (size_t)(end - p) - 4) bspt_die("turn", "a list that is longer than its part");
	turn_records(letters, p + 4, p + 4 + total);
	return p + 4 + total;
}

static void turn_part(uint32_t id, uint32_t version, uint8_t *p, const uint8_t *end)
{
	bool props = id == 0x73707270u, details = id == 0x64707270u;
	if (!props && !details) return;
	p = turn_list("B", 128, p, end);
	if (details) {
		p = turn_list("I", 32, p, end);
		turn_list("6I2H4BI12BI", 52, p, end);
		return;
	}
	p = turn_list("H", 2, p, end);
	if (end - p < 4) return;
	uint32_t count = bspi_load_u32(p);
	turn_list(count ? prop_letters(version, (size_t)(end - p - 4) / count) : "B",
	          count ? (size_t)(end - p - 4) / count : 1, p, end);
}

/* Byte-swaps the game lump, and makes the offsets of its parts relative to the lump instead of the file. */
static void turn_game_lump(uint8_t *p, size_t size, size_t at)
{
	if (size < 4) return;
	uint32_t count = bspi_load_u32(p);
	for (uint32_t i = 0; i < count; i++) {
		uint8_t *entry = p + 4 + ENTRY * (size_t)i;
		uint32_t id = bspi_load_u32(entry), kind = bspi_load_u32(entry + 4);
		uint32_t flags = kind & 0xffff, version = kind >> 16;
		uint32_t offset = bspi_load_u32(entry + 8), part = bspi_load_u32(entry + 12);
		if (flags) bspt_die("turn", "a compressed part of a game lump");
		if (part && (offset < at || offset - at > size || part > size - (offset - at))) {
			bspt_die("turn", "a part outside of its game lump");
		}
		if (part) turn_part(id, version, p + offset - at, p + offset - at + part);
		bspt_store_u32(entry + 8, part ? offset - (uint32_t)at : 0);
		turn_record("I2H2I", entry, entry + ENTRY);
	}
	turn(p, 4);
}

/* ---- Lumps ------------------------------------------------------------------------------------------------- */

static void turn_lump(uint32_t slot, uint8_t *p, size_t size, size_t at)
{
	if (slot == GAME) {
		turn_game_lump(p, size, at);
	} else if (slot == VISIBILITY && size >= 4) {
		size_t numbers = 4 * (1 + 2 * (size_t)bspi_load_u32(p));
		turn_records("I", p, p + (numbers < size ? numbers : size));
	} else if (records[slot]) {
		turn_records(records[slot], p, p + size);
	}
}

/* Appends the lump's bytes to the copy; returns their number. */
static size_t append(bspt_bytes *copy, const uint8_t *from, size_t size)
{
	bspi_ctx ctx = { .file = "swapped.bsp", .budget = { .limit = 512u << 20 } };
	bspi_bytes bytes = bspi_bytes_of(from, size);
	bspi_begin_memory(&ctx);
	if (bspi_is_valve_lzma(bytes) && !bspi_read_valve_lzma(&ctx, bytes, BSPI_LUMP("lump"), true, &bytes)) {
		bspt_die("unpack", "a lump");
	}
	uint8_t *grown = realloc(copy->data, copy->size + bytes.size + 4);
	if (!grown) bspt_die("allocate", "a lump");
	copy->data = grown;
	memcpy(copy->data + copy->size, bytes.data, bytes.size);
	memset(copy->data + copy->size + bytes.size, 0, 4);
	copy->size += (bytes.size + 3) / 4 * 4;
	bspi_end_memory(&ctx);
	return bytes.size;
}

bspt_bytes bspt_swap_source(const uint8_t *data, size_t size, bool version_first)
{
	bspt_bytes copy = { malloc(HEADER), HEADER };
	if (!copy.data || size < HEADER) bspt_die("turn", "a map");
	memcpy(copy.data, data, HEADER);
	memcpy(copy.data, "PSBV", 4);
	turn(copy.data + 4, 4);
	turn(copy.data + REVISION, 4);
	for (uint32_t slot = 0; slot < LUMPS; slot++) {
		uint32_t numbers[4];
		for (int k = 0; k < 4; k++) numbers[k] = bspi_load_u32(data + DIRECTORY + ENTRY * slot + 4 * k);
		uint32_t offset = numbers[version_first], length = numbers[1 + version_first], at = (uint32_t)copy.size;
		bool there = length && offset <= size && length <= size - offset;
		size_t whole = there ? append(&copy, data + offset, length) : 0;
		/* In the game lump, offsets are still relative to the old file. */
		if (there) turn_lump(slot, copy.data + at, whole, slot == GAME ? offset : at);
		numbers[version_first] = there ? at : 0;
		numbers[1 + version_first] = (uint32_t)whole;
		numbers[3] = 0;
		for (int k = 0; k < 4; k++) {
			uint8_t *entry = copy.data + DIRECTORY + ENTRY * slot + 4 * k;
			bspt_store_u32(entry, numbers[k]);
			turn(entry, 4);
		}
	}
	return copy;
}
