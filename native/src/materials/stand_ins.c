/* stand_ins.c - chooses what is shown for missing images. A texture gets its mean color if the map stores it, otherwise
 * gray. A sky is generated, in colors that its name and light entities suggest. */
#include "materials/materials.h"

#include <math.h>

#include <bspscene/scene.h>

#include "base/text.h"

/* Display values, 0 to 255. Light is easy to see on gray. Liquids need another color than floors. */
static const uint8_t gray[3] = { 150, 150, 150 }, liquid[3] = { 74, 98, 110 };

static uint8_t display_byte(float value) { return (uint8_t)(fminf(fmaxf(value, 0), 1) * 255 + 0.5f); }

/* False for Source textures for which the map stores neither size nor color, because its compiler did not find the
 * material. */
static bool knows_color(const bspi_texture *texture)
{
	const float *mean = texture->reflectivity;
	bool black = !(mean[0] > 0 || mean[1] > 0 || mean[2] > 0);
	return texture->has_reflectivity && !(black && !texture->width);
}

/* True if a mean color is that of a normal map, which water often has as its first image: blue, with little and nearly
 * equal red and green. */
static bool is_mean_of_normals(const float mean[3])
{
	const float blue = 0.5f, share = 0.4f, alike = 0.1f;
	return mean[2] > blue && mean[0] < share * mean[2] && mean[1] < share * mean[2] && fabsf(mean[0] - mean[1]) < alike;
}

/* Sets the color that replaces a missing image: the mean that the map stores, otherwise a fixed color for liquids. The
 * map's compiler raised each value to the power of 2.2 before it computed the mean. */
static void color_image(bspscene_image *image, const bspi_texture *texture, const bspscene_material *material)
{
	const float gamma = 2.2f;
	bool liquid_kind = material->kind == BSPSCENE_MATERIAL_LIQUID;
	if (knows_color(texture) && !(liquid_kind && is_mean_of_normals(texture->reflectivity))) {
		for (int i = 0; i < 3; i++) {
			image->fallback_color[i] = display_byte((float)pow(fmaxf(texture->reflectivity[i], 0), 1 / gamma));
		}
	} else if (liquid_kind) {
		memcpy(image->fallback_color, liquid, sizeof liquid);
	}
}

/* ---- The sky ---------------------------------------------------------------------------------------------- */

typedef struct sky_colors {
	float zenith[3], horizon[3], ground[3]; /* display values 0..1 */
} sky_colors;

/* Words in names of skies, and the colors of such skies. More reliable words come first. */
static const struct { const char *word; sky_colors colors; } named_skies[] = {
	{ "space", { { 0.01f, 0.01f, 0.03f }, { 0.02f, 0.02f, 0.05f }, { 0.01f, 0.01f, 0.03f } } },
	{ "star", { { 0.01f, 0.01f, 0.03f }, { 0.03f, 0.03f, 0.07f }, { 0.01f, 0.01f, 0.03f } } },
	{ "black", { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } } },
	{ "night", { { 0.02f, 0.03f, 0.08f }, { 0.09f, 0.11f, 0.18f }, { 0.03f, 0.03f, 0.05f } } },
	{ "moon", { { 0.02f, 0.03f, 0.08f }, { 0.10f, 0.12f, 0.20f }, { 0.03f, 0.03f, 0.05f } } },
	{ "dusk", { { 0.22f, 0.24f, 0.40f }, { 0.80f, 0.52f, 0.36f }, { 0.22f, 0.18f, 0.18f } } },
	{ "dawn", { { 0.28f, 0.32f, 0.48f }, { 0.82f, 0.62f, 0.50f }, { 0.25f, 0.22f, 0.22f } } },
	{ "sunset", { { 0.22f, 0.24f, 0.40f }, { 0.84f, 0.50f, 0.30f }, { 0.22f, 0.18f, 0.18f } } },
	{ "storm", { { 0.22f, 0.24f, 0.28f }, { 0.42f, 0.44f, 0.48f }, { 0.18f, 0.18f, 0.20f } } },
	{ "cloud", { { 0.42f, 0.46f, 0.52f }, { 0.66f, 0.69f, 0.72f }, { 0.26f, 0.26f, 0.27f } } },
	{ "day", { { 0.30f, 0.46f, 0.70f }, { 0.72f, 0.79f, 0.86f }, { 0.32f, 0.32f, 0.31f } } },
};
static const sky_colors any_sky = {
	{ 0.34f, 0.42f, 0.54f }, { 0.62f, 0.67f, 0.71f }, { 0.27f, 0.27f, 0.27f }
};

