/* make_rejected.c - writes fixtures/rejected/<status>_<what>.bsp, each a valid room with one fault.
 *
 * An ordinary load repairs files named bad-data_*, and a strict one refuses them. All other files are always
 * refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/make/build_map.h"

#define NAN_BITS 0x7fc00000u
#define INFINITY_BITS 0x7f800000u

/* A fault that is made by setting a field of a record in the room to another value. */
typedef struct field_case {
	const char *name;
	uint16_t array, record;
	const char *field;
	uint16_t element;
	uint32_t value;
} field_case;

static const field_case quake3_fields[] = {
	{ "bad-data_plane-normal-nan", BSPI_ARRAY_planes, 1, "normal", 0, NAN_BITS },
	{ "bad-data_plane-distance-infinite", BSPI_ARRAY_planes, 2, "distance", 0, INFINITY_BITS },
	{ "bad-data_node-plane-out-of-range", BSPI_ARRAY_nodes, 0, "plane", 0, 8 },
	{ "bad-data_node-is-its-own-child", BSPI_ARRAY_nodes, 1, "children", 0, 1 },
	{ "bad-data_node-cycle-to-the-root", BSPI_ARRAY_nodes, 1, "children", 1, 0 },
	{ "bad-data_node-child-out-of-range", BSPI_ARRAY_nodes, 0, "children", 0, 2 },
	{ "bad-data_node-leaf-out-of-range", BSPI_ARRAY_nodes, 0, "children", 1, 0x80000000u },
	{ "bad-data_leaf-cluster-out-of-range", BSPI_ARRAY_leafs, 0, "cluster", 0, 2 },
	{ "bad-data_leaf-list-past-end", BSPI_ARRAY_leafs, 2, "leaf_face_count", 0, 3 },
	{ "bad-data_leaf-list-overflows", BSPI_ARRAY_leafs, 0, "first_leaf_face", 0, 0xfffffffeu },
	{ "bad-data_leaf-lists-unknown-face", BSPI_ARRAY_leaf_faces, 1, "value", 0, 6 },
	{ "bad-data_leaf-lists-unknown-brush", BSPI_ARRAY_leaf_brushes, 0, "value", 0, 2 },
	{ "bad-data_model-faces-past-end", BSPI_ARRAY_models, 1, "face_count", 0, 2 },
	{ "bad-data_model-faces-negative", BSPI_ARRAY_models, 1, "first_face", 0, 0xffffffffu },
	{ "bad-data_model-shares-faces", BSPI_ARRAY_models, 0, "face_count", 0, 6 },
	{ "bad-data_model-bounds-nan", BSPI_ARRAY_models, 1, "mins", 2, NAN_BITS },
	{ "bad-data_brush-sides-past-end", BSPI_ARRAY_brushes, 1, "side_count", 0, 7 },
	{ "bad-data_brush-side-plane-negative", BSPI_ARRAY_brush_sides, 3, "plane", 0, 0xffffffffu },
	{ "bad-data_brush-texture-out-of-range", BSPI_ARRAY_brushes, 0, "texture", 0, 4 },
	{ "bad-data_vertex-position-nan", BSPI_ARRAY_draw_vertices, 1, "position", 1, NAN_BITS },
	{ "bad-data_vertex-position-infinite", BSPI_ARRAY_draw_vertices, 8, "position", 2, INFINITY_BITS },
	{ "bad-data_vertex-position-too-far", BSPI_ARRAY_draw_vertices, 14, "position", 0, 0x7149f2cau },
	{ "bad-data_vertex-uv-nan", BSPI_ARRAY_draw_vertices, 2, "uv", 0, NAN_BITS },
	{ "bad-data_index-out-of-range", BSPI_ARRAY_draw_indices, 4, "value", 0, 4 },
	{ "bad-data_index-negative", BSPI_ARRAY_draw_indices, 8, "value", 0, 0xffffffffu },
	{ "bad-data_face-texture-out-of-range", BSPI_ARRAY_faces, 0, "texture", 0, 4 },
	{ "bad-data_face-type-unknown", BSPI_ARRAY_faces, 2, "game_type", 0, 9 },
	{ "bad-data_face-fog-out-of-range", BSPI_ARRAY_faces, 0, "fog", 0, 1 },
	{ "bad-data_face-vertices-past-end", BSPI_ARRAY_faces, 5, "vertex_count", 0, 5 },
	{ "bad-data_face-vertices-overflow", BSPI_ARRAY_faces, 0, "first_vertex", 0, 0x7fffffffu },
	{ "bad-data_face-vertices-negative", BSPI_ARRAY_faces, 0, "vertex_count", 0, 0x80000000u },
	{ "bad-data_face-indices-past-end", BSPI_ARRAY_faces, 5, "first_index", 0, 13 },
	{ "bad-data_face-indices-no-triangles", BSPI_ARRAY_faces, 0, "index_count", 0, 5 },
	{ "bad-data_patch-size-even", BSPI_ARRAY_faces, 1, "patch_width", 0, 4 },
	{ "bad-data_patch-size-one", BSPI_ARRAY_faces, 1, "patch_height", 0, 1 },
	{ "bad-data_patch-size-huge", BSPI_ARRAY_faces, 1, "patch_width", 0, 0x40000001u },
	{ "bad-data_patch-size-negative", BSPI_ARRAY_faces, 1, "patch_height", 0, 0xfffffffdu },
	{ "bad-data_flare-origin-nan", BSPI_ARRAY_faces, 3, "origin", 0, NAN_BITS },
	{ "bad-data_flare-color-infinite", BSPI_ARRAY_faces, 3, "color", 1, INFINITY_BITS },
	{ "bad-data_fog-brush-out-of-range", BSPI_ARRAY_fogs, 0, "brush", 0, 2 },
	{ "bad-data_fog-side-out-of-range", BSPI_ARRAY_fogs, 0, "visible_side", 0, 6 },
};

