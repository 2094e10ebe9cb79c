/* geometry.h - what the stages that make meshes share: functions for each kind of face, the vertices that these write,
 * and the arrays for them. */
#ifndef BSPI_GEOMETRY_H
#define BSPI_GEOMETRY_H

#include "base/prefetch.h"
#include "stages/stages.h"

/* A vertex, before its values go to the separate arrays of the mesh. */
typedef struct bspi_corner {
	float position[3];
	float normal[3];                   /* of any length; zero: computed from the triangles around it */
	float uv[2];
	float lightmap[2];                 /* position on the stored lightmap, the argument `stored` of bspi_page_uv */
	uint8_t colors[BSPI_MAX_STYLES][4];/* encoded light, per style slot of the face */
	uint32_t source;                   /* see bspscene_mesh.vertex_records; undefined for maps without draw vertices */
	float blend_alpha;                 /* displacements: 0..1 toward the material's second image */
	float blend_weights[4];            /* displacements: weights of the material's layers */
} bspi_corner;

/* Writes the surfaces of one mesh into the mesh's arrays. Optional arrays are NULL. */
typedef struct bspi_mesh_writer {
	bspi_build *build;
	const bspi_surface *surface;       /* the surface that is being written */
	bspi_page_place place;             /* where its luxels are on the page */
	float *positions, *normals, *uvs, *lightmap_uvs, *page_uvs;
	float *blend_alphas, *blend_weights;
	uint8_t *triangle_tags, tags;      /* tags of triangles; tags of the next triangle */
	uint8_t *colors;
	uint32_t *vertex_records;
	uint8_t *slot_colors[BSPI_MAX_STYLES]; /* arrays for the surface's other light styles; slot 0 is `colors` */
	uint32_t *indices;
	uint32_t vertex_count, index_count;/* written so far */
	uint32_t first_vertex, first_index;/* values of vertex_count and index_count at the start of the surface */
	bool normals_missing;              /* some vertex of the surface has no normal yet */
	bspi_arena *arena;                 /* of the writing thread; normal_sums is allocated in it */
	float *normal_sums;                /* room for computing missing normals, allocated on first use */
	size_t normal_room;                /* size of normal_sums in vertices */
} bspi_mesh_writer;

enum { BSPI_STYLE_COUNT = 256 };

/* Largest number of surfaces in a piece. Tests compile with a smaller one, so that small maps have several pieces. */
#ifndef BSPI_SURFACES_PER_PIECE
#define BSPI_SURFACES_PER_PIECE 4096
#endif

/* A range of a mesh's surfaces that one thread writes. */
typedef struct bspi_mesh_piece {
	uint32_t first;                    /* first surface, as an index into `order`; the range ends at the next piece's
	                                    * first */
	uint32_t first_vertex, first_index;/* where the piece is written first: room for all surfaces before it, as
	                                    * measured */
	uint32_t first_face;
	uint32_t first_section;            /* where its sections are written; one is reserved for each run of similar
	                                    * surfaces */
	/* Number of written vertices and indices. */
	uint32_t vertex_count, index_count, face_count, section_count;
	const bspi_surface *head, *tail;   /* a surface of its first section, and one of its last */
	bspscene_bounds bounds;
} bspi_mesh_piece;

/* The surfaces of a mesh in order, and the faces and sections that are made from them. */
typedef struct bspi_mesh_layout {
	const uint32_t *order;             /* its surfaces, grouped by section */
	uint32_t mesh;                     /* index of the mesh */
	uint32_t surfaces_before;          /* surfaces of the meshes before it */
	bspi_mesh_piece *pieces;           /* the pieces, followed by an end marker whose `first` is the number of
	                                    * surfaces */
	uint32_t piece_count;
	bool has_color_sets;
	uint8_t *set_of_style[BSPI_STYLE_COUNT]; /* vertex colors for each light style other than the first; NULL: the style
	                                          * is not used */
	bspscene_face *faces;              /* room for one face per surface */
	uint32_t first_face;               /* index in scene->faces of the mesh's first face */
	bspscene_section *sections;        /* room for the sections of all pieces */
	uint32_t face_count, section_count;/* written */
	bspscene_bounds bounds;
} bspi_mesh_layout;

/* Writes the surfaces of a mesh. stages/geometry/mesh_pieces.c */
bool bspi_write_pieces(bspi_mesh_writer *writer, bspi_mesh_layout *layout);

