/* shader_light.h - lightmap pages that shader scripts show. The material stage fills these structs and the light stages
 * read them. */
#ifndef BSPI_SHADER_LIGHT_H
#define BSPI_SHADER_LIGHT_H

#include "map/map.h"

/* A lightmap page in a picture file, outside of the map's lump `lighting`. q3map2 generates shaders that show such
 * pages, for luxels of custom sizes and for light styles (stages with `map maps/<map>/lm_0003.tga`, `tcGen lightmap`;
 * docs/formats/quake3.md, "External lightmaps and directions"). */
typedef struct bspi_picture_page {
	uint32_t width, height;
	const uint8_t *rgb;                /* RGB, top row first */
	float overbright; /* factor from the picture's bytes to display light: 1, because the engine uses it as a texture */
	const char *path;                  /* game path */
	bspi_bytes file;                   /* content of the file */
} bspi_picture_page;

/* The page and the light style of each slot of a face, as in bspi_face. */
typedef struct bspi_face_pages {
	int32_t pages[BSPI_MAX_STYLES];    /* numbers from BSPI_FIRST_PICTURE_PAGE on are pictures */
	uint8_t styles[BSPI_MAX_STYLES];
} bspi_face_pages;

/* The pages that shaders show, in the form in which Raven's maps store pages: slots of faces. */
typedef struct bspi_shader_light {
	const bspi_picture_page *pictures; uint32_t picture_count;
	bspi_face_pages *faces;            /* one for each face of the map; NULL: no shader shows stored light */
	float (*uvs)[BSPI_MAX_STYLES][2];  /* per draw vertex: its uv on the page of each slot; NULL if `faces` is NULL */
} bspi_shader_light;

/* Copies the uv that the map stores for a draw vertex on the page of each slot. It is 0 for slots that the map does not
 * have. */
static inline void bspi_copy_slot_uvs(const bspi_map *map, uint32_t vertex, float out[BSPI_MAX_STYLES][2])
{
	memset(out, 0, BSPI_MAX_STYLES * sizeof *out);
	memcpy(out[0], map->draw_vertices[vertex].lightmap, sizeof *out);
	if (vertex >= map->draw_vertex_styles_count) return;
	memcpy(out[1], map->draw_vertex_styles[vertex].lightmap, (BSPI_MAX_STYLES - 1) * sizeof *out);
}

#endif