/* Damage that only Nightfire's format can have. */
static const field_case nightfire_fields[] = {
	{ "bad-data_nightfire-surface-plane-out-of-range", BSPI_ARRAY_faces, 0, "plane", 0, 12 },
	{ "bad-data_nightfire-surface-vertices-past-end", BSPI_ARRAY_faces, 11, "vertex_count", 0, 5 },
	{ "bad-data_nightfire-surface-vertices-negative", BSPI_ARRAY_faces, 0, "first_vertex", 0, 0xffffffffu },
	{ "bad-data_nightfire-surface-indices-past-end", BSPI_ARRAY_faces, 5, "index_count", 0, 15 },
	{ "bad-data_nightfire-surface-indices-no-triangles", BSPI_ARRAY_faces, 0, "index_count", 0, 5 },
	{ "bad-data_nightfire-surface-index-out-of-range", BSPI_ARRAY_faces, 0, "vertex_count", 0, 3 },
	{ "bad-data_nightfire-surface-texture-out-of-range", BSPI_ARRAY_texinfos, 0, "texture", 0, 6 },
	{ "bad-data_nightfire-surface-material-out-of-range", BSPI_ARRAY_texinfos, 0, "value", 0, 4 },
	{ "bad-data_nightfire-surface-projection-out-of-range", BSPI_ARRAY_faces, 0, "texinfo", 0, 6 },
	{ "bad-data_nightfire-surface-light-projection-out-of-range", BSPI_ARRAY_faces, 0, "light_projection", 0, 6 },
	{ "bad-data_nightfire-surface-light-projection-none", BSPI_ARRAY_faces, 0, "light_projection", 0, 0xffffffffu },
	{ "bad-data_nightfire-surface-light-past-end", BSPI_ARRAY_faces, 9, "light_offset", 0, 0x7ffffff0u },
	{ "bad-data_nightfire-projection-nan", BSPI_ARRAY_light_projections, 0, "vectors", 1, NAN_BITS },
	{ "bad-data_nightfire-projection-huge", BSPI_ARRAY_light_projections, 2, "vectors", 0, 0x60000000u },
	{ "bad-data_nightfire-vertex-position-nan", BSPI_ARRAY_draw_vertices, 0, "position", 1, NAN_BITS },
	{ "bad-data_nightfire-leaf-row-past-end", BSPI_ARRAY_leafs, 2, "vis_offset", 0, 7 },
	{ "bad-data_nightfire-leaf-rows-overlap", BSPI_ARRAY_leafs, 2, "vis_offset", 0, 0x7fffffffu },
	{ "bad-data_nightfire-brush-side-surface-out-of-range", BSPI_ARRAY_brush_sides, 0, "texture", 0, 12 },
	{ "bad-data_nightfire-brush-side-plane-out-of-range", BSPI_ARRAY_brush_sides, 0, "plane", 0, 12 },
	{ "bad-data_nightfire-model-faces-past-end", BSPI_ARRAY_models, 3, "face_count", 0, 2 },
};

