/* fbx_array.c - writes arrays of FBX: little-endian elements, compressed by zlib. Several tasks may compress arrays at
 * the same time. */
#include <string.h>

#include <libdeflate.h>

#include "writers/fbx/fbx_record.h"

#define PACK_FROM 128u                 /* arrays of up to this many bytes are not compressed, as in the SDK's files */
#define PACK_LEVEL 6

/* ---- Elements --------------------------------------------------------------------------------------------- */

uint32_t bspi_fbx_element_size(char type)
{
	return type == 'd' || type == 'l' ? 8 : 4;
}

bool bspi_fbx_make_array(bspi_fbx_array *array, bspi_arena *arena, char type, size_t most)
{
	size_t size = bspi_fbx_element_size(type);
	*array = (bspi_fbx_array){ .type = type, .elements = bspi_arena_alloc_unset(arena, most, size) };
	if (array->elements) array->room = most * size;
	return array->elements != NULL;
}

/* Appends an element. If the array could not be allocated, it has no room, and nothing is appended. The budget has
 * recorded that failure already. */
static void put_element(bspi_fbx_array *array, uint64_t value, uint32_t size)
{
	if (size > array->room - array->size) return;
	uint8_t *out = array->elements + array->size;
	for (uint32_t i = 0; i < size; i++) out[i] = (uint8_t)(value >> 8 * i);
	array->size += size;
}

void bspi_fbx_put_i32(bspi_fbx_array *array, int32_t value)
{
	put_element(array, (uint32_t)value, 4);
}

void bspi_fbx_put_i64(bspi_fbx_array *array, int64_t value)
{
	put_element(array, (uint64_t)value, 8);
}

void bspi_fbx_put_f32(bspi_fbx_array *array, float value)
{
	const float plain = value + 0.0f;  /* turns -0 into 0 */
	uint32_t bits;
	memcpy(&bits, &plain, sizeof bits);
	put_element(array, bits, 4);
}

void bspi_fbx_put_f64(bspi_fbx_array *array, double value)
{
	const double plain = value == 0 ? 0 : value;
	uint64_t bits;
	memcpy(&bits, &plain, sizeof bits);
	put_element(array, bits, 8);
}

/* ---- Packing ---------------------------------------------------------------------------------------------- */

static int pack_level(const bspi_fbx_file *file)
{
	switch (file->writer->options.compression) {
	case BSPSCENE_COMPRESSION_FAST: return 1;
	case BSPSCENE_COMPRESSION_SMALL: return 12;
	default: return PACK_LEVEL;
	}
}

/* Returns an idle compressor, or a new one if none is idle. So there is at most one for each thread. */
static struct libdeflate_compressor *take_packer(bspi_fbx_file *file)
{
	bspi_lock *lock = file->writer->budget.heap.lock;
	bspi_lock_take(lock);
	struct libdeflate_compressor *packer = file->packer_count ? file->packers[--file->packer_count] : NULL;
	bspi_lock_give(lock);
	return packer ? packer : libdeflate_alloc_compressor(pack_level(file));
}

static void give_packer(bspi_fbx_file *file, struct libdeflate_compressor *packer)
{
	bspi_lock *lock = file->writer->budget.heap.lock;
	bspi_lock_take(lock);
	file->packers[file->packer_count++] = packer;
	bspi_lock_give(lock);
}

bool bspi_fbx_pack_array(bspi_fbx_file *file, bspi_fbx_array *array, bspi_arena *arena)
{
	size_t size = array->size;
	if (size <= PACK_FROM || size > UINT32_MAX) return true;
	array->packed = bspi_arena_alloc_unset(arena, size, 1);
	struct libdeflate_compressor *packer = array->packed ? take_packer(file) : NULL;
	if (!packer) return false;
	/* The output buffer is smaller than the input. If compression saves nothing, it fails, and the array is stored
	 * uncompressed. */
	array->packed_size = libdeflate_zlib_compress(packer, array->elements, size, array->packed, size - 1);
	give_packer(file, packer);
	return true;
}

void bspi_fbx_free_packers(bspi_fbx_file *file)
{
	while (file->packer_count) libdeflate_free_compressor(file->packers[--file->packer_count]);
}
