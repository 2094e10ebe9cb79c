/* geometry.h - what the stages that make meshes share: the functions for each kind of face, the vertices that these
 * functions write, and the arrays to which they write. */
#ifndef BSPI_GEOMETRY_H
#define BSPI_GEOMETRY_H

#include "base/prefetch.h"
#include "stages/stages.h"

/* A vertex. Its values are later copied to separate arrays of the mesh. */
typedef struct bspi_corner {
	float position[3];
	float normal[3];                   /* may have any length; if it is zero, it is computed from the triangles
	                                    * around the vertex */
	float uv[2];
	float lightmap[2];                 /* position on the stored lightmap; it is the argument `stored` of
	                                    * bspi_page_uv */
	uint8_t colors[BSPI_MAX_STYLES][4];/* encoded light, for each style slot */
	uint32_t source;                   /* value for bspscene_mesh.vertex_records; not set in maps without draw
	                                    * vertices */
	float blend_alpha;                 /* of displacements: share of the material's second image, 0 to 1 */
	float blend_weights[4];            /* of displacements: weights of the material's layers */
} bspi_corner;

/* What is needed to write the surfaces of a mesh into the mesh's arrays. Arrays that the mesh does not have are
 * NULL. */
typedef struct bspi_mesh_writer {
	bspi_build *build;
	const bspi_surface *surface;       /* the current surface */
	bspi_page_place place;             /* place of its luxels on the page */
	float *positions, *normals, *uvs, *lightmap_uvs, *page_uvs;
	float *blend_alphas, *blend_weights;
	uint8_t *triangle_tags, tags;      /* array with the tags of triangles; tags for the next triangle */
	uint8_t *colors;
	uint32_t *vertex_records;
	uint8_t *slot_colors[BSPI_MAX_STYLES]; /* arrays for the current surface's further light styles; that of slot 0
	                                        * is `colors` */
	uint32_t *indices;
	uint32_t vertex_count, index_count;/* how many were written */
	uint32_t first_vertex, first_index;/* vertex_count and index_count when the current surface began */
	bool normals_missing;              /* some vertex of the current surface has no normal */
	bspi_arena *arena;                 /* arena of the thread that writes; it has normal_sums */
	float *normal_sums;                /* memory for computing missing normals; allocated when first needed */
	size_t normal_room;                /* number of vertices for which normal_sums has room */
} bspi_mesh_writer;

enum { BSPI_STYLE_COUNT = 256 };

/* Largest number of surfaces in a piece. Tests define a smaller number, so that small maps have several pieces. */
#ifndef BSPI_SURFACES_PER_PIECE
#define BSPI_SURFACES_PER_PIECE 4096
#endif

/* Consecutive surfaces of a mesh, which one thread writes. */
typedef struct bspi_mesh_piece {
	uint32_t first;                    /* first surface, as an index in `order`; the piece ends where the next one
	                                    * begins */
	uint32_t first_vertex, first_index;/* where the piece is written at first; there is room for all surfaces
	                                    * before it, according to their measured sizes */
	uint32_t first_face;
	uint32_t first_section;            /* where the sections of the piece are written at first; there is room for
	                                    * one section for each run of similar surfaces */
	/* Numbers of vertices, indices, faces and sections that were written for this piece. */
	uint32_t vertex_count, index_count, face_count, section_count;
	const bspi_surface *head, *tail;   /* a surface of the piece's first section; a surface of its last section */
	bspscene_bounds bounds;
} bspi_mesh_piece;

/* The surfaces of a mesh, and the faces and sections that are made from them. */
typedef struct bspi_mesh_layout {
	const uint32_t *order;             /* indices of its surfaces, grouped by section */
	uint32_t mesh;                     /* index of the mesh */
	uint32_t surfaces_before;          /* number of surfaces in all meshes before this one */
	bspi_mesh_piece *pieces;           /* the pieces, and an end marker; its `first` is the number of surfaces */
	uint32_t piece_count;
	bool has_color_sets;
	uint8_t *set_of_style[BSPI_STYLE_COUNT]; /* for each light style except the first, the array of its vertex
	                                          * colors; NULL: no surface uses the style */
	bspscene_face *faces;              /* has room for one face per surface */
	uint32_t first_face;               /* index in scene->faces of the mesh's first face */
	bspscene_section *sections;        /* has room for the sections of all pieces */
	uint32_t face_count, section_count;/* how many were written */
	bspscene_bounds bounds;
} bspi_mesh_layout;

/* Writes the surfaces of a mesh. stages/geometry/mesh_pieces.c */
bool bspi_write_pieces(bspi_mesh_writer *writer, bspi_mesh_layout *layout);

