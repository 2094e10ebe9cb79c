/* sky_source.c - see sky_source.h. */
#include "sky/sky_source.h"

#include <assert.h>
#include <math.h>

#include <bspscene/image.h>
#include <bspscene/material.h>
#include <bspscene/sky.h>

#include "base/vec.h"
#include "images/images.h"

#define LARGEST_TEXTURE 4096u
/* Number of points along the horizon of each of the four sides. The mean of their colors is taken. */
#define HORIZON_POINTS 32

void bspi_sky_middle(const bspscene_scene *scene, float out[3])
{
	const bspscene_bounds *b = &scene->bounds;
	for (int i = 0; i < 3; i++) out[i] = b->min[i] <= b->max[i] ? b->min[i] + (b->max[i] - b->min[i]) / 2 : 0;
}

bool bspi_has_skybox(const bspscene_scene *scene)
{
	if (!(scene->sky_camera_scale > 0)) return false;
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		if (node->mesh == BSPSCENE_NO_INDEX || node->hidden || !scene->meshes[node->mesh]->index_count) continue;
		if (node->kind == BSPSCENE_NODE_SKY) return true;
		if (node->parent != BSPSCENE_NO_INDEX && scene->nodes[node->parent]->kind == BSPSCENE_NODE_SKY) return true;
	}
	return false;
}

static const bspscene_material *sky_of(const bspscene_scene *scene)
{
	if (scene->sky_material == BSPSCENE_NO_INDEX) return NULL;
	const bspscene_material *material = scene->materials[scene->sky_material];
	return material->sky ? material : NULL;
}

bool bspi_is_sky_known(const bspscene_scene *scene, bool no_skybox)
{
	return sky_of(scene) || (!no_skybox && bspi_has_skybox(scene));
}

static bool has_clouds(const bspscene_material *material)
{
	return material->sky->cloud_height > 0 && material->pass_count;
}

bool bspi_sky_shows_image(const bspscene_scene *scene, uint32_t side, uint32_t *image)
{
	const bspscene_material *material = sky_of(scene);
	if (!material || has_clouds(material) || bspi_has_skybox(scene) || scene->map_fog->sky > 0) return false;
	const bspscene_sky *sky = material->sky;
	*image = sky->box[side];
	if (*image == BSPSCENE_NO_INDEX || sky->layers[0] != BSPSCENE_NO_INDEX || sky->layers[1] != BSPSCENE_NO_INDEX) {
		return false;
	}
	const bspscene_image *picture = scene->images[*image];
	return picture->width == picture->height && picture->width && !picture->has_alpha;
}

uint32_t bspscene_sky_size(const bspscene_scene *scene)
{
	assert(scene);
	const uint32_t usual = 512;
	const bspscene_material *material = sky_of(scene);
	if (!material) return bspi_has_skybox(scene) ? usual : 0;
	const bspscene_sky *sky = material->sky;
	uint32_t size = 0;
	bool smooth = has_clouds(material) || bspi_has_skybox(scene);
	for (int i = 0; i < 2; i++) smooth = smooth || sky->layers[i] != BSPSCENE_NO_INDEX;
	for (int i = 0; i < BSPSCENE_CUBE_SIDES; i++) {
		if (sky->box[i] == BSPSCENE_NO_INDEX) continue;
		const bspscene_image *image = scene->images[sky->box[i]];
		size = image->width > size ? image->width : size;
		size = image->height > size ? image->height : size;
	}
	if (smooth && size < usual) size = usual;
	return size < BSPSCENE_SKY_MAX_SIZE ? size : BSPSCENE_SKY_MAX_SIZE;
}

bool bspi_sky_fail(bspi_sky_source *source)
{
	char why[BSPI_REFUSAL_SIZE];
	bspscene_status status = bspi_describe_refusal(source->budget, why);
	return source->error.status ? false : bspi_error_set(&source->error, status, "%s", why);
}