/* Damage that only UFO: Alien Invasion's format can have. */
static const field_case ufoai_fields[] = {
	{ "bad-data_ufoai-level-faces-apart", BSPI_ARRAY_models, 255, "first_face", 0, 2 },
	{ "bad-data_ufoai-level-faces-past-end", BSPI_ARRAY_models, 255, "face_count", 0, 0x7fffffff },
	{ "bad-data_ufoai-node-plane-out-of-range", BSPI_ARRAY_nodes, 1, "plane", 0, 12 },
	{ "bad-data_ufoai-head-node-out-of-range", BSPI_ARRAY_models, 254, "head_node", 0, 9 },
	{ "bad-data_ufoai-vertex-normal-long", BSPI_ARRAY_vertex_normals, 1, "normal", 0, 0x40000000u },
	{ "bad-data_ufoai-light-past-end", BSPI_ARRAY_faces, 1, "light_offset", 0, 0x7ffffff0u },
};

/* Damage that only Call of Duty's format can have. */
static const field_case callofduty_fields[] = {
	{ "bad-data_callofduty-soup-material-out-of-range", BSPI_ARRAY_faces, 0, "texture", 0, 2 },
	{ "bad-data_callofduty-soup-vertices-past-end", BSPI_ARRAY_faces, 2, "vertex_count", 0, 5 },
	{ "bad-data_callofduty-soup-vertices-negative", BSPI_ARRAY_faces, 0, "first_vertex", 0, 0xffffffffu },
	{ "bad-data_callofduty-soup-indices-past-end", BSPI_ARRAY_faces, 2, "index_count", 0, 9 },
	{ "bad-data_callofduty-soup-indices-overflow", BSPI_ARRAY_faces, 1, "first_index", 0, 0x7fffffffu },
	{ "bad-data_callofduty-soup-indices-no-triangles", BSPI_ARRAY_faces, 0, "index_count", 0, 5 },
	{ "bad-data_callofduty-index-out-of-range", BSPI_ARRAY_draw_indices, 7, "value", 0, 3 },
	{ "bad-data_callofduty-vertex-position-nan", BSPI_ARRAY_draw_vertices, 4, "position", 1, NAN_BITS },
	{ "bad-data_callofduty-brush-without-a-box", BSPI_ARRAY_brushes, 0, "side_count", 0, 5 },
	{ "bad-data_callofduty-brush-sides-past-end", BSPI_ARRAY_brushes, 1, "side_count", 0, 7 },
	{ "bad-data_callofduty-brush-material-out-of-range", BSPI_ARRAY_brushes, 1, "texture", 0, 2 },
	{ "bad-data_callofduty-bound-nan", BSPI_ARRAY_brush_sides, 2, "plane", 0, NAN_BITS },
	{ "bad-data_callofduty-bound-infinite", BSPI_ARRAY_brush_sides, 7, "plane", 0, INFINITY_BITS },
	{ "bad-data_callofduty-side-plane-is-a-made-one", BSPI_ARRAY_brush_sides, 6, "plane", 0, 2 },
	{ "bad-data_callofduty-node-plane-is-a-made-one", BSPI_ARRAY_nodes, 0, "plane", 0, 2 },
	{ "bad-data_callofduty-side-material-out-of-range", BSPI_ARRAY_brush_sides, 12, "texture", 0, 2 },
	{ "bad-data_callofduty-model-soups-past-end", BSPI_ARRAY_models, 1, "face_count", 0, 2 },
	{ "bad-data_callofduty-model-brushes-past-end", BSPI_ARRAY_models, 1, "brush_count", 0, 2 },
	{ "bad-data_callofduty-leaf-brushes-past-end", BSPI_ARRAY_leafs, 1, "leaf_brush_count", 0, 2 },
};

