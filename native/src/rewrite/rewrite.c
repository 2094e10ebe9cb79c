/* rewrite.c - runs bspscene_rewrite: reads and checks the map, compares its entities with the new ones, and makes a
 * copy of the map with the changes. Then does the same for corners of faces. */
#include "rewrite/rewrite_parts.h"

#include <string.h>

#include "assembly/assembly.h"
#include "base/text.h"
#include "io/io.h"
#include "stages/entities/entity_scan.h"

/* Progress of the whole run, from 0 to 1, when the map is read and when the new one is made. */
#define READ 0.4
#define MADE 0.6

static bool read_map(bspi_rewrite *r, const bspscene_stream *stream)
{
	bspi_ctx *ctx = r->ctx;
	bspi_bytes file;
	const char *path = ctx->options.name ? ctx->options.name : "map";
	bspi_fraction_part(&ctx->fraction, 0, READ);
	ctx->name = bspi_text_copy(ctx, bspi_map_stem(path), NULL);
	/* Reading also closes the stream. So it is called even if memory is out. */
	bool ready = bspi_read_stream(ctx, &ctx->scratch, stream, &file) && ctx->name;
	BSPI_TRY(ready && bspi_unpack_map(ctx, &ctx->scratch, file, &file) && bspi_refuse_assembly(ctx, file) &&
	         bspi_read_map(ctx, file, &r->map));
	bspi_arena_reset(&ctx->stage);
	return bspi_scan_entities(ctx, r->map.entities, &r->map, &r->old);
}

static bool compare(bspi_rewrite *r, bspscene_entity_changes *changes)
{
	bspi_ctx *ctx = r->ctx;
	BSPI_TRY(bspi_pair_entities(ctx, &r->old, &r->new, true, &r->pairing));
	BSPI_TRY(bspi_pair_keys(ctx, &r->old, &r->new, &r->pairing, &r->keys));
	BSPI_TRY(bspi_list_changes(ctx, &r->old, &r->new, &r->pairing, &r->keys, changes));
	r->report.identical = !changes->change_count && !changes->reordered;
	return bspi_check_entities(r);
}

/* Makes a Source lump patch (.lmp). It has a header, and then the lump. The header has the lump's index, version and
 * size, and the map's revision. */
static bool make_patch(bspi_rewrite *r)
{
	enum { HEADER = 20 };
	bspi_ctx *ctx = r->ctx;
	const uint32_t header[] = { HEADER, 0, (uint32_t)r->map.entities_version, (uint32_t)r->text.size,
		                        (uint32_t)r->map.revision };
	uint8_t *out = bspi_push_unset(ctx, &ctx->scratch, HEADER + r->text.size, 1);
	BSPI_TRY(out);
	for (size_t i = 0; i < HEADER; i++) out[i] = (uint8_t)(header[i / 4] >> 8 * (i % 4));
	memcpy(out + HEADER, r->text.data, r->text.size);
	r->file = bspi_bytes_of(out, HEADER + r->text.size);
	return true;
}

static bool check_form(bspi_rewrite *r)
{
	const char *file = r->map.rules.entity_file;
	bool patches = file && !strcmp(file, "_l_0.lmp");
	BSPI_CHECK(r->ctx, !patches || r->options.form != BSPSCENE_REWRITE_FORM_ENT, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
	           BSPI_NOWHERE, "its engine reads no .ent file next to a map: write a lump patch (NAME_l_0.lmp) instead");
	BSPI_CHECK(r->ctx, patches || r->options.form != BSPSCENE_REWRITE_FORM_LUMP_PATCH,
	           BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_NOWHERE,
	           "its engine reads no lump patches: write a map or an .ent file instead");
	return true;
}

static bool make_file(bspi_rewrite *r)
{
	r->text = r->map.entities;
	r->file = r->map.file;
	BSPI_TRY(check_form(r));
	if (!r->report.identical) BSPI_TRY(bspi_make_entity_bytes(r));
	switch (r->options.form) {
	case BSPSCENE_REWRITE_FORM_ENT:
		r->file = bspi_entity_text(r->text);
		return bspi_check_entity_bytes(r, r->file);
	case BSPSCENE_REWRITE_FORM_LUMP_PATCH:
		return make_patch(r) && bspi_check_entity_bytes(r, r->text);
	default:
		r->moved = !r->report.identical;
		return !r->moved || (bspi_move_lumps(r, &r->move) && bspi_check_moved(r, &r->move));
	}
}

static const char *name_output(bspi_rewrite *r)
{
	static const char *const endings[] = { ".bsp", ".ent", "_l_0.lmp" };
	bspi_ctx *ctx = r->ctx;
	if (r->options.file_name) return r->options.file_name;
	return bspi_text_format(ctx, &ctx->scratch, "%s%s", ctx->name, endings[r->options.form]);
}

bool bspi_run_rewrite(bspi_rewrite *r, const bspscene_stream *stream, const bspscene_edited_entities *entities,
                      const bspscene_output *output, bspscene_entity_changes *changes)
{
	bspi_ctx *ctx = r->ctx;
	BSPI_TRY(read_map(r, stream));
	bspi_fraction_part(&ctx->fraction, READ, MADE);
	if (entities) BSPI_TRY(bspi_read_new_entities(r, entities) && compare(r, changes));
	else r->new = r->old, r->report.identical = true;
	BSPI_TRY(bspi_read_new_corners(r));
	bspi_fraction_part(&ctx->fraction, MADE, 1);
	BSPI_TRY(make_file(r) && bspi_write_corners(r));
	/* Drops the warnings of reading the map, because they do not concern what is written. */
	ctx->warning_count = ctx->occurrence_count = 0;
	BSPI_TRY(bspi_warn_of_entities(r) && bspi_list_warnings(ctx, &changes->warnings, &changes->warning_count));
	r->report.identical = r->report.identical && !r->report.corners_changed;
	r->report.old_size = r->map.entities.size;
	r->report.new_size = r->text.size;
	if (ctx->budget.exhausted) return bspi_fail_memory(ctx);
	const char *name = name_output(r);
	BSPI_TRY(name && (!output || bspi_output_file(ctx, output, name, r->file)));
	return bspi_progress(ctx, "write", 1, 1);
}
