/* vbsp_tables.c - records of Source maps (docs/formats/source.md, "Records"). Versions differ in faces and leaves, and
 * some games in other records. Version 25 (Strata) and Vindictus have wider indices. Displacements are in
 * vbsp_disp_tables.c. */
#include "families/vbsp/vbsp_tables.h"

#include "families/quake/quake_common.h"

static const bspi_field texinfo_rows[] = {
	FIELD(bspi_texinfo, texture_vectors, 0, F32),
	SKIP("lightmap vectors", 32, 32),
	FIELD(bspi_texinfo, flags, 64, U32),
	FIELD(bspi_texinfo, texture, 68, I32),
};
static const bspi_layout texinfo = LAYOUT("texinfo", bspi_texinfo, texinfo_rows, 72);

/* Texinfos of Dark Messiah, which have more fields in the middle. */
static const bspi_field long_texinfo_rows[] = {
	FIELD(bspi_texinfo, texture_vectors, 0, F32),
	SKIP("lightmap vectors", 32, 32),
	SKIP("unknown", 64, 24),
	FIELD(bspi_texinfo, flags, 88, U32),
	FIELD(bspi_texinfo, texture, 92, I32),
};
static const bspi_layout long_texinfo = LAYOUT("texinfo (Dark Messiah)", bspi_texinfo, long_texinfo_rows, 96);

/* Reads the lump of texinfos a second time, as light projections: texinfo n has projection n. */
static const bspi_field projection_rows[] = {
	SKIP("texture vectors", 0, 32),
	FIELD(bspi_light_projection, vectors, 32, F32),
	SKIP("flags and texdata", 64, 8),
};
static const bspi_layout projection = LAYOUT("texinfo", bspi_light_projection, projection_rows, 72);

static const bspi_field long_projection_rows[] = {
	SKIP("texture vectors", 0, 32),
	FIELD(bspi_light_projection, vectors, 32, F32),
	SKIP("unknown, flags and texdata", 64, 32),
};
static const bspi_layout long_projection =
	LAYOUT("texinfo (Dark Messiah)", bspi_light_projection, long_projection_rows, 96);

/* Records of texdata. The names of textures are in two other lumps. */
static const bspi_field texdata_rows[] = {
	FIELD(bspi_texture, reflectivity, 0, F32),
	SKIP("name", 12, 4),
	FIELD(bspi_texture, width, 16, U32),
	FIELD(bspi_texture, height, 20, U32),
	SKIP("view size", 24, 8),
};
static const bspi_layout texdata = LAYOUT("texdata", bspi_texture, texdata_rows, 32);

/* Fields of faces. The plane index refers to a plane that already faces outward, so `side` stays 0. The stored sizes
 * are one less than the numbers of luxels. */
#define FACE_ROWS(at) \
	FIELD(bspi_face, plane, (at) + 0, U16), \
	SKIP("side and on node", (at) + 2, 2), \
	FIELD(bspi_face, first_edge, (at) + 4, I32), \
	FIELD(bspi_face, edge_count, (at) + 8, U16), \
	FIELD(bspi_face, texinfo, (at) + 10, I16), \
	FIELD(bspi_face, dispinfo, (at) + 12, I16), \
	SKIP("fog volume", (at) + 14, 2), \
	FIELD(bspi_face, styles, (at) + 16, U8)
#define LIGHT_ROWS(at) \
	FIELD(bspi_face, light_offset, (at) + 0, I32), \
	SKIP("area", (at) + 4, 4), \
	FIELD(bspi_face, lightmap_x[0], (at) + 8, I32), \
	FIELD(bspi_face, lightmap_y[0], (at) + 12, I32), \
	FIELD(bspi_face, lightmap_width, (at) + 16, I32), \
	FIELD(bspi_face, lightmap_height, (at) + 20, I32)

#define PRIMITIVE_ROWS(at) \
	SKIP("original face", (at) + 0, 4), \
	FIELD(bspi_face, primitive_count, (at) + 4, U16), \
	FIELD(bspi_face, first_primitive, (at) + 6, U16), \
	SKIP("smoothing groups", (at) + 8, 4)