static const field_case respawn_fields[] = {
	{ "bad-data_respawn-material-out-of-range", BSPI_ARRAY_faces, 0, "texinfo", 0, 4 },
	{ "bad-data_respawn-mesh-indices-past-end", BSPI_ARRAY_faces, 1, "index_count", 0, 3 },
	{ "bad-data_respawn-mesh-indices-overflow", BSPI_ARRAY_faces, 2, "first_index", 0, 0xfffffffeu },
	{ "bad-data_respawn-mesh-of-another-kind", BSPI_ARRAY_faces, 4, "game_type", 0, 0x200 },
	{ "bad-data_respawn-index-out-of-range", BSPI_ARRAY_draw_indices, 7, "value", 0, 9 },
	{ "bad-data_respawn-position-nan", BSPI_ARRAY_vertices, 7, "position", 2, NAN_BITS },
	{ "bad-data_respawn-normal-infinite", BSPI_ARRAY_normals, 0, "normal", 1, INFINITY_BITS },
	{ "bad-data_respawn-model-meshes-past-end", BSPI_ARRAY_models, 1, "face_count", 0, 2 },
};
static const field_case genesis3d_fields[] = {
	{ "bad-data_genesis3d-vertex-out-of-range", BSPI_ARRAY_edges, 5, "vertices", 0, 19 },
	{ "bad-data_genesis3d-vertex-nan", BSPI_ARRAY_vertices, 8, "position", 1, NAN_BITS },
	{ "bad-data_genesis3d-corners-negative", BSPI_ARRAY_faces, 1, "first_edge", 0, 0xffffffffu },
	{ "bad-data_genesis3d-corners-past-end", BSPI_ARRAY_faces, 5, "edge_count", 0, 5 },
	{ "bad-data_genesis3d-corners-overflow", BSPI_ARRAY_faces, 4, "edge_count", 0, 0x7fffffffu },
	{ "bad-data_genesis3d-plane-out-of-range", BSPI_ARRAY_faces, 4, "plane", 0, 6 },
	{ "bad-data_genesis3d-texinfo-out-of-range", BSPI_ARRAY_faces, 0, "texinfo", 0, 6 },
	{ "bad-data_genesis3d-light-past-end", BSPI_ARRAY_faces, 3, "light_offset", 0, 0x7fffffffu - 1 },
	{ "bad-data_genesis3d-luxels-negative", BSPI_ARRAY_faces, 3, "lightmap_width", 0, 0xffffffffu },
	{ "bad-data_genesis3d-luxels-too-many", BSPI_ARRAY_faces, 0, "lightmap_height", 0, 0x10000000 },
	{ "bad-data_genesis3d-projection-nan", BSPI_ARRAY_texinfos, 0, "texture_vectors", 0, NAN_BITS },
	{ "bad-data_genesis3d-scale-zero", BSPI_ARRAY_light_projections, 1, "vectors[0][3]", 0, 0 },
	{ "bad-data_genesis3d-texture-out-of-range", BSPI_ARRAY_texinfos, 3, "texture", 0, 3 },
	{ "bad-data_genesis3d-texels-past-end", BSPI_ARRAY_textures, 1, "render_mode", 0, 405 },
	{ "bad-data_genesis3d-texels-overflow", BSPI_ARRAY_textures, 0, "width", 0, 0x80000001u },
	{ "bad-data_genesis3d-palette-out-of-range", BSPI_ARRAY_textures, 2, "effect", 0, 3 },
	{ "bad-data_genesis3d-model-faces-past-end", BSPI_ARRAY_models, 1, "face_count", 0, 2 },
	{ "bad-data_genesis3d-node-is-its-own-child", BSPI_ARRAY_nodes, 1, "children", 0, 1 },
	{ "bad-data_genesis3d-leaf-faces-past-end", BSPI_ARRAY_leafs, 2, "leaf_face_count", 0, 3 },
	{ "bad-data_genesis3d-area-portals-past-end", BSPI_ARRAY_areas, 2, "portal_count", 0, 2 },
};