/* Returns true if two surfaces of a mesh have the same material, light, page and fog. */
static inline bool bspi_same_section(const bspi_surface *a, const bspi_surface *b)
{
	return a->kind == b->kind && a->lighting == b->lighting && a->material == b->material && a->page == b->page &&
	       a->page_image == b->page_image && a->fog == b->fog;
}

/* Prefetches the records of surfaces that come later in `order`, because these and their faces are not consecutive in
 * memory. */
static inline void bspi_look_ahead(const bspi_build *build, const uint32_t *order, uint32_t count)
{
	const bspi_surface *surfaces = build->plan.surfaces;
	if (count > 2 * BSPI_AHEAD) bspi_prefetch(&surfaces[order[2 * BSPI_AHEAD]]);
	if (count > BSPI_AHEAD) bspi_prefetch(&build->map->faces[surfaces[order[BSPI_AHEAD]].face]);
}

/* Begin and end a surface; its vertices and triangles are written in between. A surface without triangles is removed.
 * bspi_end_surface returns false if memory is out. stages/geometry/mesh_writer.c */
void bspi_begin_surface(bspi_mesh_writer *writer, const bspi_surface *surface);
bool bspi_end_surface(bspi_mesh_writer *writer);
void bspi_write_corner(bspi_mesh_writer *writer, const bspi_corner *corner);
/* Writes a triangle with reversed winding. Corners are numbered from the surface's first vertex, clockwise seen from
 * the front, as every family stores them. Does nothing if two corners are the same. */
void bspi_write_triangle(bspi_mesh_writer *writer, uint32_t a, uint32_t b, uint32_t c);

typedef struct bspi_shape_size {
	uint64_t vertices, indices;
} bspi_shape_size;

/* The functions that make triangles of one kind of face. */
typedef struct bspi_shape {
	/* Returns upper bounds for the vertices and indices that `write` makes. NULL: patch_levels.c computes them for all
	 * patches together. */
	bspi_shape_size (*measure)(const bspi_build *build, const bspi_face *face);
	void (*write)(bspi_mesh_writer *writer, const bspi_face *face);
} bspi_shape;

/* Returns the functions of a kind of face, or NULL if it has no triangles. No other code distinguishes the kinds.
 * stages/geometry/shapes.c */
const bspi_shape *bspi_find_shape(bspi_face_kind kind);
/* Returns the shape of a surface: that of overlays, or that of its face's kind. */
const bspi_shape *bspi_surface_shape(const bspi_build *build, const bspi_surface *surface);

extern const bspi_shape bspi_polygon_shape; /* stages/geometry/polygon.c */
extern const bspi_shape bspi_patch_shape;   /* patch.c */
extern const bspi_shape bspi_displacement_shape; /* displacement.c */
/* overlays/overlay.c; for surfaces with an overlay, whatever the face's kind */
extern const bspi_shape bspi_overlay_shape;

/* Allocates buffers for clipping faces of up to `corners` corners. Call before measuring. stages/overlays/overlay.c */
bool bspi_make_overlay_buffers(bspi_build *build, uint32_t corners);
/* Computes the two axes of an overlay on a face: its own, or for decals those of bspi_decal_axes. */
void bspi_overlay_axes(const bspi_map *map, const bspi_overlay *overlay, const bspi_face *face, float u[3], float v[3]);
/* Computes a decal's axes on a face: upright on walls, along x on floors. stages/overlays/decals.c */
void bspi_decal_axes(const float normal[3], float u[3], float v[3]);
/* Computes a decal's corners from the size of its material's image. */
void bspi_size_decal(const bspi_build *build, bspi_overlay *decal);
/* Returns upper bounds for the part of a face that an overlay covers. */
bspi_shape_size bspi_measure_overlay(const bspi_build *build, const bspi_overlay *overlay, const bspi_face *face);
/* Adds a surface for each face below each overlay, after all other surfaces; the count is an upper bound.
 * stages/overlays/plan_overlays.c */
uint64_t bspi_count_overlay_surfaces(const bspi_build *build);
bool bspi_plan_overlays(bspi_build *build);
/* Finds which overlays overlap, so that they get different orders. stages/overlays/overlay_layers.c */
bool bspi_stack_overlays(bspi_build *build);
/* Returns true if the face is drawn and not hidden by its material. stages/plan.c */
bool bspi_is_drawn(const bspi_build *build, const bspi_face *face);