/* True if two surfaces of a mesh belong to the same section: they have the same kind, light, material, page and fog. */
static inline bool bspi_same_section(const bspi_surface *a, const bspi_surface *b)
{
	return a->kind == b->kind && a->lighting == b->lighting && a->material == b->material && a->page == b->page &&
	       a->page_image == b->page_image && a->fog == b->fog;
}

/* Loads the records of later surfaces in `order` into the cache, because these surfaces and their faces are not
 * consecutive in memory. */
static inline void bspi_look_ahead(const bspi_build *build, const uint32_t *order, uint32_t count)
{
	const bspi_surface *surfaces = build->plan.surfaces;
	if (count > 2 * BSPI_AHEAD) bspi_prefetch(&surfaces[order[2 * BSPI_AHEAD]]);
	if (count > BSPI_AHEAD) bspi_prefetch(&build->map->faces[surfaces[order[BSPI_AHEAD]].face]);
}

/* Begin and end a surface. The surface's vertices and triangles are written between the two calls. If it has no
 * triangles, it is removed. bspi_end_surface returns false if memory is out. stages/geometry/mesh_writer.c */
void bspi_begin_surface(bspi_mesh_writer *writer, const bspi_surface *surface);
bool bspi_end_surface(bspi_mesh_writer *writer);
void bspi_write_corner(bspi_mesh_writer *writer, const bspi_corner *corner);
/* Writes a triangle. Its corners are given clockwise, as all map formats store them, and are written counter-clockwise.
 * They are counted from the first vertex of the surface. Does nothing if two of them are the same. */
void bspi_write_triangle(bspi_mesh_writer *writer, uint32_t a, uint32_t b, uint32_t c);

typedef struct bspi_shape_size {
	uint64_t vertices, indices;
} bspi_shape_size;

/* The functions for one kind of face. */
typedef struct bspi_shape {
	/* Returns upper bounds for the number of vertices and indices that `write` makes. NULL for patches: patch_levels.c
	 * computes the numbers for all of them together. */
	bspi_shape_size (*measure)(const bspi_build *build, const bspi_face *face);
	void (*write)(bspi_mesh_writer *writer, const bspi_face *face);
} bspi_shape;

/* Returns the functions for a kind of face. Returns NULL if such faces have no triangles. stages/geometry/shapes.c */
const bspi_shape *bspi_find_shape(bspi_face_kind kind);
/* Returns the functions for a surface: those for overlays, or those for the kind of its face.
 * stages/geometry/shapes.c */
const bspi_shape *bspi_surface_shape(const bspi_build *build, const bspi_surface *surface);

extern const bspi_shape bspi_polygon_shape; /* stages/geometry/polygon.c */
extern const bspi_shape bspi_patch_shape;   /* patch.c */
extern const bspi_shape bspi_displacement_shape; /* displacement.c */
/* For surfaces of overlays, whatever the kind of their face is. stages/overlays/overlay.c */
extern const bspi_shape bspi_overlay_shape;

/* Allocates memory for clipping faces with up to `corners` corners. Call it before overlays are measured.
 * stages/overlays/overlay.c */
bool bspi_make_overlay_buffers(bspi_build *build, uint32_t corners);
/* Computes the two axes of an overlay on a face. Decals get those of bspi_decal_axes, all others their own. */
void bspi_overlay_axes(const bspi_map *map, const bspi_overlay *overlay, const bspi_face *face, float u[3], float v[3]);
/* Computes the axes of a decal on a face. On walls the decal is upright. On floors its u axis is along x.
 * stages/overlays/decals.c */
void bspi_decal_axes(const float normal[3], float u[3], float v[3]);
/* Computes the corners of a decal from the size of its material's image. */
void bspi_size_decal(const bspi_build *build, bspi_overlay *decal);
/* Returns upper bounds for the number of vertices and indices of an overlay's part on a face. */
bspi_shape_size bspi_measure_overlay(const bspi_build *build, const bspi_overlay *overlay, const bspi_face *face);
/* The second adds a surface for each face on which an overlay is, after all other surfaces. The first returns an upper
 * bound for their number. stages/overlays/plan_overlays.c */
uint64_t bspi_count_overlay_surfaces(const bspi_build *build);
bool bspi_plan_overlays(bspi_build *build);
/* Finds the overlays that overlap. They get different orders, so that one is drawn over the other.
 * stages/overlays/overlay_layers.c */
bool bspi_stack_overlays(bspi_build *build);
/* True if the face is drawn, and its material does not hide it. stages/plan.c */
bool bspi_is_drawn(const bspi_build *build, const bspi_face *face);

