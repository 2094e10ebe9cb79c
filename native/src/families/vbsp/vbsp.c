/* vbsp.c - Source engine maps (VBSP 17 to 23, 25 and 27).
 *
 * Differences from Quake II: texinfos have a separate projection for light. They get the names of their textures from
 * texdata and a table of strings. Faces store the size of their light, and may have four sets of it, for bump maps.
 * Light is linear with an exponent, and is stored once for LDR and once for HDR. Lumps may be compressed. The version
 * does not identify the game. Left 4 Dead 2 shares its version number with other games, but has another directory
 * layout (docs/formats/source.md, "Which version"). */
#include "families/vbsp/vbsp_tables.h"

#include <inttypes.h>
#include <math.h>

#include "io/lzma.h"

static const char *const lump_names[VBSP_LUMPS] = {
	"entities", "planes", "texdata", "vertices", "visibility", "nodes", "texinfo", "faces", "lighting", "occlusion",
	"leafs", "face ids", "edges", "surfedges", "models", "world lights", "leaf faces", "leaf brushes", "brushes",
	"brush sides", "areas", "area portals", "lump 22", "lump 23", "lump 24", "lump 25", "dispinfo", "original faces",
	"physics displacements", "physics collision", "vertex normals", "vertex normal indices", "displacement alphas",
	"displacement vertices", "displacement light samples", "game lump", "leaf water", "primitives",
	"primitive vertices", "primitive indices", "pakfile", "clip portal vertices", "cubemaps", "texture names",
	"texture name offsets", "overlays", "leaf distances to water", "macro textures", "displacement triangles",
	"physics surfaces", "water overlays", "leaf ambient index HDR", "leaf ambient index", "lighting HDR",
	"world lights HDR", "leaf ambient light HDR", "leaf ambient light", "xzip pakfile", "faces HDR", "map flags",
	"overlay fades", "overlay levels", "physics levels", "displacement blends",
};

/* ---- Lumps ------------------------------------------------------------------------------------------------ */

static bool is_required(uint32_t slot)
{
	switch (slot) {
	case VBSP_PLANES: case VBSP_TEXDATA: case VBSP_VERTICES: case VBSP_TEXINFO: case VBSP_FACES:
	case VBSP_EDGES: case VBSP_SURFEDGES: case VBSP_MODELS:
		return true;
	default:
		return false;
	}
}

/* Decompresses a lump of a repacked map, in which lumps are compressed. The directory and the lump both state the
 * uncompressed size. */
static bool unpack_lump(bspi_ctx *ctx, const bspi_vbsp_entry *at, bool required, bspi_lump *lump)
{
	bspi_location location = BSPI_LUMP_AT(lump->name, lump->offset);
	if (bspi_is_valve_lzma(lump->bytes)) {
		lump->packed = lump->bytes;
		return bspi_read_valve_lzma(ctx, lump->packed, location, required, &lump->bytes);
	}
	if (!at->unpacked_size) return true;
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, location,
	                 "the directory says that the lump is compressed, but it is not: it is read as it is");
}

/* Opens a lump. If the lump reaches past the end of the file, it is cut there, and references to the missing part are
 * dropped later. If a required lump begins outside of the file, the load fails. */
static bool open_lump(bspi_ctx *ctx, bspi_bytes file, uint32_t slot, const bspi_vbsp_entry *at, bspi_lump *lump)
{
	lump->name = lump_names[slot];
	lump->version = at->version;
	if (!at->size) return true;
	bspi_location location = BSPI_LUMP_AT(lump->name, (uint32_t)at->offset);
	bool begins = at->offset >= 0 && at->size > 0 && (size_t)at->offset < file.size;
	if (!begins && !is_required(slot)) {
		return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, location,
		                 "the directory says %" PRId32 " bytes at offset %" PRId32
		                 ", but the file has %zu bytes: the lump is left out",
		                 at->size, at->offset, file.size);
	}
	BSPI_TRY(bspi_open_lump(ctx, file, at->offset, at->size, lump));
	return unpack_lump(ctx, at, is_required(slot), lump);
}

static void swap_lumps(bspi_lump *a, bspi_lump *b)
{
	const bspi_lump kept = *a;
	*a = *b;
	*b = kept;
}