static const bspi_field face17_rows[] = {
	SKIP("average colors", 0, 32),
	FACE_ROWS(32),
	FIELD(bspi_face, more_styles, 52, U8),
	SKIP("styles by day and by night", 56, 16),
	LIGHT_ROWS(72),
	SKIP("original face", 96, 4),
	FIELD(bspi_face, primitive_count, 100, U16),
	FIELD(bspi_face, first_primitive, 102, U16),
};
static const bspi_layout face17 = LAYOUT("face (17)", bspi_face, face17_rows, 104);

/* Faces of the beta that was leaked in 2003. It has Vampire's version number, but its faces have four styles and no
 * primitives. */
static const bspi_field leak_face_rows[] = {
	SKIP("average colors", 0, 16),
	FACE_ROWS(16),
	LIGHT_ROWS(36),
	SKIP("original face and smoothing groups", 60, 8),
};
static const bspi_layout leak_face = LAYOUT("face (2003)", bspi_face, leak_face_rows, 68);

static const bspi_field face18_rows[] = {
	SKIP("average colors", 0, 16),
	FACE_ROWS(16),
	LIGHT_ROWS(36),
	PRIMITIVE_ROWS(60),
};
static const bspi_layout face18 = LAYOUT("face (18)", bspi_face, face18_rows, 72);

static const bspi_field face_rows[] = {
	FACE_ROWS(0),
	LIGHT_ROWS(20),
	PRIMITIVE_ROWS(44),
};
static const bspi_layout face = LAYOUT("face", bspi_face, face_rows, 56);

static const bspi_field face25_rows[] = {
	FIELD(bspi_face, plane, 0, I32),
	SKIP("side and on node", 4, 4),
	FIELD(bspi_face, first_edge, 8, I32),
	FIELD(bspi_face, edge_count, 12, I32),
	FIELD(bspi_face, texinfo, 16, I32),
	FIELD(bspi_face, dispinfo, 20, I32),
	SKIP("fog volume", 24, 4),
	FIELD(bspi_face, styles, 28, U8),
	LIGHT_ROWS(32),
	SKIP("original face", 56, 4),
	FIELD(bspi_face, primitive_count, 60, I32),
	FIELD(bspi_face, first_primitive, 64, I32),
	SKIP("smoothing groups", 68, 4),
};
static const bspi_layout face25 = LAYOUT("face (25)", bspi_face, face25_rows, 72);

/* Faces of Vindictus have 32-bit indices, like those of version 25. Descriptions of the format contradict each other
 * about the order of the fields for primitives. */
#define VINDICTUS_FACE_ROWS \
	FIELD(bspi_face, plane, 0, I32), \
	SKIP("side and on node", 4, 4), \
	FIELD(bspi_face, first_edge, 8, I32), \
	FIELD(bspi_face, edge_count, 12, I32), \
	FIELD(bspi_face, texinfo, 16, I32), \
	FIELD(bspi_face, dispinfo, 20, I32), \
	SKIP("fog volume", 24, 4), \
	FIELD(bspi_face, styles, 28, U8)
static const bspi_field vindictus_face_rows[] = {
	VINDICTUS_FACE_ROWS,
	LIGHT_ROWS(32),
	SKIP("original face, primitives, smoothing groups", 56, 16),
};
static const bspi_layout vindictus_face = LAYOUT("face (Vindictus)", bspi_face, vindictus_face_rows, 72);

static const bspi_field vindictus_face2_rows[] = {
	VINDICTUS_FACE_ROWS,
	SKIP("unknown", 32, 4),
	LIGHT_ROWS(36),
	SKIP("original face, primitives, smoothing groups", 60, 16),
};
static const bspi_layout vindictus_face2 = LAYOUT("face (Vindictus, version 2)", bspi_face, vindictus_face2_rows, 76);

#define NODE_ROWS \
	FIELD(bspi_node, plane, 0, I32), \
	FIELD(bspi_node, children, 4, I32)
static const bspi_field node_rows[] = {
	NODE_ROWS,
	FIELD(bspi_node, mins, 12, I16),
	FIELD(bspi_node, maxs, 18, I16),
	FIELD(bspi_node, first_face, 24, U16),
	FIELD(bspi_node, face_count, 26, U16),
	SKIP("area", 28, 4),
};
static const bspi_layout node = LAYOUT("node", bspi_node, node_rows, 32);

