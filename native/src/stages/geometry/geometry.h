/* geometry.h - what the mesh stages share: the kinds of faces, the vertices that they emit, and the arrays that these
 * go to. */
#ifndef BSPI_GEOMETRY_H
#define BSPI_GEOMETRY_H

#include "base/prefetch.h"
#include "stages/stages.h"

/* A vertex before it is spread over the mesh's arrays. */
typedef struct bspi_corner {
	float position[3];
	float normal[3];                   /* of any length; zero: computed from the triangles around it */
	float uv[2];
	float lightmap[2];                 /* the argument `stored` of bspi_page_uv */
	uint8_t colors[BSPI_MAX_STYLES][4];/* encoded light, per style slot of the face */
	uint32_t source;                   /* see bspscene_mesh.vertex_records; undefined for maps without draw vertices */
	float blend_alpha;                 /* displacements: 0..1 toward the material's second image */
	float blend_weights[4];            /* displacements: weights of the material's layers */
} bspi_corner;

/* Writes one mesh into its final arrays. Optional arrays are NULL. */
typedef struct bspi_mesh_writer {
	bspi_build *build;
	const bspi_surface *surface;       /* the current one */
	bspi_page_place place;             /* where its luxels are on the page */
	float *positions, *normals, *uvs, *lightmap_uvs, *page_uvs;
	float *blend_alphas, *blend_weights;
	uint8_t *triangle_tags, tags;      /* tags of triangles; tags of the next triangle */
	uint8_t *colors;
	uint32_t *vertex_records;
	uint8_t *slot_colors[BSPI_MAX_STYLES]; /* arrays for the surface's other light styles; slot 0 is `colors` */
	uint32_t *indices;
	uint32_t vertex_count, index_count;/* written so far */
	uint32_t first_vertex, first_index;/* start of the surface */
	bool normals_missing;              /* some vertex of the surface has no normal yet */
	bspi_arena *arena;                 /* the writing thread's, for: */
	float *normal_sums;                /* buffer for computing missing normals, allocated on first use */
	size_t normal_room;                /* size of normal_sums in vertices */
} bspi_mesh_writer;

enum { BSPI_STYLE_COUNT = 256 };

/* Most surfaces in one piece. Tests compile with fewer, so that small maps have many pieces. */
#ifndef BSPI_SURFACES_PER_PIECE
#define BSPI_SURFACES_PER_PIECE 4096
#endif

/* A range of a mesh's surfaces that one thread writes. */
typedef struct bspi_mesh_piece {
	uint32_t first;                    /* first surface, in the mesh's order; the next piece's is the end */
	uint32_t first_vertex, first_index;/* assumes that all surfaces before it write what was measured */
	uint32_t first_face;
	uint32_t first_section;            /* a section is reserved for each run of similar surfaces */
	/* Number of written vertices and indices. */
	uint32_t vertex_count, index_count, face_count, section_count;
	const bspi_surface *head, *tail;   /* surfaces of its first and last section */
	bspscene_bounds bounds;
} bspi_mesh_piece;

