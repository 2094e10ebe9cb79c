/* made_game.h - a game with a few files in memory, and a map that uses textures, to run the material stage. */
#ifndef BSPT_MADE_GAME_H
#define BSPT_MADE_GAME_H

#include "stages/stages.h"

#define BSPT_GAME_FILES 16
#define BSPT_GAME_TEXTURES 8
#define BSPT_GAME_VERTICES 4

typedef struct bspt_game_file {
	const char *path;
	const void *data;
	size_t size;
} bspt_game_file;

typedef struct bspt_game {
	bspi_ctx ctx;
	bspi_map map;
	bspscene_scene scene;
	bspi_scene_parts parts;
	bspi_build build;
	bspi_texture textures[BSPT_GAME_TEXTURES];
	bspi_face faces[BSPT_GAME_TEXTURES];
	bspi_fog fogs[4];
	bspi_draw_vertex vertices[BSPT_GAME_VERTICES];
	bspt_game_file files[BSPT_GAME_FILES];
	uint32_t file_count, opened;
} bspt_game;

/* Pictures of 2 x 2 pixels with 24 and 32 bits. */
extern const uint8_t bspt_tga24[18 + 12], bspt_tga32[18 + 16];

/* Begins without files and textures, with Quake III's material rules and the options of a default load. */
void bspt_game_start(bspt_game *game);
/* Frees everything; ends the program if memory leaked. */
void bspt_game_end(bspt_game *game);
/* Adds a file; `data` must outlive the game. */
void bspt_game_add(bspt_game *game, const char *path, const void *data, size_t size);
void bspt_game_script(bspt_game *game, const char *text);
void bspt_game_picture(bspt_game *game, const char *path);
/* Adds a texture, and a face of four vertices on page 0 that uses it. */
void bspt_game_use(bspt_game *game, const char *name, uint32_t surface_flags, uint32_t content_flags);
/* Builds the materials; ends the program if that fails. */
void bspt_game_make(bspt_game *game);

/* Return a result of the material stage. End the program if there is none. */
const bspscene_material *bspt_game_material(const bspt_game *game, uint32_t texture);
const bspscene_material_pass *bspt_game_stage(const bspt_game *game, uint32_t texture, uint32_t number);
const char *bspt_game_image(const bspt_game *game, uint32_t image); /* "" for NO_INDEX */
/* Returns the message of the first warning with this code, or "" if there is none. *count becomes the number of times
 * that the warning occurred; `count` may be NULL. */
const char *bspt_game_warning(const bspt_game *game, bspscene_warning_code code, uint32_t *count);

#endif