static const bspi_field node25_rows[] = {
	NODE_ROWS,
	FIELD(bspi_node, mins, 12, F32),
	FIELD(bspi_node, maxs, 24, F32),
	FIELD(bspi_node, first_face, 36, U32),
	FIELD(bspi_node, face_count, 40, U32),
	SKIP("area", 44, 4),
};
static const bspi_layout node25 = LAYOUT("node (25)", bspi_node, node25_rows, 48);

static const bspi_field vindictus_node_rows[] = {
	NODE_ROWS,
	FIELD(bspi_node, mins, 12, I32),
	FIELD(bspi_node, maxs, 24, I32),
	FIELD(bspi_node, first_face, 36, U32),
	FIELD(bspi_node, face_count, 40, U32),
	SKIP("padding", 44, 4),
};
static const bspi_layout vindictus_node = LAYOUT("node (Vindictus)", bspi_node, vindictus_node_rows, 48);

/* The field of the area also holds flags, which vbsp.c removes. */
#define LEAF_ROWS \
	FIELD(bspi_leaf, contents, 0, I32), \
	FIELD(bspi_leaf, cluster, 4, I16), \
	FIELD(bspi_leaf, area, 6, U16), \
	FIELD(bspi_leaf, mins, 8, I16), \
	FIELD(bspi_leaf, maxs, 14, I16), \
	FIELD(bspi_leaf, first_leaf_face, 20, U16), \
	FIELD(bspi_leaf, leaf_face_count, 22, U16), \
	FIELD(bspi_leaf, first_leaf_brush, 24, U16), \
	FIELD(bspi_leaf, leaf_brush_count, 26, U16)
static const bspi_field leaf_rows[] = { LEAF_ROWS, SKIP("water", 28, 4) };
static const bspi_layout leaf = LAYOUT("leaf", bspi_leaf, leaf_rows, 32);
static const bspi_field leaf19_rows[] = { LEAF_ROWS, SKIP("water and ambient light", 28, 28) };
static const bspi_layout leaf19 = LAYOUT("leaf (19)", bspi_leaf, leaf19_rows, 56);

static const bspi_field leaf25_rows[] = {
	FIELD(bspi_leaf, contents, 0, I32),
	FIELD(bspi_leaf, cluster, 4, I32),
	FIELD(bspi_leaf, area, 8, I32),
	FIELD(bspi_leaf, mins, 12, F32),
	FIELD(bspi_leaf, maxs, 24, F32),
	FIELD(bspi_leaf, first_leaf_face, 36, U32),
	FIELD(bspi_leaf, leaf_face_count, 40, U32),
	FIELD(bspi_leaf, first_leaf_brush, 44, U32),
	FIELD(bspi_leaf, leaf_brush_count, 48, U32),
	SKIP("water", 52, 4),
};
static const bspi_layout leaf25 = LAYOUT("leaf (25)", bspi_leaf, leaf25_rows, 56);

static const bspi_field vindictus_leaf_rows[] = {
	FIELD(bspi_leaf, contents, 0, I32),
	FIELD(bspi_leaf, cluster, 4, I32),
	FIELD(bspi_leaf, area, 8, I32),
	FIELD(bspi_leaf, mins, 12, I32),
	FIELD(bspi_leaf, maxs, 24, I32),
	FIELD(bspi_leaf, first_leaf_face, 36, U32),
	FIELD(bspi_leaf, leaf_face_count, 40, U32),
	FIELD(bspi_leaf, first_leaf_brush, 44, U32),
	FIELD(bspi_leaf, leaf_brush_count, 48, U32),
	SKIP("water", 52, 4),
};
static const bspi_layout vindictus_leaf = LAYOUT("leaf (Vindictus)", bspi_leaf, vindictus_leaf_rows, 56);

