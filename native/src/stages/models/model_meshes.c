/* model_meshes.c - makes a mesh for each use of a model (skin and blending), after the map's meshes. Uses of one model
 * share vertices. All nodes with the same use show one mesh. */
#include <stdio.h>

#include <bspscene/material.h>

#include "stages/models/models.h"

#include "base/text.h"
#include "base/vec.h"
#include "models/rig/model_rig.h"

static uint32_t material_of(const bspi_prop_model *model, const bspi_model_use *use, const bspi_model_section *section)
{
	return use->materials[model->skins[(size_t)use->skin * model->slot_count + section->slot]];
}

static bool is_shown(const bspi_build *build, uint32_t material)
{
	bspscene_surface_kind include = build->scene->materials[material]->surface_kind;
	return include == BSPSCENE_SURFACE_VISIBLE || (build->ctx->options.include_mask & (uint32_t)include);
}

static uint32_t count_shown(const bspi_build *build, const bspi_prop_model *model, const bspi_model_use *use)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < model->section_count; i++) {
		count += is_shown(build, material_of(model, use, &model->sections[i]));
	}
	return count;
}

/* Allocates the arrays of a mesh. They have no room for vertices of parts that the game never draws. */
static bool allocate_part(bspi_ctx *ctx, const bspi_prop_model *model, bspi_model_use *use, bspscene_mesh *mesh)
{
	mesh->positions = bspi_push(ctx, &ctx->result, float, 3 * (size_t)model->vertex_count);
	mesh->normals = bspi_push(ctx, &ctx->result, float, 3 * (size_t)model->vertex_count);
	mesh->uvs = bspi_push(ctx, &ctx->result, float, 2 * (size_t)model->vertex_count);
	mesh->indices = bspi_push(ctx, &ctx->result, uint32_t, model->index_count);
	use->vertices = bspi_push(ctx, &ctx->scratch, uint32_t, model->vertex_count);
	BSPI_TRY(use->vertices);
	if (model->light) {
		mesh->colors = bspi_push(ctx, &ctx->result, uint8_t, 4 * (size_t)model->vertex_count);
		BSPI_TRY(mesh->colors);
	}
	return mesh->positions && mesh->normals && mesh->uvs && mesh->indices;
}

static void copy_floats(const float *to, size_t at, const float *from, size_t first, size_t count)
{
	memcpy((float *)to + at, from + first, count * sizeof *from);
}

static void copy_section(const bspi_prop_model *model, const bspi_model_section *from, const bspi_model_use *use,
                         bspscene_mesh *mesh)
{
	uint32_t *indices = (uint32_t *)mesh->indices + mesh->index_count;
	size_t to = mesh->vertex_count, first = from->first_vertex, count = from->vertex_count;
	copy_floats(mesh->positions, 3 * to, model->positions, 3 * first, 3 * count);
	copy_floats(mesh->normals, 3 * to, model->normals, 3 * first, 3 * count);
	copy_floats(mesh->uvs, 2 * to, model->uvs, 2 * first, 2 * count);
	if (model->light) memcpy((uint8_t *)mesh->colors + 4 * to, model->light + 4 * first, 4 * count);
	for (size_t i = 0; i < count; i++) ((uint32_t *)use->vertices)[to + i] = (uint32_t)(first + i);
	for (uint32_t i = 0; i < from->index_count; i++) {
		indices[i] = model->indices[from->first_index + i] - from->first_vertex + mesh->vertex_count;
	}
}

static bool fill_mesh(bspi_build *build, const bspi_prop_model *model, bspi_model_use *use, bool whole,
                      bspscene_mesh *mesh)
{
	bspscene_section *sections = bspi_push(build->ctx, &build->ctx->result, bspscene_section, model->section_count);
	BSPI_TRY(sections && (whole || allocate_part(build->ctx, model, use, mesh)));
	for (uint32_t i = 0; i < model->section_count; i++) {
		const bspi_model_section *from = &model->sections[i];
		uint32_t material = material_of(model, use, from);
		if (!is_shown(build, material)) continue;
		if (!whole) copy_section(model, from, use, mesh);
		sections[mesh->section_count++] = (bspscene_section) {
			.material = material,
			.lightmap_page = BSPSCENE_NO_INDEX,
			.lighting = model->light && !build->scene->materials[material]->unlit ? BSPSCENE_LIGHTING_VERTEX
			                                                                      : BSPSCENE_LIGHTING_FULLBRIGHT,
			.surface_kind = build->scene->materials[material]->surface_kind,
			.fog = BSPSCENE_NO_INDEX,
			.map_page_image = BSPSCENE_NO_INDEX,
			.first_vertex = mesh->vertex_count,
			.vertex_count = from->vertex_count,
			.first_index = mesh->index_count,
			.index_count = from->index_count,
			.first_face = build->scene->face_count,
		};
		mesh->vertex_count += from->vertex_count;
		mesh->index_count += from->index_count;
	}
	mesh->sections = bspi_table(build->ctx, bspscene_section, sections, mesh->section_count);
	BSPI_TRY(mesh->sections);
	mesh->bounds = BSPI_EMPTY_BOUNDS;
	for (size_t i = 0; i < mesh->vertex_count; i++) bspi_bounds_add(&mesh->bounds, mesh->positions + 3 * i);
	return bspi_give_rig(build->ctx, model, whole ? NULL : use->vertices, mesh);
}

