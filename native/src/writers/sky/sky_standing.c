/* sky_standing.c - makes a scene in which a node "sky" shows the sky surfaces. See sky_surfaces.h. */
#include <string.h>

#include "base/vec.h"
#include "sky/sky_source.h"
#include "writers/sky/sky_choice.h"
#include "writers/sky/sky_eyes.h"
#include "writers/sky/sky_surfaces.h"
#include "writers/sky/written_sky.h"
#include "writers/writer_costs.h"

/* The new scene, and what is added to it. */
typedef struct standing {
	bspi_writer *writer;
	bspscene_scene *scene;
	char (*names)[BSPI_SKY_NAME_SIZE]; /* for each side, the name of its material and image */
	uint32_t first_material;
	uint32_t images[BSPSCENE_CUBE_SIDES];
} standing;

/* Returns a copy of a table of pointers, with room for `more` pointers. Returns NULL with writer->failure set if memory
 * is out. */
static void *copy_table(bspi_writer *writer, const void *table, uint32_t count, uint32_t more)
{
	void *out = bspi_writer_push_zeroed(writer, (size_t)count + more, sizeof(void *));
	if (out && count) memcpy(out, table, count * sizeof(void *));
	return out;
}

/* ---- Pictures and materials ------------------------------------------------------------------------------- */

/* Uses the game's own images if all six sides can show them unchanged. Returns false otherwise. */
static bool use_images(standing *s)
{
	for (uint32_t i = 0; i < BSPSCENE_CUBE_SIDES; i++) {
		if (!bspi_sky_side_passes(s->writer, i, &s->images[i])) return false;
	}
	return true;
}

static bool draw_images(standing *s)
{
	bspi_writer *writer = s->writer;
	bspscene_scene *scene = s->scene;
	const uint32_t size = bspi_written_sky_size(writer);
	const size_t side_size = 4 * (size_t)size * size;
	const bspscene_image **table = copy_table(writer, scene->images, scene->image_count, BSPSCENE_CUBE_SIDES);
	bspscene_image *images = bspi_writer_push(writer, bspscene_image, BSPSCENE_CUBE_SIDES);
	uint8_t *pixels = bspi_writer_push(writer, uint8_t, BSPSCENE_CUBE_SIDES * side_size);
	BSPI_TRY(table && images && pixels && bspi_draw_sky_pixels(writer, size, pixels));
	for (uint32_t i = 0; i < BSPSCENE_CUBE_SIDES; i++) {
		s->images[i] = scene->image_count + i;
		images[i] = (bspscene_image){
			.name = s->names[i], .path = "", .archive = "", .format = BSPSCENE_IMAGE_RGBA, .width = size,
			.height = size, .data = pixels + i * side_size, .size = side_size, .is_generated = true,
		};
		table[s->images[i]] = &images[i];
	}
	scene->images = table;
	scene->image_count += BSPSCENE_CUBE_SIDES;
	return true;
}

static bool add_materials(standing *s)
{
	bspscene_scene *scene = s->scene;
	const bspscene_material **table =
		copy_table(s->writer, scene->materials, scene->material_count, BSPSCENE_CUBE_SIDES);
	bspscene_material *materials = bspi_writer_push(s->writer, bspscene_material, BSPSCENE_CUBE_SIDES);
	BSPI_TRY(table && materials);
	s->first_material = scene->material_count;
	for (uint32_t i = 0; i < BSPSCENE_CUBE_SIDES; i++) {
		materials[i] = (bspscene_material){
			.name = s->names[i], .kind = BSPSCENE_MATERIAL_SKY, .base_image = s->images[i],
			.second_image = BSPSCENE_NO_INDEX, .emissive_image = BSPSCENE_NO_INDEX,
			.normal_image = BSPSCENE_NO_INDEX, .clamp = true, .unlit = true, .no_mipmaps = true,
			.uv_scale = { 1, 1 }, .color = { 1, 1, 1, 1 }, .cull = BSPSCENE_CULL_BACK,
			.script_file = "", .script_text = "",
		};
		table[s->first_material + i] = &materials[i];
	}
	scene->materials = table;
	scene->material_count += BSPSCENE_CUBE_SIDES;
	return true;
}

/* ---- Meshes ----------------------------------------------------------------------------------------------- */

/* If the mesh shows the sky, replaces it by a copy in which the sections with sky are empty. */
static bool empty_sky_sections(bspi_writer *writer, const bspscene_mesh **mesh)
{
	const bspscene_mesh *from = *mesh;
	uint32_t first = 0;
	while (first < from->section_count && !bspi_is_sky_section(writer->scene, from->sections[first])) first++;
	if (first == from->section_count) return true;
	bspscene_mesh *copy = bspi_writer_push(writer, bspscene_mesh, 1);
	bspscene_section *sections = bspi_writer_push(writer, bspscene_section, from->section_count);
	const bspscene_section **table = copy_table(writer, from->sections, from->section_count, 0);
	BSPI_TRY(copy && sections && table);
	for (uint32_t i = first; i < from->section_count; i++) {
		if (!bspi_is_sky_section(writer->scene, from->sections[i])) continue;
		sections[i] = *from->sections[i];
		sections[i].vertex_count = sections[i].index_count = sections[i].face_count = 0;
		table[i] = &sections[i];
	}
	*copy = *from;
	copy->sections = table;
	*mesh = copy;
	return true;
}