static const sky_colors *colors_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof named_skies / sizeof *named_skies; i++) {
		if (bspi_text_contains(name, named_skies[i].word)) return &named_skies[i].colors;
	}
	return NULL;
}

/* Reads a light value "r g b brightness" (GoldSrc, Source) from the first entity of a class whose key has at least
 * `least` numbers. On a bright day, r, g and b are about 255 and brightness is 200. Returns false if there is no such
 * entity, or if the color is black. */
static bool read_light(const bspscene_scene *scene, const char *classname, const char *key, uint32_t least,
                       float color[4])
{
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		if (!bspi_text_equal(scene->entities[i]->classname, classname)) continue;
		const char *text = bspscene_entity_value(scene, i, key);
		if (text && bspi_text_numbers(text, color, 4) >= least) return color[0] > 0 || color[1] > 0 || color[2] > 0;
	}
	return false;
}

/* Reads the brightness and color of the sunlight from worldspawn, for the compilers of Quake and Quake II. The color
 * is 0..1 or 0..255. The key for light from the whole sky is preferred to the keys for the sun (ericw-tools'
 * light). */
static bool read_sunlight(const bspscene_scene *scene, float light[4])
{
	static const char *const keys[][2] = {
		{ "_sunlight2", "_sunlight2_color" }, { "_sunlight", "_sunlight_color" }, { "_sun_light", "_sun_color" },
	};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		float level[4] = { 0 }, color[4] = { 1, 1, 1, 0 };
		if (!read_light(scene, "worldspawn", keys[i][0], 1, level) || !(level[0] > 0)) continue;
		if (!read_light(scene, "worldspawn", keys[i][1], 3, color)) color[0] = color[1] = color[2] = 1;
		float most = fmaxf(color[0], fmaxf(color[1], color[2])), unit = most > 1 ? 1 : 255;
		for (int k = 0; k < 3; k++) light[k] = color[k] * unit;
		light[3] = level[0];
		return true;
	}
	return false;
}

/* Reads the light that the map's compiler used for the sky. `level` is its brightness relative to a bright day, 0..1;
 * `tint` is its color. */
static bool read_sky_light(const bspscene_scene *scene, float tint[3], float *level)
{
	const float full = 200, share = 0.5f;
	float light[4] = { 0, 0, 0, full };
	bool known = read_light(scene, "light_environment", "_ambient", 3, light) ||
	             read_light(scene, "light_environment", "_diffuse_light", 3, light) ||
	             read_light(scene, "light_environment", "_light", 3, light) || read_sunlight(scene, light);
	float most = fmaxf(light[0], fmaxf(light[1], light[2]));
	if (!known || !(most > 0) || !(light[3] > 0)) return false;
	for (int i = 0; i < 3; i++) tint[i] = 1 - share + share * fmaxf(light[i], 0) / most;
	*level = fminf(fmaxf(sqrtf(light[3] * most / 255 / full), 0.12f), 1);
	return true;
}

static sky_colors choose_colors(const bspscene_scene *scene, const char *name)
{
	const sky_colors *named = colors_by_name(name);
	sky_colors colors = named ? *named : any_sky;
	float tint[3], level;
	if (!read_sky_light(scene, tint, &level)) return colors;
	if (named) level = 1;
	for (int i = 0; i < 3; i++) {
		colors.zenith[i] *= level * tint[i];
		colors.horizon[i] *= level * tint[i];
		colors.ground[i] *= level * tint[i];
	}
	return colors;
}