/* Decodes an image. If it cannot be decoded, it becomes a texture of its fallback color. */
static bool decode(bspi_sky_source *source, const bspscene_image *image, bspscene_pixels *pixels)
{
	bspscene_image missing = *image;
	bspscene_error error = { .status = BSPSCENE_OK };
	missing.format = BSPSCENE_IMAGE_MISSING;
	if (bspi_image_decode_within(source->budget, image, pixels, &error)) return true;
	if (error.status == BSPSCENE_ERROR_OUT_OF_MEMORY || error.status == BSPSCENE_ERROR_MEMORY_LIMIT ||
	    error.status == BSPSCENE_ERROR_LIMIT) {
		return bspi_sky_fail(source);
	}
	return bspi_image_decode_within(source->budget, &missing, pixels, &error) || bspi_sky_fail(source);
}

static void *take(void *heap, size_t size) { return bspi_heap_take(heap, size); }
static void give(void *heap, void *data) { bspi_heap_give(heap, data); }

static bspscene_allocator memory_of(const bspi_sky_source *source)
{
	return (bspscene_allocator){ take, give, bspi_heap_opaque(&source->budget->heap) };
}

bool bspi_sky_load(bspi_sky_source *source, uint32_t image)
{
	bspscene_pixels pixels;
	if (image >= source->scene->image_count || source->textures[image].level_count) return true;
	BSPI_TRY(decode(source, source->scene->images[image], &pixels));
	bspi_mips *mips = &source->textures[image];
	uint64_t size = (uint64_t)pixels.width * pixels.height * 4, smaller = size / 2 + 64;
	mips->levels[0] = (bspi_mip_level){ pixels.width, pixels.height, pixels.data };
	mips->level_count = 1;
	source->textures_size += size;
	if (!bspi_budget_take(source->budget, smaller)) return bspi_sky_fail(source);
	source->textures_size += smaller;
	const bspscene_allocator memory = memory_of(source);
	return bspi_mips_build(&memory, mips, LARGEST_TEXTURE) || bspi_sky_fail(source);
}

static bool load_sky(bspi_sky_source *source)
{
	const bspscene_sky *sky = source->material->sky;
	for (int i = 0; i < BSPSCENE_CUBE_SIDES; i++) BSPI_TRY(bspi_sky_load(source, sky->box[i]));
	for (int i = 0; i < 2; i++) BSPI_TRY(bspi_sky_load(source, sky->layers[i]));
	for (uint32_t i = 0; i < source->material->pass_count; i++) {
		const bspscene_material_pass *stage = source->scene->material_passes[source->material->first_pass + i];
		if (stage->input == BSPSCENE_PASS_INPUT_VIDEO) continue;
		for (uint32_t k = 0; k < stage->frame_image_count; k++) {
			BSPI_TRY(bspi_sky_load(source, source->scene->frame_images[stage->first_frame_image + k]));
		}
	}
	return true;
}

/* Finds the fog volumes in which the sky faces of a mesh are. */
static void cover_mesh(const bspi_sky_source *source, const bspscene_mesh *mesh, const float place[12],
                       bspi_sky_cover *covers)
{
	for (uint32_t k = 0; k < mesh->section_count; k++) {
		const bspscene_section *section = mesh->sections[k];
		bool sky = source->scene->materials[section->material]->kind == BSPSCENE_MATERIAL_SKY;
		if (!sky || section->fog == BSPSCENE_NO_INDEX) continue;
		for (uint32_t t = 0; t < section->index_count; t += 3) {
			float points[3][3];
			for (uint32_t i = 0; i < 3; i++) {
				uint32_t vertex = mesh->indices[section->first_index + t + i];
				bspi_transform_point(points[i], place, mesh->positions + 3 * (size_t)vertex);
				bspi_sub(points[i], points[i], source->view.origin);
			}
			bspi_cover_triangle(points, &covers[section->fog]);
		}
	}
}

