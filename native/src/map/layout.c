/* layout.c - decodes records by tables of fields, for all formats. See layout.h.
 *
 * A table is first converted to moves. Neighboring fields that need no conversion become a single move, which is a
 * copy. So a single memcpy decodes planes, edges or draw vertices. Other records take a copy or conversion for each
 * column of fields. */
#include "map/layout.h"

#include <assert.h>

#define MAX_MOVES 64
#define BLOCK 64u                      /* number of records that are decoded column by column, few enough to stay in the
                                        * cache */

typedef struct move {
	uint16_t from, to, count;
	uint8_t file_type, memory_type;    /* bspi_file_type and bspi_memory_type of the elements */
	bool bytes;                        /* true: `count` bytes are copied; false: `count` elements are converted */
} move;

static bool host_is_little_endian(void)
{
	const uint16_t one = 1;
	uint8_t first;
	memcpy(&first, &one, 1);
	return first == 1;
}

static inline uint16_t file_size_of(uint8_t type)
{
	switch (type) {
	case BSPI_U16: case BSPI_I16: return 2;
	case BSPI_U32: case BSPI_I32: case BSPI_F32: return 4;
	default: return 1;
	}
}

/* True if a value has the same bits in the file and in memory. This is true for signed and unsigned 32-bit integers. */
static bool same_bits(const bspi_field *field)
{
	switch (field->memory_type) {
	case BSPI_MEMORY_U8: return field->file_type == BSPI_U8;
	case BSPI_MEMORY_CHAR: return field->file_type == BSPI_CHARS;
	case BSPI_MEMORY_I32: case BSPI_MEMORY_U32: return field->file_type == BSPI_I32 || field->file_type == BSPI_U32;
	case BSPI_MEMORY_F32: return field->file_type == BSPI_F32;
	default: return false;
	}
}

static uint32_t fold(const bspi_layout *layout, move *moves)
{
	bool little = host_is_little_endian();
	uint32_t count = 0;
	for (uint32_t i = 0; i < layout->field_count; i++) {
		const bspi_field *field = &layout->fields[i];
		if (field->file_type == BSPI_SKIP) continue;
		uint16_t size = file_size_of(field->file_type);
		move next = {
			field->file_offset, field->memory_offset, field->count, field->file_type, field->memory_type, false,
		};
		next.bytes = same_bits(field) && (little || size == 1);
		if (next.bytes) next.count = (uint16_t)(field->count * size);
		move *last = count ? &moves[count - 1] : NULL;
		if (last && last->bytes && next.bytes && last->from + last->count == next.from &&
		    last->to + last->count == next.to) {
			last->count = (uint16_t)(last->count + next.count);
		} else {
			assert(count < MAX_MOVES);
			moves[count++] = next;
		}
	}
	return count;
}

/* Copies a column of fields with `size` bytes each. Callers pass a constant `size`, so that the compiler inlines the
 * memcpy. */
static inline void copy_column(const bspi_layout *layout, const uint8_t *from, uint8_t *to, uint32_t count, size_t size)
{
	size_t file_size = layout->file_size, memory_size = layout->memory_size;
	for (uint32_t i = 0; i < count; i++, from += file_size, to += memory_size) memcpy(to, from, size);
}

static void copy_bytes(const bspi_layout *layout, const uint8_t *from, uint8_t *to, uint32_t count, size_t size)
{
	switch (size) {
	case 4: copy_column(layout, from, to, count, 4); break;
	case 8: copy_column(layout, from, to, count, 8); break;
	case 12: copy_column(layout, from, to, count, 12); break;
	case 16: copy_column(layout, from, to, count, 16); break;
	case 20: copy_column(layout, from, to, count, 20); break;
	case 32: copy_column(layout, from, to, count, 32); break;
	default: copy_column(layout, from, to, count, size); break;
	}
}

static inline int64_t load_integer(uint8_t type, const uint8_t *p)
{
	switch (type) {
	case BSPI_U8: return p[0];
	case BSPI_I8: return p[0] < 128 ? p[0] : p[0] - 256;
	case BSPI_U16: return bspi_load_u16(p);
	case BSPI_I16: return bspi_load_i16(p);
	case BSPI_U32: return bspi_load_u32(p);
	default: return bspi_load_i32(p);
	}
}

