/* vbsp_prop_tables.c - records of static props. There are more layouts than version numbers. A layout is chosen by the
 * size of records, which follows from the size of the part. In two cases the game matters too (docs/formats/source.md,
 * "Static props"). */
#include "families/vbsp/vbsp_tables.h"

/* ---- Groups of fields -------------------------------------------------------------------------------------- */

#define PLACE_ROWS \
	FIELD(bspi_static_prop, origin, 0, F32), \
	FIELD(bspi_static_prop, angles, 12, F32), \
	FIELD(bspi_static_prop, model_index, 24, U16), \
	FIELD(bspi_static_prop, first_leaf, 26, U16), \
	FIELD(bspi_static_prop, leaf_count, 28, U16), \
	FIELD(bspi_static_prop, solid, 30, U8)
#define SKIN_ROWS \
	FIELD(bspi_static_prop, skin, 32, I32), \
	FIELD(bspi_static_prop, fade_near, 36, F32), \
	FIELD(bspi_static_prop, fade_far, 40, F32), \
	FIELD(bspi_static_prop, lighting_origin, 44, F32)
#define COMMON_ROWS PLACE_ROWS, FIELD(bspi_static_prop, flags, 31, U8), SKIN_ROWS
#define FADE_SCALE_ROW FIELD(bspi_static_prop, fade_scale, 56, F32)
#define DX_ROW FIELD(bspi_static_prop, dx_levels, 60, U16)
#define LEVEL_ROWS(at) FIELD(bspi_static_prop, cpu_levels, (at), U8), FIELD(bspi_static_prop, gpu_levels, (at) + 2, U8)
#define COLOR_ROW(at) FIELD(bspi_static_prop, color, (at), U8)
#define FLAGS_EX_ROW(at) FIELD(bspi_static_prop, flags_ex, (at), U32)
#define NAME_ROW(at) NAME_FIELD(bspi_static_prop, name, (at), 128)

/* ---- The records ------------------------------------------------------------------------------------------- */

static const bspi_field rows_4[] = { COMMON_ROWS };
static const bspi_field rows_5[] = { COMMON_ROWS, FADE_SCALE_ROW };
static const bspi_field rows_6[] = { COMMON_ROWS, FADE_SCALE_ROW, DX_ROW };
static const bspi_field rows_7[] = { COMMON_ROWS, FADE_SCALE_ROW, DX_ROW, COLOR_ROW(64) };
static const bspi_field rows_8[] = { COMMON_ROWS, FADE_SCALE_ROW, LEVEL_ROWS(60), COLOR_ROW(64) };
#define LEFT4DEAD2_ROWS COMMON_ROWS, FADE_SCALE_ROW, LEVEL_ROWS(60), COLOR_ROW(64), SKIP("not on Xbox 360", 68, 4)
static const bspi_field rows_9[] = { LEFT4DEAD2_ROWS };
static const bspi_field csgo_10_rows[] = { LEFT4DEAD2_ROWS, FLAGS_EX_ROW(72) };
static const bspi_field csgo_11_rows[] = { LEFT4DEAD2_ROWS, FLAGS_EX_ROW(72), FIELD(bspi_static_prop, scale, 76, F32) };
static const bspi_field strata_13_rows[] = {
	LEFT4DEAD2_ROWS, FLAGS_EX_ROW(72), FIELD(bspi_static_prop, stretch, 76, F32),
};

/* Props with lightmaps have flags of 32 bits, at another offset than other props. */
#define LIGHTMAPPED_ROWS \
	PLACE_ROWS, SKIP("padding", 31, 1), SKIN_ROWS, FADE_SCALE_ROW, DX_ROW, \
	FIELD(bspi_static_prop, flags, 64, U32), \
	FIELD(bspi_static_prop, lightmap_size, 68, U16)
static const bspi_field lightmapped_rows[] = { LIGHTMAPPED_ROWS };
static const bspi_field black_mesa_rows[] = { LIGHTMAPPED_ROWS, COLOR_ROW(72) };
static const bspi_field black_mesa_ex_rows[] = { LIGHTMAPPED_ROWS, COLOR_ROW(72), FLAGS_EX_ROW(76) };

