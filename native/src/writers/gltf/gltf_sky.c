/* gltf_sky.c - writes the sky as a cube just outside of the map and its cameras. It has six unlit squares that face
 * inward, each with a picture of its own. The pictures are clamped and have no mipmaps, so that no seams show. Viewers
 * do not draw back faces, so a viewer outside of the cube sees only its far sides. */
#include "writers/gltf/gltf.h"

#include <string.h>

#include <bspscene/sky.h>

#define TARGET_VERTICES 34962
#define TARGET_INDICES 34963
#define FLOAT 5126
#define UNSIGNED_SHORT 5123

enum { CORNERS = 4, INDICES = 6, VERTEX_SIZE = 5 * sizeof(float), INDICES_SIZE = INDICES * sizeof(uint16_t) };

/* Corners are counter-clockwise as seen from the cube's center. */
static const float corner_uvs[CORNERS][2] = { { 0, 0 }, { 0, 1 }, { 1, 1 }, { 1, 0 } };
static const uint16_t indices[INDICES] = { 0, 1, 2, 0, 2, 3 };

static void corner_at(const bspi_gltf *gltf, uint32_t side, uint32_t corner, float out[3])
{
	const bspi_sky_cube *cube = &gltf->sky;
	float way[3];
	bspscene_sky_direction(side, corner_uvs[corner][0], corner_uvs[corner][1], way);
	const float y_up[3] = { way[0], way[2], -way[1] };
	for (int i = 0; i < 3; i++) out[i] = cube->center[i] + y_up[i] * cube->half;
}

/* ---- The document ----------------------------------------------------------------------------------------- */

static uint32_t add_view(bspi_gltf *gltf, uint32_t size, uint32_t stride, int target)
{
	json_t *view = json_object();
	bspi_gltf_set(gltf, view, "buffer", json_integer(0));
	bspi_gltf_set(gltf, view, "byteOffset", json_integer((json_int_t)gltf->binary_size));
	bspi_gltf_set(gltf, view, "byteLength", json_integer(size));
	if (stride) bspi_gltf_set(gltf, view, "byteStride", json_integer(stride));
	bspi_gltf_set(gltf, view, "target", json_integer(target));
	bspi_gltf_append(gltf, gltf->buffer_views, view);
	gltf->binary_size += bspi_gltf_align(size);
	return (uint32_t)json_array_size(gltf->buffer_views) - 1;
}

static json_t *add_accessor(bspi_gltf *gltf, uint32_t view, uint32_t offset, uint32_t count, const char *type,
                            int component)
{
	json_t *accessor = json_object();
	bspi_gltf_set(gltf, accessor, "bufferView", json_integer(view));
	bspi_gltf_set(gltf, accessor, "byteOffset", json_integer(offset));
	bspi_gltf_set(gltf, accessor, "componentType", json_integer(component));
	bspi_gltf_set(gltf, accessor, "count", json_integer(count));
	bspi_gltf_set(gltf, accessor, "type", json_string(type));
	bspi_gltf_append(gltf, gltf->accessors, accessor);
	return accessor;
}

static json_int_t last_accessor(const bspi_gltf *gltf)
{
	return (json_int_t)json_array_size(gltf->accessors) - 1;
}

static void set_bounds(bspi_gltf *gltf, uint32_t side, json_t *accessor)
{
	float low[3], high[3], at[3];
	corner_at(gltf, side, 0, low);
	memcpy(high, low, sizeof high);
	for (uint32_t i = 1; i < CORNERS; i++) {
		corner_at(gltf, side, i, at);
		for (int k = 0; k < 3; k++) {
			if (at[k] < low[k]) low[k] = at[k];
			if (at[k] > high[k]) high[k] = at[k];
		}
	}
	bspi_gltf_set(gltf, accessor, "min", bspi_json_floats(low, 3));
	bspi_gltf_set(gltf, accessor, "max", bspi_json_floats(high, 3));
}

static json_t *build_material(bspi_gltf *gltf, const char *name, uint32_t texture)
{
	json_t *material = json_object(), *pbr = json_object(), *info = json_object(), *extensions = json_object();
	bspi_gltf_set(gltf, info, "index", json_integer(texture));
	bspi_gltf_set(gltf, pbr, "baseColorTexture", info);
	bspi_gltf_set(gltf, pbr, "metallicFactor", json_integer(0));
	bspi_gltf_set(gltf, pbr, "roughnessFactor", json_integer(1));
	bspi_gltf_set(gltf, extensions, "KHR_materials_unlit", json_object());
	bspi_gltf_set(gltf, material, "name", json_string(name));
	bspi_gltf_set(gltf, material, "pbrMetallicRoughness", pbr);
	bspi_gltf_set(gltf, material, "extensions", extensions);
	gltf->extensions |= BSPI_GLTF_UNLIT;
	return material;
}

