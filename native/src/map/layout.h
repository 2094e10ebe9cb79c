/* layout.h - tables of fields, which describe a file's records. The tables serve as documentation, and are read by the
 * decoder, by the tests' encoder and by a lint.
 *
 *     static const bspi_field plane_rows[] = {
 *     FIELD(bspi_plane, normal,    0, F32),
 *     FIELD(bspi_plane, distance, 12, F32),
 *     };
 *     static const bspi_layout plane = LAYOUT("plane", bspi_plane, plane_rows, 16);
 *
 * A row names a member of the neutral record, its offset in the file's record and its type there. Array lengths and the
 * type in memory come from the member. Rows must cover the record without gaps; SKIP names bytes that are not
 * needed. */
#ifndef BSPI_LAYOUT_H
#define BSPI_LAYOUT_H

#include "map/map.h"

typedef enum bspi_file_type {
	BSPI_U8, BSPI_I8, BSPI_U16, BSPI_I16, BSPI_U32, BSPI_I32, BSPI_F32, BSPI_CHARS, BSPI_SKIP
} bspi_file_type;

typedef enum bspi_memory_type {
	BSPI_MEMORY_U8, BSPI_MEMORY_CHAR, BSPI_MEMORY_I32, BSPI_MEMORY_U32, BSPI_MEMORY_F32, BSPI_MEMORY_NONE
} bspi_memory_type;

typedef struct bspi_field {
	const char *name;
	uint16_t file_offset;
	uint16_t memory_offset;
	uint16_t count;                    /* number of elements, which is the same in the file and in memory */
	uint8_t file_type;                 /* a bspi_file_type */
	uint8_t memory_type;               /* a bspi_memory_type */
} bspi_field;

typedef struct bspi_layout {
	const char *name;
	const bspi_field *fields;
	uint16_t field_count;
	uint16_t file_size;                /* bytes from one record to the next in the file */
	uint16_t memory_size;
} bspi_layout;

#define BSPI_ELEMENT(type, member) (((type *)0)->member)
/* The type of a member, or of its elements if it is an array. For any other type of member, the program does not
 * compile. */
#define BSPI_MEMORY_TYPE(type, member) _Generic(BSPI_ELEMENT(type, member), \
	uint8_t: BSPI_MEMORY_U8, uint8_t *: BSPI_MEMORY_U8, uint8_t (*)[4]: BSPI_MEMORY_U8, char *: BSPI_MEMORY_CHAR, \
	int32_t: BSPI_MEMORY_I32, int32_t *: BSPI_MEMORY_I32, uint32_t: BSPI_MEMORY_U32, uint32_t *: BSPI_MEMORY_U32, \
	float: BSPI_MEMORY_F32, float *: BSPI_MEMORY_F32, float (*)[2]: BSPI_MEMORY_F32, float (*)[3]: BSPI_MEMORY_F32, \
	float (*)[4]: BSPI_MEMORY_F32)
#define BSPI_TYPE_SIZE(memory_type) ((memory_type) == BSPI_MEMORY_U8 || (memory_type) == BSPI_MEMORY_CHAR ? 1 : 4)

#define FIELD(type, member, at, file) \
	{ #member, (at), offsetof(type, member), \
	  (uint16_t)(sizeof BSPI_ELEMENT(type, member) / BSPI_TYPE_SIZE(BSPI_MEMORY_TYPE(type, member))), \
	  BSPI_##file, BSPI_MEMORY_TYPE(type, member) }
/* A field with the first `n` elements of an array member, if the file has fewer elements than the member. */
#define FIELD_FIRST(type, member, at, file, n) \
	{ #member, (at), offsetof(type, member), (n), BSPI_##file, BSPI_MEMORY_TYPE(type, member) }
/* A field with the first `n` bytes of a char array member, if the file has fewer characters than the member. */
#define NAME_FIELD(type, member, at, n) { #member, (at), offsetof(type, member), (n), BSPI_CHARS, BSPI_MEMORY_CHAR }
/* `n` bytes that are not needed. `what` is their name in the format. */
#define SKIP(what, at, n) { what, (at), 0, (n), BSPI_SKIP, BSPI_MEMORY_NONE }
#define LAYOUT(title, type, rows, stride) \
	{ (title), (rows), (uint16_t)(sizeof (rows) / sizeof *(rows)), (stride), (uint16_t)sizeof(type) }

/* Decodes `count` records from `bytes`, which has count * file_size bytes, into `out`. Members without a row in the
 * table are not changed. */
void bspi_layout_decode(const bspi_layout *layout, const uint8_t *bytes, uint32_t count, void *out);
/* Like bspi_layout_decode, for memory that is not initialized: members without a row become 0. */
void bspi_layout_decode_fresh(const bspi_layout *layout, const uint8_t *bytes, uint32_t count, void *out);

/* How a lump is read: its index in the directory, the array that it fills, and its layout. Two rows can read the same
 * lump into two arrays. */
typedef struct bspi_lump_row {
	uint16_t slot;
	uint16_t array;                    /* a bspi_array_id */
	const bspi_layout *layout;
} bspi_lump_row;

#endif