/* A fault in a lump that no layout table describes. It is made by setting a number in the lump to another value. */
typedef struct number_case {
	const char *name;
	uint32_t slot, at, value;
} number_case;

enum { GENESIS3D_CLUSTERS = 5, GENESIS3D_ENTITIES = 16 };
static const number_case genesis3d_numbers[] = {
	{ "bad-data_genesis3d-entities-missing", GENESIS3D_ENTITIES, 0, 7 },
	{ "bad-data_genesis3d-entities-negative", GENESIS3D_ENTITIES, 0, 0x80000000u },
	{ "bad-data_genesis3d-pairs-missing", GENESIS3D_ENTITIES, 4, 0x7fffffff },
	{ "bad-data_genesis3d-key-past-end", GENESIS3D_ENTITIES, 8, 0x7fffffff },
	{ "bad-data_genesis3d-key-negative", GENESIS3D_ENTITIES, 8, 0xfffffff8u },
	{ "bad-data_genesis3d-visibility-past-end", GENESIS3D_CLUSTERS, 4, 2 },
};

/* A fault that is made by setting a field of a directory entry to another value. */
typedef struct entry_case {
	const char *name;
	uint32_t slot, member;
	uint32_t value;
} entry_case;

enum { OFFSET, SIZE };
enum { ENTITIES, PLANES = 2, MODELS = 7, SURFACES = 13, VISIBILITY = 16 };
static const entry_case quake3_entries[] = {
	{ "bad-lump_surfaces-past-end", SURFACES, OFFSET, 0x10000000 },
	{ "bad-data_surfaces-size-huge", SURFACES, SIZE, 0x7fffffff },
	{ "bad-lump_surfaces-size-negative", SURFACES, SIZE, 0xffffff00u },
	{ "bad-lump_planes-offset-negative", PLANES, OFFSET, 0xfffffff0u },
	{ "bad-lump_planes-sum-overflows", PLANES, OFFSET, 0x7fffffff },
	{ "bad-data_models-none", MODELS, SIZE, 0 },
	{ "bad-data_planes-tail", PLANES, SIZE, 8 * 16 - 3 },
	{ "bad-data_visibility-cut", VISIBILITY, SIZE, 7 },
	{ "bad-data_entities-past-end", ENTITIES, SIZE, 0x10000000 },
};
enum { NIGHTFIRE_PROJECTIONS = 17, NIGHTFIRE_SURFACES = 9 };
static const entry_case nightfire_entries[] = {
	{ "bad-lump_nightfire-projections-past-end", NIGHTFIRE_PROJECTIONS, OFFSET, 0x10000000 },
	{ "bad-lump_nightfire-surfaces-size-negative", NIGHTFIRE_SURFACES, SIZE, 0xffffff00u },
	{ "bad-data_nightfire-surfaces-tail", NIGHTFIRE_SURFACES, SIZE, 12 * 48 - 5 },
};

