/* mat.h - reads material texts of UFO: Alien Invasion, "materials/NAME.mat": passes drawn over textures, by texture
 * name. */
#ifndef BSPI_MAT_H
#define BSPI_MAT_H

#include "materials/materials.h"

#define BSPI_MAT_NAME 64               /* no texture has a longer name */

/* A pass over the texture and its light. */
typedef struct bspi_mat_pass {
	char texture[BSPI_MAT_NAME];       /* below textures/, or an environment map; "": nothing is drawn */
	bool environment;                  /* the image is an environment map, below pics/envmaps/ */
	bool lightmap;                     /* multiplied by the surface's light */
	bool left_out; /* the engine does not draw it, or it is a band around one height ("tape"), which one text uses */
	bool by_height; float floor, ceiling; /* opacity from 0 at one height to 1 at the other, in units */
	bool glows;
	uint32_t frames; float frames_per_second; /* names that end in 0 continue with 1, 2, ... */
	bspscene_blend src_blend, dst_blend;
	bool has_color; float color[3];
	float dirt;                        /* mean opacity of random dirt; 0: none */
	float pulses;                      /* pulses per second; 0: none */
	float turns;                       /* rotations per second */
	float scroll[2], scale[2];
} bspi_mat_pass;

#define BSPI_MAT_STAGES 8

typedef struct bspi_mat {
	char name[BSPI_MAT_NAME];          /* of the texture */
	/* images instead of NAME_nm and NAME_gm; "": not replaced */
	char normal_map[BSPI_MAT_NAME], glow_map[BSPI_MAT_NAME];
	bspi_mat_pass stages[BSPI_MAT_STAGES]; uint32_t stage_count;
	uint32_t line;                     /* of its opening brace */
	bspi_bytes text;                   /* the block with its braces */
} bspi_mat;

typedef struct bspi_mats {
	bspi_mat *mats; uint32_t count, capacity;
} bspi_mats;

/* Reads all materials of a text into the scratch arena. Unknown content is skipped, like in the game. mat.c */
bool bspi_read_mats(bspi_ctx *ctx, bspi_bytes text, bspi_mats *out);
/* Returns the next block with this name after `after` (NULL: the first one), or NULL. */
const bspi_mat *bspi_next_mat(const bspi_mats *mats, const char *name, const bspi_mat *after);

#endif