/* In all files that were seen, the origin is 0. It is not applied. */
static const bspi_field model_rows[] = {
	FIELD(bspi_model, mins, 0, F32),
	FIELD(bspi_model, maxs, 12, F32),
	SKIP("origin", 24, 12),
	FIELD(bspi_model, head_nodes[0], 36, I32),
	FIELD(bspi_model, first_face, 40, I32),
	FIELD(bspi_model, face_count, 44, I32),
};
static const bspi_layout model = LAYOUT("model", bspi_model, model_rows, 48);

static const bspi_field long_model_rows[] = {
	FIELD(bspi_model, mins, 0, F32),
	FIELD(bspi_model, maxs, 12, F32),
	SKIP("origin and unknown", 24, 16),
	FIELD(bspi_model, head_nodes[0], 40, I32),
	FIELD(bspi_model, first_face, 44, I32),
	FIELD(bspi_model, face_count, 48, I32),
};
static const bspi_layout long_model = LAYOUT("model (Dark Messiah)", bspi_model, long_model_rows, 52);

static const bspi_field side_rows[] = {
	FIELD(bspi_brush_side, plane, 0, U16),
	FIELD(bspi_brush_side, texture, 2, I16),
	SKIP("dispinfo", 4, 2),
	FIELD(bspi_brush_side, bevel, 6, U8),
	SKIP("thin", 7, 1),
};
static const bspi_layout side = LAYOUT("brush side", bspi_brush_side, side_rows, 8);

static const bspi_field side25_rows[] = {
	FIELD(bspi_brush_side, plane, 0, I32),
	FIELD(bspi_brush_side, texture, 4, I32),
	SKIP("dispinfo", 8, 4),
	FIELD(bspi_brush_side, bevel, 12, U8),
	SKIP("thin", 13, 3),
};
static const bspi_layout side25 = LAYOUT("brush side (25)", bspi_brush_side, side25_rows, 16);

static const bspi_field portal_rows[] = {
	FIELD(bspi_area_portal_record, portal, 0, U16),
	FIELD(bspi_area_portal_record, other_area, 2, U16),
	SKIP("corners and plane", 4, 8),
};
static const bspi_layout portal = LAYOUT("area portal", bspi_area_portal_record, portal_rows, 12);

static const bspi_field portal25_rows[] = {
	FIELD(bspi_area_portal_record, portal, 0, I32),
	FIELD(bspi_area_portal_record, other_area, 4, I32),
	SKIP("corners and plane", 8, 12),
};
static const bspi_layout portal25 = LAYOUT("area portal (25)", bspi_area_portal_record, portal25_rows, 20);

static const bspi_field normal_rows[] = { FIELD(bspi_normal, normal, 0, F32) };
static const bspi_layout normal = LAYOUT("vertex normal", bspi_normal, normal_rows, 12);

static const bspi_field primitive_rows[] = {
	FIELD(bspi_primitive, strip, 0, U8),
	SKIP("padding", 1, 1),
	FIELD(bspi_primitive, first_index, 2, U16),
	FIELD(bspi_primitive, index_count, 4, U16),
	FIELD(bspi_primitive, first_vertex, 6, U16),
	FIELD(bspi_primitive, vertex_count, 8, U16),
};
static const bspi_layout primitive = LAYOUT("primitive", bspi_primitive, primitive_rows, 10);

static const bspi_field infra_primitive_rows[] = {
	FIELD(bspi_primitive, strip, 0, U8),
	SKIP("padding", 1, 3),
	FIELD(bspi_primitive, first_index, 4, I32),
	FIELD(bspi_primitive, index_count, 8, I32),
	FIELD(bspi_primitive, first_vertex, 12, U16),
	FIELD(bspi_primitive, vertex_count, 14, U16),
};
static const bspi_layout infra_primitive = LAYOUT("primitive (Infra)", bspi_primitive, infra_primitive_rows, 16);

static const bspi_field primitive25_rows[] = {
	FIELD(bspi_primitive, strip, 0, U8),
	SKIP("padding", 1, 3),
	FIELD(bspi_primitive, first_index, 4, I32),
	FIELD(bspi_primitive, index_count, 8, I32),
	FIELD(bspi_primitive, first_vertex, 12, I32),
	FIELD(bspi_primitive, vertex_count, 16, I32),
};
static const bspi_layout primitive25 = LAYOUT("primitive (25)", bspi_primitive, primitive25_rows, 20);

