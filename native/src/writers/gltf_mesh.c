/* gltf_mesh.c - meshes: one per scene mesh, one primitive per section. All vertices of the file share a buffer view per
 * attribute; a section is a run in it. The bytes are made while they are written, from the scene's own arrays. */
#include "writers/gltf.h"

#include <math.h>
#include <string.h>

#include "writers/place_uv.h"

#define COMPONENT_U16 5123
#define COMPONENT_U32 5125
#define COMPONENT_F32 5126
#define TARGET_VERTICES 34962
#define TARGET_INDICES 34963

/* The largest count whose indices avoid 0xffff, which restarts strips. */
#define LARGEST_16BIT_COUNT 65535u

typedef struct stream_kind {
	const char *attribute, *type;
	int component;
	uint32_t size;                     /* bytes per element */
} stream_kind;

/* Colours have 16 bits because they are linear: in 8, dark light would jump from 0 to 13/255 in one step. Floats would
 * hold no more: COLOR_0 must not be brighter than 1. */
static const stream_kind streams[BSPI_GLTF_STREAM_COUNT] = {
	[BSPI_GLTF_POSITION] = { "POSITION", "VEC3", COMPONENT_F32, 12 },
	[BSPI_GLTF_NORMAL] = { "NORMAL", "VEC3", COMPONENT_F32, 12 },
	[BSPI_GLTF_TANGENT] = { "TANGENT", "VEC4", COMPONENT_F32, 16 },
	[BSPI_GLTF_TEXCOORD_0] = { "TEXCOORD_0", "VEC2", COMPONENT_F32, 8 },
	[BSPI_GLTF_TEXCOORD_1] = { "TEXCOORD_1", "VEC2", COMPONENT_F32, 8 },
	[BSPI_GLTF_COLOR] = { "COLOR_0", "VEC4", COMPONENT_U16, 8 },
	[BSPI_GLTF_BLEND] = { "_BLEND", "SCALAR", COMPONENT_F32, 4 },
	[BSPI_GLTF_BLEND_WEIGHTS] = { "_BLEND_WEIGHTS", "VEC4", COMPONENT_F32, 16 },
	[BSPI_GLTF_INDEX_16] = { NULL, "SCALAR", COMPONENT_U16, 2 },
	[BSPI_GLTF_INDEX_32] = { NULL, "SCALAR", COMPONENT_U32, 4 },
};

static bool is_index(int stream)
{
	return stream >= BSPI_GLTF_INDEX_16;
}

uint64_t bspi_gltf_align(uint64_t size)
{
	return (size + 3) & ~(uint64_t)3;
}

bool bspi_gltf_put_padding(bspi_gltf *gltf, uint64_t size)
{
	return bspi_put(gltf->writer, "\0\0\0", (size_t)(bspi_gltf_align(size) - size));
}

/* ---- Elements --------------------------------------------------------------------------------------------- */

static void store_u16(uint8_t *out, uint32_t value)
{
	out[0] = (uint8_t)value;
	out[1] = (uint8_t)(value >> 8);
}

static void store_u32(uint8_t *out, uint32_t value)
{
	store_u16(out, value & 0xFFFF);
	store_u16(out + 2, value >> 16);
}

static void store_floats(uint8_t *out, const float *values, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t bits;
		memcpy(&bits, &values[i], sizeof bits);
		store_u32(out + 4 * i, bits);
	}
}

/* The mesh's own coordinates, turned if the material turns them: see set_transform in gltf_material.c. */
static void uv_at(const bspi_gltf *gltf, const bspi_gltf_primitive *primitive, uint32_t vertex, float out[2])
{
	const bspscene_mesh *mesh = &gltf->scene->meshes[primitive->mesh];
	const bspscene_material *material = &gltf->scene->materials[mesh->sections[primitive->section].material];
	const float *uv = mesh->uvs + 2 * (size_t)vertex;
	if (material->uv_rotation != 0) bspi_place_uv(material, uv, out);
	else memcpy(out, uv, 2 * sizeof *out);
}

