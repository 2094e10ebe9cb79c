/* made_game.c - see made_game.h. */
#include "support/make/made_game.h"

#include <stdio.h>

#include <bspscene/material.h>

#include "base/text.h"
#include "support/bspt.h"

const uint8_t bspt_tga24[18 + 12] = { [2] = 2, [12] = 2, [14] = 2, [16] = 24 };
const uint8_t bspt_tga32[18 + 16] = { [2] = 2, [12] = 2, [14] = 2, [16] = 32, [17] = 8 };

static bool open_file(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	bspt_game *game = user;
	(void)kind;
	for (uint32_t i = 0; i < game->file_count; i++) {
		const bspt_game_file *file = &game->files[i];
		if (!bspi_text_equal(file->path, path)) continue;
		*stream = (bspscene_stream){ .data = file->data, .size = file->size, .origin = "memory.pk3" };
		game->opened++;
		return true;
	}
	return false;
}

static void list_files(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                       void *found_user)
{
	const bspt_game *game = user;
	for (uint32_t i = 0; i < game->file_count; i++) {
		const char *path = game->files[i].path;
		if (bspi_text_starts(path, prefix) && bspi_text_ends(path, suffix)) found(found_user, path);
	}
}

void bspt_game_start(bspt_game *game)
{
	memset(game, 0, sizeof *game);
	game->ctx.file = "test.bsp";
	game->ctx.name = "test";
	game->ctx.budget.limit = 64u << 20;
	game->ctx.options.open_file = open_file;
	game->ctx.options.list_files = list_files;
	game->ctx.options.file_user = game;
	bspi_begin_memory(&game->ctx);
	game->map.rules.materials = BSPI_MATERIALS_QUAKE3;
	game->map.textures = game->textures;
	game->map.faces = game->faces;
	game->map.fogs = game->fogs;
	game->map.draw_vertices = game->vertices;
	game->map.draw_vertices_count = BSPT_GAME_VERTICES;
	bspi_set_parts(&game->scene, &game->parts);
	game->build = (bspi_build){ .ctx = &game->ctx, .map = &game->map, .scene = &game->scene, .parts = &game->parts };
}

void bspt_game_end(bspt_game *game)
{
	bspi_end_memory(&game->ctx);
	if (game->ctx.budget.used) bspt_die("give back the memory of", "a made game");
}

void bspt_game_add(bspt_game *game, const char *path, const void *data, size_t size)
{
	if (game->file_count == BSPT_GAME_FILES) bspt_die("find room for", path);
	game->files[game->file_count++] = (bspt_game_file){ path, data, size };
}

void bspt_game_script(bspt_game *game, const char *text)
{
	bspt_game_add(game, "scripts/test.shader", text, strlen(text));
}

void bspt_game_picture(bspt_game *game, const char *path)
{
	bspt_game_add(game, path, bspt_tga24, sizeof bspt_tga24);
}

void bspt_game_use(bspt_game *game, const char *name, uint32_t surface_flags, uint32_t content_flags)
{
	uint32_t number = game->map.textures_count++;
	if (number >= BSPT_GAME_TEXTURES) bspt_die("find room for", name);
	bspi_texture *texture = &game->textures[number];
	snprintf(texture->name, sizeof texture->name, "%s", name);
	texture->surface_flags = surface_flags;
	texture->content_flags = content_flags;
	game->faces[game->map.faces_count++] = (bspi_face){
		.kind = BSPI_FACE_TRIANGLES, .texture = (int32_t)number, .vertex_count = BSPT_GAME_VERTICES,
		.lightmap = { 0, -3, -3, -3 }, .styles = { 0, 255, 255, 255 },
	};
}

void bspt_game_make(bspt_game *game)
{
	if (!bspi_build_materials(&game->build)) bspt_die("make materials", game->ctx.error.message);
}

const bspscene_material *bspt_game_material(const bspt_game *game, uint32_t texture)
{
	if (game->build.texture_materials[texture] >= game->scene.material_count) bspt_die("find a material", "");
	return game->scene.materials[game->build.texture_materials[texture]];
}

const bspscene_material_pass *bspt_game_stage(const bspt_game *game, uint32_t texture, uint32_t number)
{
	const bspscene_material *material = bspt_game_material(game, texture);
	if (number >= material->pass_count) bspt_die("find a stage of", material->name);
	return game->scene.material_passes[material->first_pass + number];
}

const char *bspt_game_image(const bspt_game *game, uint32_t image)
{
	if (image == BSPSCENE_NO_INDEX) return "";
	if (image >= game->scene.image_count) bspt_die("find an image", "");
	return game->scene.images[image]->name;
}

const char *bspt_game_warning(const bspt_game *game, bspscene_warning_code code, uint32_t *count)
{
	for (uint32_t i = 0; i < game->ctx.warning_count; i++) {
		const bspi_warning_slot *slot = &game->ctx.warnings[i];
		if (slot->code != code) continue;
		if (count) *count = slot->count;
		return slot->message;
	}
	if (count) *count = 0;
	return "";
}