/* Find the corners of a displacement's quad, beginning with the one at its start position; and the position of a grid
 * vertex on the flat quad. stages/geometry/displacement_grid.c */
void bspi_find_disp_corners(const bspi_map *map, const bspi_face *face, const float *corners[4]);
void bspi_flat_disp_position(const float *const corners[4], uint32_t side, uint32_t row, uint32_t column, float out[3]);
/* Return the vertices and triangles of a displacement. bspi_disp_triangle_corners returns false if the triangle was
 * removed in the editor. stages/geometry/displacement.c */
bspi_corner bspi_disp_corner(const bspi_build *build, const bspi_face *face, uint32_t vertex);
bool bspi_disp_triangle_corners(const bspi_build *build, const bspi_face *face, uint32_t triangle, uint32_t out[3]);
uint32_t bspi_disp_triangle_count(const bspi_build *build, const bspi_face *face);
bool bspi_disp_has_tags(const bspi_build *build, const bspi_face *face);

/* Polygons with more corners than this become a plain fan, in linear time. Compilers stop at 64 corners (MAXEDGES in
 * Quake's qbsp). */
enum { BSPI_LARGEST_CUT = 256 };

/* The fan of triangles around a polygon's first corner: the normal of each triangle, by the number of its second
 * corner, and the sum as the polygon's normal. They are not of unit length. */
typedef struct bspi_polygon_fan {
	double front[3];
	double normals[BSPI_LARGEST_CUT][3];
} bspi_polygon_fan;

/* Computes the fan of a polygon with at most BSPI_LARGEST_CUT corners. stages/geometry/polygon_cut.c */
void bspi_polygon_front(const float *const *corners, uint32_t count, bspi_polygon_fan *fan);
/* Writes the triangles of a polygon whose corners were written: at most `count` - 2, fewer if parts have no area. `fan`
 * is not used if there are more than BSPI_LARGEST_CUT corners. */
void bspi_cut_polygon(bspi_mesh_writer *writer, const float *const *corners, uint32_t count,
                      const bspi_polygon_fan *fan);
/* True if a triangle faces the same way as the whole polygon. */
bool bspi_looks_along(const double front[3], const float *a, const float *b, const float *c);

/* Returns the vertex at which a surfedge begins, and the position of that vertex. */
static inline uint32_t bspi_surfedge_vertex(const bspi_map *map, int32_t index)
{
	int32_t edge = map->surfedges[index].value;
	return edge >= 0 ? map->edges[edge].vertices[0] : map->edges[-edge].vertices[1];
}

static inline const float *bspi_surfedge_position(const bspi_map *map, int32_t index)
{
	return map->vertices[bspi_surfedge_vertex(map, index)].position;
}

/* The projection of texture coordinates on a face. stages/geometry/polygon.c */
typedef struct bspi_texel_place {
	double vectors[2][4];              /* texture vectors of the texinfo */
	double size[2];                    /* of the texture, in texels */
} bspi_texel_place;

bspi_texel_place bspi_find_texels(const bspi_build *build, const bspi_face *face);
void bspi_texinfo_uv(const bspi_texel_place *texels, const float position[3], float uv[2]);

/* Converts a draw vertex to a corner, with encoded colors. stages/geometry/shapes.c */
void bspi_draw_corner(const bspi_build *build, uint32_t draw_vertex, bspi_corner *out);
/* Returns the index of the draw vertex in the file, or NO_INDEX for generated ones (terrain). */
uint32_t bspi_source_vertex_of(const bspi_build *build, uint32_t draw_vertex);

/* Most control points along a side of a patch, and most vertices. The engine's limit is 65 vertices (tr_local.h:
 * MAX_GRID_SIZE), which is too few for large patches with a small patch_error. */
enum { BSPI_PATCH_CONTROLS = 31, BSPI_PATCH_VERTICES = 129 };

/* Decides how finely each patch is subdivided, unifies border points of patches that are meant to be equal, and stores
 * the sizes of the patches' surfaces. stages/geometry/patch_levels.c */
bool bspi_plan_patches(bspi_build *build);

/* Returns surface indices sorted by part, kind, lighting, material, page and fog, then in file order. In the scratch
 * arena. NULL: ctx->error is set. stages/geometry/surface_order.c */
const uint32_t *bspi_order_surfaces(bspi_build *build);

#endif