/* The first finds the corners of a displacement's quad, beginning with the one at the start position. The second
 * computes where a vertex would be on the flat quad. stages/geometry/displacement_grid.c */
void bspi_find_disp_corners(const bspi_map *map, const bspi_face *face, const float *corners[4]);
void bspi_flat_disp_position(const float *const corners[4], uint32_t side, uint32_t row, uint32_t column, float out[3]);
/* Return the vertices and triangles of a displacement. bspi_disp_triangle_corners returns false if the triangle was
 * removed in the editor. stages/geometry/displacement.c */
bspi_corner bspi_disp_corner(const bspi_build *build, const bspi_face *face, uint32_t vertex);
bool bspi_disp_triangle_corners(const bspi_build *build, const bspi_face *face, uint32_t triangle, uint32_t out[3]);
uint32_t bspi_disp_triangle_count(const bspi_build *build, const bspi_face *face);
bool bspi_disp_has_tags(const bspi_build *build, const bspi_face *face);

/* A polygon with more corners than this is drawn as a fan, which takes linear time. Map compilers allow 64 corners
 * (MAXEDGES in Quake's qbsp). */
enum { BSPI_LARGEST_CUT = 256 };

/* The fan of triangles around a polygon's first corner. normals[i] is the normal of the triangle with the corners 0,
 * i and i + 1; its length is twice the triangle's area. `front` is the sum of these, and serves as the polygon's
 * normal. */
typedef struct bspi_polygon_fan {
	double front[3];
	double normals[BSPI_LARGEST_CUT][3];
} bspi_polygon_fan;

/* Computes the fan of a polygon. It must not have more than BSPI_LARGEST_CUT corners. stages/geometry/polygon_cut.c */
void bspi_polygon_front(const float *const *corners, uint32_t count, bspi_polygon_fan *fan);
/* Writes the triangles of a polygon whose vertices were written before. There are `count` - 2 of them, or fewer if
 * parts of the polygon have no area. `fan` is ignored if there are more than BSPI_LARGEST_CUT corners.
 * stages/geometry/polygon_cut.c */
void bspi_cut_polygon(bspi_mesh_writer *writer, const float *const *corners, uint32_t count,
                      const bspi_polygon_fan *fan);
/* True if a triangle faces in the direction of `front`, the normal of the whole polygon. */
bool bspi_looks_along(const double front[3], const float *a, const float *b, const float *c);

/* The first returns the vertex at which a surfedge begins. The second returns the position of that vertex. */
static inline uint32_t bspi_surfedge_vertex(const bspi_map *map, int32_t index)
{
	int32_t edge = map->surfedges[index].value;
	return edge >= 0 ? map->edges[edge].vertices[0] : map->edges[-edge].vertices[1];
}

static inline const float *bspi_surfedge_position(const bspi_map *map, int32_t index)
{
	return map->vertices[bspi_surfedge_vertex(map, index)].position;
}

/* How positions on a face are projected to texture coordinates. stages/geometry/polygon.c */
typedef struct bspi_texel_place {
	double vectors[2][4];              /* texture vectors of the face's texinfo */
	double size[2];                    /* width and height of the texture in texels */
} bspi_texel_place;

bspi_texel_place bspi_find_texels(const bspi_build *build, const bspi_face *face);
void bspi_texinfo_uv(const bspi_texel_place *texels, const float position[3], float uv[2]);

/* Makes a corner from a draw vertex, with encoded colors. stages/geometry/shapes.c */
void bspi_draw_corner(const bspi_build *build, uint32_t draw_vertex, bspi_corner *out);
/* Returns the index that a draw vertex has in the file. Returns NO_INDEX if it was generated (terrain).
 * stages/geometry/shapes.c */
uint32_t bspi_source_vertex_of(const bspi_build *build, uint32_t draw_vertex);

/* Largest number of control points in a row of a patch, and of vertices. The engine's limit is 65 vertices (tr_local.h:
 * MAX_GRID_SIZE). That is too few for large patches if patch_error is small. */
enum { BSPI_PATCH_CONTROLS = 31, BSPI_PATCH_VERTICES = 129 };

/* Decides how finely each patch is subdivided, and stores the sizes of the patches' surfaces. Points on the borders of
 * two patches that should be equal become equal. stages/geometry/patch_levels.c */
bool bspi_plan_patches(bspi_build *build);

/* Returns the indices of all surfaces, sorted by part, kind, lighting, material, page and fog; equal ones are in the
 * order of the file. They are in the scratch arena. NULL if ctx->error is set. stages/geometry/surface_order.c */
const uint32_t *bspi_order_surfaces(bspi_build *build);

#endif