static void store_vertex(const bspi_gltf *gltf, const bspi_gltf_primitive *primitive, int stream, uint32_t vertex,
                         uint8_t *out)
{
	const bspscene_mesh *mesh = &gltf->scene->meshes[primitive->mesh];
	float values[4];
	switch (stream) {
	case BSPI_GLTF_POSITION:
		bspi_y_up_position(gltf->scene, mesh, vertex, values);
		store_floats(out, values, 3);
		break;
	case BSPI_GLTF_NORMAL:
		bspi_y_up_normal(mesh, vertex, primitive->flip, values);
		store_floats(out, values, 3);
		break;
	case BSPI_GLTF_TANGENT:
		vertex -= mesh->sections[primitive->section].first_vertex;
		store_floats(out, primitive->tangents + 4 * (size_t)vertex, 4);
		break;
	case BSPI_GLTF_TEXCOORD_0:
		uv_at(gltf, primitive, vertex, values);
		store_floats(out, values, 2);
		break;
	case BSPI_GLTF_TEXCOORD_1:
		store_floats(out, mesh->lightmap_uvs + 2 * (size_t)vertex, 2);
		break;
	case BSPI_GLTF_BLEND:
		store_floats(out, mesh->blend_alphas + vertex, 1);
		break;
	case BSPI_GLTF_BLEND_WEIGHTS:
		store_floats(out, mesh->blend_weights + 4 * (size_t)vertex, 4);
		break;
	default:
		bspi_vertex_color_at(&primitive->vertex_color, vertex, values);
		for (int i = 0; i < 4; i++) store_u16(out + 2 * i, (uint32_t)(fminf(values[i], 1) * 65535 + 0.5f));
	}
}

/* ---- Choosing --------------------------------------------------------------------------------------------- */

static const bspscene_section *section_of(const bspi_gltf *gltf, const bspi_gltf_primitive *primitive)
{
	return &gltf->scene->meshes[primitive->mesh].sections[primitive->section];
}

static bool add_primitive(bspi_gltf *gltf, uint32_t mesh_index, uint32_t section_index)
{
	const bspscene_mesh *mesh = &gltf->scene->meshes[mesh_index];
	const bspscene_section *section = &mesh->sections[section_index];
	uint32_t index_count = bspi_count_indices(mesh, section), look;
	if (!index_count) return true;
	BSPI_TRY(bspi_gltf_find_look(gltf, section, &look));

	bspi_gltf_primitive *p = &gltf->primitives[gltf->primitive_count++];
	const bspi_gltf_look *l = &gltf->looks[look];
	const bspscene_material *material = &gltf->scene->materials[section->material];
	p->mesh = mesh_index;
	p->section = section_index;
	p->index_count = index_count;
	p->material = look;
	p->flip = material->cull == BSPSCENE_CULL_FRONT;
	p->vertex_color = bspi_vertex_color_of(gltf->scene, gltf->writer->options.lighting, mesh, section);
	p->vertex_color.gain = bspi_gltf_gain(gltf, material);
	if (p->vertex_color.gain != 1) p->vertex_color.baked = true; /* fullbright surfaces of the picture too */
	p->uses[BSPI_GLTF_POSITION] = true;
	p->uses[BSPI_GLTF_NORMAL] = !(l->unlit && mesh->light); /* nobody lights it anew */
	p->uses[BSPI_GLTF_TANGENT] = l->uses_normals;
	p->uses[BSPI_GLTF_TEXCOORD_0] = l->uses_uv || l->uses_lightmap_uv;
	p->uses[BSPI_GLTF_TEXCOORD_1] = l->uses_lightmap_uv;
	p->uses[BSPI_GLTF_COLOR] = !bspi_vertex_color_is_white(&p->vertex_color);
	p->uses[BSPI_GLTF_BLEND] = mesh->blend_alphas && material->second_image != BSPSCENE_NO_INDEX;
	p->uses[BSPI_GLTF_BLEND_WEIGHTS] = mesh->blend_weights && material->layer_count;
	p->uses[section->vertex_count > LARGEST_16BIT_COUNT ? BSPI_GLTF_INDEX_32 : BSPI_GLTF_INDEX_16] = true;
	for (int i = 0; i < BSPI_GLTF_STREAM_COUNT; i++) {
		if (p->uses[i]) gltf->stream_counts[i] += is_index(i) ? index_count : section->vertex_count;
	}
	return !l->uses_normals || bspi_gltf_make_tangents(gltf, p);
}

