/* api.c - the public functions of a load: reads options, runs the stages in order, and has a single exit. The result
 * arena becomes the scene. */
#include <assert.h>
#include <string.h>

#include <bspscene/binding.h>
#include <bspscene/material.h>
#include <bspscene/relight.h>
#include <bspscene/rewrite.h>
#include <bspscene/sky.h>
#include <bspscene/source.h>

#include "assembly/assembly.h"
#include "base/caller_struct.h"
#include "base/costs.h"
#include "base/owner.h"
#include "base/sha256.h"
#include "base/text.h"
#include "file_system/inner_files.h"
#include "io/map_companions.h"
#include "io/io.h"
#include "load_stages.h"
#include "map/family.h"
#include "models/alone/model_map.h"
#include "options.h"

/* If a packed map is only probed, this many of its unpacked bytes are inspected. */
enum { UNPACKED_HEAD = 4096 };

static bool keep_pakfile(bspi_ctx *ctx, bspi_bytes pakfile, bspscene_scene *scene)
{
	if (!ctx->options.keep_pakfile || !pakfile.size) return true;
	uint8_t *copy = bspi_push_unset(ctx, &ctx->result, pakfile.size, 1);
	BSPI_TRY(copy);
	memcpy(copy, pakfile.data, pakfile.size);
	scene->pakfile = copy;
	scene->pakfile_size = pakfile.size;
	return true;
}

/* True if the caller wants only the entities. Then sibling files are opened only if they replace or define entities. */
static bool needs_entities_only(const bspi_ctx *ctx)
{
	return ctx->options.parts == BSPSCENE_PARTS_ENTITIES;
}

/* Reads the file as a map. It may instead be an assembly of several maps, or a model that is shown as a map. */
static bool read_map(bspi_ctx *ctx, bspi_bytes file, bspi_map *map)
{
	const bspi_model_format *format = bspi_model_format_of(file);
	bool assembly = bspi_is_assembly_text(file);
	ctx->only_entities = needs_entities_only(ctx) && !assembly;
	bool ok = assembly ? bspi_read_assembly(ctx, file, map) :
	          format ? bspi_model_as_map(ctx, file, format, map) : bspi_read_map(ctx, file, map);
	if (needs_entities_only(ctx)) ctx->options.open_file = NULL;
	return ok;
}

static bool build_scene(bspi_ctx *ctx, bspi_bytes file, bspi_owner *self)
{
	bspscene_scene *scene = &self->scene;
	bspi_map map;
	bspi_inner_files inner;
	BSPI_TRY(read_map(ctx, file, &map) && keep_pakfile(ctx, map.pakfile, scene));
	bspi_find_full_bright(ctx, &map);
	BSPI_TRY(bspi_identify(ctx, file, &map, scene) && bspi_take_out_parts(ctx, &map));
	bspi_arena_rewind(&ctx->stage);
	bspi_set_parts(scene, &self->parts);
	scene->name = ctx->name;
	scene->family = map.family;
	scene->variant = map.variant;
	scene->variant_title = map.title;
	scene->version = map.version;
	scene->is_full_bright = map.full_bright;
	scene->meters_per_unit = ctx->options.meters_per_unit;
	scene->first_key_wins = map.rules.first_value_wins;
	scene->lighting_variants = map.rules.light_sets;
	while (scene->lighting_variants && scene->lighting_variants[scene->lighting_variant_count])
		scene->lighting_variant_count++;
	scene->lighting_variant = map.light_set;
	scene->linear_lights = bspi_lights_are_linear(map.rules.entities->lights);
	bspi_build build = { .ctx = ctx, .map = &map, .scene = scene, .parts = &self->parts };
	bool ok = bspi_begin_inner_files(ctx, map.pakfile, &inner) && bspi_run_stages(&build);
	bspi_end_inner_files(ctx, &inner);
	scene->entity_file = ctx->entity_file;
	return ok && bspi_list_companions(ctx, scene) &&
	       bspi_list_warnings(ctx, &scene->warnings, &scene->warning_count) && bspi_progress(ctx, "geometry", 1, 1);
}