enum { UFOAI_TEXINFO = 5, UFOAI_DAY = 8 };
static const entry_case ufoai_entries[] = {
	{ "bad-lump_ufoai-day-light-past-end", UFOAI_DAY, OFFSET, 0x10000000 },
	/* The offset becomes 4, where the file's version is. So 78, the version's low byte, is read as the first byte of
	 * the light. */
	{ "bad-lump_ufoai-luxels-of-no-size", UFOAI_DAY, OFFSET, 4 },
	{ "bad-data_ufoai-texinfo-tail", UFOAI_TEXINFO, SIZE, 5 * 72 - 1 },
};

enum { CALLOFDUTY_SIDES = 3, CALLOFDUTY_SOUPS = 6, CALLOFDUTY_VERTICES = 7, CALLOFDUTY_MODELS = 27 };
static const entry_case callofduty_entries[] = {
	{ "bad-lump_callofduty-soups-past-end", CALLOFDUTY_SOUPS, OFFSET, 0x10000000 },
	{ "bad-lump_callofduty-soups-size-negative", CALLOFDUTY_SOUPS, SIZE, 0xffffff00u },
	{ "bad-lump_callofduty-sides-sum-overflows", CALLOFDUTY_SIDES, OFFSET, 0xfffffff0u },
	{ "bad-data_callofduty-vertices-tail", CALLOFDUTY_VERTICES, SIZE, 11 * 44 - 5 },
	{ "bad-data_callofduty-models-none", CALLOFDUTY_MODELS, SIZE, 0 },
};

enum { RESPAWN_SORTS = 82, RESPAWN_FLAT = 72, RESPAWN_PROPS = 35, RESPAWN_OFFSETS = 44 };
static const number_case respawn_numbers[] = {
	{ "bad-data_respawn-texture-out-of-range", RESPAWN_SORTS, 12, 4 },
	{ "bad-data_respawn-first-vertex-past-end", RESPAWN_SORTS, 8, 0xfffffff0u },
	{ "bad-data_respawn-vertex-position-out-of-range", RESPAWN_FLAT, 36, 12 },
	{ "bad-data_respawn-name-past-end", RESPAWN_OFFSETS, 4, 0x7fffffff },
	{ "bad-data_respawn-props-past-end", RESPAWN_PROPS, 16, 0x7fffffff },
	{ "bad-data_respawn-prop-names-past-end", RESPAWN_PROPS, 20, 0x7fffffff },
};
static const entry_case respawn_entries[] = {
	{ "bad-lump_respawn-meshes-past-end", 80, OFFSET, 0x10000000 },
	{ "bad-lump_respawn-positions-size-negative", 3, SIZE, 0xffffff00u },
	{ "bad-data_respawn-vertices-tail", RESPAWN_FLAT, SIZE, 9 * 36 - 5 },
};