static const bspi_field ship_rows[] = { COMMON_ROWS, FADE_SCALE_ROW, NAME_ROW(60) };
static const bspi_field good_time_rows[] = { COMMON_ROWS, FADE_SCALE_ROW, DX_ROW, NAME_ROW(64) };
static const bspi_field zeno_clash_rows[] = { COMMON_ROWS, FADE_SCALE_ROW, DX_ROW, SKIP("unknown", 64, 4) };
static const bspi_field dark_messiah_rows[] = { COMMON_ROWS, FADE_SCALE_ROW, DX_ROW, SKIP("unknown", 64, 72) };
/* Like version 8, but there are four more bytes after the flags, and another field takes the place of the lighting
 * origin. */
static const bspi_field dear_esther_rows[] = {
	PLACE_ROWS,
	FIELD(bspi_static_prop, flags, 31, U8),
	SKIP("unknown", 32, 4),
	FIELD(bspi_static_prop, skin, 36, I32),
	FIELD(bspi_static_prop, fade_near, 40, F32),
	FIELD(bspi_static_prop, fade_far, 44, F32),
	SKIP("unknown", 48, 12),
	FIELD(bspi_static_prop, fade_scale, 60, F32),
	LEVEL_ROWS(64),
	SKIP("unknown", 68, 1),
	COLOR_ROW(69),
	SKIP("unknown", 73, 3),
};

static const bspi_field vindictus_8_rows[] = { COMMON_ROWS, FADE_SCALE_ROW, DX_ROW, SKIP("unknown", 64, 8) };

#define PROP_LAYOUT(name, rows, size) \
	static const bspi_layout name = LAYOUT("static prop", bspi_static_prop, rows, size)
const bspi_layout bspi_vbsp_prop_4 = LAYOUT("static prop", bspi_static_prop, rows_4, 56);
PROP_LAYOUT(prop_5, rows_5, 60);
PROP_LAYOUT(prop_6, rows_6, 64);
PROP_LAYOUT(prop_7, rows_7, 68);
PROP_LAYOUT(prop_8, rows_8, 68);
PROP_LAYOUT(prop_9, rows_9, 72);
PROP_LAYOUT(lightmapped, lightmapped_rows, 72);
PROP_LAYOUT(csgo_10, csgo_10_rows, 76);
PROP_LAYOUT(csgo_11, csgo_11_rows, 80);
PROP_LAYOUT(black_mesa, black_mesa_rows, 76);
PROP_LAYOUT(black_mesa_ex, black_mesa_ex_rows, 80);
PROP_LAYOUT(strata_13, strata_13_rows, 88);
PROP_LAYOUT(ship, ship_rows, 188);
PROP_LAYOUT(good_time, good_time_rows, 192);
PROP_LAYOUT(zeno_clash, zeno_clash_rows, 68);
PROP_LAYOUT(dark_messiah, dark_messiah_rows, 136);
PROP_LAYOUT(dear_esther, dear_esther_rows, 76);
PROP_LAYOUT(vindictus_8, vindictus_8_rows, 72);

/* ---- Layouts by version ------------------------------------------------------------------------------------ */

const bspi_vbsp_prop_format bspi_vbsp_prop_formats[BSPI_VBSP_PROP_FORMATS] = {
	{ 4, 0, false, &bspi_vbsp_prop_4 },    /* Vampire, Half-Life 2 */
	{ 5, 0, false, &prop_5 },
	{ 5, 0, false, &ship },
	{ 6, 0, false, &prop_5 },              /* Vindictus: its version numbers are one higher than other games' */
	{ 6, 0, false, &prop_6 },
	{ 6, 0, false, &good_time },
	{ 6, 0, false, &dark_messiah },
	{ 7, 0, false, &prop_6 },              /* Vindictus */
	{ 7, 0, false, &prop_7 },              /* Left 4 Dead */
	{ 7, 0, true, &zeno_clash },
	{ 7, 0, false, &lightmapped },         /* Team Fortress 2 used this layout for a short time */
	{ 8, 0, false, &prop_8 },
	{ 8, 0, false, &vindictus_8 },
	{ 9, 0, false, &prop_9 },              /* Left 4 Dead 2 */
	{ 9, 0, false, &dear_esther },
	{ 10, 0, false, &lightmapped },        /* Source 2013 */
	{ 10, 0, false, &csgo_10 },
	{ 11, 20, false, &black_mesa },
	{ 11, 20, false, &black_mesa_ex },
	{ 11, 0, false, &csgo_11 },
	{ 12, 0, false, &csgo_11 },            /* Strata */
	{ 13, 0, false, &strata_13 },
};
