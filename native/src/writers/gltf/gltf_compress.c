/* gltf_compress.c - compresses streams of vertices and indices by EXT_meshopt_compression, with meshoptimizer.
 *
 * The codec stores differences between neighboring elements, byte by byte. So triangles are sorted so that neighbors
 * share vertices, and vertices are sorted by first use. Numbers are rounded by amounts that nobody sees: positions by
 * up to half a millimeter, texture coordinates by a 16th of a texel, light to 1024 values, and normals to 16 bits. All
 * but the normals become multiples of a power of two (the extension's EXPONENTIAL filter); normals use
 * KHR_mesh_quantization. Both extensions are required: hosts without them cannot read the file. */
#include "writers/gltf/gltf.h"
#include "images/write/write.h"

#include <math.h>
#include <string.h>

#include <bspscene/material.h>

/* Exponents of steps, which are powers of 2. Positions have steps of about a millimeter. Texture coordinates have steps
 * of at least 1/65536, and of 1/16384 if there is no picture. */
#define POSITION_EXPONENT (-10)
#define LEAST_UV_EXPONENT (-16)
#define UV_EXPONENT (-14)
#define LARGEST_MANTISSA 8388607.0f

/* Returns the smallest exponent, at least `wanted`, with which a mantissa of 24 bits can hold the largest value. */
static int exponent_for(float largest, int wanted)
{
	while (wanted < 127 && largest > ldexpf(LARGEST_MANTISSA, wanted)) wanted++;
	return wanted;
}

/* Returns the length of the picture's longer side in texels, or 0 without a picture. If the picture repeats between the
 * coordinates 0 and 1, this is the length of all repetitions. The material's rotation is already part of the
 * coordinates (bspi_gltf_uv_at). */
static float texels_of(const bspscene_scene *scene, const bspscene_material *material)
{
	const uint32_t images[] = { material->base_image, material->emissive_image, material->normal_image };
	const float *scale = material->uv_scale;
	float repeats = material->uv_rotation_radians != 0 ? 1 : fmaxf(1, fmaxf(fabsf(scale[0]), fabsf(scale[1])));
	uint32_t side = 0;
	for (int i = 0; i < 3; i++) {
		if (images[i] == BSPSCENE_NO_INDEX) continue;
		const bspscene_image *image = scene->images[images[i]];
		if (image->width > side) side = image->width;
		if (image->height > side) side = image->height;
	}
	return repeats * (float)side;
}

/* Returns an exponent with which a step is at most 1/8 texel, so that rounding moves a coordinate by at most 1/16
 * texel. */
static int uv_exponent_of(const bspi_gltf *gltf, uint32_t source)
{
	const bspscene_section *section = bspi_gltf_section_of(gltf, source);
	float texels = texels_of(gltf->scene, gltf->scene->materials[section->material]), largest = 0;
	const bspi_lit_section lit = bspi_gltf_lit_section(gltf, &gltf->sources[source]);
	const bspi_lit_sheet *sheet = lit.in_picture ? &gltf->lit.sheets[lit.sheet] : NULL;
	if (sheet) texels = (float)(sheet->width > sheet->height ? sheet->width : sheet->height);
	int exponent = texels > 0 ? -3 : UV_EXPONENT;
	for (; exponent > LEAST_UV_EXPONENT && texels >= 2; texels /= 2) exponent--;
	for (uint32_t v = section->first_vertex; v < section->first_vertex + section->vertex_count; v++) {
		float uv[2];
		bspi_gltf_uv_at(gltf, (bspi_gltf_vertex) { source, v }, uv);
		largest = fmaxf(largest, fmaxf(fabsf(uv[0]), fabsf(uv[1])));
	}
	return exponent_for(largest, exponent);
}

void bspi_gltf_choose_steps(bspi_gltf *gltf)
{
	float largest = 0;
	for (uint32_t i = 0; i < gltf->source_count; i++) {
		const bspscene_section *section = bspi_gltf_section_of(gltf, i);
		for (uint32_t v = section->first_vertex; v < section->first_vertex + section->vertex_count; v++) {
			float at[3];
			bspi_gltf_position_at(gltf, (bspi_gltf_vertex) { i, v }, at);
			for (int k = 0; k < 3; k++) largest = fmaxf(largest, fabsf(at[k]));
		}
		gltf->sources[i].uv_exponent = uv_exponent_of(gltf, i);
	}
	gltf->position_exponent = exponent_for(largest, POSITION_EXPONENT);
	gltf->stepped = true;
}

#ifdef BSPI_HAVE_MESHOPT

	#include "writers/gltf/gltf_meshopt.h"

static bool is_built_in(void)
{
	return true;
}

