/* lit.h - one picture of all lit surfaces, texture times light, for hosts that multiply no two pictures: those of USD,
 * FBX and OBJ.
 *
 *     lit.c          which surfaces are in it, and how bright the textures of the others are
 *     lit_chart.c    how a surface lies in the picture
 *     lit_arrange.c  how large each is there, and where
 *     lit_part.c     sections that lie on two sheets, parted
 *     lit_paint.h    its texels
 *     lit_scene.c    a scene that shows it, for hosts
 *
 * A face lies in the picture as it lies on its page of light, in a rectangle of its own, since faces may share luxels.
 * Light of vertices, and faces that cannot lie in it (translucent ones), get the mean of their section's light.
 *
 * Where one picture would blur the textures there are several, its sheets, each with surfaces that follow each other
 * in the scene. */
#ifndef BSPI_LIT_H
#define BSPI_LIT_H

#include <bspscene/material.h>

#include "writers/web_picture.h"

#define BSPI_LIT_GUTTER 4u             /* texels around a chart, of its own colors: filters and mipmaps reach there */
/* Texels to a luxel, which is as large as 16 or more texels of most games. */
#define BSPI_LIT_MOST_DENSITY 32.0f
#define BSPI_LIT_MOST_SHEETS 8u        /* hosts hold them unpacked: half a gibibyte at the usual size */

/* A face in the picture. */
typedef struct bspi_lit_chart {
	uint32_t mesh, section;            /* of the scene; the section counted within the mesh */
	uint32_t face;                     /* of the scene */
	uint32_t first_index, index_count;
	bool may_part;                     /* its section can be parted before it */
	bool planar;                       /* lies as it does in the map, since all of it has one place on its page */
	uint8_t axes[2];                   /* of the map, when planar */
	float low[2], size[2];             /* luxels */
	float detail;                      /* texels to a luxel that its texture has */
	float density;                     /* texels to a luxel that it has in the picture */
	uint32_t sheet;
	uint32_t x, y, width, height;      /* on the sheet, with the gutter */
} bspi_lit_chart;

typedef struct bspi_lit_section {
	bool in_picture;                   /* all of it, */
	uint32_t sheet;                    /* on this one */
	float light[3];                    /* else: factor of the texture's display values, a multiple of 1/32 */
} bspi_lit_section;

typedef struct bspi_lit_sheet {
	uint32_t width, height;
	bspi_picture picture;
} bspi_lit_sheet;

typedef struct bspi_lit {
	bspi_lit_section **sections;       /* per mesh of the scene */
	float **uvs;                       /* per mesh: two per vertex, v down; NULL: nothing of it is in the picture */
	bspi_lit_chart *charts; uint32_t chart_count;
	bspi_lit_sheet sheets[BSPI_LIT_MOST_SHEETS]; uint32_t sheet_count; /* 0: there is no picture */
	float density;                     /* most texels to a luxel */
} bspi_lit;

/* Raw HDR light is BSPSCENE_ERROR_UNSUPPORTED_FORMAT. Of `drawn` meshes alone; opaque_alone: and of opaque surfaces,
 * for hosts that take alpha by the coordinates of the picture. Where sections are parted, the writer's scene becomes
 * one with the parts, so nothing may know its sections yet. */
bool bspi_lit_make(bspi_writer *writer, const bool *drawn, bool opaque_alone, bspi_lit *out);
bool bspi_lit_is_alike(const bspi_lit_section *a, const bspi_lit_section *b);
/* "lit", "lit-2", ... */
enum { BSPI_LIT_NAME_SIZE = 16 };
void bspi_lit_sheet_name(uint32_t sheet, char out[BSPI_LIT_NAME_SIZE]);
/* Linear, by which the base texture is multiplied: its material's color, with the light of what is in no picture. */
void bspi_lit_factor(const bspscene_material *material, const bspi_lit_section *section, float out[4]);
void bspi_lit_free(bspi_lit *lit); /* also of zeroed ones */

/* lit_chart.c: where a vertex is in the chart, in luxels. */
void bspi_lit_place(const bspscene_scene *scene, const bspi_lit_chart *chart, uint32_t vertex, float out[2]);
/* The same on the sheet, in texels. */
void bspi_lit_texel(const bspscene_scene *scene, const bspi_lit_chart *chart, uint32_t vertex, float out[2]);
/* Fills in planar, axes, low, size and detail. False: it cannot be in a picture. */
bool bspi_lit_measure(const bspi_writer *writer, bspi_lit_chart *chart);

/* lit_arrange.c: places all charts, as large as `most` texels in all let them be, on one sheet where that has half as
 * many texels as each texture, else on as many as it takes. No sheets: there is no such size. */
bool bspi_lit_arrange(bspi_writer *writer, bspi_lit *lit, uint64_t most);

/* lit_part.c: which charts may begin a part, and the parts, in a new scene of the writer. */
void bspi_lit_find_parts(const bspscene_scene *scene, const bspscene_section *section, bspi_lit_chart *charts,
                         uint32_t count);
bool bspi_lit_part_sections(bspi_writer *writer, bspi_lit *lit);

/* lit_paint.h: paints all charts of a sheet into `pixels`, RGB of its size. */
bool bspi_lit_paint(bspi_writer *writer, const bspi_lit *lit, uint32_t sheet, uint8_t *pixels);

#endif