static bool choose_primitives(bspi_gltf *gltf)
{
	const bspscene_scene *scene = gltf->scene;
	size_t section_count = 0;
	bool *shown;
	BSPI_TRY(bspi_mark_shown(gltf->writer, &shown));
	for (uint32_t m = 0; m < scene->mesh_count; m++) section_count += scene->meshes[m].section_count;
	gltf->primitives = bspi_writer_push(gltf->writer, bspi_gltf_primitive, section_count);
	gltf->looks = bspi_writer_push(gltf->writer, bspi_gltf_look, section_count);
	BSPI_TRY(gltf->primitives && gltf->looks);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (uint32_t s = 0; shown[m] && s < scene->meshes[m].section_count; s++) BSPI_TRY(add_primitive(gltf, m, s));
	}
	return true;
}

/* ---- Describing ------------------------------------------------------------------------------------------- */

/* Returns where each stream's buffer view is in the document. */
static void build_views(bspi_gltf *gltf, uint32_t views[BSPI_GLTF_STREAM_COUNT])
{
	for (int i = 0; i < BSPI_GLTF_STREAM_COUNT; i++) {
		uint64_t size = gltf->stream_counts[i] * streams[i].size;
		views[i] = (uint32_t)json_array_size(gltf->buffer_views);
		if (!size) continue;
		json_t *view = json_object();
		bspi_gltf_set(gltf, view, "buffer", json_integer(0));
		bspi_gltf_set(gltf, view, "byteOffset", json_integer((json_int_t)gltf->binary_size));
		bspi_gltf_set(gltf, view, "byteLength", json_integer((json_int_t)size));
		if (!is_index(i)) bspi_gltf_set(gltf, view, "byteStride", json_integer((json_int_t)streams[i].size));
		bspi_gltf_set(gltf, view, "target", json_integer(is_index(i) ? TARGET_INDICES : TARGET_VERTICES));
		bspi_gltf_append(gltf, gltf->buffer_views, view);
		gltf->binary_size += bspi_gltf_align(size);
	}
}

static void set_bounds(bspi_gltf *gltf, const bspi_gltf_primitive *primitive, json_t *accessor)
{
	const bspscene_section *section = section_of(gltf, primitive);
	float low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
	for (uint32_t v = 0; v < section->vertex_count; v++) {
		float p[3];
		bspi_y_up_position(gltf->scene, &gltf->scene->meshes[primitive->mesh], section->first_vertex + v, p);
		for (int i = 0; i < 3; i++) {
			if (p[i] < low[i]) low[i] = p[i];
			if (p[i] > high[i]) high[i] = p[i];
		}
	}
	bspi_gltf_set(gltf, accessor, "min", bspi_json_floats(low, 3));
	bspi_gltf_set(gltf, accessor, "max", bspi_json_floats(high, 3));
}

/* Returns its number. */
static json_t *add_accessor(bspi_gltf *gltf, const bspi_gltf_primitive *primitive, int stream, uint32_t view,
                            uint64_t first)
{
	uint32_t count = is_index(stream) ? primitive->index_count : section_of(gltf, primitive)->vertex_count;
	json_t *accessor = json_object();
	bspi_gltf_set(gltf, accessor, "bufferView", json_integer(view));
	bspi_gltf_set(gltf, accessor, "byteOffset", json_integer((json_int_t)(first * streams[stream].size)));
	bspi_gltf_set(gltf, accessor, "componentType", json_integer(streams[stream].component));
	bspi_gltf_set(gltf, accessor, "count", json_integer(count));
	bspi_gltf_set(gltf, accessor, "type", json_string(streams[stream].type));
	if (stream == BSPI_GLTF_COLOR) bspi_gltf_set(gltf, accessor, "normalized", json_true());
	if (stream == BSPI_GLTF_POSITION) set_bounds(gltf, primitive, accessor);
	bspi_gltf_append(gltf, gltf->accessors, accessor);
	return json_integer((json_int_t)json_array_size(gltf->accessors) - 1);
}

static json_t *build_primitive(bspi_gltf *gltf, const bspi_gltf_primitive *primitive,
                               const uint32_t views[BSPI_GLTF_STREAM_COUNT], uint64_t firsts[BSPI_GLTF_STREAM_COUNT])
{
	const bspscene_section *section = section_of(gltf, primitive);
	json_t *object = json_object(), *attributes = json_object();
	for (int i = 0; i < BSPI_GLTF_STREAM_COUNT; i++) {
		if (!primitive->uses[i]) continue;
		json_t *accessor = add_accessor(gltf, primitive, i, views[i], firsts[i]);
		bspi_gltf_set(gltf, is_index(i) ? object : attributes, is_index(i) ? "indices" : streams[i].attribute,
		              accessor);
		firsts[i] += is_index(i) ? primitive->index_count : section->vertex_count;
	}
	bspi_gltf_set(gltf, object, "attributes", attributes);
	bspi_gltf_set(gltf, object, "material", json_integer(primitive->material));
	json_t *facts = bspi_section_facts(gltf->writer, section);
	if (facts) bspi_gltf_set(gltf, object, "extras", facts);
	return object;
}