static bool build_side(bspi_gltf *gltf, uint32_t side, uint32_t vertices, uint32_t view, bspi_picture *picture,
                       json_t *primitives)
{
	char name[BSPI_SKY_NAME_SIZE];
	uint32_t texture, offset = side * CORNERS * (uint32_t)VERTEX_SIZE;
	bspi_sky_side_name(side, name);
	BSPI_TRY(bspi_gltf_made_texture(gltf, name, picture, BSPI_GLTF_LIGHTMAP, &texture));
	*picture = (bspi_picture){ .data = NULL };
	json_t *primitive = json_object(), *attributes = json_object();
	set_bounds(gltf, side, add_accessor(gltf, vertices, offset, CORNERS, "VEC3", FLOAT));
	bspi_gltf_set(gltf, attributes, "POSITION", json_integer(last_accessor(gltf)));
	add_accessor(gltf, vertices, offset + 3 * (uint32_t)sizeof(float), CORNERS, "VEC2", FLOAT);
	bspi_gltf_set(gltf, attributes, "TEXCOORD_0", json_integer(last_accessor(gltf)));
	add_accessor(gltf, view, 0, INDICES, "SCALAR", UNSIGNED_SHORT);
	bspi_gltf_set(gltf, primitive, "attributes", attributes);
	bspi_gltf_set(gltf, primitive, "indices", json_integer(last_accessor(gltf)));
	bspi_gltf_set(gltf, primitive, "material", json_integer((json_int_t)json_array_size(gltf->materials)));
	bspi_gltf_append(gltf, gltf->materials, build_material(gltf, name, texture));
	bspi_gltf_append(gltf, primitives, primitive);
	return true;
}

bool bspi_gltf_build_sky(bspi_gltf *gltf)
{
	bspi_picture pictures[BSPSCENE_CUBE_SIDES];
	bool wanted = gltf->writer->options.sky == BSPSCENE_WRITE_SKY_CUBE;
	if (!wanted || !bspi_written_sky_size(gltf->writer)) return true;
	bool built = bspi_sky_sides(gltf->writer, pictures);
	if (built) {
		json_t *mesh = json_object(), *primitives = json_array();
		gltf->sky = bspi_sky_cube_of(gltf->writer);
		uint32_t vertices = add_view(gltf, BSPSCENE_CUBE_SIDES * CORNERS * (uint32_t)VERTEX_SIZE,
		                             (uint32_t)VERTEX_SIZE, TARGET_VERTICES);
		uint32_t corners = add_view(gltf, (uint32_t)INDICES_SIZE, 0, TARGET_INDICES);
		for (uint32_t i = 0; built && i < BSPSCENE_CUBE_SIDES; i++) {
			built = build_side(gltf, i, vertices, corners, &pictures[i], primitives);
		}
		bspi_gltf_set(gltf, mesh, "name", json_string("sky"));
		bspi_gltf_set(gltf, mesh, "primitives", primitives);
		gltf->sky_mesh = (uint32_t)json_array_size(gltf->meshes);
		bspi_gltf_append(gltf, gltf->meshes, mesh);
	}
	for (int i = 0; i < BSPSCENE_CUBE_SIDES; i++) bspi_picture_free(&pictures[i]);
	return built;
}

void bspi_gltf_add_sky_root(bspi_gltf *gltf, json_t *roots)
{
	if (!(gltf->sky.half > 0)) return;
	json_t *node = json_object(), *extras = json_object(), *facts = json_object();
	bspi_gltf_set(gltf, facts, "kind", json_string("sky"));
	bspi_gltf_set(gltf, facts, "center", bspi_json_floats(gltf->sky.center, 3));
	bspi_gltf_set(gltf, facts, "half", bspi_json_float(gltf->sky.half));
	bspi_gltf_set(gltf, extras, "bspscene", facts);
	bspi_gltf_set(gltf, node, "name", json_string("sky"));
	bspi_gltf_set(gltf, node, "mesh", json_integer(gltf->sky_mesh));
	bspi_gltf_set(gltf, node, "extras", extras);
	bspi_gltf_append(gltf, roots, json_integer((json_int_t)json_array_size(gltf->nodes)));
	bspi_gltf_append(gltf, gltf->nodes, node);
}

/* ---- The bytes -------------------------------------------------------------------------------------------- */

static bool put_bytes(bspi_gltf *gltf, uint32_t value, uint32_t size)
{
	uint8_t bytes[4];
	for (uint32_t i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> 8 * i);
	return bspi_put(gltf->writer, bytes, size);
}

static bool put_floats(bspi_gltf *gltf, const float *values, int count)
{
	for (int i = 0; i < count; i++) {
		uint32_t bits;
		memcpy(&bits, &values[i], sizeof bits);
		BSPI_TRY(put_bytes(gltf, bits, sizeof bits));
	}
	return true;
}

bool bspi_gltf_put_sky(bspi_gltf *gltf)
{
	if (!(gltf->sky.half > 0)) return true;
	for (uint32_t i = 0; i < BSPSCENE_CUBE_SIDES * CORNERS; i++) {
		float at[3];
		corner_at(gltf, i / CORNERS, i % CORNERS, at);
		BSPI_TRY(put_floats(gltf, at, 3) && put_floats(gltf, corner_uvs[i % CORNERS], 2));
	}
	for (int i = 0; i < INDICES; i++) BSPI_TRY(put_bytes(gltf, indices[i], sizeof *indices));
	return bspi_gltf_put_padding(gltf, INDICES_SIZE);
}
