/* Promise: ericw-tools may write maps whose faces have no gray light (-novanilla, DECOUPLED_LM), or that have only a
 * minimum light. Such maps are lit by the light that the compiler stored in other places. The test makes its maps by
 * the rules of the compiler's SaveLightmapSurface (write.cc) and light.cc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/quake/quake_common.h"
#include "support/make/build_map.h"
#include "support/make/bytes_writer.h"

enum { FACES = 5, TEXINFOS = 4, SKY = 2, WATER = 3, SIDE = 5, BLOCK = SIDE * SIDE, LIGHT = 60 };
#define LUXELS ((BLOCK + 3) / 4 * 4 * FACES)
#define HDR_LIGHT (16u << 27 | 90u << 18 | 90u << 9 | 90u)

/* The form in which the compiler stores light: gray bytes, RGBLIGHTING or LIGHTING_E5BGR9. */
typedef enum storage { GRAY, RGB, HDR } storage;

/* A room, and copies of the lists that tests change. */
typedef struct lit_room {
	bspt_parts parts;
	bspi_face faces[FACES];
	bspi_texinfo texinfos[TEXINFOS];
	bspt_writer luxels, placed;
} lit_room;

/* Makes the room with light in style 0 on all faces except the sky. The liquid is lit, too. */
static void begin(lit_room *room, storage stored)
{
	memset(room, 0, sizeof *room);
	assert_true(bspt_room_parts(&bspi_family_quake, &bspi_family_quake.variants[0], &room->parts));
	bspi_map *map = &room->parts.map;
	assert_true(map->faces_count == FACES && map->texinfos_count == TEXINFOS && !room->parts.bspx_count);
	memcpy(room->faces, map->faces, sizeof room->faces);
	memcpy(room->texinfos, map->texinfos, sizeof room->texinfos);
	map->faces = room->faces;
	map->texinfos = room->texinfos;
	for (uint32_t i = 0; i < FACES; i++) {
		room->faces[i].styles[0] = i == SKY ? 255 : 0;
		room->faces[i].styles[1] = 255;
		room->faces[i].light_offset = -1;
	}
	room->texinfos[room->faces[WATER].texinfo].flags = 0;
	for (uint32_t i = 0; i < LUXELS; i++) {
		if (stored == HDR) bspt_put_u32(&room->luxels, HDR_LIGHT);
		for (int k = 0; stored != HDR && k < (stored == RGB ? 3 : 1); k++) bspt_put_u8(&room->luxels, LIGHT);
	}
	room->parts.raw[QUAKE_LIGHTING] = stored == GRAY ? bspt_written(&room->luxels) : BSPI_NO_BYTES;
	if (stored == GRAY) return;
	room->parts.bspx[room->parts.bspx_count++] =
		(bspt_bspx){ stored == RGB ? "RGBLIGHTING" : "LIGHTING_E5BGR9", bspt_written(&room->luxels) };
}

/* Gives every lit face a block of 5 x 5 luxels with a projection of its own. The offsets of the blocks are multiples of
 * four. */
static void decouple(lit_room *room)
{
	for (uint32_t i = 0; i < FACES; i++) {
		bspt_put_u16(&room->placed, i == SKY ? 0 : SIDE);
		bspt_put_u16(&room->placed, i == SKY ? 0 : SIDE);
		bspt_put_u32(&room->placed, i == SKY ? UINT32_MAX : (BLOCK + 3) / 4 * 4 * i);
		bspt_put_floats(&room->placed, 8, 1.0 / 32, 0.0, 0.0, 0.0, 0.0, 1.0 / 32, 0.0, 0.0);
	}
	room->parts.bspx[room->parts.bspx_count++] = (bspt_bspx){ "DECOUPLED_LM", bspt_written(&room->placed) };
}

/* Sets the offset of each lit face's luxels. If `apart`, the offsets are in the lump LMOFFSET, as for light with
 * another luxel size; otherwise they are in the face records. */
static void place(lit_room *room, bool apart)
{
	for (uint32_t i = 0; i < FACES; i++) {
		if (!apart) room->faces[i].light_offset = i == SKY ? -1 : 0;
		bspt_put_u32(&room->placed, i == SKY ? UINT32_MAX : 0);
	}
	if (apart) room->parts.bspx[room->parts.bspx_count++] = (bspt_bspx){ "LMOFFSET", bspt_written(&room->placed) };
}

static void expect_lit_faces(const bspscene_scene *scene, const char *what)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		const bspscene_face *face = &scene->faces[i];
		const bspscene_section *section = scene->meshes[face->mesh]->sections[face->section];
		if (face->record == SKY) continue;
		if (section->lighting != BSPSCENE_LIGHTING_LIGHTMAP) fail_msg("%s: face %u is not lit", what, face->record);
		assert_int_equal(face->styles[0], 0);
	}
}

/* Returns the number of luxels with light. All of them must have the same light. */
static uint32_t count_luxels(const bspscene_lightmap_page *page)
{
	static const uint8_t black[6] = { 0 };
	size_t size = page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8 ? 3 : 6;
	const uint8_t *first = NULL;
	uint32_t count = 0;
	for (size_t i = 0; i < (size_t)page->width * page->height; i++) {
		const uint8_t *luxel = (const uint8_t *)page->data + i * size;
		if (!memcmp(luxel, black, size)) continue;
		if (!first) first = luxel;
		assert_memory_equal(luxel, first, size);
		count++;
	}
	return count;
}

/* A map with `_minlight` and no lamp has one light on all faces. */
static void the_least_light_is_light(void **state)
{
	static const struct { const char *what; storage stored; bool decoupled, apart; } cases[] = {
		{ "gray", GRAY, false, false },
		{ "colors without gray", RGB, false, false },
		{ "HDR without gray", HDR, false, false },
		{ "gray in LMOFFSET alone", GRAY, false, true },
		{ "colors in LMOFFSET alone", RGB, false, true },
		{ "gray in DECOUPLED_LM alone", GRAY, true, false },
		{ "colors in DECOUPLED_LM alone", RGB, true, false },
		{ "HDR in DECOUPLED_LM alone", HDR, true, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		lit_room room;
		begin(&room, cases[i].stored);
		if (cases[i].decoupled) decouple(&room);
		else place(&room, cases[i].apart);
		bspscene_scene *scene = bspt_load_parts(&bspi_family_quake.variants[0], &room.parts, NULL);
		if (scene->is_full_bright) fail_msg("%s: full bright", cases[i].what);
		for (uint32_t k = 0; k < scene->warning_count; k++) {
			const bspscene_warning *warning = scene->warnings[k];
			if (warning->code != BSPSCENE_WARNING_FILE_MISSING) fail_msg("%s: %s", cases[i].what, warning->message);
		}
		expect_lit_faces(scene, cases[i].what);
		uint32_t luxels = count_luxels(&scene->lightmap_sets[0].pages[0]);
		if (luxels < BLOCK * (FACES - 1)) fail_msg("%s: %u luxels with light", cases[i].what, luxels);
		bspscene_scene_free(scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_least_light_is_light) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
