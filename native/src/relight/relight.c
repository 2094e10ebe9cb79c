/* relight.c - runs bspscene_relight. Loads the map up to its light, compares pages with it, and writes the changes into
 * copies. The rectangles of luxels are always those of the map. */
#include "relight/relight_parts.h"

#include <string.h>

#include "base/text.h"
#include "io/io.h"

#define HERE BSPI_LUMP("atlas")

/* Progress of the whole run, from 0 to 1, when the map is loaded and when its luxels have changed. */
#define LOADED 0.35
#define CHANGED 0.65

/* Checks that the pages were made from this map, and from the same light of the map (LDR or HDR, for example) that
 * was loaded now. */
static bool check_hashes(bspi_relight *r)
{
	bspi_ctx *ctx = r->build.ctx;
	const bspscene_edited_light *light = r->light;
	const char *name = bspi_light_name(r->build.light);
	char hash[BSPI_LIGHT_HASH_SIZE];
	BSPI_CHECK(
		ctx, !light->light[0] || !strncmp(light->light, name, sizeof light->light), BSPSCENE_ERROR_OTHER_MAP, HERE,
		"was baked from the light \"%.15s\", but this map's light is \"%s\": a file next to the map may be missing",
		light->light, name);
	BSPI_CHECK(
		ctx, light->overbright == 0 || light->overbright == r->map.rules.overbright, BSPSCENE_ERROR_OTHER_MAP, HERE,
		"was baked for an engine that shows the file's light %g times as bright, but here it is %g times: use "
		"--engine as for bake",
		(double)light->overbright, (double)r->map.rules.overbright);
	if (light->layout_hash[0]) bspi_hash_layout(&r->build, hash);
	BSPI_CHECK(ctx, !light->layout_hash[0] || !memcmp(light->layout_hash, hash, sizeof hash), BSPSCENE_ERROR_OTHER_MAP,
	           HERE, "is of another map, or another build of it: its faces have other luxels (hash %.8s, here %.8s)",
	           light->layout_hash, hash);
	if (r->options.accept_other_light || !light->light_hash[0]) return true;
	bspi_hash_luxels(&r->build, hash);
	BSPI_CHECK(ctx, !memcmp(light->light_hash, hash, sizeof hash), BSPSCENE_ERROR_OTHER_MAP, HERE,
	           "the map's light has changed since it was baked (hash %.8s, now %.8s): --any-light accepts it",
	           light->light_hash, hash);
	return true;
}

static uint64_t count_luxels(const bspi_relight *r)
{
	uint64_t count = 0;
	for (uint32_t i = 0; i < r->map.faces_count; i++) {
		bspi_luxel_source sources[BSPI_MOST_LUXEL_SOURCES];
		bspi_luxel_box box;
		if (!bspi_find_luxels(&r->build, &r->map.faces[i], &box)) continue;
		uint32_t blocks = bspi_list_luxels(&r->build, &r->encoders, &r->map.faces[i], &box, sources);
		count += (uint64_t)box.width * box.height * blocks;
	}
	return count;
}

/* Undoes the changes to a light range (LDR or HDR) that the caller does not want to write. They were needed to compute
 * the changes to the other range. */
static void keep_unwanted(bspi_relight *r)
{
	const bspi_light_store *store = r->build.light->store;
	bspscene_light_range wanted = r->options.light_range;
	if (!r->blocks || !store || wanted == BSPSCENE_LIGHT_RANGE_AUTO ||
	    store->hdr == (wanted == BSPSCENE_LIGHT_RANGE_HDR))
		return;
	memcpy(r->blocks->new, r->blocks->old.data, r->blocks->old.size);
}

static bool change(bspi_relight *r)
{
	BSPI_TRY(check_hashes(r));
	bspi_init_encoders(&r->build, &r->encoders);
	BSPI_TRY(bspi_check_places(r) && bspi_open_relit_files(r));
	bspi_init_encoders(&r->build, &r->encoders);
	BSPI_TRY(bspi_compare_pages(r) && bspi_relight_lists(r));
	uint64_t all = count_luxels(r);
	r->report.outside = all > r->report.luxels ? all - r->report.luxels : 0;
	if (!r->blocks || !r->blocks->writable) return true;
	BSPI_TRY(bspi_settle_bumped_light(r) && bspi_write_other_stores(r) && bspi_write_averages(r));
	keep_unwanted(r);
	return true;
}

/* ---- The call --------------------------------------------------------------------------------------------- */

bool bspi_run_relight(bspi_relight *r, const bspscene_stream *stream, const bspscene_output *output)
{
	bspi_ctx *ctx = r->build.ctx;
	bspi_bytes file;
	const char *path = ctx->options.name ? ctx->options.name : "map";
	bspi_fraction_part(&ctx->fraction, 0, LOADED);
	ctx->name = bspi_text_copy(ctx, bspi_map_stem(path), NULL);
	/* Reading also closes the stream. So it is called even if memory is out. */
	bool ready = bspi_read_stream(ctx, &ctx->scratch, stream, &file) && ctx->name;
	BSPI_TRY(ready && bspi_unpack_map(ctx, &ctx->scratch, file, &file));
	BSPI_TRY(bspi_load_relit_map(r, file));
	bspi_fraction_part(&ctx->fraction, LOADED, CHANGED);
	BSPI_TRY(change(r));
	bspi_fraction_part(&ctx->fraction, CHANGED, 1);
	BSPI_TRY(bspi_settle_records(r) && bspi_move_unpacked_light(r) && bspi_add_picture_files(r));
	bspi_finish_relit_files(r);
	if (!r->report.identical) BSPI_TRY(bspi_check_shared_bytes(r) && bspi_check_relit_files(r));
	if (ctx->budget.exhausted) return bspi_fail_memory(ctx);
	return bspi_write_relit_files(r, output) && bspi_progress(ctx, "write", 1, 1);
}