static bool find_codec(bspi_gltf *gltf)
{
	bspi_gltf_codec *codec = bspi_writer_push(gltf->writer, bspi_gltf_codec, 1);
	BSPI_TRY(codec);
	gltf->codec = codec;
	#ifdef BSPI_LAZY_MESHOPT
	static const bspi_loaded_function functions[] = { BSPI_MESHOPT_FUNCTIONS(BSPI_FUNCTION_NAMED) };
	return bspi_load_functions(BSPI_LAZY_MESHOPT, functions, sizeof functions / sizeof *functions, codec) ||
	       bspi_writer_fail(gltf->writer, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "cannot be compressed without %s",
	                        BSPI_LAZY_MESHOPT);
	#else
	*codec = (bspi_gltf_codec) { BSPI_MESHOPT_FUNCTIONS(BSPI_FUNCTION_LINKED) };
	return true;
	#endif
}

/* Allocates memory and charges it to the budget. */
static void *take(bspi_gltf *gltf, uint64_t size)
{
	const bspi_heap *heap = &gltf->writer->budget.heap;
	void *block = bspi_writer_take(gltf->writer, size) ? bspi_heap_take(heap, (size_t)size) : NULL;
	if (!block && !gltf->writer->failure.status) {
		bspi_writer_give(gltf->writer, size);
		bspi_writer_fail_memory(gltf->writer);
	}
	return block;
}

static void give(bspi_gltf *gltf, void *block, uint64_t size)
{
	bspi_heap_give(&gltf->writer->budget.heap, block);
	bspi_writer_give(gltf->writer, size);
}

/* Bytes that meshoptimizer allocates for each index while it works. */
	#define WORK_SIZE 64u

static bool order_primitive(bspi_gltf *gltf, bspi_gltf_primitive *primitive)
{
	const bspi_gltf_codec *codec = gltf->codec;
	uint64_t work = (uint64_t)WORK_SIZE * primitive->index_count, size = primitive->vertex_count * sizeof(uint32_t);
	uint64_t copy_size = primitive->vertex_count * sizeof *primitive->vertices;
	BSPI_TRY(bspi_writer_take(gltf->writer, work));
	uint32_t *remap = take(gltf, size);
	bspi_gltf_vertex *copy = remap ? take(gltf, copy_size) : NULL;
	if (copy) {
		uint32_t *indices = primitive->indices;
		codec->meshopt_optimizeVertexCache(indices, indices, primitive->index_count, primitive->vertex_count);
		size_t named =
			codec->meshopt_optimizeVertexFetchRemap(remap, indices, primitive->index_count, primitive->vertex_count);
		memcpy(copy, primitive->vertices, (size_t)copy_size);
		for (uint32_t i = 0; i < primitive->vertex_count; i++) {
			if (remap[i] < named) primitive->vertices[remap[i]] = copy[i];
		}
		for (uint32_t i = 0; i < primitive->index_count; i++) indices[i] = remap[indices[i]];
		primitive->vertex_count = (uint32_t)named;
		give(gltf, copy, copy_size);
	}
	if (remap) give(gltf, remap, size);
	bspi_writer_give(gltf->writer, work);
	return copy != NULL;
}

/* Collects the elements of a stream from all primitives. Indices are stored with 32 bits. */
static void fill(const bspi_gltf *gltf, int stream, uint8_t *out)
{
	size_t size = bspi_gltf_stream_kind_of(gltf, stream)->size;
	for (uint32_t i = 0; i < gltf->primitive_count; i++) {
		const bspi_gltf_primitive *primitive = &gltf->primitives[i];
		if (!primitive->uses[stream]) continue;
		if (bspi_gltf_is_index(stream)) {
			memcpy(out, primitive->indices, primitive->index_count * sizeof(uint32_t));
			out += primitive->index_count * sizeof(uint32_t);
			continue;
		}
		for (uint32_t v = 0; v < primitive->vertex_count; v++, out += size) {
			bspi_gltf_store_vertex(gltf, primitive, stream, primitive->vertices[v], out);
		}
	}
}

static size_t largest_vertex_count(const bspi_gltf *gltf)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < gltf->primitive_count; i++) {
		if (gltf->primitives[i].vertex_count > most) most = gltf->primitives[i].vertex_count;
	}
	return most;
}

/* Uses version 0 of the vertex codec and version 1 of the index codec. The extension requires them, and meshoptimizer
 * 0.18 has them. */
static size_t encode_vertices(const bspi_gltf_codec *codec, uint8_t *out, size_t room, const void *data, size_t count,
                              size_t size)
{
	#if MESHOPTIMIZER_VERSION >= 230
	return codec->meshopt_encodeVertexBufferLevel(out, room, data, count, size, 2, 0);
	#else
	return codec->meshopt_encodeVertexBuffer(out, room, data, count, size);
	#endif
}