/* Fields of an overlay after its list of faces. */
#define OVERLAY_ROWS(at) \
	FIELD(bspi_overlay, u_range, (at) + 0, F32), \
	FIELD(bspi_overlay, v_range, (at) + 8, F32), \
	FIELD(bspi_overlay, points, (at) + 16, F32), \
	FIELD(bspi_overlay, origin, (at) + 64, F32), \
	FIELD(bspi_overlay, normal, (at) + 76, F32)
enum { OVERLAY_FACES = 64, WATER_OVERLAY_FACES = BSPI_MOST_OVERLAY_FACES };

static const bspi_field overlay_rows[] = {
	SKIP("id", 0, 4),
	FIELD(bspi_overlay, texinfo, 4, I16),
	FIELD(bspi_overlay, counts, 6, U16),
	FIELD_FIRST(bspi_overlay, faces, 8, I32, OVERLAY_FACES),
	OVERLAY_ROWS(264),
};
static const bspi_layout overlay = LAYOUT("overlay", bspi_overlay, overlay_rows, 352);

/* Overlays of Dota 2 have more fields after the id. */
static const bspi_field dota_overlay_rows[] = {
	SKIP("id", 0, 4),
	FIELD(bspi_overlay, texinfo, 4, I16),
	FIELD(bspi_overlay, counts, 6, U16),
	FIELD_FIRST(bspi_overlay, faces, 8, I32, OVERLAY_FACES),
	OVERLAY_ROWS(264),
	SKIP("unknown", 352, 4),
};
static const bspi_layout dota_overlay = LAYOUT("overlay (Dota 2)", bspi_overlay, dota_overlay_rows, 356);

static const bspi_field overlay25_rows[] = {
	SKIP("id", 0, 4),
	FIELD(bspi_overlay, texinfo, 4, I32),
	FIELD(bspi_overlay, counts, 8, U16),
	SKIP("padding", 10, 2),
	FIELD_FIRST(bspi_overlay, faces, 12, I32, OVERLAY_FACES),
	OVERLAY_ROWS(268),
};
static const bspi_layout overlay25 = LAYOUT("overlay (25)", bspi_overlay, overlay25_rows, 356);

static const bspi_field water_overlay_rows[] = {
	SKIP("id", 0, 4),
	FIELD(bspi_overlay, texinfo, 4, I16),
	FIELD(bspi_overlay, counts, 6, U16),
	FIELD_FIRST(bspi_overlay, faces, 8, I32, WATER_OVERLAY_FACES),
	OVERLAY_ROWS(1032),
};
static const bspi_layout water_overlay = LAYOUT("water overlay", bspi_overlay, water_overlay_rows, 1120);

static const bspi_field water_overlay25_rows[] = {
	SKIP("id", 0, 4),
	FIELD(bspi_overlay, texinfo, 4, I32),
	FIELD(bspi_overlay, counts, 8, U16),
	SKIP("padding", 10, 2),
	FIELD_FIRST(bspi_overlay, faces, 12, I32, WATER_OVERLAY_FACES),
	OVERLAY_ROWS(1036),
};
static const bspi_layout water_overlay25 = LAYOUT("water overlay (25)", bspi_overlay, water_overlay25_rows, 1124);

static const bspi_field fade_rows[] = {
	FIELD(bspi_overlay_fade, near_squared, 0, F32),
	FIELD(bspi_overlay_fade, far_squared, 4, F32),
};
static const bspi_layout fade = LAYOUT("overlay fade", bspi_overlay_fade, fade_rows, 8);

static const bspi_field cubemap_rows[] = {
	FIELD(bspi_cubemap, origin, 0, I32),
	FIELD(bspi_cubemap, size, 12, U8),
	SKIP("padding", 13, 3),
};
static const bspi_layout cubemap = LAYOUT("cubemap", bspi_cubemap, cubemap_rows, 16);

/* ---- World lights, in two layouts by the version of their lump --------------------------------------------- */

