/* gltf_mesh.c - makes the meshes and accessors of the document, and writes the streams. The whole file has one buffer
 * view for each attribute. Each primitive uses a range of it. */
#include "writers/gltf/gltf.h"

#include <inttypes.h>
#include <math.h>

#define TARGET_VERTICES 34962
#define TARGET_INDICES 34963

/* Largest number of vertices with 16-bit indices. The index 0xffff is avoided, because it restarts strips. */
#define LARGEST_16BIT_COUNT 65535u

enum { INDICES_AT_ONCE = 256 };

/* ---- Describing ------------------------------------------------------------------------------------------- */

static void count_streams(bspi_gltf *gltf)
{
	for (uint32_t i = 0; i < gltf->primitive_count; i++) {
		bspi_gltf_primitive *p = &gltf->primitives[i];
		p->uses[p->vertex_count > LARGEST_16BIT_COUNT ? BSPI_GLTF_INDEX_32 : BSPI_GLTF_INDEX_16] = true;
		for (int s = 0; s < BSPI_GLTF_STREAM_COUNT; s++) {
			if (p->uses[s]) gltf->stream_counts[s] += bspi_gltf_is_index(s) ? p->index_count : p->vertex_count;
		}
	}
}

/* Describes the buffer view of a stream. Compressed streams are in the first buffer; hosts decompress them into the
 * second one, which has no bytes in the file. */
static json_t *build_view(bspi_gltf *gltf, int stream, uint64_t size)
{
	const bspi_gltf_stream_kind *kind = bspi_gltf_stream_kind_of(gltf, stream);
	uint64_t offset = gltf->meshopt ? gltf->unpacked_size : gltf->binary_size;
	json_t *view = json_object();
	bspi_gltf_set(gltf, view, "buffer", json_integer(gltf->meshopt));
	bspi_gltf_set(gltf, view, "byteOffset", json_integer((json_int_t)offset));
	bspi_gltf_set(gltf, view, "byteLength", json_integer((json_int_t)size));
	if (kind->attribute) bspi_gltf_set(gltf, view, "byteStride", json_integer((json_int_t)kind->size));
	bspi_gltf_set(gltf, view, "target", json_integer(kind->attribute ? TARGET_VERTICES : TARGET_INDICES));
	if (!gltf->meshopt) {
		gltf->binary_size += bspi_gltf_align(size);
		return view;
	}
	bspi_gltf_set(gltf, view, "extensions", bspi_gltf_compressed_view(gltf, stream));
	gltf->unpacked_size += bspi_gltf_align(size);
	gltf->binary_size += bspi_gltf_align(gltf->packed[stream].size);
	return view;
}

/* Adds a buffer view for each stream and stores its index. */
static void build_views(bspi_gltf *gltf, uint32_t views[BSPI_GLTF_STREAM_COUNT])
{
	for (int i = 0; i < BSPI_GLTF_STREAM_COUNT; i++) {
		uint64_t size = gltf->stream_counts[i] * bspi_gltf_stream_kind_of(gltf, i)->size;
		views[i] = (uint32_t)json_array_size(gltf->buffer_views);
		if (size) bspi_gltf_append(gltf, gltf->buffer_views, build_view(gltf, i, size));
	}
}

static void set_bounds(bspi_gltf *gltf, const bspi_gltf_primitive *primitive, json_t *accessor)
{
	float low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
	for (uint32_t v = 0; v < primitive->vertex_count; v++) {
		float p[3];
		bspi_gltf_position_at(gltf, primitive->vertices[v], p);
		for (int i = 0; i < 3; i++) {
			if (p[i] < low[i]) low[i] = p[i];
			if (p[i] > high[i]) high[i] = p[i];
		}
	}
	bspi_gltf_set(gltf, accessor, "min", bspi_json_floats(low, 3));
	bspi_gltf_set(gltf, accessor, "max", bspi_json_floats(high, 3));
}

static uint32_t count_of(const bspi_gltf_primitive *primitive, int stream)
{
	return bspi_gltf_is_index(stream) ? primitive->index_count : primitive->vertex_count;
}

/* Adds an accessor and returns its index. */
static json_t *add_accessor(bspi_gltf *gltf, const bspi_gltf_primitive *primitive, int stream, uint32_t view,
                            uint64_t first)
{
	const bspi_gltf_stream_kind *kind = bspi_gltf_stream_kind_of(gltf, stream);
	json_t *accessor = json_object();
	bspi_gltf_set(gltf, accessor, "bufferView", json_integer(view));
	bspi_gltf_set(gltf, accessor, "byteOffset", json_integer((json_int_t)(first * kind->size)));
	bspi_gltf_set(gltf, accessor, "componentType", json_integer(kind->component));
	bspi_gltf_set(gltf, accessor, "count", json_integer(count_of(primitive, stream)));
	bspi_gltf_set(gltf, accessor, "type", json_string(kind->type));
	if (kind->normalized) bspi_gltf_set(gltf, accessor, "normalized", json_true());
	if (stream == BSPI_GLTF_POSITION) set_bounds(gltf, primitive, accessor);
	bspi_gltf_append(gltf, gltf->accessors, accessor);
	return json_integer((json_int_t)json_array_size(gltf->accessors) - 1);
}

