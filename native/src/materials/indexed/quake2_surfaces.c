/* quake2_surfaces.c - names and flags of Quake II's surfaces to what they are for. See indexed.h. */
#include "materials/indexed/indexed.h"

#include <string.h>

#include "base/text.h"

void bspi_read_quake2_kind(const bspi_texture *texture, const bspi_tool_texture *tools, size_t tool_count,
                           bspscene_material *out)
{
	uint32_t flags = texture->surface_flags;
	const char *slash = strrchr(texture->name, '/');
	for (size_t i = 0; i < tool_count; i++) {
		if (bspi_text_equal(slash ? slash + 1 : texture->name, tools[i].name)) out->include = tools[i].include;
	}
	if (flags & BSPI_SURF_NODRAW && !out->include) out->include = BSPSCENE_INCLUDE_NODRAW;
	if (flags & BSPI_SURF_SKIP) out->include = BSPSCENE_INCLUDE_SKIP;
	if (flags & BSPI_SURF_HINT) out->include = BSPSCENE_INCLUDE_HINT;
	if (out->include) out->kind = BSPSCENE_MATERIAL_TOOL;
	if (flags & BSPI_SURF_WARP) out->kind = BSPSCENE_MATERIAL_LIQUID;
}