/* Chooses between LDR and HDR light, and the list of faces that belongs to it. In maps with HDR light only, the LDR
 * faces have no styles and offsets. Console maps have no LDR faces. Otherwise both lists of faces are equal. If HDR
 * light is wanted, HDR light and faces are swapped into the slots of LDR, which the map's faces are read from. */
static void choose_light(const bspi_ctx *ctx, bspi_lump *lumps)
{
	const bspi_lump *faces = &lumps[VBSP_FACES], *hdr = &lumps[VBSP_FACES_HDR];
	bspscene_light_range choice = ctx->options.light_range;
	bool requested =
		choice == BSPSCENE_LIGHT_RANGE_HDR ||
		(choice == BSPSCENE_LIGHT_RANGE_AUTO && ctx->options.lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_HDR);
	bool wanted = requested || !lumps[VBSP_LIGHTING].bytes.size;
	bool fits = !hdr->bytes.size || !faces->bytes.size || hdr->bytes.size == faces->bytes.size;
	if (wanted && lumps[VBSP_LIGHTING_HDR].bytes.size && fits) {
		swap_lumps(&lumps[VBSP_LIGHTING], &lumps[VBSP_LIGHTING_HDR]);
		if (hdr->bytes.size) swap_lumps(&lumps[VBSP_FACES], &lumps[VBSP_FACES_HDR]);
	} else if (!faces->bytes.size) {
		lumps[VBSP_FACES] = *hdr;
	}
}

static uint32_t directory_moved(const bspi_variant *variant)
{
	return ((const bspi_vbsp_quirks *)variant->extra)->directory_moved;
}

static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	const bspi_vbsp_quirks *own = variant->extra;
	size_t moved = directory_moved(variant);
	BSPI_CHECK(ctx, file.size >= VBSP_HEADER_SIZE + moved, BSPSCENE_ERROR_BAD_HEADER, BSPI_NOWHERE,
	           "the file ends in its header, after %zu bytes: it is cut off", file.size);
	for (uint32_t slot = 0; slot < VBSP_LUMPS; slot++) {
		bspi_vbsp_entry at = bspi_vbsp_read_entry(file, VBSP_DIRECTORY_AT + moved, slot, own);
		BSPI_TRY(open_lump(ctx, file, slot, &at, &lumps[slot]));
		lumps[slot].entry = VBSP_DIRECTORY_AT + moved + VBSP_ENTRY_SIZE * (size_t)slot;
		if (own->big_endian) continue; /* these positions matter for lump patches, which nobody makes for console
		                                * maps */
		lumps[slot].place_at = lumps[slot].entry + (own->version_first ? 4 : 0);
		lumps[slot].unpacked_at = lumps[slot].entry + 12;
	}
	uint32_t revision = bspi_load_u32(file.data + VBSP_REVISION_AT + moved);
	if (own->big_endian) revision = bspi_swap_u32(revision);
	bool patched = ctx->options.lump_patches || ctx->options.entity_source == BSPSCENE_ENTITY_SOURCE_BESIDE;
	if (patched && !own->big_endian) BSPI_TRY(bspi_apply_lump_patches(ctx, (int32_t)revision, lumps));
	if (own->big_endian) BSPI_TRY(bspi_vbsp_swap_lumps(ctx, variant, lumps));
	choose_light(ctx, lumps);
	return true;
}

/* ---- Faces ------------------------------------------------------------------------------------------------ */

/* Largest size of a face's light in luxels per side. Compilers create at most 126, for displacements. Larger numbers
 * mean that the file is damaged. */
enum { LARGEST_SIZE = 1000 };

