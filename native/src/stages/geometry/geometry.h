/* geometry.h - what the mesh stages share: the shapes a face can have, the vertex they emit, and where it goes. */
#ifndef BSPI_GEOMETRY_H
#define BSPI_GEOMETRY_H

#include "base/prefetch.h"
#include "stages/stages.h"

/* A vertex before it is spread over the mesh's arrays. */
typedef struct bspi_corner {
	float position[3];
	float normal[3];                   /* of any length; without direction: the triangles around it give it */
	float uv[2];
	float lightmap[2];                 /* what bspi_page_uv calls `stored` */
	uint8_t colors[BSPI_MAX_STYLES][4];/* encoded light, per style slot of the face */
	uint32_t source;                   /* see bspscene_mesh.vertex_records; of maps without these, anything */
	float blend_alpha;                 /* displacements: 0..1 toward the material's second image */
	float blend_weights[4];            /* and of the material's layers */
} bspi_corner;

/* One mesh on its way into its final arrays. Optional arrays are NULL. */
typedef struct bspi_mesh_writer {
	bspi_build *build;
	const bspi_surface *surface;       /* the one being written */
	bspi_page_place place;             /* where its luxels are on the page */
	float *positions, *normals, *uvs, *lightmap_uvs, *page_uvs;
	float *blend_alphas, *blend_weights;
	uint8_t *triangle_tags, tags;      /* and what the next triangles get */
	uint8_t *colors;
	uint32_t *vertex_records;
	uint8_t *slot_colors[BSPI_MAX_STYLES]; /* where the surface's further light styles go; slot 0 is `colors` */
	uint32_t *indices;
	uint32_t vertex_count, index_count;/* written so far */
	uint32_t first_vertex, first_index;/* where the surface begins */
	bool normals_missing;              /* some vertex of the surface came without a direction */
	bspi_arena *arena;                 /* of who writes, for: */
	float *normal_sums;                /* room to repair them, made when first needed */
	size_t normal_room;                /* vertices that it is for */
} bspi_mesh_writer;

enum { BSPI_STYLE_COUNT = 256 };

/* Surfaces in one piece, at most. Tests compile with fewer, so that small maps have many pieces. */
#ifndef BSPI_SURFACES_PER_PIECE
#define BSPI_SURFACES_PER_PIECE 4096
#endif

/* Surfaces of a mesh that one thread writes. */
typedef struct bspi_mesh_piece {
	uint32_t first;                    /* of them, in the mesh's order; the next piece's is the end of this */
	uint32_t first_vertex, first_index;/* when all before it give what was measured */
	uint32_t first_face;
	uint32_t first_section;            /* room for one of each run of surfaces alike */
	/* Number of written vertices and indices. */
	uint32_t vertex_count, index_count, face_count, section_count;
	const bspi_surface *head, *tail;   /* one of its first section, and one of its last */
	bspscene_bounds bounds;
} bspi_mesh_piece;

