/* styles.c - lists the light styles of faces and lights, with the patterns that games assign to them (Quake world.qc,
 * Quake II g_spawn.c and Half-Life world.cpp have the same ones). */
#include "stages/entities/nodes.h"

#include <math.h>

#include "base/text.h"

#define STYLE_COUNT 256
#define NO_STYLE 255

typedef struct known_style {
	const char *name, *pattern;
} known_style;

static const known_style known_styles[] = {
	{ "normal", "m" },
	{ "flicker (first variety)", "mmnmmommommnonmmonqnmmo" },
	{ "slow strong pulse", "abcdefghijklmnopqrstuvwxyzyxwvutsrqponmlkjihgfedcba" },
	{ "candle (first variety)", "mmmmmaaaaammmmmaaaaaabcdefgabcdefg" },
	{ "fast strobe", "mamamamamama" },
	{ "gentle pulse", "jklmnopqrstuvwxyzyxwvutsrqponmlkj" },
	{ "flicker (second variety)", "nmonqnmomnmomomno" },
	{ "candle (second variety)", "mmmaaaabcdefgmmmmaaaammmaamm" },
	{ "candle (third variety)", "mmmaaammmaaammmabcdefaaaammmmabcdefmmmaaaa" },
	{ "slow strobe", "aaaaaaaazzzzzzzz" },
	{ "fluorescent flicker", "mmamammmmammamamaaamammma" },
	{ "slow pulse, never black", "abcdefghijklmnopqrrqponmlkjihgfedcba" },
};

/* Pattern of steady full brightness in games in which "z", not "m", is full brightness (OpenJK cg_light.c,
 * CG_SetLightstyle; g_spawn.c, defaultStyles). */
#define FULL_LETTER "z"
#define BRIGHTNESS_OF_M (('m' - 'a') / (float)('z' - 'a'))

/* Finds the entity that switches a style: a light with this style and a targetname. If there are several, the last one
 * counts, because its spawn function runs last. */
static uint32_t find_switch(const bspi_build *build, uint32_t style)
{
	const bspscene_scene *scene = build->scene;
	for (uint32_t i = scene->light_count; i-- > 0;) {
		uint32_t entity = scene->lights[i]->entity;
		if (scene->lights[i]->style == style && entity != BSPSCENE_NO_INDEX && scene->entities[entity]->targetname[0]) {
			return entity;
		}
	}
	return BSPSCENE_NO_INDEX;
}

/* True if the switch is off at first. Named lights set their style to "a" (dark) when they spawn with a flag. The flag
 * is 1 in Quake (misc.qc light), Quake II (g_misc.c SP_light) and Half-Life (lights.cpp CLight::Spawn), and 4 in Jedi
 * Academy (g_misc.c SP_light). */
static bool starts_off(const bspi_build *build, uint32_t entity)
{
	float flags = 0;
	bspi_entity_numbers(build, entity, "spawnflags", &flags, 1);
	return (uint32_t)fminf(fmaxf(flags, 0), 65535) & build->map->rules.entities->starts_off;
}

static bspscene_light_style describe(const bspi_build *build, uint32_t style)
{
	int32_t first_switchable = build->map->rules.entities->first_switchable_style;
	bspscene_light_style out = { .style = style, .name = "", .pattern = "m", .entity = BSPSCENE_NO_INDEX,
	                             .start = 1 };
	if (style < sizeof known_styles / sizeof *known_styles) {
		out.name = known_styles[style].name;
		out.pattern = known_styles[style].pattern;
	}
	if (build->map->rules.entities->styles_to_z) {
		bool steady = !out.pattern[1];
		if (steady) out.pattern = FULL_LETTER;
		else out.start = BRIGHTNESS_OF_M;
	}
	if (first_switchable > 0 && style >= (uint32_t)first_switchable) {
		out.switchable = true;
		out.entity = find_switch(build, style);
		if (out.entity != BSPSCENE_NO_INDEX) {
			out.name = build->scene->entities[out.entity]->targetname;
			if (starts_off(build, out.entity)) out.start = 0;
		}
	}
	return out;
}

bool bspi_build_light_styles(bspi_build *build)
{
	bspscene_scene *scene = build->scene;
	bool used[STYLE_COUNT] = { false };
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->face_count; i++) {
		for (int k = 0; k < BSPI_MAX_STYLES; k++) used[scene->faces[i].styles[k]] = true;
	}
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) used[scene->lightmap_sets[i].style & 0xff] = true;
	for (uint32_t i = 0; i < scene->light_count; i++) used[scene->lights[i]->style & 0xff] = true;
	used[NO_STYLE] = false;
	for (uint32_t i = 0; i < STYLE_COUNT; i++) count += used[i];

	bspscene_light_style *styles = bspi_push(build->ctx, &build->ctx->result, bspscene_light_style, count);
	BSPI_TRY(styles);
	scene->light_styles = bspi_table(build->ctx, bspscene_light_style, styles, count);
	BSPI_TRY(scene->light_styles);
	scene->light_style_count = count;
	for (uint32_t i = 0; i < STYLE_COUNT; i++) {
		if (used[i]) *styles++ = describe(build, i);
	}
	return true;
}