/* Where a load reads from: a file, else a stream, else memory. */
typedef struct source {
	const char *path;                  /* NULL: no file */
	const bspscene_stream *stream;     /* NULL: none */
	bspi_bytes memory;
} source;

static bool read_source(bspi_ctx *ctx, const source *from, bspi_bytes *out)
{
	bspscene_stream file;
	*out = from->memory;
	if (from->path) {
		BSPI_TRY(bspi_open_native(&ctx->budget.heap, from->path, &file, &ctx->error));
		return bspi_read_stream(ctx, &ctx->scratch, &file, out);
	}
	if (from->stream) return bspi_read_stream(ctx, &ctx->scratch, from->stream, out);
	bspi_budget_read(&ctx->budget, out->size);
	return bspi_progress(ctx, "read", 0, 1);
}

static bspi_owner *load_source(bspi_ctx *ctx, const source *from)
{
	bspi_bytes file;
	bspi_owner *self = bspi_push(ctx, &ctx->result, bspi_owner, 1);
	const char *path = ctx->options.name ? ctx->options.name : from->path ? from->path : "map";
	ctx->name = bspi_text_copy(ctx, bspi_map_stem(path), NULL);
	/* read_source closes the caller's stream, so it is called even when memory is out. */
	bspi_fraction_part(&ctx->fraction, 0, BSPI_SHARE_READ);
	bool ready = read_source(ctx, from, &file) && self && ctx->name;
	bspi_fraction_part(&ctx->fraction, BSPI_SHARE_READ, BSPI_SHARE_CHECKED);
	ready = ready && bspi_progress(ctx, "read", 0, 1) && bspi_unpack_map(ctx, &ctx->scratch, file, &file);
	return ready && build_scene(ctx, file, self) ? self : NULL;
}

static bspscene_scene *load(const source *from, const bspscene_load_options *options, bspscene_error *error)
{
	bspi_ctx ctx = { .error = { .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET } };
	if (error) *error = ctx.error;
	if (!bspi_complete_options(options, &ctx.options, error)) {
		if (from->stream && from->stream->close) from->stream->close(from->stream->user);
		return NULL;
	}
	ctx.file = from->path ? from->path : ctx.options.name ? ctx.options.name : "map";
	bspi_budget_begin(&ctx.budget, ctx.options.memory_limit, ctx.options.allocator);
	ctx.budget.allocation_limit = ctx.options.allocation_limit;
	bspi_begin_memory(&ctx);

	return bspi_owner_hand_out(&ctx, load_source(&ctx, from), error);
}

bspscene_scene *bspscene_load_file(const char *path, const bspscene_load_options *options, bspscene_error *error)
{
	assert(path);
	return load(&(source){ .path = path, .memory = BSPI_NO_BYTES }, options, error);
}

bspscene_scene *bspscene_load_memory(const void *data, size_t size, const bspscene_load_options *options,
                                     bspscene_error *error)
{
	assert(data || !size);
	return load(&(source){ .memory = bspi_bytes_of(data, size) }, options, error);
}

bspscene_scene *bspscene_load_stream(const bspscene_stream *stream, const bspscene_load_options *options,
                                     bspscene_error *error)
{
	bspscene_stream known;
	assert(stream);
	const size_t least = BSPI_END_OF(bspscene_stream, stored_size);
	if (!bspscene_struct_read(&known, sizeof known, least, stream, "stream", error)) return NULL;
	return load(&(source){ .stream = &known, .memory = BSPI_NO_BYTES }, options, error);
}

uint64_t bspscene_default_limit(const bspscene_scene *scene)
{
	assert(scene);
	return scene->input_size ? bspi_default_limit(scene->input_size) : UINT64_MAX;
}

bool bspscene_probe(const void *head, size_t size, bspscene_format *format)
{
	assert(head || !size);
	const bspi_variant *variant;
	uint8_t unpacked[UNPACKED_HEAD];
	const bspi_family *family = bspi_find_family(bspi_bytes_of(head, size), &variant);
	if (!family) {
		size_t got = bspi_unpack_head(bspi_bytes_of(head, size), unpacked, sizeof unpacked);
		family = got ? bspi_find_family(bspi_bytes_of(unpacked, got), &variant) : NULL;
	}
	if (!family) return false;
	bspscene_format known;
	memset(&known, 0, sizeof known); /* including padding: callers compare whole structs */
	known.family = family->about.name;
	known.variant = variant->name;
	known.title = variant->title;
	known.version = bspi_public_version(variant);
	if (format) bspi_give_struct(format, &known, sizeof known);
	return true;
}

