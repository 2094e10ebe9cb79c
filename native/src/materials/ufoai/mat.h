/* mat.h - material texts of UFO: Alien Invasion, "materials/NAME.mat": what is drawn over textures, by their names. */
#ifndef BSPI_MAT_H
#define BSPI_MAT_H

#include "materials/materials.h"

#define BSPI_MAT_NAME 64               /* longer names are no texture's */

/* One pass over the texture and its light. */
typedef struct bspi_mat_pass {
	char texture[BSPI_MAT_NAME];       /* below textures/, or of an environment; "": nothing is drawn */
	bool environment;                  /* the picture is looked up by the way of the view: below pics/envmaps/ */
	bool lightmap;                     /* times the surface's light */
	bool left_out;                     /* by the engine, or shown around one height ("tape"), which one text asks for */
	bool by_height; float floor, ceiling; /* from nothing at the one to all at the other, in units */
	bool glows;
	uint32_t frames; float frames_per_second; /* names that end in 0 go on with 1, 2, ... */
	bspscene_blend src_blend, dst_blend;
	bool has_color; float color[3];
	float dirt;                        /* 0: none. How much of it is seen, here and there */
	float pulses;                      /* a second; 0: it does not */
	float turns;                       /* a second */
	float scroll[2], scale[2];
} bspi_mat_pass;

#define BSPI_MAT_STAGES 8

typedef struct bspi_mat {
	char name[BSPI_MAT_NAME];          /* of the texture */
	char normal_map[BSPI_MAT_NAME], glow_map[BSPI_MAT_NAME]; /* in the place of NAME_nm, NAME_gm; "": those */
	bspi_mat_pass stages[BSPI_MAT_STAGES]; uint32_t stage_count;
	uint32_t line;                     /* of its opening brace */
	bspi_bytes text;                   /* all of it, with its braces */
} bspi_mat;

typedef struct bspi_mats {
	bspi_mat *mats; uint32_t count, capacity;
} bspi_mats;

/* All materials of a text, into scratch; what is not understood is left out, as the game does it. mat.c */
bool bspi_read_mats(bspi_ctx *ctx, bspi_bytes text, bspi_mats *out);
/* The next of a name behind `after`, the first behind NULL; or NULL. */
const bspi_mat *bspi_next_mat(const bspi_mats *mats, const char *name, const bspi_mat *after);

#endif
