/* vbsp_tables.c - the records of Source maps (source.md 3). Versions differ in faces and leafs; Strata's 25 widens all
 * indices. */
#include "families/vbsp_tables.h"

static const bspi_field plane_rows[] = {
	FIELD(bspi_plane, normal, 0, F32),
	FIELD(bspi_plane, distance, 12, F32),
	SKIP("type", 16, 4),
};
static const bspi_layout plane = LAYOUT("plane", bspi_plane, plane_rows, 20);

static const bspi_field vertex_rows[] = { FIELD(bspi_vertex, position, 0, F32) };
static const bspi_layout vertex = LAYOUT("vertex", bspi_vertex, vertex_rows, 12);

static const bspi_field texinfo_rows[] = {
	FIELD(bspi_texinfo, texture_vectors, 0, F32),
	SKIP("lightmap vectors", 32, 32),
	FIELD(bspi_texinfo, flags, 64, U32),
	FIELD(bspi_texinfo, texture, 68, I32),
};
static const bspi_layout texinfo = LAYOUT("texinfo", bspi_texinfo, texinfo_rows, 72);

/* The same lump once more: texinfo n has light projection n. */
static const bspi_field projection_rows[] = {
	SKIP("texture vectors", 0, 32),
	FIELD(bspi_light_projection, vectors, 32, F32),
	SKIP("flags and texdata", 64, 8),
};
static const bspi_layout projection = LAYOUT("texinfo", bspi_light_projection, projection_rows, 72);

/* Names are found through two more lumps. */
static const bspi_field texdata_rows[] = {
	SKIP("reflectivity", 0, 12),
	SKIP("name", 12, 4),
	FIELD(bspi_texture, width, 16, U32),
	FIELD(bspi_texture, height, 20, U32),
	SKIP("view size", 24, 8),
};
static const bspi_layout texdata = LAYOUT("texdata", bspi_texture, texdata_rows, 32);

/* The plane's number says already which way the face looks: `side` must not turn it once more (source.md 4.1). The size is
 * one luxel less than it is. */
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

static const bspi_field face17_rows[] = {
	SKIP("average colors", 0, 32),
	FACE_ROWS(32),
	SKIP("styles 4 to 7, by day and by night", 52, 20),
	LIGHT_ROWS(72),
	SKIP("original face and primitives", 96, 8),
};
static const bspi_layout face17 = LAYOUT("face (17)", bspi_face, face17_rows, 104);

static const bspi_field face18_rows[] = {
	SKIP("average colors", 0, 16),
	FACE_ROWS(16),
	LIGHT_ROWS(36),
	SKIP("original face, primitives, smoothing", 60, 12),
};
static const bspi_layout face18 = LAYOUT("face (18)", bspi_face, face18_rows, 72);

static const bspi_field face_rows[] = {
	FACE_ROWS(0),
	LIGHT_ROWS(20),
	SKIP("original face, primitives, smoothing", 44, 12),
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
	SKIP("original face, primitives, smoothing", 56, 16),
};
static const bspi_layout face25 = LAYOUT("face (25)", bspi_face, face25_rows, 72);

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

/* Areas share their number with flags, which vbsp.c takes off. */
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

static const bspi_field index_rows[] = { FIELD(bspi_index, value, 0, U16) };
static const bspi_layout index_short = LAYOUT("leaf index", bspi_index, index_rows, 2);
static const bspi_field index25_rows[] = { FIELD(bspi_index, value, 0, U32) };
static const bspi_layout index25 = LAYOUT("leaf index (25)", bspi_index, index25_rows, 4);

static const bspi_field edge_rows[] = { FIELD(bspi_edge, vertices, 0, U16) };
static const bspi_layout edge = LAYOUT("edge", bspi_edge, edge_rows, 4);
static const bspi_field edge25_rows[] = { FIELD(bspi_edge, vertices, 0, U32) };
static const bspi_layout edge25 = LAYOUT("edge (25)", bspi_edge, edge25_rows, 8);

static const bspi_field surfedge_rows[] = { FIELD(bspi_surfedge, value, 0, I32) };
static const bspi_layout surfedge = LAYOUT("surfedge", bspi_surfedge, surfedge_rows, 4);

/* The origin is 0 in every file and never added (source.md 7.2). */
static const bspi_field model_rows[] = {
	FIELD(bspi_model, mins, 0, F32),
	FIELD(bspi_model, maxs, 12, F32),
	SKIP("origin", 24, 12),
	FIELD(bspi_model, head_nodes[0], 36, I32),
	FIELD(bspi_model, first_face, 40, I32),
	FIELD(bspi_model, face_count, 44, I32),
};
static const bspi_layout model = LAYOUT("model", bspi_model, model_rows, 48);