/* Input of a mesh, and its results besides the writer's arrays. */
typedef struct bspi_mesh_layout {
	const uint32_t *order;             /* its surfaces, grouped by section */
	uint32_t mesh;                     /* index of the mesh */
	uint32_t surfaces_before;          /* surfaces of the meshes before it */
	bspi_mesh_piece *pieces;           /* pieces, and a last one whose `first` is the end */
	uint32_t piece_count;
	bool has_color_sets;
	uint8_t *set_of_style[BSPI_STYLE_COUNT]; /* colors of other styles; NULL: style not used */
	bspscene_face *faces;              /* room for one per surface */
	uint32_t first_face;               /* index of the first one in the scene */
	bspscene_section *sections;        /* room for those of all pieces */
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

/* Prefetches records of surfaces after order[0]; a section's surfaces and their faces are not in memory order. */
static inline void bspi_look_ahead(const bspi_build *build, const uint32_t *order, uint32_t count)
{
	const bspi_surface *surfaces = build->plan.surfaces;
	if (count > 2 * BSPI_AHEAD) bspi_prefetch(&surfaces[order[2 * BSPI_AHEAD]]);
	if (count > BSPI_AHEAD) bspi_prefetch(&build->map->faces[surfaces[order[BSPI_AHEAD]].face]);
}

/* A surface's vertices and triangles are written between these two. A surface without triangles leaves nothing behind.
 * The end returns false if memory is out. stages/geometry/mesh_writer.c */
void bspi_begin_surface(bspi_mesh_writer *writer, const bspi_surface *surface);
bool bspi_end_surface(bspi_mesh_writer *writer);
void bspi_write_corner(bspi_mesh_writer *writer, const bspi_corner *corner);
/* Writes a triangle. Corners are numbered from the surface's first vertex, clockwise seen from the front, as every
 * family stores them. Does nothing if two corners are the same. */
void bspi_write_triangle(bspi_mesh_writer *writer, uint32_t a, uint32_t b, uint32_t c);

typedef struct bspi_shape_size {
	uint64_t vertices, indices;
} bspi_shape_size;

/* How one kind of face becomes triangles. */
typedef struct bspi_shape {
	/* Returns an upper bound of what `write` emits. NULL: the plan knows it only after all faces (patches). */
	bspi_shape_size (*measure)(const bspi_build *build, const bspi_face *face);
	void (*write)(bspi_mesh_writer *writer, const bspi_face *face);
} bspi_shape;

/* Returns the functions of a kind of face, or NULL if it has no triangles. The only place that distinguishes kinds.
 * stages/geometry/shapes.c */
const bspi_shape *bspi_find_shape(bspi_face_kind kind);
/* Returns the shape of the face, or that of an overlay. */
const bspi_shape *bspi_surface_shape(const bspi_build *build, const bspi_surface *surface);

extern const bspi_shape bspi_polygon_shape; /* stages/geometry/polygon.c */
extern const bspi_shape bspi_patch_shape;   /* patch.c */
extern const bspi_shape bspi_displacement_shape; /* displacement.c */
/* overlays/overlay.c; for surfaces with an overlay, whatever the face's kind */
extern const bspi_shape bspi_overlay_shape;

/* Allocates buffers for clipping faces of up to `corners` corners. Call before measuring. stages/overlays/overlay.c */
bool bspi_make_overlay_buffers(bspi_build *build, uint32_t corners);
/* Returns an overlay's axes on a face: its own, or those of the face for decals. */
void bspi_overlay_axes(const bspi_map *map, const bspi_overlay *overlay, const bspi_face *face, float u[3], float v[3]);
/* Returns a decal's axes: upright on walls, along x on floors. stages/overlays/decals.c */
void bspi_decal_axes(const float normal[3], float u[3], float v[3]);
/* Sets a decal's corners, by the size that its material states. */
void bspi_size_decal(const bspi_build *build, bspi_overlay *decal);
/* Measures the part of a face that an overlay covers. */
bspi_shape_size bspi_measure_overlay(const bspi_build *build, const bspi_overlay *overlay, const bspi_face *face);
/* Add the faces below each overlay as surfaces, after all others. stages/overlays/plan_overlays.c */
uint64_t bspi_count_overlay_surfaces(const bspi_build *build);
bool bspi_plan_overlays(bspi_build *build);
/* Finds which overlays lie over which. stages/overlays/overlay_layers.c */
bool bspi_stack_overlays(bspi_build *build);
/* Returns true if the face is drawn and not hidden by its material. stages/plan.c */
bool bspi_is_drawn(const bspi_build *build, const bspi_face *face);

/* Returns the corners of a displacement's quad, beginning at its first vertex; and the position of a grid vertex on the
 * flat quad. stages/geometry/displacement_grid.c */
void bspi_find_disp_corners(const bspi_map *map, const bspi_face *face, const float *corners[4]);
void bspi_flat_disp_position(const float *const corners[4], uint32_t side, uint32_t row, uint32_t column, float out[3]);
/* Return a displacement's vertices and triangles. False if the editor removed the triangle.
 * stages/geometry/displacement.c */
bspi_corner bspi_disp_corner(const bspi_build *build, const bspi_face *face, uint32_t vertex);
bool bspi_disp_triangle_corners(const bspi_build *build, const bspi_face *face, uint32_t triangle, uint32_t out[3]);
uint32_t bspi_disp_triangle_count(const bspi_build *build, const bspi_face *face);
bool bspi_disp_has_tags(const bspi_build *build, const bspi_face *face);

/* Polygons with more corners become a plain fan, in linear time. Games stop at 64 (MAXEDGES, Quake's qbsp). */
enum { BSPI_LARGEST_CUT = 256 };

/* A polygon as a fan of triangles around its first corner: their normals (by the second corner) and the polygon's, not
 * of unit length. */
typedef struct bspi_polygon_fan {
	double front[3];
	double normals[BSPI_LARGEST_CUT][3];
} bspi_polygon_fan;

/* Triangulates polygons up to the largest cut. stages/geometry/polygon_cut.c */
void bspi_polygon_front(const float *const *corners, uint32_t count, bspi_polygon_fan *fan);
/* Writes the triangles of a polygon whose corners were written: at most `count` - 2, fewer if parts have no area.
 * Beyond the largest cut `fan` is not used. */
void bspi_cut_polygon(bspi_mesh_writer *writer, const float *const *corners, uint32_t count,
                      const bspi_polygon_fan *fan);
/* True if a triangle faces the same way as the whole polygon. */
bool bspi_looks_along(const double front[3], const float *a, const float *b, const float *c);

/* Returns the first vertex of a surfedge, and its position. */
static inline uint32_t bspi_surfedge_vertex(const bspi_map *map, int32_t index)
{
	int32_t edge = map->surfedges[index].value;
	return edge >= 0 ? map->edges[edge].vertices[0] : map->edges[-edge].vertices[1];
}

static inline const float *bspi_surfedge_position(const bspi_map *map, int32_t index)
{
	return map->vertices[bspi_surfedge_vertex(map, index)].position;
}

/* Projects texture coordinates of corners in texels. stages/geometry/polygon.c */
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

/* Most control points and vertices along a side of a patch. The engine stops at 65 vertices (tr_local.h:
 * MAX_GRID_SIZE), which is too few for large patches with a small patch_error. */
enum { BSPI_PATCH_CONTROLS = 31, BSPI_PATCH_VERTICES = 129 };

/* Decides the subdivision of all patches together, unifies border points that are meant to be equal, and fills in the
 * surfaces' sizes. stages/geometry/patch_levels.c */
bool bspi_plan_patches(bspi_build *build);

/* Returns surface indices sorted by part, kind, lighting, material, page and fog, then in file order. In the scratch
 * arena. NULL: ctx->error is set. stages/geometry/surface_order.c */
const uint32_t *bspi_order_surfaces(bspi_build *build);

#endif
