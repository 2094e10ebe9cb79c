/* material.c - makes materials, images and shader stages for the textures that faces and fogs use. It knows no file
 * format: the map's material rules (materials/materials.h) read the files. */
#include "stages/stages.h"

#include <stdlib.h>

#include "base/text.h"
#include "materials/materials.h"
#include "stages/models/model_materials.h"

/* Something that needs a material: a texture or a fog. */
typedef struct request {
	const char *name;
	uint32_t surface_flags, content_flags;
	int32_t render_mode, effect;
	float render_amount, render_color[3], wave_height;
	bspi_sides sides;
	uint32_t number;                   /* index of the texture; for a fog, the number of textures plus the index of the
	                                    * fog */
	bool is_fog;
} request;

typedef struct request_list {
	request *requests; uint32_t count;
	uint32_t *leaders; /* for each request, the number of the request whose material it uses; BSPSCENE_NO_INDEX: it
	                    * needs no material */
} request_list;

static char fold(char c) { return c == '\\' ? '/' : bspi_lower(c); }

static int compare_names(const char *a, const char *b)
{
	while (*a && fold(*a) == fold(*b)) {
		a++;
		b++;
	}
	return (unsigned char)fold(*a) - (unsigned char)fold(*b);
}

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int compare_floats(float a, float b) { return (a > b) - (a < b); }

/* Compares two requests by the members that say how a texture is drawn: its sides, render mode and waves. */
static int compare_drawing(const request *a, const request *b)
{
	int order = compare_numbers((uint32_t)a->sides, (uint32_t)b->sides);
	if (!order) order = (a->render_mode > b->render_mode) - (a->render_mode < b->render_mode);
	if (!order) order = compare_floats(a->render_amount, b->render_amount);
	if (!order) order = compare_floats(a->wave_height, b->wave_height);
	for (int i = 0; i < 3 && !order; i++) order = compare_floats(a->render_color[i], b->render_color[i]);
	return order;
}

/* Compares requests by name, then puts fogs after textures of the same name, because a fog shares the material of such
 * a texture. */
static int compare_requests(const void *a, const void *b)
{
	const request *x = a, *y = b;
	int order = compare_names(x->name, y->name);
	if (!order) order = compare_numbers(x->is_fog, y->is_fog);
	if (!order) order = compare_numbers(x->surface_flags, y->surface_flags);
	if (!order) order = compare_numbers(x->content_flags, y->content_flags);
	if (!order) order = (x->effect > y->effect) - (x->effect < y->effect);
	if (!order) order = compare_drawing(x, y);
	return order ? order : compare_numbers(x->number, y->number);
}

static bool same_material(const request *a, const request *b)
{
	return a->surface_flags == b->surface_flags && a->content_flags == b->content_flags && a->effect == b->effect &&
	       !compare_drawing(a, b);
}

static void mark_overlays(const bspi_overlay *overlays, uint32_t count, bool *used)
{
	for (uint32_t i = 0; i < count; i++) {
		if (overlays[i].face_count) used[overlays[i].texture] = true;
	}
}

static bool collect(bspi_build *build, request_list *list)
{
	const bspi_map *map = build->map;
	uint32_t textures = bspi_texture_total(build);
	size_t most = (size_t)textures + map->fogs_count;
	bool *used = bspi_push(build->ctx, &build->ctx->stage, bool, textures);
	list->requests = bspi_push(build->ctx, &build->ctx->stage, request, most);
	list->leaders = bspi_push(build->ctx, &build->ctx->stage, uint32_t, most);
	BSPI_TRY(used && list->requests && list->leaders);
	memset(list->leaders, 0xff, most * sizeof *list->leaders);
	for (uint32_t i = 0; i < map->faces_count; i++) {
		if (map->faces[i].kind != BSPI_FACE_DROPPED) used[bspi_face_texture(build, &map->faces[i])] = true;
	}
	mark_overlays(map->overlays, map->overlays_count, used);
	mark_overlays(map->water_overlays, map->water_overlays_count, used);
	for (uint32_t i = 0; i < build->decal_count; i++) used[build->decals[i].texture] = true;
	for (uint32_t i = 0; i < textures; i++) {
		const bspi_texture *t = bspi_texture_at(build, i);
		if (!used[i]) continue;
		list->requests[list->count++] = (request){
			.name = t->name, .surface_flags = t->surface_flags, .content_flags = t->content_flags,
			.render_mode = t->render_mode, .effect = t->effect, .render_amount = t->render_amount,
			.render_color = { t->render_color[0], t->render_color[1], t->render_color[2] }, .sides = t->sides,
			.wave_height = t->wave_height, .number = i,
		};
	}
	for (uint32_t i = 0; i < map->fogs_count; i++) {
		list->requests[list->count++] = (request){
			.name = map->fogs[i].shader, .effect = -1, .number = textures + i, .is_fog = true,
		};
	}
	return true;
}

