/* full_bright.c - decides if the map has light. Engines draw a map without light full bright.
 *
 * In these games, a map has no light if its lump of light is empty: Quake (gl_rsurf.c R_BuildLightMap), GoldSrc,
 * Quake II, UFO: Alien Invasion, Source. In Source, a map also has no light if its compiler listed no lamps
 * (R_LevelInit: "Level unlit, setting 'mat_fullbright 1'"). In games that store light in vertices or pages, a map has
 * light if any vertex or page has light. */
#include <string.h>

#include "base/text.h"
#include "map/map.h"

/* True if the path contains GAME/maps, where GAME is the directory of a game that lights its maps with moving lamps.
 * The engine, too, recognizes Alien Swarm by the name of its directory, and does not draw its maps full bright. */
static bool is_lit_while_played(const char *path)
{
	static const char *const games[] = { "swarm/maps/", "infested/maps/" };
	for (const char *at = path; *at; at++) {
		if (at != path && at[-1] != '/') continue;
		for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
			if (bspi_text_starts(at, games[i])) return true;
		}
	}
	return false;
}

/* True if any vertex is not white. Compilers leave a vertex white if they did not light it. */
static bool has_vertex_light(const bspi_map *map)
{
	for (uint32_t i = 0; i < map->draw_vertices_count; i++) {
		if (memcmp(map->draw_vertices[i].color, "\377\377\377", 3) != 0) return true;
	}
	return false;
}

/* True if any face has a lightmap page, which is in the map or in a file next to it. */
static bool has_page(const bspi_map *map)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		if (map->faces[i].lightmap[0] >= 0) return true;
	}
	return false;
}

void bspi_find_full_bright(const bspi_ctx *ctx, bspi_map *map)
{
	const bspi_rules *rules = &map->rules;
	bool stored = map->lighting.size || map->lighting_hdr.size;
	bool placed = map->light_grid.size || map->light_octree.size;
	if (map->model_path) return;
	if (rules->needs_lamps && !map->world_lights_count) {
		map->full_bright = !is_lit_while_played(ctx->options.name ? ctx->options.name : ctx->file);
		return;
	}
	switch (rules->light_storage) {
	case BSPI_STORAGE_BLOCKS: map->full_bright = !stored && !has_vertex_light(map); break;
	case BSPI_STORAGE_PAGES: map->full_bright = !stored && !placed && !has_page(map) && !has_vertex_light(map); break;
	case BSPI_STORAGE_NONE: map->full_bright = !placed && !has_vertex_light(map); break;
	}
}
