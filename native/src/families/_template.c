/* _template.c - copy this to families/<name>.c, replace every "template", and add BSPI_FAMILY(<name>) to
 * map/families.def. The build, bspscene_probe and the layout tests use that row. Other tests load a small map of the
 * format, which tests/support/rooms/build_<name>.c makes. This file is not part of the library. The tests compile it,
 * so that it stays correct.
 *
 * This head comment lists the games, and the known differences of each format from its parent:
 *   TMPL 2  faces with 32-bit indices
 * A fact about an engine names the source file that shows it. */
#include "map/family.h"

/* Indices of the lumps in the file's directory, in the directory's order. The names appear in messages and are those of
 * the format's own tools. */
enum slot { ENTITIES, PLANES, FACES, SLOT_COUNT };
static const char *const lump_names[SLOT_COUNT] = { "entities", "planes", "faces" };

enum { DIRECTORY_AT = 8 };

/* ---- Records: rows cover the file's record without gaps; bytes that are not needed are named by SKIP.
 * -------------------------- */

static const bspi_field plane_rows[] = {
	FIELD(bspi_plane, normal,      0, F32),
	FIELD(bspi_plane, distance,   12, F32),
	SKIP("type",                  16, 4),
};
static const bspi_layout plane = LAYOUT("plane", bspi_plane, plane_rows, 20);

static const bspi_field face_rows[] = {
	FIELD(bspi_face, plane,        0, U16),
	FIELD(bspi_face, side,         2, U16),
	FIELD(bspi_face, first_edge,   4, I32),
	FIELD(bspi_face, edge_count,   8, I32),
};
static const bspi_layout face = LAYOUT("face", bspi_face, face_rows, 12);

static const bspi_field wide_face_rows[] = {
	FIELD(bspi_face, plane,        0, I32),
	FIELD(bspi_face, side,         4, I32),
	FIELD(bspi_face, first_edge,   8, I32),
	FIELD(bspi_face, edge_count,  12, I32),
};
static const bspi_layout wide_face = LAYOUT("face (wide)", bspi_face, wide_face_rows, 16);

static const bspi_lump_row template_lumps[] = {
	{ PLANES, BSPI_ARRAY_planes, &plane },
	{ FACES, BSPI_ARRAY_faces, &face },
};
static const bspi_lump_row wide_lumps[] = {
	{ PLANES, BSPI_ARRAY_planes, &plane },
	{ FACES, BSPI_ARRAY_faces, &wide_face },
};
#define LUMPS(rows) (rows), sizeof (rows) / sizeof *(rows)

/* ---- Rules: what the games do differently, as data for the stages. ------------------------------------------ */

static const bspi_camera_rule cameras[] = {
	{ "info_player_start", BSPSCENE_CAMERA_SPAWN, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const char *const hidden[] = { "trigger_*", NULL };
static const bspi_light_rules lights = { .falloff = BSPSCENE_FALLOFF_LINEAR, .reach = 1 };
static const bspi_entity_rules entity_rules = { .lights = &lights, .cameras = cameras, .hidden = hidden };
static const bspi_rules rules = {
	.light_storage = BSPI_STORAGE_NONE, .overbright = 1, .intensity = 1, .eye_height = 22, .entities = &entity_rules,
};

static const bspi_variant variants[] = {
	{ "template", "Template (TMPL 1)", "TMPL", 1, LUMPS(template_lumps), &rules, NULL },
	{ "wide", "Template with 32-bit indices (TMPL 2)", "TMPL", 2, LUMPS(wide_lumps), &rules, NULL },
};
enum { VARIANT_COUNT = sizeof variants / sizeof *variants };

/* ---- Callbacks ---------------------------------------------------------------------------------------------- */

/* See bspi_family.bid. `head` may be the first 64 bytes or the whole file. Evidence further back in the file is used
 * only if `head` contains it. */
static int bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < DIRECTORY_AT) return 0;
	for (uint32_t i = 0; i < VARIANT_COUNT; i++) {
		if (memcmp(head.data, variants[i].magic, 4) || bspi_load_i32(head.data + 4) != variants[i].version) continue;
		*variant = &variants[i];
		return 90;
	}
	return 0;
}

static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	(void)variant;
	return bspi_read_directory(ctx, file, DIRECTORY_AT, SLOT_COUNT, lump_names, lumps);
}

/* See bspi_family.finish. Nothing is checked yet, so numbers may only be copied and compared here. Members of records
 * without a row in the tables are 0; set them to -1 where that means "none". */
static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	(void)ctx, (void)variant;
	map->entities = lumps[ENTITIES].bytes;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		map->faces[i].kind = BSPI_FACE_POLYGON;
		map->faces[i].fog = map->faces[i].dispinfo = map->faces[i].light_offset = map->faces[i].light_projection = -1;
	}
	return true;
}

extern const bspi_family bspi_family_template;
const bspi_family bspi_family_template = {
	.about = { .name = "template", .title = "Template" },
	.bid = bid, .directory = directory, .finish = finish,
	.variants = variants, .variant_count = VARIANT_COUNT, .directory_at = DIRECTORY_AT,
};