/* Returns the name of a mesh: "models/a.mdl", "models/a.mdl:skin2" or "models/a.mdl:skin2:blend128". */
static const char *name_mesh(bspi_build *build, const bspi_loaded_model *model, const bspi_model_use *use)
{
	bspi_ctx *ctx = build->ctx;
	char skin[32] = "", blend[32] = "";
	if (use->skin) snprintf(skin, sizeof skin, ":skin%u", use->skin);
	if (use->blend) {
		snprintf(blend, sizeof blend, ":%s%.9g", use->blend == BSPI_BLEND_ADD ? "add" : "blend",
		         (double)(use->opacity * 255));
	}
	return bspi_text_format(ctx, &ctx->result, "%s%s%s", model->path, skin, blend);
}

static bool add_mesh(bspi_build *build, bspi_model_use *use, bspscene_mesh *out, uint32_t *count)
{
	const bspi_loaded_model *loaded = &build->models->models[use->model];
	const bspi_prop_model *model = &loaded->model;
	uint32_t shown = use->wanted ? count_shown(build, model, use) : 0;
	if (!shown) return true;
	bspscene_mesh *mesh = &out[*count];
	*mesh = (bspscene_mesh) {
		.name = name_mesh(build, loaded, use),
		.model = BSPSCENE_NO_INDEX,
		.positions = model->positions,
		.normals = model->normals,
		.uvs = model->uvs,
		.colors = model->light,
		.indices = model->indices,
	};
	BSPI_TRY(mesh->name && fill_mesh(build, model, use, shown == model->section_count, mesh));
	use->mesh = build->models->drawn_meshes + (*count)++;
	build->parts->counts.vertices += mesh->vertex_count;
	build->parts->counts.triangles += mesh->index_count / 3;
	return true;
}

bool bspi_build_model_meshes(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	bspscene_scene *scene = build->scene;
	struct bspi_models *models = build->models;
	if (!models) return true;
	models->drawn_meshes = scene->mesh_count;
	if (models->grass != BSPSCENE_NO_INDEX) {
		bspi_light_details(build, &models->models[models->uses[models->grass].model].model);
	}
	bspscene_mesh *all = bspi_push(ctx, &ctx->result, bspscene_mesh, (size_t)scene->mesh_count + models->use_count);
	BSPI_TRY(all);
	for (uint32_t i = 0; i < scene->mesh_count; i++) all[i] = *scene->meshes[i];
	uint32_t count = 0;
	for (uint32_t i = 0; i < models->use_count; i++) {
		BSPI_TRY(add_mesh(build, &models->uses[i], all + scene->mesh_count, &count));
	}
	models->mesh_count = count;
	scene->mesh_count += count;
	scene->meshes = bspi_table(ctx, bspscene_mesh, all, scene->mesh_count);
	BSPI_TRY(scene->meshes);
	uint32_t world[BSPI_LEVEL_MASKS], parts = 0;
	for (uint32_t levels = 0; levels < BSPI_LEVEL_MASKS; levels++) {
		uint32_t mesh = build->mesh_of_part[bspi_world_part(build, levels)];
		if (mesh != BSPSCENE_NO_INDEX) world[parts++] = mesh;
	}
	return !count || !parts || bspi_collect_floors(ctx, &ctx->scratch, scene, world, parts, &models->floors);
}

static uint32_t mesh_of_use(const bspi_build *build, uint32_t use)
{
	return use == BSPSCENE_NO_INDEX ? use : build->models->uses[use].mesh;
}

static const bspi_prop_model *model_of_use(const bspi_build *build, uint32_t use)
{
	return use == BSPSCENE_NO_INDEX ? NULL : &build->models->models[build->models->uses[use].model].model;
}

uint32_t bspi_entity_mesh(const bspi_build *build, uint32_t entity, uint32_t which)
{
	return build->models ? mesh_of_use(build, build->models->of_entity[entity][which]) : BSPSCENE_NO_INDEX;
}

uint32_t bspi_grass_mesh(const bspi_build *build)
{
	return build->models ? mesh_of_use(build, build->models->grass) : BSPSCENE_NO_INDEX;
}

uint32_t bspi_detail_mesh(const bspi_build *build, uint32_t detail)
{
	return build->models ? mesh_of_use(build, build->models->of_detail[detail]) : BSPSCENE_NO_INDEX;
}

uint32_t bspi_static_prop_mesh(const bspi_build *build, uint32_t prop)
{
	return build->models ? mesh_of_use(build, build->models->of_static_prop[prop]) : BSPSCENE_NO_INDEX;
}

const bspi_prop_model *bspi_entity_model(const bspi_build *build, uint32_t entity, uint32_t which)
{
	return build->models ? model_of_use(build, build->models->of_entity[entity][which]) : NULL;
}

static uint32_t skins_of_use(const bspi_build *build, uint32_t use)
{
	const bspi_prop_model *model = model_of_use(build, use);
	return model ? model->skin_count : 0;
}

uint32_t bspi_entity_skins(const bspi_build *build, uint32_t entity, uint32_t which)
{
	return build->models ? skins_of_use(build, build->models->of_entity[entity][which]) : 0;
}

uint32_t bspi_static_prop_skins(const bspi_build *build, uint32_t prop)
{
	return build->models ? skins_of_use(build, build->models->of_static_prop[prop]) : 0;
}

uint32_t bspi_detail_skins(const bspi_build *build, uint32_t detail)
{
	return build->models ? skins_of_use(build, build->models->of_detail[detail]) : 0;
}