static inline void convert_element(uint8_t file_type, uint8_t memory_type, const uint8_t *from, uint8_t *to)
{
	/* Floats are copied as bits, because a conversion would change signalling NaNs. */
	if (memory_type == BSPI_MEMORY_F32 && file_type != BSPI_F32) {
		float value = (float)load_integer(file_type, from);
		memcpy(to, &value, sizeof value);
	} else if (memory_type == BSPI_MEMORY_U8) {
		*to = *from;
	} else {
		uint32_t value = (uint32_t)load_integer(file_type, from);
		memcpy(to, &value, sizeof value);
	}
}

/* Numbers to convert: `count` groups of `elements` adjacent numbers. The steps are the bytes from one group to the
 * next. */
typedef struct column {
	const uint8_t *from;
	uint8_t *to;
	size_t file_step, memory_step;
	uint32_t count, elements;
} column;

/* Converts a column. Callers pass constant types, so that the compiler makes a loop for each pair of types. */
static inline void convert_as(column c, uint8_t file_type, uint8_t memory_type)
{
	size_t file_size = file_size_of(file_type), memory_size = BSPI_TYPE_SIZE(memory_type);
	for (uint32_t i = 0; i < c.count; i++, c.from += c.file_step, c.to += c.memory_step) {
		for (uint32_t k = 0; k < c.elements; k++) {
			convert_element(file_type, memory_type, c.from + k * file_size, c.to + k * memory_size);
		}
	}
}

static void convert_column(const bspi_layout *layout, const move *m, const uint8_t *from, uint8_t *to, uint32_t count)
{
	uint8_t file_type = m->file_type, memory_type = m->memory_type;
	bool is_whole = layout->file_size == m->count * file_size_of(file_type) &&
	                layout->memory_size == m->count * BSPI_TYPE_SIZE(memory_type);
	column c = { from, to, layout->file_size, layout->memory_size, count, m->count };
	/* If a record is a single array of numbers of one type, all records are converted as a single array. */
	if (is_whole) c = (column){ from, to, 0, 0, 1, count * m->count };
	bool integers = memory_type == BSPI_MEMORY_I32 || memory_type == BSPI_MEMORY_U32;
	if (integers && file_type == BSPI_U16) convert_as(c, BSPI_U16, BSPI_MEMORY_U32);
	else if (integers && file_type == BSPI_I16) convert_as(c, BSPI_I16, BSPI_MEMORY_I32);
	else if (memory_type == BSPI_MEMORY_F32 && file_type == BSPI_I16) convert_as(c, BSPI_I16, BSPI_MEMORY_F32);
	else convert_as(c, file_type, memory_type);
}

static bool is_one_copy(const bspi_layout *layout, const move *moves, uint32_t move_count)
{
	return move_count == 1 && moves[0].bytes && moves[0].count == layout->file_size &&
	       layout->file_size == layout->memory_size;
}

static void decode_block(const bspi_layout *layout, const move *moves, uint32_t move_count, const uint8_t *bytes,
                         uint32_t count, uint8_t *out)
{
	for (uint32_t i = 0; i < move_count; i++) {
		const move *m = &moves[i];
		const uint8_t *from = bytes + m->from;
		uint8_t *to = out + m->to;
		if (m->bytes) copy_bytes(layout, from, to, count, m->count);
		else convert_column(layout, m, from, to, count);
	}
}

static void decode(const bspi_layout *layout, const uint8_t *bytes, uint32_t count, void *out, bool fresh)
{
	move moves[MAX_MOVES];
	uint32_t move_count = fold(layout, moves);
	if (is_one_copy(layout, moves, move_count)) {
		memcpy(out, bytes, (size_t)count * layout->file_size);
		return;
	}
	for (uint32_t first = 0; first < count; first += BLOCK) {
		uint32_t some = count - first < BLOCK ? count - first : BLOCK;
		uint8_t *records = (uint8_t *)out + (size_t)first * layout->memory_size;
		if (fresh) memset(records, 0, (size_t)some * layout->memory_size);
		decode_block(layout, moves, move_count, bytes + (size_t)first * layout->file_size, some, records);
	}
}

void bspi_layout_decode(const bspi_layout *layout, const uint8_t *bytes, uint32_t count, void *out)
{
	decode(layout, bytes, count, out, false);
}

void bspi_layout_decode_fresh(const bspi_layout *layout, const uint8_t *bytes, uint32_t count, void *out)
{
	decode(layout, bytes, count, out, true);
}
