/* lit.h - one picture of all lit surfaces, texture times light, for hosts that multiply no two pictures: those of USD,
 * FBX and OBJ.
 *
 *     lit.c        which surfaces are in it, and how bright the textures of the others are
 *     lit_chart.c  how large each surface is in the picture, and where
 *     lit_paint.h  its texels
 *
 * A face lies in the picture as it lies on its page of light, in a rectangle of its own, since faces may share luxels.
 * Light of vertices, and faces that cannot lie in it (translucent ones), get the mean of their section's light. */
#ifndef BSPI_LIT_H
#define BSPI_LIT_H

#include "writers/web_picture.h"

#define BSPI_LIT_GUTTER 2u             /* texels around a chart, filled like its rim: filters reach there */

/* A face in the picture. */
typedef struct bspi_lit_chart {
	uint32_t mesh, section;            /* of the scene; the section counted within the mesh */
	uint32_t first_index, index_count;
	bool planar;                       /* lies as it does in the map, since all of it has one place on its page */
	uint8_t axes[2];                   /* of the map, when planar */
	float low[2], size[2];             /* luxels */
	float detail;                      /* texels to a luxel that its texture has */
	float density;                     /* texels to a luxel that it has in the picture */
	uint32_t x, y, width, height;      /* in the picture, with the gutter */
} bspi_lit_chart;

typedef struct bspi_lit_section {
	bool in_picture;                   /* all of it */
	float light[3];                    /* else: factor of the texture's display values, a multiple of 1/32 */
} bspi_lit_section;

typedef struct bspi_lit {
	bspi_lit_section **sections;       /* per mesh of the scene */
	float **uvs;                       /* per mesh: two per vertex, v down; NULL: nothing of it is in the picture */
	bspi_lit_chart *charts; uint32_t chart_count;
	uint32_t width, height;            /* of the picture; 0: there is none */
	float density;                     /* most texels to a luxel */
	bspi_picture picture;
} bspi_lit;

/* Raw HDR light is BSPSCENE_ERROR_UNSUPPORTED_FORMAT. Of `drawn` meshes alone; opaque_alone: and of opaque surfaces,
 * for hosts that take alpha by the coordinates of the picture. */
bool bspi_lit_make(bspi_writer *writer, const bool *drawn, bool opaque_alone, bspi_lit *out);
bool bspi_lit_is_alike(const bspi_lit_section *a, const bspi_lit_section *b);
/* Linear, by which the base texture is multiplied: its material's colour, with the light of what is in no picture. */
void bspi_lit_factor(const bspscene_material *material, const bspi_lit_section *section, float out[4]);
void bspi_lit_free(bspi_lit *lit); /* also of zeroed ones */

/* lit_chart.c: where a vertex is in the chart, in luxels. */
void bspi_lit_place(const bspscene_scene *scene, const bspi_lit_chart *chart, uint32_t vertex, float out[2]);
/* The same in the picture, in texels. */
void bspi_lit_texel(const bspscene_scene *scene, const bspi_lit_chart *chart, uint32_t vertex, float out[2]);
/* Fills in planar, axes, low, size and detail. False: it cannot be in a picture. */
bool bspi_lit_measure(const bspi_writer *writer, bspi_lit_chart *chart);
/* Places all charts, as large as `most` texels in all let them be. lit->width 0: there is no
 * such size. */
bool bspi_lit_arrange(bspi_writer *writer, bspi_lit *lit, uint64_t most);

/* lit_paint.h: paints all charts into `pixels`, RGB of the picture's size. */
bool bspi_lit_paint(bspi_writer *writer, bspi_lit *lit, uint8_t *pixels);

#endif