static bool finish_face(bspi_ctx *ctx, const bspi_vbsp_quirks *own, bspi_map *map, uint32_t index)
{
	bspi_face *face = &map->faces[index];
	bool known = face->texinfo >= 0 && (uint32_t)face->texinfo < map->texinfos_count;
	const bspi_texinfo *info = known ? &map->texinfos[face->texinfo] : NULL;
	face->kind = face->dispinfo >= 0 ? BSPI_FACE_DISPLACEMENT : BSPI_FACE_POLYGON;
	face->fog = -1;
	face->texture = face->light_projection = face->first_normal = -1;
	if (face->texinfo == -1 || (info && info->texture == -1)) {
		/* Compilers write faces without a texture for surfaces without a material, so no warning is needed. */
		face->kind = BSPI_FACE_DROPPED;
		return true;
	}
	if (!info) return true;
	face->texture = info->texture;
	face->light_projection = face->texinfo;
	face->light_sets = info->flags & VBSP_SURF_BUMPLIGHT ? 4 : 1;
	face->style_slots = own->eight_styles ? 8 : 0;
	face->fullbright = info->flags & (VBSP_SURF_SKY | VBSP_SURF_NOLIGHT);
	bool sane = face->lightmap_width >= 0 && face->lightmap_width <= LARGEST_SIZE && face->lightmap_height >= 0 &&
	            face->lightmap_height <= LARGEST_SIZE;
	if (!sane) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LIGHTMAP, bspi_record_location(map, BSPI_ARRAY_faces, index),
		                   "a lightmap of %" PRId32 " x %" PRId32 " luxels is not possible: it gets none",
		                   face->lightmap_width, face->lightmap_height));
		face->light_offset = -1;
		face->lightmap_width = face->lightmap_height = 0;
	}
	face->lightmap_width++;
	face->lightmap_height++;
	return true;
}

/* Removes the flag for shadows from primitive counts: the lowest bit of 32-bit counts, the highest bit of 16-bit
 * ones. */
static void finish_primitives(bspi_map *map, bool wide)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		uint32_t count = (uint32_t)map->faces[i].primitive_count;
		map->faces[i].primitive_count = (int32_t)(wide ? count >> 1 : count & 0x7fff);
	}
}

/* Assigns normals to faces. Faces do not store an index. Each face has one normal per edge, and these follow each other
 * in the order of the faces. */
static bool share_normals(bspi_ctx *ctx, bspi_map *map)
{
	int64_t sum = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		map->faces[i].first_normal = map->corner_normals_count && sum <= INT32_MAX ? (int32_t)sum : -1;
		sum += map->faces[i].edge_count > 0 ? map->faces[i].edge_count : 0;
	}
	if (!map->corner_normals_count || sum == map->corner_normals_count) return true;
	for (uint32_t i = 0; i < map->faces_count; i++) map->faces[i].first_normal = -1;
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP(lump_names[VBSP_NORMAL_INDICES]),
	                 "normals left out: there are %" PRIu32 ", but faces have %" PRId64 " corners",
	                 map->corner_normals_count, sum);
}

/* ---- Overlays, displacements, leaves ---------------------------------------------------------------------- */

static void finish_overlays(const bspi_map *map, bspi_overlay *overlays, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		bspi_overlay *overlay = &overlays[i];
		bool known = overlay->texinfo >= 0 && (uint32_t)overlay->texinfo < map->texinfos_count;
		overlay->texture = known ? map->texinfos[overlay->texinfo].texture : -1;
		overlay->face_count = overlay->counts & 0x3fff;
		overlay->order = overlay->counts >> 14 & 3;
		overlay->entity = -1;
	}
}

static float fade_distance(float squared)
{
	return squared > 0 ? sqrtf(squared) : 0;
}

/* Copies fade distances to overlays. Their lump may be empty even if there are overlays. */
static void fade_overlays(bspi_map *map)
{
	for (uint32_t i = 0; i < map->overlays_count && i < map->overlay_fades_count; i++) {
		map->overlays[i].fade_near = fade_distance(map->overlay_fades[i].near_squared);
		map->overlays[i].fade_far = fade_distance(map->overlay_fades[i].far_squared);
	}
}

static int32_t neighbor_or_none(int32_t index)
{
	enum { NARROW_NONE = 0xffff };
	return index == NARROW_NONE ? -1 : index;
}

static void finish_dispinfo(const bspi_vbsp_quirks *own, bspi_dispinfo *info)
{
	if (own->no_tags) info->first_triangle = -1;
	for (int i = 0; i < 8; i++) info->neighbors[i].dispinfo = neighbor_or_none(info->neighbors[i].dispinfo);
	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < 4; k++) info->corners[i].dispinfos[k] = neighbor_or_none(info->corners[i].dispinfos[k]);
	}
}

/* Removes the leaf's flags from the field that they share with its area. */
static void finish_leafs(bspi_map *map, bool wide)
{
	enum { NARROW_AREA = 0x1ff, WIDE_AREA = 0x1ffff };
	for (uint32_t i = 0; i < map->leafs_count; i++) map->leafs[i].area &= wide ? WIDE_AREA : NARROW_AREA;
}

