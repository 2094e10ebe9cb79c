/* load_relit_map.c - loads a map, but only up to the stages that find its light. It is called for the old map and again
 * for the new one. */
#include "relight/relight_parts.h"

#include "assembly/assembly.h"

bool bspi_load_relit_map(bspi_relight *r, bspi_bytes file)
{
	bspi_build *build = &r->build;
	BSPI_TRY(bspi_refuse_assembly(build->ctx, file) && bspi_read_map(build->ctx, file, &r->map));
	bspi_arena_reset(&build->ctx->stage);
	build->map = &r->map;
	build->scene = &r->scene;
	build->parts = &r->parts;
	bspi_set_parts(&r->scene, &r->parts);
	BSPI_CHECK(build->ctx, !r->map.rules.made_pages, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_NOWHERE,
	           "writing light into maps of this format is not supported");
	bool pages = r->map.rules.light_storage == BSPI_STORAGE_PAGES;
	/* Materials are needed for maps with pages: shaders say where light styles are on pages. */
	bool (*const stages[])(bspi_build *) = {
		bspi_build_entities, pages ? bspi_build_materials : NULL, bspi_prepare_lighting,
	};
	for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
		BSPI_TRY(!stages[i] || stages[i](build));
		bspi_arena_reset(&build->ctx->stage);
	}
	for (uint32_t i = 0; i < r->map.faces_count; i++) {
		r->report.faces_unlit += !bspi_find_luxels(build, &r->map.faces[i], NULL);
	}
	BSPI_CHECK(build->ctx, r->report.faces_unlit < r->map.faces_count, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_NOWHERE,
	           "the map was never lit: there are no luxels to write to");
	return true;
}
