/* shader_light.h - stored light that shader scripts show, for the stages of light. */
#ifndef BSPI_SHADER_LIGHT_H
#define BSPI_SHADER_LIGHT_H

#include "map/map.h"

/* A stored lightmap page that is a picture file, not part of the map's `lighting`. q3map2 shows luxels of custom sizes
 * and of light styles by generated shaders (stages with `map maps/<map>/lm_0003.tga`, `tcGen lightmap`;
 * docs/formats/quake3.md, "External lightmaps and directions"). */
typedef struct bspi_picture_page {
	uint32_t width, height;
	const uint8_t *rgb;                /* RGB, top row first */
	float overbright; /* factor from bytes to display light: 1, because the engine uses the picture as a texture */
	const char *path;                  /* game path */
	bspi_bytes file;                   /* content of the file */
} bspi_picture_page;

/* Pages and light styles of a face's slots, as in bspi_face. */
typedef struct bspi_face_pages {
	int32_t pages[BSPI_MAX_STYLES];    /* numbers from BSPI_FIRST_PICTURE_PAGE on are pictures */
	uint8_t styles[BSPI_MAX_STYLES];
} bspi_face_pages;

/* Light shown by shaders, as the slots that Raven's formats have in the file. */
typedef struct bspi_shader_light {
	const bspi_picture_page *pictures; uint32_t picture_count;
	bspi_face_pages *faces;            /* per face of the map; NULL: no shader shows stored light */
	float (*uvs)[BSPI_MAX_STYLES][2];  /* per draw vertex: its uv on the page of each slot; NULL together with
	                                    * `faces` */
} bspi_shader_light;

/* Copies the map's uvs of a draw vertex on the pages of its slots; 0 for missing slots. */
static inline void bspi_copy_slot_uvs(const bspi_map *map, uint32_t vertex, float out[BSPI_MAX_STYLES][2])
{
	memset(out, 0, BSPI_MAX_STYLES * sizeof *out);
	memcpy(out[0], map->draw_vertices[vertex].lightmap, sizeof *out);
	if (vertex >= map->draw_vertex_styles_count) return;
	memcpy(out[1], map->draw_vertex_styles[vertex].lightmap, (BSPI_MAX_STYLES - 1) * sizeof *out);
}

#endif