/* Reads the parts of the game lump. Their offsets are relative to the file, but on consoles to the lump. */
static bool read_game_lump(bspi_ctx *ctx, const bspi_vbsp_quirks *own, bspi_lump lump, bspi_map *map)
{
	bspi_game_part props, details;
	bspi_bytes file = own->big_endian ? lump.bytes : map->file;
	if (own->big_endian) lump.offset = 0;
	BSPI_TRY(bspi_open_game_part(ctx, &lump, own->game, file, VBSP_STATIC_PROPS, &props));
	if (own->big_endian) BSPI_TRY(bspi_vbsp_swap_static_props(ctx, map->version, &props));
	BSPI_TRY(bspi_read_static_props(ctx, &props, own->scaled_props, map->version, map));
	BSPI_TRY(bspi_open_game_part(ctx, &lump, own->game, file, VBSP_DETAIL_PROPS, &details));
	if (own->big_endian) BSPI_TRY(bspi_vbsp_swap_detail_props(ctx, &details));
	return bspi_read_detail_props(ctx, &details, map);
}

static bool is_hdr_light(const bspi_lump *lump)
{
	return lump->bytes.size && lump->name == lump_names[VBSP_LIGHTING_HDR];
}

static const bspi_layout *layout_of_faces(const bspi_variant *variant)
{
	uint32_t row = 0;
	while (variant->lumps[row].slot != VBSP_FACES) row++;
	return variant->lumps[row].layout;
}

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	const bspi_vbsp_quirks *own = variant->extra;
	bool hdr = is_hdr_light(&lumps[VBSP_LIGHTING]);
	map->entities = lumps[VBSP_ENTITIES].bytes;
	map->packed_entities = lumps[VBSP_ENTITIES].packed;
	map->entities_version = lumps[VBSP_ENTITIES].version;
	/* Only Strata Source has escapes in entity text: in maps of version 25 whose lump of entities has version 1. */
	map->escaped_text = map->version == 25 && map->entities_version >= 1;
	map->revision = bspi_load_i32(map->file.data + VBSP_REVISION_AT + own->directory_moved);
	if (!own->big_endian) BSPI_TRY(bspi_add_game_places(ctx, &lumps[VBSP_GAME_LUMP], own->game, map));
	map->lighting = lumps[VBSP_LIGHTING].bytes;
	BSPI_TRY(bspi_add_source_light(ctx, lumps, hdr, own, layout_of_faces(variant), map));
	map->pakfile = lumps[VBSP_PAKFILE].bytes;
	BSPI_TRY(bspi_vbsp_textures(ctx, lumps, map));
	BSPI_TRY(read_game_lump(ctx, own, lumps[VBSP_GAME_LUMP], map));
	for (uint32_t i = 0; i < map->faces_count; i++) BSPI_TRY(finish_face(ctx, own, map, i));
	finish_primitives(map, own->wide);
	BSPI_TRY(share_normals(ctx, map));
	for (uint32_t i = 0; i < map->dispinfos_count; i++) finish_dispinfo(own, &map->dispinfos[i]);
	BSPI_TRY(bspi_share_disp_blends(ctx, lumps, map));
	finish_overlays(map, map->overlays, map->overlays_count);
	finish_overlays(map, map->water_overlays, map->water_overlays_count);
	fade_overlays(map);
	finish_leafs(map, own->wide);
	BSPI_TRY(bspi_read_world_lights(ctx, lumps, hdr, map));
	BSPI_TRY(bspi_read_ambient_light(ctx, lumps, hdr, map));
	for (uint32_t i = 0; i < map->brushes_count; i++) map->brushes[i].texture = -1;
	return bspi_decode_cluster_vis(ctx, lumps[VBSP_VISIBILITY].bytes, map);
}

const bspi_family bspi_family_vbsp = {
	.about = { .name = "source", .title = "Source" }, .bid = bspi_vbsp_bid, .directory = directory, .finish = finish,
	.variants = bspi_vbsp_variants, .variant_count = BSPI_VBSP_VARIANTS, .directory_at = VBSP_DIRECTORY_AT,
	.directory_moved = directory_moved,
};
