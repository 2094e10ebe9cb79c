/* lit.h - makes one picture of all lit surfaces, texture times light, for hosts that cannot multiply two pictures, such
 * as readers of USD, FBX and OBJ.
 *
 *     lit.c          chooses the surfaces in it; brightness of the others
 *     lit_chart.c    how a surface lies in the picture
 *     lit_arrange.c  chooses sizes and positions
 *     lit_part.c     splits sections that lie on two sheets
 *     lit_paint.h    paints texels
 *     lit_scene.c    makes a scene that shows the picture, for hosts
 *
 * A face is placed like on its lightmap page, but in a rectangle of its own, because faces may share luxels. Surfaces
 * with vertex light, and faces that cannot be in the picture (translucent ones), get the mean of their section's light.
 *
 * If one picture would blur the textures, there are several (sheets), each for consecutive surfaces of the scene. */
#ifndef BSPI_LIT_H
#define BSPI_LIT_H

#include <bspscene/scene.h>

#include "drawing/add_light.h"
#include "writers/web_picture.h"

#define BSPI_LIT_GUTTER 4u             /* width of the margin around a chart in texels; it has the colors of the chart,
                                        * so that filters and mipmaps read no others */
/* Largest number of texels per luxel. In most games, a luxel covers 16 or more texels of the texture. */
#define BSPI_LIT_MOST_DENSITY 32.0f
#define BSPI_LIT_MOST_SHEETS 8u        /* largest number of sheets; hosts keep them uncompressed, which takes half a GiB
                                        * at the usual size */

/* A face in the picture. */
typedef struct bspi_lit_chart {
	uint32_t mesh, section;            /* indices of the mesh in the scene, and of the section in the mesh */
	uint32_t face;                     /* index in scene->faces */
	uint32_t first_index, index_count;
	bool may_part;                     /* the section may be split before this face, so that a new section begins with
	                                    * it */
	bool planar;                       /* the face covers nearly no area of its page, so its chart is not placed like
	                                    * on the page: the face is projected onto a plane along an axis of the map */
	uint8_t axes[2];                   /* if planar: the two axes of the map that span that plane */
	float low[2], size[2];             /* corner with the least coordinates, and size, in luxels */
	float detail;                      /* texels of its texture per luxel */
	float density;                     /* texels of the picture per luxel */
	uint32_t sheet;
	uint32_t x, y, width, height;      /* position and size on the sheet in texels, with the gutter */
} bspi_lit_chart;

typedef struct bspi_lit_section {
	bool in_picture;                   /* true: the section is in the picture, on the sheet with the number `sheet` */
	uint32_t sheet;
	float light[3]; /* if not in the picture: the light by which display values of the texture are multiplied, a
	                 * multiple of 1/32 */
} bspi_lit_section;

typedef struct bspi_lit_sheet {
	uint32_t width, height;
	bspi_picture picture;
} bspi_lit_sheet;

typedef struct bspi_lit {
	bspi_lit_section **sections;       /* for each mesh of the scene, an array with an element for each section */
	float **uvs;                       /* for each mesh, the coordinates of its vertices in the picture, with v
	                                    * downward; NULL: the mesh is not in it */
	bspi_lit_chart *charts; uint32_t chart_count;
	/* the sheets of the picture; none if there is no picture */
	bspi_lit_sheet sheets[BSPI_LIT_MOST_SHEETS]; uint32_t sheet_count;
	float density;                     /* largest density of all charts */
	bspi_adding_tables tables;         /* tables for sampling the scene's lightmap pages */
} bspi_lit;

/* Makes the picture of the meshes that are marked in `drawn`. `opaque_alone` leaves out surfaces that are not opaque,
 * for hosts that sample alpha with the picture's coordinates. If the light is raw HDR, it fails with
 * BSPSCENE_ERROR_UNSUPPORTED_FORMAT. If sections must be split, the writer gets a new scene, so nothing may refer to
 * sections of the old one yet. */
bool bspi_lit_make(bspi_writer *writer, const bool *drawn, bool opaque_alone, bspi_lit *out);
bool bspi_lit_is_alike(const bspi_lit_section *a, const bspi_lit_section *b);
/* Writes the name of a sheet to `out`: "lit", "lit-2" and so on. */
enum { BSPI_LIT_NAME_SIZE = 16 };
void bspi_lit_sheet_name(uint32_t sheet, char out[BSPI_LIT_NAME_SIZE]);
/* Returns the linear factor for the base texture. It is the material's color, and if the section is not in the picture,
 * also its light. */
void bspi_lit_factor(const bspscene_material *material, const bspi_lit_section *section, float out[4]);
void bspi_lit_free(bspi_lit *lit); /* `lit` may be all zeros */

/* Computes the position of a vertex in its chart, in luxels. lit_chart.c */
void bspi_lit_place(const bspscene_scene *scene, const bspi_lit_chart *chart, uint32_t vertex, float out[2]);
/* Computes the position of a vertex on its sheet, in texels. */
void bspi_lit_texel(const bspscene_scene *scene, const bspi_lit_chart *chart, uint32_t vertex, float out[2]);
/* Fills in the members planar, axes, low, size and detail of a chart. Returns false if the face cannot be in the
 * picture. */
bool bspi_lit_measure(const bspi_writer *writer, bspi_lit_chart *chart);

/* Places all charts, as large as possible with a total of `most` texels. One sheet is used if each chart then gets at
 * least half of the texels of its texture. Otherwise several sheets are used. If the charts fit in no way, there are no
 * sheets. lit_arrange.c */
bool bspi_lit_arrange(bspi_writer *writer, bspi_lit *lit, uint64_t most);

/* bspi_lit_find_parts marks the charts before which a section may be split. bspi_lit_part_sections splits sections and
 * gives the writer a new scene with them. lit_part.c */
void bspi_lit_find_parts(const bspscene_scene *scene, const bspscene_section *section, bspi_lit_chart *charts,
                         uint32_t count);
bool bspi_lit_part_sections(bspi_writer *writer, bspi_lit *lit);

/* Paints all charts of a sheet into `pixels` (RGB). lit_paint.h */
bool bspi_lit_paint(bspi_writer *writer, const bspi_lit *lit, uint32_t sheet, uint8_t *pixels);

#endif