static const bspi_field brush_rows[] = {
	FIELD(bspi_brush, first_side, 0, I32),
	FIELD(bspi_brush, side_count, 4, I32),
	FIELD(bspi_brush, contents, 8, I32),
};
static const bspi_layout brush = LAYOUT("brush", bspi_brush, brush_rows, 12);

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

static const bspi_field area_rows[] = {
	FIELD(bspi_area, portal_count, 0, I32),
	FIELD(bspi_area, first_portal, 4, I32),
};
static const bspi_layout area = LAYOUT("area", bspi_area, area_rows, 8);

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

/* Of what follows, neighbours and the vertices in use serve the engine's levels of detail only. */
#define DISPINFO_ROWS \
	FIELD(bspi_dispinfo, start, 0, F32), \
	FIELD(bspi_dispinfo, first_vertex, 12, I32), \
	SKIP("first triangle", 16, 4), \
	FIELD(bspi_dispinfo, power, 20, I32)
static const bspi_field dispinfo_rows[] = { DISPINFO_ROWS, SKIP("flags, luxels, neighbours", 24, 152) };
static const bspi_layout dispinfo = LAYOUT("dispinfo", bspi_dispinfo, dispinfo_rows, 176);
static const bspi_field dispinfo25_rows[] = { DISPINFO_ROWS, SKIP("flags, luxels, neighbours", 24, 208) };
static const bspi_layout dispinfo25 = LAYOUT("dispinfo (25)", bspi_dispinfo, dispinfo25_rows, 232);

static const bspi_field disp_vertex_rows[] = {
	FIELD(bspi_disp_vertex, direction, 0, F32),
	FIELD(bspi_disp_vertex, distance, 12, F32),
	FIELD(bspi_disp_vertex, alpha, 16, F32),
};
static const bspi_layout disp_vertex = LAYOUT("displacement vertex", bspi_disp_vertex, disp_vertex_rows, 20);

#define ROWS(face_layout, leaf_layout, node_layout, index_layout, edge_layout, side_layout, portal_layout, \
             dispinfo_layout) { \
	{ VBSP_PLANES, BSPI_ARRAY_planes, &plane }, \
	{ VBSP_TEXDATA, BSPI_ARRAY_textures, &texdata }, \
	{ VBSP_VERTICES, BSPI_ARRAY_vertices, &vertex }, \
	{ VBSP_NODES, BSPI_ARRAY_nodes, &node_layout }, \
	{ VBSP_TEXINFO, BSPI_ARRAY_texinfos, &texinfo }, \
	{ VBSP_TEXINFO, BSPI_ARRAY_light_projections, &projection }, \
	{ VBSP_FACES, BSPI_ARRAY_faces, &face_layout }, \
	{ VBSP_LEAFS, BSPI_ARRAY_leafs, &leaf_layout }, \
	{ VBSP_EDGES, BSPI_ARRAY_edges, &edge_layout }, \
	{ VBSP_SURFEDGES, BSPI_ARRAY_surfedges, &surfedge }, \
	{ VBSP_MODELS, BSPI_ARRAY_models, &model }, \
	{ VBSP_LEAF_FACES, BSPI_ARRAY_leaf_faces, &index_layout }, \
	{ VBSP_LEAF_BRUSHES, BSPI_ARRAY_leaf_brushes, &index_layout }, \
	{ VBSP_BRUSHES, BSPI_ARRAY_brushes, &brush }, \
	{ VBSP_BRUSH_SIDES, BSPI_ARRAY_brush_sides, &side_layout }, \
	{ VBSP_AREAS, BSPI_ARRAY_areas, &area }, \
	{ VBSP_AREA_PORTALS, BSPI_ARRAY_area_portals, &portal_layout }, \
	{ VBSP_DISPINFO, BSPI_ARRAY_dispinfos, &dispinfo_layout }, \
	{ VBSP_DISP_VERTICES, BSPI_ARRAY_disp_vertices, &disp_vertex }, \
}
const bspi_lump_row bspi_vbsp_rows_17[] = ROWS(face17, leaf, node, index_short, edge, side, portal, dispinfo);
const bspi_lump_row bspi_vbsp_rows_18[] = ROWS(face18, leaf19, node, index_short, edge, side, portal, dispinfo);
const bspi_lump_row bspi_vbsp_rows_19[] = ROWS(face, leaf19, node, index_short, edge, side, portal, dispinfo);
const bspi_lump_row bspi_vbsp_rows_20[] = ROWS(face, leaf, node, index_short, edge, side, portal, dispinfo);
const bspi_lump_row bspi_vbsp_rows_25[] = ROWS(face25, leaf25, node25, index25, edge25, side25, portal25, dispinfo25);