/* Finds requests that have the same name and flags. All of them use the material of the first one. */
static void find_leaders(request_list *list)
{
	const request *named = NULL, *leader = NULL;
	if (list->count) qsort(list->requests, list->count, sizeof *list->requests, compare_requests);
	for (uint32_t i = 0; i < list->count; i++) {
		const request *r = &list->requests[i];
		bool same_name = named && !compare_names(named->name, r->name);
		if (!same_name) named = leader = r;
		if (r->is_fog) leader = named;
		else if (!same_material(r, leader)) leader = r;
		list->leaders[r->number] = leader->number;
	}
}

/* Returns the texture of a request. If the request is for a fog, makes a texture with the fog's shader in `storage`. */
static const bspi_texture *texture_of(const bspi_build *build, uint32_t number, bspi_texture *storage)
{
	if (number < bspi_texture_total(build)) return bspi_texture_at(build, number);
	const bspi_fog *fog = &build->map->fogs[number - bspi_texture_total(build)];
	*storage = (bspi_texture){ .name = "", .miptex = BSPI_NO_BYTES };
	memcpy(storage->name, fog->shader, sizeof fog->shader);
	storage->name[sizeof fog->shader - 1] = 0;
	return storage;
}

uint32_t bspi_scripts_as_textures(const bspi_build *build)
{
	enum { AS_MEASURED = 18 }; /* reading all scripts takes as long as loading 18 textures (measured in OpenArena) */
	const bspi_material_rules *rules = bspi_material_rules_of(build->map);
	const bspscene_load_options *options = &build->ctx->options;
	bool read = rules && rules->reads_scripts && options->list_files && options->textures != BSPSCENE_TEXTURES_NONE;
	return read ? AS_MEASURED : 0;
}

/* Makes materials in the order of the file. A request therefore comes after the one whose material it uses. `made`
 * receives, for each request, the index of its material. */
static bool make_materials(bspi_build *build, const request_list *list, bspi_materials *materials,
                           bspscene_material *out, uint32_t *made)
{
	const bspi_material_rules *rules = bspi_material_rules_of(build->map);
	uint32_t total = bspi_texture_total(build) + build->map->fogs_count, scripts = bspi_scripts_as_textures(build);
	if (rules && rules->begin) BSPI_TRY(rules->begin(materials, rules));
	for (uint32_t i = 0; i < total; i++) {
		uint32_t leader = list->leaders[i];
		made[i] = leader < i ? made[leader] : BSPSCENE_NO_INDEX;
		if (leader != i) continue;
		bspi_texture storage;
		const bspi_texture *texture = texture_of(build, i, &storage);
		bspscene_material *material = &out[build->scene->material_count];
		BSPI_TRY(bspi_progress(build->ctx, "textures", i + scripts, materials->progress_total));
		BSPI_TRY(bspi_material_init(build->ctx, texture, material));
		if (rules) BSPI_TRY(rules->make(materials, rules, texture, material));
		made[i] = build->scene->material_count++;
	}
	return true;
}

