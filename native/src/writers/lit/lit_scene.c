/* lit_scene.c - bspscene_bake_textures: makes a scene whose surfaces show the picture of lit.h, for hosts that build
 * their own objects from scenes. */
#include <assert.h>
#include <string.h>

#include <bspscene/binding.h>
#include <bspscene/material.h>

#include "base/owner.h"
#include "writers/light/drawn.h"
#include "writers/lit/lit.h"
#include "writers/writer_costs.h"

/* A material of the new scene: one of the old materials, with one kind of light. */
typedef struct lit_material {
	uint32_t material;
	bspi_lit_section lit;
	uint32_t next;                     /* index of the next new material that comes from the same old one */
} lit_material;

typedef struct building {
	bspi_writer *writer;
	bspi_ctx *ctx;                     /* context of the new scene */
	const bspi_lit *lit;
	bspscene_scene *scene;             /* the new scene */
	/* New materials, which follow those of the old scene. */
	bspscene_material *made; lit_material *made_of; uint32_t made_count;
	uint32_t *firsts;                  /* for each old material, the index of its first entry in made_of */
} building;

static void *push(building *b, size_t count, size_t size)
{
	return bspi_push_zeroed(b->ctx, &b->ctx->result, count, size);
}

/* ---- Images ----------------------------------------------------------------------------------------------- */

static bool fill_image(building *b, uint32_t number, bspscene_image *out)
{
	const bspi_lit_sheet *sheet = &b->lit->sheets[number];
	char *name = push(b, BSPI_LIT_NAME_SIZE, 1);
	void *bytes = push(b, sheet->picture.size, 1);
	BSPI_TRY(name && bytes);
	bspi_lit_sheet_name(number, name);
	memcpy(bytes, sheet->picture.data, sheet->picture.size);
	*out = (bspscene_image) {
		.name = name, .path = "", .archive = "", .format = BSPSCENE_IMAGE_JPEG, .width = sheet->width,
		.height = sheet->height, .data = bytes, .size = sheet->picture.size, .is_generated = true,
		.fallback_color = { 128, 128, 128 },
	};
	return true;
}

static bool add_images(building *b)
{
	bspscene_scene *scene = b->scene;
	const uint32_t old = scene->image_count;
	bspscene_image *made = push(b, b->lit->sheet_count, sizeof *made);
	const bspscene_image **table = push(b, (size_t)old + b->lit->sheet_count, sizeof *table);
	BSPI_TRY(made && table);
	if (old) memcpy(table, scene->images, old * sizeof *table);
	for (uint32_t i = 0; i < b->lit->sheet_count; i++) {
		BSPI_TRY(fill_image(b, i, &made[i]));
		table[old + i] = &made[i];
	}
	scene->images = table;
	scene->image_count = old + b->lit->sheet_count;
	return true;
}

/* ---- Materials -------------------------------------------------------------------------------------------- */

/* Makes a material show a sheet of the picture unlit, without effects of the game. */
static void show_sheet(building *b, uint32_t sheet, bspscene_material *out)
{
	out->base_image = b->scene->image_count - b->lit->sheet_count + sheet;
	out->emissive_image = out->normal_image = out->second_image = BSPSCENE_NO_INDEX;
	out->uv_scale[0] = out->uv_scale[1] = 1;
	out->uv_offset[0] = out->uv_offset[1] = out->uv_rotation_radians = 0;
	out->scroll[0] = out->scroll[1] = 0;
	for (int i = 0; i < 3; i++) {
		out->color[i] = 1;
		out->emissive[i] = 0;
	}
	out->clamp = true;
	out->pass_count = out->layer_count = out->deform_count = 0;
	out->blend_mask = NULL;
	out->detail_texture = NULL;
	out->animation = NULL;
	out->reflection = NULL;
	out->phong = NULL;
	out->emission_mask = NULL;
}

static uint32_t find_material(building *b, uint32_t material, const bspi_lit_section *lit)
{
	const uint32_t old = b->writer->scene->material_count;
	uint32_t *first = &b->firsts[material];
	for (uint32_t i = *first; i != BSPSCENE_NO_INDEX; i = b->made_of[i].next) {
		if (bspi_lit_is_alike(&b->made_of[i].lit, lit)) return old + i;
	}
	bspscene_material *out = &b->made[b->made_count];
	*out = *b->writer->scene->materials[material];
	out->unlit = true;
	if (lit->in_picture) show_sheet(b, lit->sheet, out);
	for (int i = 0; !lit->in_picture && i < 3; i++) out->color[i] *= lit->light[i];
	b->made_of[b->made_count] = (lit_material) { material, *lit, *first };
	*first = b->made_count;
	return old + b->made_count++;
}

static bool begin_materials(building *b)
{
	const bspscene_scene *scene = b->writer->scene;
	size_t count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) count += scene->meshes[m]->section_count;
	b->made = push(b, count, sizeof *b->made);
	b->made_of = bspi_writer_push(b->writer, lit_material, count);
	b->firsts = bspi_writer_push(b->writer, uint32_t, scene->material_count);
	BSPI_TRY(b->made && b->made_of && b->firsts);
	for (uint32_t i = 0; i < scene->material_count; i++) b->firsts[i] = BSPSCENE_NO_INDEX;
	return true;
}

static bool end_materials(building *b)
{
	const uint32_t old = b->scene->material_count;
	const bspscene_material **table = push(b, (size_t)old + b->made_count, sizeof *table);
	BSPI_TRY(table);
	if (old) memcpy(table, b->scene->materials, old * sizeof *table);
	for (uint32_t i = 0; i < b->made_count; i++) table[old + i] = &b->made[i];
	b->scene->materials = table;
	b->scene->material_count = old + b->made_count;
	return true;
}