static bool add_sections(standing *s, const bspi_sky_surfaces *surfaces, bspscene_mesh *mesh)
{
	bspscene_section *sections = bspi_writer_push(s->writer, bspscene_section, BSPSCENE_CUBE_SIDES);
	const bspscene_section **table = bspi_writer_push(s->writer, const bspscene_section *, BSPSCENE_CUBE_SIDES);
	uint32_t first = 0;
	BSPI_TRY(sections && table);
	for (uint32_t i = 0; i < BSPSCENE_CUBE_SIDES; i++) {
		uint32_t vertices = 3 * surfaces->counts[i];
		if (!vertices) continue;
		bspscene_section *section = &sections[mesh->section_count];
		*section = (bspscene_section){
			.material = s->first_material + i, .lightmap_page = BSPSCENE_NO_INDEX,
			.lighting = BSPSCENE_LIGHTING_FULLBRIGHT, .fog = BSPSCENE_NO_INDEX,
			.map_page_image = BSPSCENE_NO_INDEX, .first_vertex = first, .vertex_count = vertices,
			.first_index = first, .index_count = vertices,
		};
		table[mesh->section_count++] = section;
		first += vertices;
	}
	mesh->sections = table;
	return true;
}

static bool make_mesh(standing *s, bspscene_mesh *mesh)
{
	bspi_sky_surfaces surfaces;
	BSPI_TRY(bspi_find_sky_surfaces(s->writer, &surfaces));
	uint32_t count = surfaces.vertex_count, *indices = bspi_writer_push(s->writer, uint32_t, count);
	BSPI_TRY(indices);
	*mesh = (bspscene_mesh){
		.name = "sky", .model = BSPSCENE_NO_INDEX, .bounds = count ? BSPI_EMPTY_BOUNDS : BSPI_NO_BOUNDS,
		.vertex_count = count, .positions = surfaces.positions, .normals = surfaces.normals, .uvs = surfaces.uvs,
		.index_count = count, .indices = indices,
	};
	for (uint32_t i = 0; i < count; i++) {
		indices[i] = i;
		bspi_bounds_add(&mesh->bounds, surfaces.positions + 3 * (size_t)i);
	}
	return add_sections(s, &surfaces, mesh);
}

static bool hide_sky_faces(standing *s)
{
	bspscene_scene *scene = s->scene;
	const bspscene_mesh **table = copy_table(s->writer, scene->meshes, scene->mesh_count, 0);
	BSPI_TRY(table);
	for (uint32_t i = 0; i < scene->mesh_count; i++) BSPI_TRY(empty_sky_sections(s->writer, &table[i]));
	scene->meshes = table;
	return true;
}

static bool add_mesh(standing *s)
{
	bspscene_scene *scene = s->scene;
	const bspscene_mesh **table = copy_table(s->writer, scene->meshes, scene->mesh_count, 1);
	bspscene_mesh *mesh = bspi_writer_push(s->writer, bspscene_mesh, 1);
	BSPI_TRY(table && mesh && make_mesh(s, mesh));
	table[scene->mesh_count++] = mesh;
	scene->meshes = table;
	return true;
}

static bool add_node(standing *s)
{
	bspscene_scene *scene = s->scene;
	const bspscene_node **table = copy_table(s->writer, scene->nodes, scene->node_count, 1);
	bspscene_node *node = bspi_writer_push(s->writer, bspscene_node, 1);
	BSPI_TRY(table && node);
	*node = (bspscene_node){
		.name = "sky", .kind = BSPSCENE_NODE_SKY, .parent = 0, .mesh = scene->mesh_count - 1,
		.light = BSPSCENE_NO_INDEX, .camera = BSPSCENE_NO_INDEX, .prop = BSPSCENE_NO_INDEX,
		.entity = BSPSCENE_NO_INDEX, .material = BSPSCENE_NO_INDEX, .color = { 1, 1, 1 }, .color_alpha = 1,
	};
	bspi_transform_identity(node->transform);
	table[scene->node_count++] = node;
	scene->nodes = table;
	return true;
}

/* ---- The scene -------------------------------------------------------------------------------------------- */

bool bspi_stand_sky(bspi_writer *writer)
{
	standing s = { .writer = writer };
	if (writer->options.sky != BSPSCENE_WRITE_SKY_SURFACES) return true;
	bool known = bspi_written_sky_size(writer) > 0;
	s.scene = bspi_writer_push(writer, bspscene_scene, 1);
	s.names = bspi_writer_push_zeroed(writer, BSPSCENE_CUBE_SIDES, BSPI_SKY_NAME_SIZE);
	BSPI_TRY(s.scene && s.names);
	*s.scene = *writer->scene;
	for (uint32_t i = 0; i < BSPSCENE_CUBE_SIDES; i++) bspi_sky_side_name(i, s.names[i]);
	BSPI_TRY(hide_sky_faces(&s));
	if (known) BSPI_TRY((use_images(&s) || draw_images(&s)) && add_materials(&s) && add_mesh(&s) && add_node(&s));
	writer->scene = s.scene;
	return bspi_writer_worked(writer, "sky", bspi_cost_of_sky(writer));
}