#define WORLD_LIGHT_ROWS(at) \
	SKIP("cluster", (at) + 0, 4), \
	FIELD(bspi_world_light, kind, (at) + 4, I32), \
	FIELD(bspi_world_light, style, (at) + 8, I32), \
	FIELD(bspi_world_light, inner_cosine, (at) + 12, F32), \
	FIELD(bspi_world_light, outer_cosine, (at) + 16, F32), \
	FIELD(bspi_world_light, exponent, (at) + 20, F32), \
	FIELD(bspi_world_light, radius, (at) + 24, F32), \
	FIELD(bspi_world_light, constant, (at) + 28, F32), \
	FIELD(bspi_world_light, linear, (at) + 32, F32), \
	FIELD(bspi_world_light, quadratic, (at) + 36, F32), \
	FIELD(bspi_world_light, flags, (at) + 40, U32), \
	SKIP("texinfo, owner", (at) + 44, 8)
#define WORLD_LIGHT_PLACE_ROWS \
	FIELD(bspi_world_light, origin, 0, F32), \
	FIELD(bspi_world_light, intensity, 12, F32), \
	FIELD(bspi_world_light, normal, 24, F32)

static const bspi_field world_light_rows[] = { WORLD_LIGHT_PLACE_ROWS, WORLD_LIGHT_ROWS(36) };
const bspi_layout bspi_vbsp_world_light = LAYOUT("world light", bspi_world_light, world_light_rows, 88);
static const bspi_field world_light1_rows[] = {
	WORLD_LIGHT_PLACE_ROWS,
	SKIP("shadow offset", 36, 12),
	WORLD_LIGHT_ROWS(48),
};
const bspi_layout bspi_vbsp_world_light1 = LAYOUT("world light (version 1)", bspi_world_light, world_light1_rows, 100);

/* ---- Lumps by version --------------------------------------------------------------------------------------- */

#define ROWS(texinfo_layout, projection_layout, model_layout, face_layout, leaf_layout, node_layout, index_layout, \
             short_layout, edge_layout, side_layout, portal_layout, dispinfo_layout, primitive_layout, overlay_layout, \
             water_overlay_layout) { \
	{ VBSP_PLANES, BSPI_ARRAY_planes, &bspi_quake_plane }, \
	{ VBSP_TEXDATA, BSPI_ARRAY_textures, &texdata }, \
	{ VBSP_VERTICES, BSPI_ARRAY_vertices, &bspi_quake_vertex }, \
	{ VBSP_NODES, BSPI_ARRAY_nodes, &node_layout }, \
	{ VBSP_TEXINFO, BSPI_ARRAY_texinfos, &texinfo_layout }, \
	{ VBSP_TEXINFO, BSPI_ARRAY_light_projections, &projection_layout }, \
	{ VBSP_FACES, BSPI_ARRAY_faces, &face_layout }, \
	{ VBSP_LEAFS, BSPI_ARRAY_leafs, &leaf_layout }, \
	{ VBSP_EDGES, BSPI_ARRAY_edges, &edge_layout }, \
	{ VBSP_SURFEDGES, BSPI_ARRAY_surfedges, &bspi_quake_surfedge }, \
	{ VBSP_MODELS, BSPI_ARRAY_models, &model_layout }, \
	{ VBSP_LEAF_FACES, BSPI_ARRAY_leaf_faces, &index_layout }, \
	{ VBSP_LEAF_BRUSHES, BSPI_ARRAY_leaf_brushes, &index_layout }, \
	{ VBSP_BRUSHES, BSPI_ARRAY_brushes, &bspi_quake2_brush }, \
	{ VBSP_BRUSH_SIDES, BSPI_ARRAY_brush_sides, &side_layout }, \
	{ VBSP_AREAS, BSPI_ARRAY_areas, &bspi_quake2_area }, \
	{ VBSP_AREA_PORTALS, BSPI_ARRAY_area_portals, &portal_layout }, \
	{ VBSP_DISPINFO, BSPI_ARRAY_dispinfos, &dispinfo_layout }, \
	{ VBSP_DISP_VERTICES, BSPI_ARRAY_disp_vertices, &bspi_vbsp_disp_vertex }, \
	{ VBSP_DISP_TRIANGLES, BSPI_ARRAY_disp_triangles, &bspi_vbsp_disp_triangle }, \
	{ VBSP_DISP_BLENDS, BSPI_ARRAY_disp_blends, &bspi_vbsp_disp_blend }, \
	{ VBSP_NORMALS, BSPI_ARRAY_normals, &normal }, \
	{ VBSP_NORMAL_INDICES, BSPI_ARRAY_corner_normals, &short_layout }, \
	{ VBSP_PRIMITIVES, BSPI_ARRAY_primitives, &primitive_layout }, \
	{ VBSP_PRIMITIVE_VERTICES, BSPI_ARRAY_primitive_vertices, &bspi_quake_vertex }, \
	{ VBSP_PRIMITIVE_INDICES, BSPI_ARRAY_primitive_indices, &short_layout }, \
	{ VBSP_OVERLAYS, BSPI_ARRAY_overlays, &overlay_layout }, \
	{ VBSP_WATER_OVERLAYS, BSPI_ARRAY_water_overlays, &water_overlay_layout }, \
	{ VBSP_OVERLAY_FADES, BSPI_ARRAY_overlay_fades, &fade }, \
	{ VBSP_CUBEMAPS, BSPI_ARRAY_cubemaps, &cubemap }, \
}
#define NARROW_ROWS(face_layout, leaf_layout, dispinfo_layout, primitive_layout, overlay_layout) \
	ROWS(texinfo, projection, model, face_layout, leaf_layout, node, bspi_quake_short_index, bspi_quake_short_index, \
	     bspi_quake_short_edge, side, portal, dispinfo_layout, primitive_layout, overlay_layout, water_overlay)
