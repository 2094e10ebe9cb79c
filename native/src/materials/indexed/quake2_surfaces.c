/* quake2_surfaces.c - finds kinds of surfaces from the names and flags of Quake II. See indexed.h. */
#include "materials/indexed/indexed.h"

#include "base/text.h"

void bspi_read_quake2_kind(const bspi_texture *texture, const bspi_tool_texture *tools, size_t tool_count,
                           bspscene_material *out)
{
	uint32_t flags = texture->surface_flags;
	const char *name = bspi_last_part(texture->name);
	for (size_t i = 0; i < tool_count; i++) {
		if (bspi_text_equal(name, tools[i].name)) out->surface_kind = tools[i].include;
	}
	if (flags & BSPI_SURF_NODRAW && !out->surface_kind) out->surface_kind = BSPSCENE_SURFACE_NODRAW;
	if (flags & BSPI_SURF_SKIP) out->surface_kind = BSPSCENE_SURFACE_SKIP;
	if (flags & BSPI_SURF_HINT) out->surface_kind = BSPSCENE_SURFACE_HINT;
	if (out->surface_kind) out->kind = BSPSCENE_MATERIAL_TOOL;
	if (flags & BSPI_SURF_WARP) out->kind = BSPSCENE_MATERIAL_LIQUID;
}
