/* source_game.h - a game of VMT and VTF files in memory, and descriptions of its materials in words. */
#ifndef BSPT_SOURCE_GAME_H
#define BSPT_SOURCE_GAME_H

#include "support/bspt.h"
#include "support/make/made_game.h"

typedef struct bspt_source_file {
	/* If `text` is NULL, the file is a VTF of 2 x 2 pixels. If it is bspt_solid, the VTF has no alpha. */
	const char *path, *text;
} bspt_source_file;

extern const char bspt_solid[];

typedef struct bspt_words {
	char text[512];
	size_t size;
} bspt_words;

/* Make and free those VTF files, as setup and teardown of a group of tests. */
int bspt_source_make_textures(void **state);
int bspt_source_free_textures(void **state);
/* Returns the VTF with alpha. */
bspt_bytes bspt_source_texture(void);

/* Begins a game with Source's material rules and these files. The list ends after `count` files, or before the first
 * file without a path. */
void bspt_source_start(bspt_game *g, const bspt_source_file *files, size_t count);
/* Appends everything in which the material differs from a plain wall. */
void bspt_source_describe(bspt_words *out, const bspt_game *g, const bspscene_material *m);
/* Fails the test unless the material of `texture`, on a displacement or another face, has this description. */
void bspt_source_expect(const char *texture, uint32_t flags, bool displaced, const bspt_source_file *files,
                        size_t count, const char *want);

#endif