/* Files that are not maps of a format that this library reads. */
static const struct {
	const char *name;
	const char *bytes;
	size_t size;
} others[] = {
	{ "unknown-format_empty", "", 0 },
	{ "unknown-format_one-byte", "I", 1 },
	{ "unknown-format_magic-alone", "IBSP", 4 },
	{ "unknown-format_git-lfs-pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", 64 },
	{ "bad-lump_md3-model", "IDP3\17\0\0\0model", 13 },
	{ "unknown-format_zip", "PK\3\4\24\0\0\0\0\0", 10 },
	{ "unknown-format_zeros", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16 },
	{ "bad-header_callofduty2-directory-cut", "IBSP\4\0\0\0\0\0\0\0\0\0\0\0", 16 },
	{ "unsupported-format_titanfall", "rBSP\36\0\0\0\0\0\0\0\0\0\0\0", 16 },
	{ "bad-header_respawn-directory-cut", "rBSP\35\0\0\0\0\0\0\0\0\0\0\0", 16 },
	{ "unsupported-format_xbox-360", "PSBV\0\0\0\23\0\0\0\0\0\0\0\0", 16 },
	{ "bad-header_version-alone", "IBSP\56\0\0\0", 8 },
	{ "bad-header_console-directory-cut", "PSBV\0\0\0\24\0\0\0\0\0\0\0\0", 16 },
	{ "bad-header_callofduty-directory-cut", "IBSP\73\0\0\0\0\0\0\0\0\0\0\0", 16 },
	{ "bad-header_callofduty4-directory-cut", "IBSP\26\0\0\0\1\0\0\0\0\0\0", 15 },
	{ "bad-lump_callofduty4-chunk-past-end", "IBSP\26\0\0\0\1\0\0\0\0\0\0\0\0\0\0\20", 20 },
#define GENESIS3D "\0\0\0\0\34\0\0\0\1\0\0\0GBSP\0\0\0\0\17\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
	{ "bad-header_genesis3d-without-end", GENESIS3D, 40 },
	{ "bad-header_genesis3d-chunk-head-cut", GENESIS3D "\1\0\0\0\120\0\0\0\0\0\0", 51 },
	{ "bad-lump_genesis3d-chunk-past-end", GENESIS3D "\1\0\0\0\120\0\0\0\1\0\0\0\0\0\0\0", 56 },
	{ "bad-lump_genesis3d-chunk-overflows", GENESIS3D "\1\0\0\0\377\377\377\177\377\377\377\177", 52 },
	{ "bad-lump_genesis3d-chunk-negative", GENESIS3D "\1\0\0\0\120\0\0\0\377\377\377\377", 52 },
	{ "bad-lump_genesis3d-record-size", GENESIS3D "\5\0\0\0\10\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0", 60 },
	{ "bad-lump_genesis3d-chunk-twice", GENESIS3D GENESIS3D, 80 },
	{ "bad-header_directory-cut", "IBSP\56\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 23 },
};

static const char *directory;

static void write_case(const char *name, const void *data, size_t size)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s.bsp", directory, name);
	bspt_write_file(path, data, size);
}

static void store(uint8_t *p, uint32_t value, size_t size)
{
	for (size_t i = 0; i < size; i++) p[i] = (uint8_t)(value >> 8 * i);
}

/* Removes the light from Quake III's room, because its pages alone have 96 KiB. */
static void drop_light(bspt_parts *parts)
{
	enum { LIGHTMAPS = 14, LIGHT_GRID = 15 };
	for (uint32_t i = 0; i < parts->map.faces_count; i++) {
		if (parts->map.faces[i].lightmap[0] >= 0) parts->map.faces[i].lightmap[0] = BSPI_PAGE_BY_VERTEX;
	}
	parts->raw[LIGHTMAPS] = parts->raw[LIGHT_GRID] = BSPI_NO_BYTES;
}

static bspt_bytes small_room(const bspi_family *family)
{
	bspt_parts parts;
	bspt_room_parts(family, &family->variants[0], &parts);
	if (family == &bspi_family_quake3) drop_light(&parts);
	return bspt_encode_parts(&family->variants[0], &parts);
}

/* Returns the position of a member of a lump's directory entry. */
static uint8_t *entry_of(const bspi_family *family, bspt_bytes file, uint32_t slot, uint32_t member)
{
	bspt_parts parts;
	bspt_room_parts(family, &family->variants[0], &parts);
	uint32_t place = parts.size_first ? 1 - member : member;
	size_t entry = parts.versions ? 16 : 8;
	return file.data + bspt_directory_at(&family->variants[0]) + entry * slot + 4 * (size_t)place;
}

/* Returns the offset at which a lump's records begin. */
static size_t records_at(const bspi_family *family, bspt_bytes file, uint32_t slot)
{
	enum { HEAD = 12, SIZE_AT = 4, COUNT_AT = 8 };
	bspt_parts parts;
	bspt_room_parts(family, &family->variants[0], &parts);
	if (!parts.heads) return bspi_load_u32(entry_of(family, file, slot, OFFSET));
	size_t at = 0;
	while (bspi_load_u32(file.data + at) != slot) {
		const uint8_t *head = file.data + at;
		at += HEAD + (size_t)bspi_load_u32(head + SIZE_AT) * bspi_load_u32(head + COUNT_AT);
	}
	return at + HEAD;
}

