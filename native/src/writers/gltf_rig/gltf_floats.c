/* gltf_floats.c - adds accessors of floats (curves, matrices, morph targets). Their bytes follow the pictures.
 * Accessors of the same use that follow each other share a buffer view. */
#include "writers/gltf_rig/gltf_rig.h"

#include <string.h>

#define COMPONENT_F32 5126
#define TARGET_VERTICES 34962

static void put_floats(bspi_gltf *gltf, const float *values, size_t count)
{
	bspi_buffer *out = &gltf->motion;
	if (gltf->writer->failure.status || !bspi_buffer_reserve(out, 4 * count)) return;
	for (size_t i = 0; i < count; i++) {
		uint32_t bits;
		memcpy(&bits, &values[i], sizeof bits);
		for (int b = 0; b < 4; b++) out->data[out->size++] = (uint8_t)(bits >> 8 * b);
	}
}

void bspi_gltf_close_floats(bspi_gltf *gltf)
{
	json_t *view = gltf->motion_view;
	if (!view) return;
	size_t size = gltf->motion.size - gltf->motion_begin;
	bspi_gltf_set(gltf, view, "byteLength", json_integer((json_int_t)size));
	gltf->binary_size += size;
	gltf->motion_view = NULL;
}

/* Opens a buffer view for a use, unless it is open already. Several accessors share a view, so a view of vertex data
 * must state a stride. Other views must not state one. */
static uint32_t open_view(bspi_gltf *gltf, bspi_gltf_floats use)
{
	uint32_t number = (uint32_t)json_array_size(gltf->buffer_views);
	if (gltf->motion_view && gltf->motion_use == (int)use) return number - 1;
	bspi_gltf_close_floats(gltf);
	json_t *view = json_object();
	bspi_gltf_set(gltf, view, "buffer", json_integer(0));
	bspi_gltf_set(gltf, view, "byteOffset", json_integer((json_int_t)gltf->binary_size));
	if (use == BSPI_GLTF_TARGETS) {
		bspi_gltf_set(gltf, view, "byteStride", json_integer(12));
		bspi_gltf_set(gltf, view, "target", json_integer(TARGET_VERTICES));
	}
	bspi_gltf_append(gltf, gltf->buffer_views, view);
	gltf->motion_view = json_array_get(gltf->buffer_views, number);
	gltf->motion_use = (int)use;
	gltf->motion_begin = gltf->motion.size;
	return number;
}

static const char *type_of(uint32_t width)
{
	switch (width) {
	case 1: return "SCALAR";
	case 3: return "VEC3";
	case 4: return "VEC4";
	default: return "MAT4";
	}
}

static void set_bounds(bspi_gltf *gltf, json_t *accessor, const float *values, uint32_t count, uint32_t width)
{
	float low[4], high[4];
	memcpy(low, values, width * sizeof *low);
	memcpy(high, values, width * sizeof *high);
	for (size_t i = width; i < (size_t)count * width; i++) {
		if (values[i] < low[i % width]) low[i % width] = values[i];
		if (values[i] > high[i % width]) high[i % width] = values[i];
	}
	bspi_gltf_set(gltf, accessor, "min", bspi_json_floats(low, width));
	bspi_gltf_set(gltf, accessor, "max", bspi_json_floats(high, width));
}

uint32_t bspi_gltf_add_floats(bspi_gltf *gltf, bspi_gltf_floats use, const float *values, uint32_t count,
                              uint32_t width, bool bounds)
{
	json_t *accessor = json_object();
	uint32_t view = open_view(gltf, use);
	bspi_gltf_set(gltf, accessor, "bufferView", json_integer(view));
	bspi_gltf_set(gltf, accessor, "byteOffset", json_integer((json_int_t)(gltf->motion.size - gltf->motion_begin)));
	bspi_gltf_set(gltf, accessor, "componentType", json_integer(COMPONENT_F32));
	bspi_gltf_set(gltf, accessor, "count", json_integer(count));
	bspi_gltf_set(gltf, accessor, "type", json_string(type_of(width)));
	if (bounds) set_bounds(gltf, accessor, values, count, width);
	put_floats(gltf, values, (size_t)count * width);
	bspi_gltf_append(gltf, gltf->accessors, accessor);
	return (uint32_t)json_array_size(gltf->accessors) - 1;
}

bool bspi_gltf_put_motion(bspi_gltf *gltf)
{
	return bspi_put(gltf->writer, gltf->motion.data, gltf->motion.size);
}