static void sky_texel(const sky_colors *colors, const float direction[3], uint8_t out[4])
{
	const float into_ground = 4;
	float length = sqrtf(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
	float up = direction[2] / length, rise = sqrtf(fmaxf(up, 0)), fall = fminf(fmaxf(-up * into_ground, 0), 1);
	for (int i = 0; i < 3; i++) {
		float value = colors->horizon[i] + (colors->zenith[i] - colors->horizon[i]) * rise;
		out[i] = display_byte(value + (colors->ground[i] - value) * fall);
	}
	out[3] = 255;
}

/* One image serves all four sides, because the color depends only on the elevation. */
enum sky_side { SKY_SIDE, SKY_UP, SKY_DOWN, SKY_PICTURES };

static bool add_sky_picture(bspi_materials *m, const sky_colors *colors, enum sky_side side, uint32_t *index)
{
	enum { SIZE = 16 };
	static const char *const names[SKY_PICTURES] = { "plain sky", "plain sky above", "plain sky below" };
	uint8_t *texels = bspi_push(m->ctx, &m->ctx->result, uint8_t, (size_t)SIZE * SIZE * 4);
	BSPI_TRY(texels);
	for (uint32_t i = 0; i < SIZE * SIZE; i++) {
		uint32_t column = i % SIZE, row = i / SIZE;
		float right = ((float)column + 0.5f) * 2 / SIZE - 1, down = ((float)row + 0.5f) * 2 / SIZE - 1;
		float outward = side == SKY_UP ? 1 : -1;
		float direction[3] = { right, side == SKY_SIDE ? 1 : down, side == SKY_SIDE ? -down : outward };
		sky_texel(colors, direction, texels + (size_t)i * 4);
	}
	bspscene_image image = {
		.name = names[side], .path = "", .archive = "", .format = BSPSCENE_IMAGE_RGBA, .width = SIZE, .height = SIZE,
		.data = texels, .size = (size_t)SIZE * SIZE * 4, .is_generated = true,
	};
	return bspi_add_image(m, &image, index);
}

static bool add_sky(bspi_materials *m, const char *name, uint32_t pictures[SKY_PICTURES])
{
	sky_colors colors = choose_colors(m->scene, name);
	for (int i = 0; i < SKY_PICTURES; i++) BSPI_TRY(add_sky_picture(m, &colors, (enum sky_side)i, &pictures[i]));
	return true;
}

static bool is_at_hand(const bspi_materials *m, uint32_t image)
{
	return image != BSPSCENE_NO_INDEX && m->images[image].format != BSPSCENE_IMAGE_MISSING;
}

/* True if the material has a box, clouds or Quake's layers. */
static bool has_sky(const bspi_materials *m, const bspscene_material *material)
{
	const bspscene_sky *sky = material->sky;
	for (int i = 0; sky && i < 6; i++) {
		if (is_at_hand(m, sky->box[i])) return true;
	}
	for (uint32_t i = 0; i < material->pass_count; i++) {
		const bspscene_material_pass *stage = &m->stages[material->first_pass + i];
		if (stage->input == BSPSCENE_PASS_INPUT_IMAGE && is_at_hand(m, m->frames[stage->first_frame_image]))
			return true;
	}
	return sky && (is_at_hand(m, sky->layers[0]) || is_at_hand(m, sky->layers[1]));
}

/* Gives the material its own copy of the sky, because materials of the same shader share one. */
static bool give_sky(bspi_materials *m, const uint32_t pictures[SKY_PICTURES], bspscene_material *material)
{
	static const enum sky_side sides[6] = { SKY_SIDE, SKY_SIDE, SKY_SIDE, SKY_SIDE, SKY_UP, SKY_DOWN };
	const bspscene_sky *known = material->sky;
	bspscene_sky *sky = bspi_add_sky(m->ctx, material);
	BSPI_TRY(sky);
	if (known) *sky = *known;
	for (int i = 0; i < 6; i++) sky->box[i] = pictures[sides[i]];
	return true;
}

static bool give_skies(bspi_materials *m, bspscene_material *materials, uint32_t count)
{
	uint32_t pictures[SKY_PICTURES];
	bool made = false;
	for (uint32_t i = 0; i < count; i++) {
		bspscene_material *material = &materials[i];
		if (material->kind != BSPSCENE_MATERIAL_SKY || has_sky(m, material)) continue;
		const char *name = material->sky && *material->sky->name ? material->sky->name : material->name;
		if (!made) BSPI_TRY(add_sky(m, name, pictures));
		made = true;
		BSPI_TRY(give_sky(m, pictures, material));
	}
	return true;
}

/* ---- Entry ------------------------------------------------------------------------------------------------ */

bool bspi_make_fallbacks(bspi_materials *m, bspscene_material *all, uint32_t count)
{
	bool checkered = m->ctx->options.missing == BSPSCENE_MISSING_CHECKER;
	for (uint32_t i = 0; i < m->image_count; i++) {
		memcpy(m->images[i].fallback_color, gray, sizeof gray);
		m->images[i].is_checkerboard = checkered;
	}
	for (uint32_t i = 0; i < m->texture_count; i++) {
		const bspi_texture *texture = &m->textures[i];
		if (m->texture_materials[i] == BSPSCENE_NO_INDEX) continue;
		const bspscene_material *material = &all[m->texture_materials[i]];
		if (material->base_image != BSPSCENE_NO_INDEX) color_image(&m->images[material->base_image], texture, material);
	}
	bool wanted = !checkered && m->ctx->options.textures != BSPSCENE_TEXTURES_NONE;
	return !wanted || give_skies(m, all, count);
}