/* Marks materials that only flares use with BSPSCENE_MATERIAL_FLARE. */
static bool mark_flares(bspi_build *build, bspscene_material *out)
{
	const bspi_map *map = build->map;
	bool *seen = bspi_push(build->ctx, &build->ctx->stage, bool, (size_t)build->scene->material_count * 2);
	BSPI_TRY(seen);
	for (uint32_t i = 0; i < map->faces_count; i++) {
		const bspi_face *face = &map->faces[i];
		if (face->kind == BSPI_FACE_DROPPED) continue;
		seen[2 * bspi_face_material(build, face) + (face->kind == BSPI_FACE_FLARE)] = true;
	}
	for (uint32_t i = 0; i < build->scene->material_count; i++) {
		if (seen[2 * i + 1] && !seen[2 * i]) out[i].kind = BSPSCENE_MATERIAL_FLARE;
	}
	return true;
}

static bool publish(bspi_build *build, const bspi_materials *m)
{
	bspscene_scene *scene = build->scene;
	const bspscene_image *images = bspi_push_copy(build->ctx, m->images, m->image_count, sizeof *images);
	const bspscene_material_pass *stages = bspi_push_copy(build->ctx, m->stages, m->stage_count, sizeof *stages);
	BSPI_TRY(images && stages);
	scene->images = bspi_table(build->ctx, bspscene_image, images, m->image_count);
	scene->material_passes = bspi_table(build->ctx, bspscene_material_pass, stages, m->stage_count);
	scene->frame_images = bspi_push_copy(build->ctx, m->frames, m->frame_count, sizeof *m->frames);
	BSPI_TRY(scene->images && scene->material_passes && scene->frame_images);
	scene->image_count = m->image_count;
	scene->material_pass_count = m->stage_count;
	scene->frame_image_count = m->frame_count;
	for (uint32_t i = 0; i < m->image_count; i++) {
		if (m->images[i].is_generated || m->images[i].frame || m->images[i].cube_face) continue;
		if (m->images[i].format == BSPSCENE_IMAGE_MISSING) build->parts->counts.textures_missing++;
		else build->parts->counts.textures_found++;
	}
	return true;
}

bool bspi_build_materials(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	bspi_materials materials = {
		.ctx = ctx, .map = build->map, .scene = build->scene, .textures = build->textures,
		.texture_count = bspi_texture_total(build), .face_textures = build->face_textures,
	};
	request_list list = { .requests = NULL };
	BSPI_TRY(collect(build, &list));
	find_leaders(&list);
	uint32_t most = 0;
	for (uint32_t i = 0; i < list.count; i++) most += list.leaders[list.requests[i].number] == list.requests[i].number;
	uint32_t of_models = bspi_count_model_materials(build);
	size_t all = (size_t)most + of_models;
	materials.progress_total =
		bspi_scripts_as_textures(build) + materials.texture_count + build->map->fogs_count + of_models;
	bspscene_material *out = bspi_push(ctx, &ctx->result, bspscene_material, all);
	bspi_shader_light *light = bspi_push(ctx, &ctx->scratch, bspi_shader_light, 1);
	uint32_t *made = bspi_push(ctx, &ctx->scratch, uint32_t, (size_t)materials.texture_count + build->map->fogs_count);
	BSPI_TRY(out && light && made);
	if (!materials.textures) materials.textures = build->map->textures;
	materials.texture_materials = made;
	build->scene->materials = bspi_table(ctx, bspscene_material, out, all);
	BSPI_TRY(build->scene->materials);
	build->texture_materials = made;
	build->fog_materials = made + materials.texture_count;
	build->shader_light = light;
	BSPI_TRY(make_materials(build, &list, &materials, out, made) && mark_flares(build, out) &&
	         bspi_make_model_materials(build, &materials, out, &build->scene->material_count) &&
	         bspi_find_map_cubes(&materials));
	build->cube_faces = materials.cube_faces;
	return bspi_make_fallbacks(&materials, out, build->scene->material_count) &&
	       bspi_place_light_passes(&materials, out, light) && publish(build, &materials);
}