/* ---- Meshes ----------------------------------------------------------------------------------------------- */

static void light_section(building *b, const bspi_lit_section *lit, bspscene_section *section)
{
	if (!lit->in_picture && bspi_page_of(b->writer->scene, section) == BSPSCENE_NO_INDEX) return;
	section->material = find_material(b, section->material, lit);
	section->lighting = BSPSCENE_LIGHTING_FULLBRIGHT;
	section->lightmap_page = section->map_page_image = BSPSCENE_NO_INDEX;
}

static bool place_vertices(building *b, uint32_t index, bspscene_mesh *mesh)
{
	const float *lit_uvs = b->lit->uvs[index];
	if (!lit_uvs) return true;
	float *uvs = push(b, (size_t)mesh->vertex_count, 2 * sizeof *uvs);
	BSPI_TRY(uvs);
	memcpy(uvs, mesh->uvs, (size_t)mesh->vertex_count * 2 * sizeof *uvs);
	for (uint32_t s = 0; s < mesh->section_count; s++) {
		const bspscene_section *section = mesh->sections[s];
		size_t first = 2 * (size_t)section->first_vertex, count = 2 * (size_t)section->vertex_count;
		if (b->lit->sections[index][s].in_picture) memcpy(uvs + first, lit_uvs + first, count * sizeof *uvs);
	}
	mesh->uvs = uvs;
	return true;
}

static bool light_mesh(building *b, uint32_t index, bspscene_mesh *mesh)
{
	const uint32_t count = mesh->section_count;
	bspscene_section *sections = push(b, count, sizeof *sections);
	const bspscene_section **table = push(b, count, sizeof *table);
	BSPI_TRY(sections && table && place_vertices(b, index, mesh));
	for (uint32_t s = 0; s < count; s++) {
		sections[s] = *mesh->sections[s];
		table[s] = &sections[s];
		light_section(b, &b->lit->sections[index][s], &sections[s]);
	}
	mesh->sections = table;
	return true;
}

/* Gives meshes and faces their new sections. If sections were split, the writer's scene has the split ones. */
static bool light_meshes(building *b)
{
	const bspscene_scene *from = b->writer->scene;
	bspscene_mesh *meshes = push(b, from->mesh_count, sizeof *meshes);
	const bspscene_mesh **table = push(b, from->mesh_count, sizeof *table);
	bspscene_face *faces = push(b, from->face_count, sizeof *faces);
	BSPI_TRY(meshes && table && faces && begin_materials(b));
	if (from->face_count) memcpy(faces, from->faces, from->face_count * sizeof *faces);
	for (uint32_t m = 0; m < from->mesh_count; m++) {
		table[m] = from->meshes[m];
		if (!b->lit->sections[m]) continue;
		meshes[m] = *from->meshes[m];
		BSPI_TRY(light_mesh(b, m, &meshes[m]));
		table[m] = &meshes[m];
	}
	b->scene->faces = faces;
	b->scene->meshes = table;
	return end_materials(b);
}

/* ---- The scene -------------------------------------------------------------------------------------------- */

static bool begin(bspi_writer *writer, bspi_ctx *ctx)
{
	const bspscene_scene *scene = writer->loaded;
	ctx->error = (bspscene_error) { .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET };
	ctx->file = *scene->name ? scene->name : "map";
	bspi_budget_begin(&ctx->budget, writer->budget.limit, writer->options.allocator);
	bspi_budget_read(&ctx->budget, scene->input_size);
	bspi_begin_memory(ctx);
	/* The new scene uses arrays of the old scene, so the memory of the old one counts too. */
	return bspi_budget_take(&ctx->budget, scene->memory_size) || bspi_fail_memory(ctx);
}

/* The `write` function of a writer. output->user is where the new scene goes. */
static bool build(bspi_writer *writer)
{
	bspi_ctx ctx = { .file = NULL };
	bspi_lit lit = { .charts = NULL };
	building b = { .writer = writer, .ctx = &ctx, .lit = &lit };
	bspscene_error error;
	bool *shown;
	bool made = bspi_mark_shown(writer, &shown) && bspi_lit_make(writer, shown, true, &lit);
	bspi_owner *self = begin(writer, &ctx) && made ? bspi_push(&ctx, &ctx.result, bspi_owner, 1) : NULL;
	if (self) {
		self->scene = *writer->loaded;
		b.scene = &self->scene;
	}
	bool built = self && add_images(&b) && light_meshes(&b);
	bspscene_scene *scene = bspi_owner_hand_out(&ctx, built ? self : NULL, &error);
	bspi_lit_free(&lit);
	*(bspscene_scene **)writer->output->user = scene;
	return scene || (made ? bspi_writer_fail(writer, error.status, "%s", error.message) : false);
}

bspscene_scene *bspscene_bake_textures(const bspscene_scene *scene, const bspscene_write_options *options,
                                       bspscene_error *error)
{
	/* `raw` is true, so the writer gets the scene as it was loaded, without bspscene_bake_light. The light styles of
	 * pages are summed while the picture is painted. Vertex colors of styles other than the first are not used. */
	static const bspi_writer_format painter = {
		.about = { .name = "lit", .extension = "", .lighting = BSPSCENE_WRITE_LIGHTING_BAKED,
		           .lightings = 1u << BSPSCENE_WRITE_LIGHTING_BAKED },
		.write = build, .raw = true, .contents = BSPI_WRITES_LIT,
	};
	assert(scene);
	bspscene_scene *out = NULL;
	bspscene_output output;
	bspscene_output_init(&output);
	output.user = &out;
	bspi_error_set(error, BSPSCENE_OK, "%s", "");
	if (bspi_write_by(&painter, scene, options, &output, error)) return out;
	bspscene_scene_free(out);
	return NULL;
}