static json_t *build_primitive(bspi_gltf *gltf, const bspi_gltf_primitive *primitive,
                               const uint32_t views[BSPI_GLTF_STREAM_COUNT], uint64_t firsts[BSPI_GLTF_STREAM_COUNT])
{
	json_t *object = json_object(), *attributes = json_object();
	for (int i = 0; i < BSPI_GLTF_STREAM_COUNT; i++) {
		if (!primitive->uses[i]) continue;
		const char *attribute = bspi_gltf_stream_kind_of(gltf, i)->attribute;
		json_t *accessor = add_accessor(gltf, primitive, i, views[i], firsts[i]);
		bspi_gltf_set(gltf, attribute ? attributes : object, attribute ? attribute : "indices", accessor);
		firsts[i] += count_of(primitive, i);
	}
	bspi_gltf_set(gltf, object, "attributes", attributes);
	bspi_gltf_set(gltf, object, "material", json_integer(primitive->material));
	json_t *facts = bspi_section_facts(gltf->writer, primitive->section);
	if (facts) bspi_gltf_set(gltf, object, "extras", facts);
	return object;
}

bool bspi_gltf_check_size(bspi_gltf *gltf, uint64_t size)
{
	if (!gltf->binary || size <= UINT32_MAX) return true;
	return bspi_writer_fail(gltf->writer, BSPSCENE_ERROR_LIMIT,
	                        "would be %" PRIu64 " MiB, and a GLB holds less than 4096: write .gltf instead",
	                        size >> 20);
}

bool bspi_gltf_build_meshes(bspi_gltf *gltf)
{
	uint32_t views[BSPI_GLTF_STREAM_COUNT];
	uint64_t firsts[BSPI_GLTF_STREAM_COUNT] = { 0 };
	BSPI_TRY(bspi_gltf_choose_primitives(gltf) && (!gltf->meshopt || bspi_gltf_order_primitives(gltf)));
	count_streams(gltf);
	for (uint32_t i = 0; i < gltf->primitive_count; i++) gltf->triangle_count += gltf->primitives[i].index_count / 3;
	double half = bspi_cost_of_triangles(gltf->writer, gltf->triangle_count) / 2;
	BSPI_TRY(gltf->meshopt || bspi_writer_worked(gltf->writer, "write", half));
	BSPI_TRY(!gltf->meshopt || bspi_gltf_compress(gltf));
	build_views(gltf, views);
	BSPI_TRY(bspi_gltf_check_size(gltf, gltf->binary_size));
	for (uint32_t i = 0; i < gltf->primitive_count; i++) {
		const bspi_gltf_primitive *primitive = &gltf->primitives[i];
		bspi_gltf_append(gltf, gltf->groups[primitive->group].primitives,
		                 build_primitive(gltf, primitive, views, firsts));
	}
	return !gltf->writer->failure.status;
}

/* ---- Writing ---------------------------------------------------------------------------------------------- */

static bool put_vertices(bspi_gltf *gltf, const bspi_gltf_primitive *primitive, int stream)
{
	size_t size = bspi_gltf_stream_kind_of(gltf, stream)->size;
	return bspi_put(gltf->writer, primitive->streams[stream], primitive->vertex_count * size);
}

static bool put_indices(bspi_gltf *gltf, const bspi_gltf_primitive *primitive, int stream)
{
	uint32_t size = bspi_gltf_stream_kind_of(gltf, stream)->size;
	uint8_t bytes[INDICES_AT_ONCE * 4];
	for (uint32_t i = 0; i < primitive->index_count;) {
		uint8_t *out = bytes;
		for (int k = 0; k < INDICES_AT_ONCE && i < primitive->index_count; k++, i++, out += size) {
			for (uint32_t b = 0; b < size; b++) out[b] = (uint8_t)(primitive->indices[i] >> 8 * b);
		}
		BSPI_TRY(bspi_put(gltf->writer, bytes, (size_t)(out - bytes)));
	}
	return true;
}

static bool put_stream(bspi_gltf *gltf, int stream)
{
	for (uint32_t i = 0; i < gltf->primitive_count; i++) {
		const bspi_gltf_primitive *primitive = &gltf->primitives[i];
		if (!primitive->uses[stream]) continue;
		BSPI_TRY(bspi_gltf_is_index(stream) ? put_indices(gltf, primitive, stream)
		                                    : put_vertices(gltf, primitive, stream));
	}
	uint64_t size = gltf->stream_counts[stream] * bspi_gltf_stream_kind_of(gltf, stream)->size;
	return bspi_gltf_put_padding(gltf, size);
}

static bool put_packed(bspi_gltf *gltf, int stream)
{
	const bspi_buffer *packed = &gltf->packed[stream];
	return bspi_put(gltf->writer, packed->data, packed->size) && bspi_gltf_put_padding(gltf, packed->size);
}

bool bspi_gltf_put_streams(bspi_gltf *gltf)
{
	double share = bspi_cost_of_triangles(gltf->writer, gltf->triangle_count) / (2 * BSPI_GLTF_STREAM_COUNT);
	for (int s = 0; s < BSPI_GLTF_STREAM_COUNT; s++) {
		BSPI_TRY(gltf->meshopt ? put_packed(gltf, s) : put_stream(gltf, s));
		BSPI_TRY(bspi_writer_worked(gltf->writer, "write", share));
	}
	return true;
}