void bspscene_hash_bytes(const void *data, size_t size, char out[65])
{
	bspi_sha256 hash;
	assert(data || !size);
	bspi_sha256_begin(&hash);
	bspi_sha256_add(&hash, data, size);
	bspi_sha256_end_text(&hash, out);
}

size_t bspscene_struct_size(bspscene_struct_id id)
{
	static const size_t sizes[] = {
		[BSPSCENE_STRUCT_MODEL_POSE] = sizeof(bspscene_model_pose),
		[BSPSCENE_STRUCT_DECODE_OPTIONS] = sizeof(bspscene_decode_options),
		[BSPSCENE_STRUCT_SURFACE_POINT] = sizeof(bspscene_surface_point),
		[BSPSCENE_STRUCT_SCENE] = sizeof(bspscene_scene),
		[BSPSCENE_STRUCT_NODE] = sizeof(bspscene_node),
		[BSPSCENE_STRUCT_ENTITY] = sizeof(bspscene_entity),
		[BSPSCENE_STRUCT_MESH] = sizeof(bspscene_mesh),
		[BSPSCENE_STRUCT_SECTION] = sizeof(bspscene_section),
		[BSPSCENE_STRUCT_FACE] = sizeof(bspscene_face),
		[BSPSCENE_STRUCT_MATERIAL] = sizeof(bspscene_material),
		[BSPSCENE_STRUCT_MATERIAL_PASS] = sizeof(bspscene_material_pass),
		[BSPSCENE_STRUCT_IMAGE] = sizeof(bspscene_image),
		[BSPSCENE_STRUCT_LIGHTMAP_PAGE] = sizeof(bspscene_lightmap_page),
		[BSPSCENE_STRUCT_LIGHTMAP_BLOCKS] = sizeof(bspscene_lightmap_blocks),
		[BSPSCENE_STRUCT_LIGHTMAP_SET] = sizeof(bspscene_lightmap_set),
		[BSPSCENE_STRUCT_LIGHT_STYLE] = sizeof(bspscene_light_style),
		[BSPSCENE_STRUCT_LIGHT] = sizeof(bspscene_light),
		[BSPSCENE_STRUCT_CAMERA] = sizeof(bspscene_camera),
		[BSPSCENE_STRUCT_LIGHT_GRID] = sizeof(bspscene_light_grid),
		[BSPSCENE_STRUCT_AMBIENT] = sizeof(bspscene_ambient),
		[BSPSCENE_STRUCT_FOG] = sizeof(bspscene_fog),
		[BSPSCENE_STRUCT_PROP] = sizeof(bspscene_prop),
		[BSPSCENE_STRUCT_OVERLAY] = sizeof(bspscene_overlay),
		[BSPSCENE_STRUCT_CUBEMAP] = sizeof(bspscene_cubemap),
		[BSPSCENE_STRUCT_LEAF] = sizeof(bspscene_leaf),
		[BSPSCENE_STRUCT_TREE] = sizeof(bspscene_tree),
		[BSPSCENE_STRUCT_VIS] = sizeof(bspscene_vis),
		[BSPSCENE_STRUCT_AREA_PORTAL] = sizeof(bspscene_area_portal),
		[BSPSCENE_STRUCT_COUNTS] = sizeof(bspscene_counts),
		[BSPSCENE_STRUCT_WARNING] = sizeof(bspscene_warning),
		[BSPSCENE_STRUCT_ERROR] = sizeof(bspscene_error),
		[BSPSCENE_STRUCT_LOAD_OPTIONS] = sizeof(bspscene_load_options),
		[BSPSCENE_STRUCT_WRITE_OPTIONS] = sizeof(bspscene_write_options),
		[BSPSCENE_STRUCT_STREAM] = sizeof(bspscene_stream),
		[BSPSCENE_STRUCT_OUTPUT] = sizeof(bspscene_output),
		[BSPSCENE_STRUCT_PIXELS] = sizeof(bspscene_pixels),
		[BSPSCENE_STRUCT_VERTEX_COLOR_SET] = sizeof(bspscene_vertex_color_set),
		[BSPSCENE_STRUCT_DETAIL_PROP] = sizeof(bspscene_detail_prop),
		[BSPSCENE_STRUCT_LAYER] = sizeof(bspscene_layer),
		[BSPSCENE_STRUCT_SKY] = sizeof(bspscene_sky),
		[BSPSCENE_STRUCT_FOG_PARMS] = sizeof(bspscene_fog_parms),
		[BSPSCENE_STRUCT_BLEND_MASK] = sizeof(bspscene_blend_mask),
		[BSPSCENE_STRUCT_DETAIL_TEXTURE] = sizeof(bspscene_detail_texture),
		[BSPSCENE_STRUCT_OCCURRENCE] = sizeof(bspscene_occurrence),
		[BSPSCENE_STRUCT_FORMAT] = sizeof(bspscene_format),
		[BSPSCENE_STRUCT_BAKE_OPTIONS] = sizeof(bspscene_bake_options),
		[BSPSCENE_STRUCT_SOURCE_OPTIONS] = sizeof(bspscene_source_options),
		[BSPSCENE_STRUCT_BAKE_REPORT] = sizeof(bspscene_bake_report),
		[BSPSCENE_STRUCT_ALLOCATOR] = sizeof(bspscene_allocator),
		[BSPSCENE_STRUCT_IDENTITY] = sizeof(bspscene_identity),
		[BSPSCENE_STRUCT_LUXEL_LOCATION] = sizeof(bspscene_luxel_location),
		[BSPSCENE_STRUCT_MAP_LIGHT] = sizeof(bspscene_map_light),
		[BSPSCENE_STRUCT_LIGHTMAP_RECT] = sizeof(bspscene_lightmap_rect),
		[BSPSCENE_STRUCT_OPEN_OPTIONS] = sizeof(bspscene_open_options),
		[BSPSCENE_STRUCT_LIGHT_LIST] = sizeof(bspscene_light_list),
		[BSPSCENE_STRUCT_EDITED_CORNER] = sizeof(bspscene_edited_corner),
		[BSPSCENE_STRUCT_LIGHT_PROBE] = sizeof(bspscene_light_probe),
		[BSPSCENE_STRUCT_EDITED_LIGHT] = sizeof(bspscene_edited_light),
		[BSPSCENE_STRUCT_RELIGHT_OPTIONS] = sizeof(bspscene_relight_options),
		[BSPSCENE_STRUCT_SKY_OPTIONS] = sizeof(bspscene_sky_options),
		[BSPSCENE_STRUCT_THREAD_POOL] = sizeof(bspscene_thread_pool),
		[BSPSCENE_STRUCT_RELIGHT_REPORT] = sizeof(bspscene_relight_report),
		[BSPSCENE_STRUCT_KEY_CHANGE] = sizeof(bspscene_key_change),
		[BSPSCENE_STRUCT_ENTITY_CHANGE] = sizeof(bspscene_entity_change),
		[BSPSCENE_STRUCT_ENTITY_CHANGES] = sizeof(bspscene_entity_changes),
		[BSPSCENE_STRUCT_EDITED_ENTITY] = sizeof(bspscene_edited_entity),
		[BSPSCENE_STRUCT_EDITED_ENTITIES] = sizeof(bspscene_edited_entities),
		[BSPSCENE_STRUCT_REWRITE_OPTIONS] = sizeof(bspscene_rewrite_options),
		[BSPSCENE_STRUCT_REWRITE_REPORT] = sizeof(bspscene_rewrite_report),
		[BSPSCENE_STRUCT_RIG] = sizeof(bspscene_rig),
		[BSPSCENE_STRUCT_BONE] = sizeof(bspscene_bone),
		[BSPSCENE_STRUCT_SEQUENCE] = sizeof(bspscene_sequence),
	};
	return (unsigned)id < sizeof sizes / sizeof *sizes ? sizes[id] : 0;
}

const char *bspscene_version(void)
{
	return BSPSCENE_VERSION_STRING;
}