static void set_field(const bspi_family *family, bspt_bytes file, const field_case *wanted)
{
	const bspi_variant *variant = &family->variants[0];
	for (uint32_t i = 0; i < variant->lump_row_count; i++) {
		const bspi_lump_row *row = &variant->lumps[i];
		if (row->array != wanted->array) continue;
		for (uint16_t k = 0; k < row->layout->field_count; k++) {
			const bspi_field *field = &row->layout->fields[k];
			size_t length = strlen(wanted->field);
			if (strncmp(field->name, wanted->field, length)) continue;
			if (field->name[length] && field->name[length] != '[') continue;
			size_t size = field->file_type == BSPI_U16 || field->file_type == BSPI_I16 ? 2 : 4;
			size_t at = records_at(family, file, row->slot);
			at += (size_t)wanted->record * row->layout->file_size + field->file_offset;
			store(file.data + at + size * wanted->element, wanted->value, size);
			return;
		}
	}
	bspt_die("find the field of", wanted->name);
}

static void write_fields(const bspi_family *family, const field_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bspt_bytes file = small_room(family);
		set_field(family, file, &cases[i]);
		write_case(cases[i].name, file.data, file.size);
		free(file.data);
	}
}

static void write_numbers(const bspi_family *family, const number_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bspt_bytes file = small_room(family);
		store(file.data + records_at(family, file, cases[i].slot) + cases[i].at, cases[i].value, 4);
		write_case(cases[i].name, file.data, file.size);
		free(file.data);
	}
}

static void write_entries(const bspi_family *family, const entry_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bspt_bytes file = small_room(family);
		store(entry_of(family, file, cases[i].slot, cases[i].member), cases[i].value, 4);
		write_case(cases[i].name, file.data, file.size);
		free(file.data);
	}
}

/* Writes an entity text that ends inside an entity, and one with a value that is not UTF-8. */
static void write_texts(const bspi_family *family)
{
	bspt_bytes file = small_room(family);
	uint8_t *size = entry_of(family, file, ENTITIES, SIZE);
	store(size, bspi_load_u32(size) - 3, 4);
	write_case("bad-data_entities-unclosed", file.data, file.size);
	free(file.data);

	file = small_room(family);
	uint8_t *at = file.data + bspi_load_u32(entry_of(family, file, ENTITIES, OFFSET));
	while (memcmp(at, "A room", 6)) at++;
	at[1] = 0xa0;
	write_case("bad-data_entities-not-utf8", file.data, file.size);
	free(file.data);
}

int main(int argc, char **argv)
{
	if (argc != 2) return 2;
	directory = argv[1];
#define CASES(table) (table), sizeof (table) / sizeof *(table)
	write_fields(&bspi_family_quake3, CASES(quake3_fields));
	write_fields(&bspi_family_nightfire, CASES(nightfire_fields));
	write_entries(&bspi_family_quake3, CASES(quake3_entries));
	write_entries(&bspi_family_nightfire, CASES(nightfire_entries));
	write_fields(&bspi_family_ufoai, CASES(ufoai_fields));
	write_entries(&bspi_family_ufoai, CASES(ufoai_entries));
	write_fields(&bspi_family_callofduty, CASES(callofduty_fields));
	write_entries(&bspi_family_callofduty, CASES(callofduty_entries));
	write_fields(&bspi_family_genesis3d, CASES(genesis3d_fields));
	write_numbers(&bspi_family_genesis3d, CASES(genesis3d_numbers));
	write_fields(&bspi_family_respawn, CASES(respawn_fields));
	write_numbers(&bspi_family_respawn, CASES(respawn_numbers));
	write_entries(&bspi_family_respawn, CASES(respawn_entries));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) write_case(others[i].name, others[i].bytes,
	                                                                       others[i].size);
	write_texts(&bspi_family_quake3);
	return 0;
}
