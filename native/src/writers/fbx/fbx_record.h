/* fbx_record.h - the binary form of FBX: nested records of typed properties, built in one buffer, because a record
 * begins with the offset of its end. After a failure (writer->failure) nothing is added any more, so callers check for
 * failure only once, at the end.
 *
 * The layout is that of the SDK's files as described by Blender's developers (code.blender.org, "FBX binary file format
 * specification"): a header of 27 bytes, records, a record of zeros, a footer. A record is: offset of its end, number
 * and size of its properties (32 bits each, 64 from version 7500 on), length and text of its name, properties,
 * children. If it has children or no properties, a record of zeros ends it. */
#ifndef BSPI_FBX_RECORD_H
#define BSPI_FBX_RECORD_H

#include "base/parallel/threads.h"
#include "writers/writer_buffer.h"

#define BSPI_FBX_MAX_DEPTH 8

typedef struct bspi_fbx_open_record {
	size_t begin, first_property, end_of_properties; /* byte offsets in the file; end_of_properties is 0 while
	                                                  * properties are being added */
	uint32_t property_count;
} bspi_fbx_open_record;

/* The elements of an array, and their compressed form. */
typedef struct bspi_fbx_array {
	char type;                         /* type of the elements: 'i', 'l', 'f' or 'd' */
	uint8_t *elements; size_t size, room; /* the elements so far; bytes used, and bytes allocated */
	uint8_t *packed; size_t packed_size; /* the compressed elements; packed_size 0: they are stored uncompressed */
} bspi_fbx_array;

typedef struct bspi_fbx_file {
	bspi_writer *writer;
	bspi_buffer bytes;                 /* bytes of the file so far */
	bspi_fbx_array array;              /* the open array, between bspi_fbx_begin_array and bspi_fbx_end_array; it is in
	                                    * `arena` */
	bspi_arena arena;
	struct libdeflate_compressor *packers[BSPI_MOST_THREADS]; /* compressors that no thread uses at present */
	uint32_t packer_count;
	uint32_t version;                  /* 7400 or 7500 */
	bool too_large;                    /* true: version 7400 cannot have this file, because an offset exceeds 32 bits */
	bspi_fbx_open_record open[BSPI_FBX_MAX_DEPTH];
	uint32_t depth;
} bspi_fbx_file;

void bspi_fbx_begin_file(bspi_fbx_file *file, bspi_writer *writer, uint32_t version);
void bspi_fbx_end_file(bspi_fbx_file *file); /* Call it when all records are closed. */
void bspi_fbx_free_file(bspi_fbx_file *file);

/* Begins a record. Add its properties, then its children, then call bspi_fbx_close. */
void bspi_fbx_open(bspi_fbx_file *file, const char *name);
void bspi_fbx_close(bspi_fbx_file *file);

/* Adds a property to the record that was opened last. */
void bspi_fbx_add_bool(bspi_fbx_file *file, bool value);
void bspi_fbx_add_i32(bspi_fbx_file *file, int32_t value);
void bspi_fbx_add_i64(bspi_fbx_file *file, int64_t value);
void bspi_fbx_add_f64(bspi_fbx_file *file, double value);
void bspi_fbx_add_text(bspi_fbx_file *file, const char *text);
void bspi_fbx_add_raw(bspi_fbx_file *file, const void *data, size_t size);
/* Adds an object's name: "NAME", the bytes 0 and 1, and its class. Control characters of the name become '_'. */
void bspi_fbx_add_name(bspi_fbx_file *file, const char *name, const char *kind);

/* Add an array as a property. Begin with an upper bound for the number of elements, put each element, and end. The
 * array is compressed if that saves bytes. */
bspi_fbx_array *bspi_fbx_begin_array(bspi_fbx_file *file, char type, size_t most);
void bspi_fbx_end_array(bspi_fbx_file *file);
void bspi_fbx_put_i32(bspi_fbx_array *array, int32_t value);
void bspi_fbx_put_i64(bspi_fbx_array *array, int64_t value);
void bspi_fbx_put_f32(bspi_fbx_array *array, float value);
void bspi_fbx_put_f64(bspi_fbx_array *array, double value);

/* Write an array in three steps. Any task may make it, fill it and pack (compress) it. Add it to the file when its turn
 * comes. Making and packing return false if memory is out. */
bool bspi_fbx_make_array(bspi_fbx_array *array, bspi_arena *arena, char type, size_t most);
bool bspi_fbx_pack_array(bspi_fbx_file *file, bspi_fbx_array *array, bspi_arena *arena);
void bspi_fbx_add_array(bspi_fbx_file *file, const bspi_fbx_array *array);
/* Makes sure that adding `size` bytes cannot fail. If memory is out, it returns false, sets *error, and leaves the file
 * unchanged. */
bool bspi_fbx_reserve(bspi_fbx_file *file, size_t size, bspscene_error *error);

uint32_t bspi_fbx_element_size(char type);
void bspi_fbx_free_packers(bspi_fbx_file *file);

/* Overwrites a 32-bit number at an offset of the file. */
void bspi_fbx_set_i32(bspi_fbx_file *file, size_t place, int32_t value);

/* Adds a record with a single property. */
void bspi_fbx_i32(bspi_fbx_file *file, const char *name, int32_t value);
void bspi_fbx_text(bspi_fbx_file *file, const char *name, const char *text);

#endif