static bool find_covers(bspi_sky_source *source)
{
	const bspscene_scene *scene = source->scene;
	if (!scene->fog_count || !has_clouds(source->material)) return true;
	bspi_sky_cover *covers = bspi_arena_alloc(&source->arena, scene->fog_count, sizeof *covers);
	if (!covers) return bspi_sky_fail(source);
	for (uint32_t i = 0; i < scene->fog_count; i++) bspi_cover_nothing(&covers[i]);
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		float place[12];
		if (node->mesh == BSPSCENE_NO_INDEX || node->hidden) continue;
		bspscene_node_world_transform(scene, i, place);
		cover_mesh(source, scene->meshes[node->mesh], place, covers);
	}
	for (uint32_t i = 0; i < scene->fog_count; i++) bspi_cover_squares(&covers[i]);
	source->view.covers = covers;
	return true;
}

static bool find_corners(bspi_sky_source *source)
{
	uint32_t count = source->material->pass_count;
	if (!has_clouds(source->material)) return true;
	bspi_cloud_corners *corners = bspi_arena_alloc(&source->arena, count, sizeof *corners);
	if (!corners) return bspi_sky_fail(source);
	for (uint32_t i = 0; i < count; i++) {
		const bspscene_material_pass *stage = source->scene->material_passes[source->material->first_pass + i];
		bspi_find_cloud_corners(&source->view, source->material, stage, &corners[i]);
	}
	source->view.corners = corners;
	return true;
}

/* Computes the mean color along the horizon, which is the lower end of the clouds. The area below the clouds is
 * filled with this color. */
static void find_horizon(bspi_sky_source *source)
{
	float sum[3] = { 0, 0, 0 };
	const int count = 4 * HORIZON_POINTS;
	for (int i = 0; i < count; i++) {
		float along = ((float)(i % HORIZON_POINTS) + 0.5f) / HORIZON_POINTS * 2 - 1, color[3];
		bspi_ray ray = { .direction = { 0 } };
		bspi_side_direction(i / HORIZON_POINTS, along, -0.999f, ray.direction);
		bspi_sky_color(&source->view, source->material, &ray, color);
		for (int k = 0; k < 3; k++) sum[k] += color[k];
	}
	for (int k = 0; k < 3; k++) source->horizon[k] = sum[k] / (float)count;
}

bool bspi_sky_open(bspi_sky_source *source, const bspscene_scene *scene, const bspi_sky_wanted *wanted,
                   bspi_budget *budget)
{
	*source = (bspi_sky_source){ .scene = scene, .budget = budget, .material = sky_of(scene) };
	bspi_arena_init(&source->arena, budget);
	source->has_skybox = !wanted->no_skybox && bspi_has_skybox(scene);
	source->view = (bspi_sky_view){ .scene = scene, .time = wanted->time, .fogs = true,
	                                .map_fog = !wanted->no_fog };
	bspi_copy3(source->view.origin, wanted->eye);
	source->view.box = bspi_sky_box(&scene->bounds, wanted->eye);
	if (!bspi_is_sky_known(scene, wanted->no_skybox)) {
		return bspi_error_set(&source->error, BSPSCENE_ERROR_NOT_FOUND,
		                      "the map names no sky, or its pictures were not found");
	}
	source->textures = bspi_arena_alloc(&source->arena, scene->image_count, sizeof *source->textures);
	if (!source->textures) return bspi_sky_fail(source);
	source->view.textures = source->textures;
	if (!source->material) return true;
	BSPI_TRY(load_sky(source) && find_covers(source) && find_corners(source));
	source->below_clouds = has_clouds(source->material) &&
	                       source->material->sky->box[BSPI_SKY_DOWN] == BSPSCENE_NO_INDEX;
	if (source->below_clouds) find_horizon(source);
	return true;
}

void bspi_sky_close(bspi_sky_source *source)
{
	const bspscene_allocator memory = memory_of(source);
	for (uint32_t i = 0; source->textures && i < source->scene->image_count; i++) {
		if (source->textures[i].level_count) bspi_mips_free(&memory, &source->textures[i]);
	}
	bspi_budget_give(source->budget, source->textures_size);
	bspi_arena_reset(&source->arena);
}
