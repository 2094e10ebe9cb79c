/* fuzz_gameinfo.c - the input is the gameinfo.txt of a game. The game's folder is next to other games of the same
 * engine. Some values of the input's last byte limit the memory. The test checks the search paths that are found: each
 * must exist, be inside the engine's directory and occur only once. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_system/gameinfo.h"
#include "support/bspt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char root[200], game[240], gameinfo[280];

static void remove_engine(void)
{
	bspt_remove_directory(root);
}

/* Makes the engine's directories and files. A name that ends in '/' is a directory; it comes before the names of its
 * files. */
static void make_engine(void)
{
	static const char *const names[] = {
		"engine/", "engine/hl2/", "engine/hl2/hl2_textures_dir.vpk", "engine/hl2/hl2_textures_000.vpk",
		"engine/hl2/pak01.vpk", "engine/Platform/", "engine/tf/", "engine/tf/custom/", "engine/tf/custom/A_mod/",
		"engine/tf/custom/b.vpk", "engine/tf/custom/c_dir.vpk", "engine/tf/custom/c_001.vpk", "engine/tf/download/",
		"engine/tf_dlc1/", "engine/tf_dlc3/", "engine/other/", "engine/other/gameinfo.txt", "engine/update/",
		"outside/", "outside/secret.vpk",
	};
	bspt_make_directory(root, sizeof root);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[320];
		size_t length = (size_t)snprintf(path, sizeof path, "%s/%s", root, names[i]);
		if (path[length - 1] != '/') bspt_write_file(path, "", 0);
		else if (mkdir(path, 0777)) bspt_die("create", path);
	}
	snprintf(game, sizeof game, "%s/engine/tf", root);
	snprintf(gameinfo, sizeof gameinfo, "%s/gameinfo.txt", game);
	atexit(remove_engine);
}

static void check_places(const bspi_search_paths *places)
{
	const size_t inside = strlen(root) + strlen("/engine");
	bool own = false;
	for (uint32_t i = 0; i < places->count; i++) {
		const char *path = places->paths[i];
		if (strncmp(path, game, inside) || (path[inside] && path[inside] != '/')) abort();
		if (strstr(path, "/..") || strstr(path, "//") || access(path, F_OK)) abort();
		own |= !strcmp(path, game);
		for (uint32_t k = 0; k < i; k++) {
			if (!strcmp(path, places->paths[k])) abort();
		}
	}
	if (!own) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!*root) make_engine();
	bspt_write_file(gameinfo, data, size);
	uint8_t last = size ? data[size - 1] : 0;
	bool starved = last % 16 == 15;
	bspi_budget budget = { .limit = starved ? last * 256u : 64u << 20 };
	bspi_arena arena;
	bspi_search_paths places;
	bspscene_error error = { 0 };
	bspi_arena_init(&arena, &budget);
	bool ok = bspi_find_search_paths(&arena, game, &places, &error);
	if (ok) check_places(&places);
	else if (!starved || error.status != BSPSCENE_ERROR_OUT_OF_MEMORY || !error.message[0]) abort();
	bspi_arena_reset(&arena);
	if (budget.used) abort();
	return 0;
}