/* Input of a mesh, and its results besides the writer's arrays. */
typedef struct bspi_mesh_layout {
	const uint32_t *order;             /* its surfaces; those of one section follow each other */
	uint32_t mesh;                     /* its number */
	uint32_t surfaces_before;          /* of meshes before it */
	bspi_mesh_piece *pieces;           /* and a last one, whose `first` is the end */
	uint32_t piece_count;
	bool has_color_sets;
	uint8_t *set_of_style[BSPI_STYLE_COUNT]; /* colors of further styles; NULL: none of that style */
	bspscene_face *faces;              /* room for one of each surface */
	uint32_t first_face;               /* number of the first in the scene */
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

/* A surface's vertices and triangles are written between these two. The end leaves nothing of a surface without
 * triangles; false: memory ended. stages/geometry/mesh_writer.c */
void bspi_begin_surface(bspi_mesh_writer *writer, const bspi_surface *surface);
bool bspi_end_surface(bspi_mesh_writer *writer);
void bspi_write_corner(bspi_mesh_writer *writer, const bspi_corner *corner);
/* Corners are numbered from the surface's first vertex, clockwise seen from the front, as every family stores them. A
 * triangle that names a corner twice is nothing. */
void bspi_write_triangle(bspi_mesh_writer *writer, uint32_t a, uint32_t b, uint32_t c);

typedef struct bspi_shape_size {
	uint64_t vertices, indices;
} bspi_shape_size;

/* How one kind of face becomes triangles. */
typedef struct bspi_shape {
	/* The most that `write` will emit. NULL: only known after all faces (patches). */
	bspi_shape_size (*measure)(const bspi_build *build, const bspi_face *face);
	void (*write)(bspi_mesh_writer *writer, const bspi_face *face);
} bspi_shape;

/* Functions of a kind of face; NULL: it has no triangles. The only place that distinguishes kinds.
 * stages/geometry/shapes.c */
const bspi_shape *bspi_find_shape(bspi_face_kind kind);
/* Returns the shape of the face, or that of an overlay. */
const bspi_shape *bspi_surface_shape(const bspi_build *build, const bspi_surface *surface);

extern const bspi_shape bspi_polygon_shape; /* stages/geometry/polygon.c */
extern const bspi_shape bspi_patch_shape;   /* patch.c */
extern const bspi_shape bspi_displacement_shape; /* displacement.c */
extern const bspi_shape bspi_overlay_shape; /* overlays/overlay.c: of surfaces with an overlay, whatever the face is */

/* Room for cutting faces of as many corners, before the first of them is measured. stages/overlays/overlay.c */
bool bspi_make_overlay_buffers(bspi_build *build, uint32_t corners);
/* Its directions on a face: its own, or for decals those of the face. */
void bspi_overlay_axes(const bspi_map *map, const bspi_overlay *overlay, const bspi_face *face, float u[3], float v[3]);
/* A decal hangs straight on walls and lies along x on floors. stages/overlays/decals.c */
void bspi_decal_axes(const float normal[3], float u[3], float v[3]);
/* Its corners, as large as its material says. */
void bspi_size_decal(const bspi_build *build, bspi_overlay *decal);
/* The part of a face that an overlay covers. */
bspi_shape_size bspi_measure_overlay(const bspi_build *build, const bspi_overlay *overlay, const bspi_face *face);
/* Adds the faces below each overlay as surfaces after the plan's others. stages/overlays/plan_overlays.c */
uint64_t bspi_count_overlay_surfaces(const bspi_build *build);
bool bspi_plan_overlays(bspi_build *build);
/* Which of them lie over which. stages/overlays/overlay_layers.c */
bool bspi_stack_overlays(bspi_build *build);
/* Returns true if the face is drawn and not hidden by its material. stages/plan.c */
bool bspi_is_drawn(const bspi_build *build, const bspi_face *face);

/* The corners of a displacement's quad from that on which its first vertex lies, and a vertex of the grid between them.
 * stages/geometry/displacement_grid.c */
void bspi_find_disp_corners(const bspi_map *map, const bspi_face *face, const float *corners[4]);
void bspi_flat_disp_position(const float *const corners[4], uint32_t side, uint32_t row, uint32_t column, float out[3]);
/* A displacement's vertices and triangles. False: the triangle was taken away. stages/geometry/displacement.c */
bspi_corner bspi_disp_corner(const bspi_build *build, const bspi_face *face, uint32_t vertex);
bool bspi_disp_triangle_corners(const bspi_build *build, const bspi_face *face, uint32_t triangle, uint32_t out[3]);
uint32_t bspi_disp_triangle_count(const bspi_build *build, const bspi_face *face);
bool bspi_disp_has_tags(const bspi_build *build, const bspi_face *face);

/* A polygon of more corners than this is cut as a plain fan, in linear time; games stop at 64 (MAXEDGES, Quake's
 * qbsp). */
enum { BSPI_LARGEST_CUT = 256 };

/* A polygon as triangles around its first corner: what is across each, by its second corner, and across all of it, of
 * no unit length. */
typedef struct bspi_polygon_fan {
	double front[3];
	double normals[BSPI_LARGEST_CUT][3];
} bspi_polygon_fan;

/* Triangulates polygons up to the largest cut. stages/geometry/polygon_cut.c */
void bspi_polygon_front(const float *const *corners, uint32_t count, bspi_polygon_fan *fan);
/* Writes the triangles of a polygon whose corners were written: `count` - 2 at most, fewer where it has no area. Of
 * polygons beyond the largest cut nobody looks at `fan`. */
void bspi_cut_polygon(bspi_mesh_writer *writer, const float *const *corners, uint32_t count,
                      const bspi_polygon_fan *fan);
/* True if a triangle faces the same way as the whole polygon. */
bool bspi_looks_along(const double front[3], const float *a, const float *b, const float *c);

/* The vertex that a surfedge begins at, and its position. */
static inline uint32_t bspi_surfedge_vertex(const bspi_map *map, int32_t index)
{
	int32_t edge = map->surfedges[index].value;
	return edge >= 0 ? map->edges[edge].vertices[0] : map->edges[-edge].vertices[1];
}

static inline const float *bspi_surfedge_position(const bspi_map *map, int32_t index)
{
	return map->vertices[bspi_surfedge_vertex(map, index)].position;
}

/* The texture's uv at a corner of a face whose texels were found. stages/geometry/polygon.c */
typedef struct bspi_texel_place {
	double vectors[2][4];              /* texture vectors of the texinfo */
	double size[2];                    /* of the texture, in texels */
} bspi_texel_place;

bspi_texel_place bspi_find_texels(const bspi_build *build, const bspi_face *face);
void bspi_texinfo_uv(const bspi_texel_place *texels, const float position[3], float uv[2]);

/* A draw vertex as a corner, its colors encoded. stages/geometry/shapes.c */
void bspi_draw_corner(const bspi_build *build, uint32_t draw_vertex, bspi_corner *out);
/* The draw vertex, or NO_INDEX when it is no record of the file: terrain's are made. */
uint32_t bspi_source_vertex_of(const bspi_build *build, uint32_t draw_vertex);

/* Along a side of a patch, at most. The engine stops at 65 vertices (tr_local.h: MAX_GRID_SIZE), which is too few for
 * large patches with a small patch_error. */
enum { BSPI_PATCH_CONTROLS = 31, BSPI_PATCH_VERTICES = 129 };

/* Decides for all patches together how finely they are cut, makes border points that are meant to be the same the same,
 * and fills the surfaces' sizes. stages/geometry/patch_levels.c */
bool bspi_plan_patches(bspi_build *build);

/* Surface numbers in the order of drawing: by part, kind, lighting, material, page and fog, then as in the file.
 * Scratch arena; NULL: ctx->error is set. stages/geometry/surface_order.c */
const uint32_t *bspi_order_surfaces(bspi_build *build);

#endif