const bspi_lump_row bspi_vbsp_rows_17[] = NARROW_ROWS(face17, leaf, bspi_vbsp_dispinfo, primitive, overlay);
const bspi_lump_row bspi_vbsp_rows_2003[] = NARROW_ROWS(leak_face, leaf, bspi_vbsp_dispinfo2003, primitive, overlay);
const bspi_lump_row bspi_vbsp_rows_18[] = NARROW_ROWS(face18, leaf19, bspi_vbsp_dispinfo, primitive, overlay);
const bspi_lump_row bspi_vbsp_rows_19[] = NARROW_ROWS(face, leaf19, bspi_vbsp_dispinfo, primitive, overlay);
const bspi_lump_row bspi_vbsp_rows_20[] = NARROW_ROWS(face, leaf, bspi_vbsp_dispinfo, primitive, overlay);
const bspi_lump_row bspi_vbsp_rows_22[] = NARROW_ROWS(face, leaf, bspi_vbsp_dispinfo, infra_primitive, overlay);
const bspi_lump_row bspi_vbsp_rows_dota22[] =
	NARROW_ROWS(face, leaf, bspi_vbsp_dispinfo_dota22, primitive, dota_overlay);
const bspi_lump_row bspi_vbsp_rows_dota23[] =
	NARROW_ROWS(face, leaf, bspi_vbsp_dispinfo_dota23, primitive, dota_overlay);
const bspi_lump_row bspi_vbsp_rows_messiah[] =
	ROWS(long_texinfo, long_projection, long_model, face, leaf, node, bspi_quake_short_index, bspi_quake_short_index,
	     bspi_quake_short_edge, side, portal, bspi_vbsp_dispinfo, primitive, overlay, water_overlay);
#define VINDICTUS_ROWS(face_layout) \
	ROWS(texinfo, projection, model, face_layout, vindictus_leaf, vindictus_node, bspi_quake_long_index, \
	     bspi_quake_short_index, bspi_quake_long_edge, side25, portal25, bspi_vbsp_dispinfo_vindictus, primitive, \
	     overlay25, water_overlay25)
const bspi_lump_row bspi_vbsp_rows_vindictus[] = VINDICTUS_ROWS(vindictus_face);
const bspi_lump_row bspi_vbsp_rows_vindictus2[] = VINDICTUS_ROWS(vindictus_face2);
const bspi_lump_row bspi_vbsp_rows_25[] =
	ROWS(texinfo, projection, model, face25, leaf25, node25, bspi_quake_long_index, bspi_quake_long_index,
	     bspi_quake_long_edge, side25, portal25, bspi_vbsp_dispinfo25, primitive25, overlay25, water_overlay25);
