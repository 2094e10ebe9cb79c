/* validate.h - shared by the files that validate the map: checks of indices and ranges, and a macro that counts
 * repairs. */
#ifndef BSPI_VALIDATE_H
#define BSPI_VALIDATE_H

#include "map/map.h"

static inline bool bspi_is_index(int64_t index, uint32_t count)
{
	return index >= 0 && index < count;
}

static inline bool bspi_is_range(int64_t first, int64_t count, uint32_t limit)
{
	return first >= 0 && count >= 0 && first <= limit && count <= (int64_t)limit - first;
}

/* True if a range lies inside its array. An empty range always counts as inside: its first index becomes 0 if it is
 * invalid, because compilers leave any number there, and engines ignore it. */
#define BSPI_TAKE_RANGE(first, count, limit) \
	(bspi_is_range((first), (count), (limit)) || (!(count) && ((first) = 0, true)))

/* Counts a warning for the repair of record `i` of `array`. `ctx` and `map` must be in scope. Returns false from the
 * caller if the load fails. */
#define BSPI_REPAIR(array, i, code, ...) \
	BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_##code, bspi_record_location(map, BSPI_ARRAY_##array, (i)), __VA_ARGS__))

/* Converts a name to UTF-8. If the result has more than `capacity` bytes, it is cut after a whole character.
 * validate_textures.c */
bool bspi_check_name(bspi_ctx *ctx, bspi_map *map, bspi_array_id array, uint32_t i, char *name, size_t capacity);

bool bspi_validate_textures(bspi_ctx *ctx, bspi_map *map);  /* textures, materials, projections */
bool bspi_validate_tree(bspi_ctx *ctx, bspi_map *map);      /* nodes, clipnodes, leaves and their lists, areas */
bool bspi_validate_faces(bspi_ctx *ctx, bspi_map *map);     /* vertices of all kinds, faces */
/* in validate_placed.c */
bool bspi_validate_dispinfos(bspi_ctx *ctx, bspi_map *map);
bool bspi_validate_overlays(bspi_ctx *ctx, bspi_map *map);
bool bspi_validate_props(bspi_ctx *ctx, bspi_map *map);
bool bspi_validate_lights(bspi_ctx *ctx, bspi_map *map);

#endif
