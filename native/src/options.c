/* options.c - see options.h. Reads load options from any version of the struct, replaces 0 by defaults, and checks the
 * values. */
#include "options.h"

#include <math.h>

#include <bspscene/binding.h>

#include "base/caller_struct.h"

#define FIRST_SIZE BSPI_END_OF(bspscene_load_options, seed)

static bool complete_count(uint32_t *value, uint32_t standard, uint32_t least, uint32_t most, const char *name,
                           bspscene_error *error)
{
	if (!*value) *value = standard;
	if (*value >= least && *value <= most) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "options: %s %u is not in %u..%u", name, *value, least,
	                      most);
}

static bool complete_float(float *value, float standard, float least, float most, const char *name,
                           bspscene_error *error)
{
	if (*value == 0) *value = standard;
	if (*value >= least && *value <= most) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "options: %s %g is not in %g..%g", name, (double)*value,
	                      (double)least, (double)most);
}

/* Checks the value of an enum, because bindings may pass any number. */
static bool check_choice(int64_t value, int64_t last, const char *name, bspscene_error *error)
{
	if (value >= 0 && value <= last) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "options: %s %lld is unknown", name, (long long)value);
}

bool bspi_read_options(const bspscene_load_options *given, bspscene_load_options *out, bspscene_error *error)
{
	bspscene_load_options_init(out);
	return !given || bspscene_struct_read(out, sizeof *out, FIRST_SIZE, given, "load_options", error);
}

static void prepare_pictures(bspscene_load_options *options)
{
	options->include_mask |= BSPSCENE_SURFACE_SKY;
	options->reflections = options->skip_normal_maps = true;
	if (options->patch_error == 0) options->patch_error = 1;
}

bool bspi_complete_options(const bspscene_load_options *given, bspscene_load_options *out, bspscene_error *error)
{
	if (!bspi_read_options(given, out, error)) return false;
	if (out->for_pictures) prepare_pictures(out);
	if (out->include_mask & ~(uint32_t)BSPSCENE_SURFACE_ALL) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "options: include_mask 0x%x has unknown bits",
		                      out->include_mask);
	}
	bool ok = check_choice(out->parts, BSPSCENE_PARTS_ENTITIES, "parts", error) &&
	          check_choice(out->textures, BSPSCENE_TEXTURES_NONE, "textures", error) &&
	          check_choice(out->lightmap_encoding, BSPSCENE_LIGHTMAP_ENCODING_NONE, "lightmap_encoding", error) &&
	          check_choice(out->light_range, BSPSCENE_LIGHT_RANGE_HDR, "light_range", error) &&
	          check_choice(out->entity_source, BSPSCENE_ENTITY_SOURCE_MAP, "entity_source", error) &&
	          check_choice(out->models, BSPSCENE_MODELS_NONE, "models", error) &&
	          check_choice(out->missing, BSPSCENE_MISSING_CHECKER, "missing", error) &&
	          check_choice(out->engine, BSPSCENE_ENGINE_DARKPLACES, "engine", error) &&
	          complete_count(&out->lightmap_page_size, 4096, 16, 16384, "lightmap_page_size", error) &&
	          complete_count(&out->lightmap_gutter, 1, 1, 16, "lightmap_gutter", error) &&
	          complete_float(&out->patch_error, 4, 0.25f, 1024, "patch_error", error) &&
	          complete_float(&out->meters_per_unit, 0.0254f, 1e-6f, 1e6f, "meters_per_unit", error);
	if (ok && out->model_pose.sequence && strpbrk(out->model_pose.sequence, "\"\r\n")) {
		return bspi_error_set(
			error, BSPSCENE_ERROR_BAD_OPTIONS,
			"options: model_pose.sequence has a quote or a line break, which no name of a sequence has");
	}
	if (ok && out->lightmap_page_size <= 2 * out->lightmap_gutter) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS,
		                      "options: lightmap_page_size %u has no room between gutters of %u",
		                      out->lightmap_page_size,
		                      out->lightmap_gutter);
	}
	/* Collision meshes are geometry too. */
	if (out->parts >= BSPSCENE_PARTS_NO_GEOMETRY) out->include_mask &= ~(uint32_t)BSPSCENE_SURFACE_COLLISION;
	if (out->parts == BSPSCENE_PARTS_ENTITIES) out->textures = BSPSCENE_TEXTURES_NONE;
	return ok;
}