bool bspi_gltf_build_meshes(bspi_gltf *gltf)
{
	const bspscene_scene *scene = gltf->scene;
	uint32_t views[BSPI_GLTF_STREAM_COUNT];
	uint64_t firsts[BSPI_GLTF_STREAM_COUNT] = { 0 };
	gltf->mesh_numbers = bspi_writer_push(gltf->writer, uint32_t, scene->mesh_count);
	BSPI_TRY(gltf->mesh_numbers && choose_primitives(gltf));
	build_views(gltf, views);
	BSPI_TRY(bspi_gltf_check_size(gltf, gltf->binary_size));
	for (uint32_t m = 0; m < scene->mesh_count; m++) gltf->mesh_numbers[m] = BSPSCENE_NO_INDEX;

	for (uint32_t i = 0; i < gltf->primitive_count; ) {
		uint32_t mesh_index = gltf->primitives[i].mesh;
		json_t *primitives = json_array(), *mesh = json_object();
		for (; i < gltf->primitive_count && gltf->primitives[i].mesh == mesh_index; i++) {
			bspi_gltf_append(gltf, primitives, build_primitive(gltf, &gltf->primitives[i], views, firsts));
		}
		bspi_gltf_set(gltf, mesh, "name", json_string(scene->meshes[mesh_index].name));
		bspi_gltf_set(gltf, mesh, "primitives", primitives);
		gltf->mesh_numbers[mesh_index] = (uint32_t)json_array_size(gltf->meshes);
		bspi_gltf_append(gltf, gltf->meshes, mesh);
	}
	return !gltf->writer->failure.status;
}

/* ---- Writing ---------------------------------------------------------------------------------------------- */

static bool put_vertices(bspi_gltf *gltf, const bspi_gltf_primitive *primitive, int stream)
{
	const bspscene_section *section = section_of(gltf, primitive);
	uint8_t element[16];
	for (uint32_t i = 0; i < section->vertex_count; i++) {
		store_vertex(gltf, primitive, stream, section->first_vertex + i, element);
		BSPI_TRY(bspi_put(gltf->writer, element, streams[stream].size));
	}
	return true;
}

static bool put_indices(bspi_gltf *gltf, const bspi_gltf_primitive *primitive, int stream)
{
	const bspscene_section *section = section_of(gltf, primitive);
	const uint32_t *indices = gltf->scene->meshes[primitive->mesh].indices + section->first_index;
	uint32_t size = streams[stream].size;
	uint8_t triangle[12];
	for (uint32_t i = 0; i < section->index_count; i += 3) {
		if (!bspi_is_triangle(indices + i)) continue;
		for (uint32_t corner = 0; corner < 3; corner++) {
			uint32_t index = indices[i + (primitive->flip ? 2 - corner : corner)] - section->first_vertex;
			if (size == 2) store_u16(triangle + 2 * corner, index);
			else store_u32(triangle + 4 * corner, index);
		}
		BSPI_TRY(bspi_put(gltf->writer, triangle, 3 * (size_t)size));
	}
	return true;
}

bool bspi_gltf_put_streams(bspi_gltf *gltf)
{
	for (int s = 0; s < BSPI_GLTF_STREAM_COUNT; s++) {
		for (uint32_t i = 0; i < gltf->primitive_count; i++) {
			const bspi_gltf_primitive *primitive = &gltf->primitives[i];
			if (!primitive->uses[s]) continue;
			BSPI_TRY(is_index(s) ? put_indices(gltf, primitive, s) : put_vertices(gltf, primitive, s));
		}
		BSPI_TRY(bspi_gltf_put_padding(gltf, gltf->stream_counts[s] * streams[s].size));
		BSPI_TRY(bspi_writer_progress(gltf->writer, "write", (uint64_t)s + 1, BSPI_GLTF_STREAM_COUNT));
	}
	return true;
}