static bool compress_stream(bspi_gltf *gltf, int stream)
{
	const bspi_gltf_codec *codec = gltf->codec;
	bool is_index = bspi_gltf_is_index(stream);
	size_t count = (size_t)gltf->stream_counts[stream], size = bspi_gltf_stream_kind_of(gltf, stream)->size;
	size_t raw_size = count * (is_index ? sizeof(uint32_t) : size);
	size_t room = is_index ? codec->meshopt_encodeIndexBufferBound(count, largest_vertex_count(gltf))
	                       : codec->meshopt_encodeVertexBufferBound(count, size);
	bspi_buffer *packed = &gltf->packed[stream];
	packed->writer = gltf->writer;
	if (!count) return true;
	void *raw = take(gltf, raw_size);
	BSPI_TRY(raw);
	packed->data = take(gltf, room);
	packed->capacity = packed->data ? room : 0;
	if (packed->data) {
		fill(gltf, stream, raw);
		packed->size = is_index ? codec->meshopt_encodeIndexBuffer(packed->data, room, raw, count)
		                        : encode_vertices(codec, packed->data, room, raw, count, size);
	}
	give(gltf, raw, raw_size);
	return packed->size || bspi_writer_fail_memory(gltf->writer);
}

#else

static bool is_built_in(void)
{
	return false;
}

static bool find_codec(bspi_gltf *gltf)
{
	(void)gltf;
	return true;
}

static bool order_primitive(bspi_gltf *gltf, bspi_gltf_primitive *primitive)
{
	(void)gltf;
	(void)primitive;
	return true;
}

static bool compress_stream(bspi_gltf *gltf, int stream)
{
	(void)gltf;
	(void)stream;
	return true;
}

#endif

bool bspi_gltf_can_compress(bspi_gltf *gltf)
{
	bool lacks_webp =
		(bspi_compresses_by(gltf->writer, BSPSCENE_COMPRESS_WEBP) || gltf->meshopt) && !bspi_can_write_webp(1, 1);
	bool lacks_meshopt = gltf->meshopt && !is_built_in();
	if (!lacks_webp && !lacks_meshopt) return !gltf->meshopt || find_codec(gltf);
	const char *needed = gltf->meshopt ? "meshoptimizer and libwebp" : "libwebp";
	const char *lacking = lacks_meshopt && lacks_webp ? "both" : lacks_webp ? "libwebp" : "meshoptimizer";
	return bspi_writer_fail(gltf->writer, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
	                        "compression needs %s, and this build lacks %s", needed, lacking);
}

bool bspi_gltf_order_primitives(bspi_gltf *gltf)
{
	for (uint32_t i = 0; i < gltf->primitive_count; i++) BSPI_TRY(order_primitive(gltf, &gltf->primitives[i]));
	return true;
}

bool bspi_gltf_compress(bspi_gltf *gltf)
{
	for (int s = 0; s < BSPI_GLTF_STREAM_COUNT; s++) {
		BSPI_TRY(compress_stream(gltf, s));
		double share = bspi_cost_of_triangles(gltf->writer, gltf->triangle_count) / (2 * BSPI_GLTF_STREAM_COUNT);
		BSPI_TRY(bspi_writer_worked(gltf->writer, "compress", share));
	}
	return true;
}

json_t *bspi_gltf_compressed_view(bspi_gltf *gltf, int stream)
{
	const bspi_gltf_stream_kind *kind = bspi_gltf_stream_kind_of(gltf, stream);
	json_t *extension = json_object(), *extensions = json_object();
	bspi_gltf_set(gltf, extension, "buffer", json_integer(0));
	bspi_gltf_set(gltf, extension, "byteOffset", json_integer((json_int_t)gltf->binary_size));
	bspi_gltf_set(gltf, extension, "byteLength", json_integer((json_int_t)gltf->packed[stream].size));
	bspi_gltf_set(gltf, extension, "byteStride", json_integer((json_int_t)kind->size));
	bspi_gltf_set(gltf, extension, "count", json_integer((json_int_t)gltf->stream_counts[stream]));
	bspi_gltf_set(gltf, extension, "mode", json_string(kind->attribute ? "ATTRIBUTES" : "TRIANGLES"));
	if (kind->filter) bspi_gltf_set(gltf, extension, "filter", json_string(kind->filter));
	bspi_gltf_set(gltf, extensions, "EXT_meshopt_compression", extension);
	bool quantized = stream == BSPI_GLTF_NORMAL || stream == BSPI_GLTF_TANGENT;
	gltf->extensions |= BSPI_GLTF_MESHOPT | (quantized ? BSPI_GLTF_QUANTIZATION : 0u);
	return extensions;
}

void bspi_gltf_free_compressed(bspi_gltf *gltf)
{
	for (int s = 0; s < BSPI_GLTF_STREAM_COUNT; s++) bspi_buffer_free(&gltf->packed[s]);
}
