/* fuzz_vmt.c - the input has up to four material files, separated by the byte 1: materials/a.vmt to d.vmt. A
 * displacement has the first material. Two textures exist; all other files are missing. */
#include <stdlib.h>
#include <string.h>

#include "support/check/check_scene.h"
#include "support/make/made_game.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_FILES = 4, PART = 1 };

static void add_files(bspt_game *g, const uint8_t *data, size_t size)
{
	static const char *const names[MOST_FILES] = {
		"materials/a.vmt", "materials/b.vmt", "materials/c.vmt", "materials/maps/m/d_1_2_3.vmt",
	};
	for (int i = 0; i < MOST_FILES; i++) {
		const uint8_t *end = size ? memchr(data, PART, size) : NULL;
		size_t length = end ? (size_t)(end - data) : size;
		bspt_game_add(g, names[i], data, length);
		if (!end) return;
		data += length + 1;
		size -= length + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bspt_game g;
	bspt_report report = { 0 };
	bspt_game_start(&g);
	g.map.rules.materials = BSPI_MATERIALS_SOURCE;
	g.ctx.options.include_mask = size ? data[size - 1] : 0;
	add_files(&g, data, size);
	bspt_game_add(&g, "materials/wall.tga", bspt_tga24, sizeof bspt_tga24);
	bspt_game_add(&g, "materials/grate.tga", bspt_tga32, sizeof bspt_tga32);
	static const char *const textures[] = { "a", "b", "c", "maps/m/d_1_2_3", "maps/m/b_wvt_patch" };
	for (size_t i = 0; i < sizeof textures / sizeof *textures; i++) bspt_game_use(&g, textures[i], 0, 0);
	g.faces[0].kind = BSPI_FACE_DISPLACEMENT;
	bspt_game_make(&g);
	bspt_check_materials(&g.scene, &g.ctx.options, &report);
	bspt_assert_clean(&report);
	bspt_game_end(&g);
	return 0;
}
