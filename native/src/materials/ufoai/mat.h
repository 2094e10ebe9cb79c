/* mat.h - reads material texts of UFO: Alien Invasion, "materials/NAME.mat". They list passes that are drawn over
 * textures; each block is for the texture with its name. */
#ifndef BSPI_MAT_H
#define BSPI_MAT_H

#include "materials/materials.h"

#define BSPI_MAT_NAME 64               /* no texture has a longer name */

/* A pass that is drawn over the texture and its light. */
typedef struct bspi_mat_pass {
	char texture[BSPI_MAT_NAME];       /* name of an image below textures/, or of an environment map; "": the pass draws
	                                    * nothing */
	bool environment;                  /* `texture` is an environment map, below pics/envmaps/ */
	bool lightmap;                     /* multiplied by the surface's light */
	bool left_out; /* true if we do not show the pass: the engine does not draw it, or it is a band around one height
	                * ("tape"), which only one known text uses */
	bool by_height; float floor, ceiling; /* opacity rises from 0 at height `floor` to 1 at height `ceiling`, in game
	                                       * units */
	bool glows;
	uint32_t frames; float frames_per_second; /* if the image's name ends in 0, frames 1, 2, ... are images whose names
	                                           * end in 1, 2, ... */
	bspscene_blend src_blend, dst_blend;
	bool has_color; float color[3];
	float dirt;                        /* mean opacity of a layer of random dirt; 0: no dirt */
	float pulses;                      /* pulses per second; 0: none */
	float turns;                       /* rotations per second */
	float scroll[2], scale[2];
} bspi_mat_pass;

#define BSPI_MAT_STAGES 8

typedef struct bspi_mat {
	char name[BSPI_MAT_NAME];          /* name of the texture */
	/* images to use in place of NAME_nm and NAME_gm; "": use those */
	char normal_map[BSPI_MAT_NAME], glow_map[BSPI_MAT_NAME];
	bspi_mat_pass stages[BSPI_MAT_STAGES]; uint32_t stage_count;
	uint32_t line;                     /* line number of the block's opening brace */
	bspi_bytes text;                   /* the block with its braces */
} bspi_mat;

typedef struct bspi_mats {
	bspi_mat *mats; uint32_t count, capacity;
} bspi_mats;

/* Reads all materials of a text into the scratch arena. Unknown content is skipped, like in the game. mat.c */
bool bspi_read_mats(bspi_ctx *ctx, bspi_bytes text, bspi_mats *out);
/* Returns the next block for the texture `name`: the first one if `after` is NULL, otherwise the one after `after`.
 * NULL if there are no more. */
const bspi_mat *bspi_next_mat(const bspi_mats *mats, const char *name, const bspi_mat *after);

#endif
