/* tile_view.c - finds views of a map and rates small pictures of them. See tile_view.h. */
#include "archive/pictures/tile_view.h"

#ifdef CLI_HAVE_RENDER

	#include <math.h>
	#include <string.h>

enum {
	PIXEL = 3,
	LEVELS = 32,                       /* number of classes of brightness for the entropy */
	COLORS = 4096,                     /* number of colors with 4 bits for each channel */
	NEARLY_BLACK = 20,
	MOST_CAMERAS = 6,                  /* largest number of cameras of each kind that are tried */
	MOST_SPAWNS = 6,
	DIRECTIONS = 4
};
/* Usual mean difference between neighboring pixels in a picture with many details. */
	#define FULL_DETAIL 14.0f
/* In game units, about the width of a corridor. Surfaces nearer than this hide the map. */
	#define NEARBY 96.0f

/* ---- Pictures --------------------------------------------------------------------------------------------- */

static unsigned brightness_of(const uint8_t *rgb)
{
	return (rgb[0] * 54u + rgb[1] * 183u + rgb[2] * 19u) >> 8;
}

static float entropy_of(const uint32_t counts[LEVELS], double total)
{
	double sum = 0;
	for (int i = 0; i < LEVELS; i++) {
		double share = counts[i] / total;
		if (share > 0) sum -= share * log2(share);
	}
	return (float)(sum / log2(LEVELS));
}

cli_picture_look cli_measure_picture(const uint8_t *rgb, uint32_t width, uint32_t height, const uint8_t *background)
{
	uint32_t levels[LEVELS] = { 0 }, colors[COLORS] = { 0 }, black = 0, most = 0, shown = 0;
	uint64_t sum = 0, differences = 0;
	size_t count = (size_t)width * height;
	for (size_t i = 0; i < count; i++) {
		const uint8_t *at = rgb + i * PIXEL;
		unsigned bright = brightness_of(at);
		bool has_right = (i + 1) % width != 0, has_below = i + width < count;
		if (background && !memcmp(at, background, PIXEL)) continue;
		shown++;
		sum += bright;
		black += bright < NEARLY_BLACK;
		levels[bright * LEVELS / 256]++;
		uint32_t *color = &colors[(at[0] >> 4) << 8 | (at[1] >> 4) << 4 | at[2] >> 4];
		if (++*color > most) most = *color;
		unsigned right = has_right ? brightness_of(at + PIXEL) : bright;
		unsigned below = has_below ? brightness_of(at + (size_t)width * PIXEL) : bright;
		differences += right > bright ? right - bright : bright - right;
		differences += below > bright ? below - bright : bright - below;
	}
	double total = shown ? shown : 1;
	double detail = (double)differences / total / 2 / (double)FULL_DETAIL;
	return (cli_picture_look) {
		.entropy = entropy_of(levels, total),
		.black = (float)(black / total),
		.alike = (float)(most / total),
		.detail = (float)(detail < 1 ? detail : 1),
		.brightness = (float)((double)sum / total / 255),
	};
}

float cli_measure_nearness(const float *distances, size_t count)
{
	size_t nearby = 0;
	for (size_t i = 0; i < count; i++) nearby += distances[i] < NEARBY;
	return count ? (float)nearby / (float)count : 0;
}

bool cli_is_useless(const cli_picture_look *look)
{
	return look->black > 0.8f || look->alike > 0.7f || look->entropy < 0.3f || look->brightness < 0.06f;
}

static float beyond(float value, float limit)
{
	return value > limit ? value - limit : 0;
}

float cli_rate_picture(const cli_picture_look *look)
{
	float against = 0.9f * beyond(look->black, 0.15f) + 0.7f * beyond(look->alike, 0.25f) +
	                0.6f * beyond(look->nearness, 0.25f);
	return look->entropy + 0.35f * look->detail - against - (cli_is_useless(look) ? 1.0f : 0.0f);
}

/* ---- Views ------------------------------------------------------------------------------------------------ */

static uint32_t count_cameras(const bspscene_scene *scene, bspscene_camera_kind kind)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->camera_count; i++) count += scene->cameras[i]->kind == kind;
	return count;
}

/* Adds views of the map's cameras of one kind, in several directions each. If there are too many cameras, takes them at
 * even intervals. */
static uint32_t add_cameras(const bspscene_scene *scene, const cli_tile_view *like, bspscene_camera_kind kind,
                            uint32_t most, uint32_t directions, cli_tile_view *out)
{
	uint32_t all = count_cameras(scene, kind), wanted = all < most ? all : most, seen = 0, count = 0;
	for (uint32_t i = 0; i < scene->camera_count && count < wanted * directions; i++) {
		if (scene->cameras[i]->kind != kind) continue;
		if (seen++ * (uint64_t)wanted < count / directions * (uint64_t)all) continue;
		for (uint32_t turned = 0; turned < directions; turned++) {
			cli_tile_view *view = &out[count++];
			*view = *like;
			view->view = bspscene_view_of_camera(scene, i);
			view->view.yaw += 360.0f / (float)directions * (float)turned;
			if (view->view.yaw >= 180) view->view.yaw -= 360;
			if (turned) view->bonus = 0;
			if (turned) view->text = "from where a player starts, turned aside";
		}
	}
	return count;
}

uint32_t cli_list_tile_views(const bspscene_scene *scene, uint32_t width, uint32_t height,
                             cli_tile_view out[CLI_MOST_TILE_VIEWS])
{
	static const cli_tile_view shown = { .text = "what is shown between matches", .bonus = 0.12f };
	static const cli_tile_view placed = { .text = "from a camera of the map", .bonus = 0.04f };
	static const cli_tile_view start = { .text = "from where a player starts", .bonus = 0.04f };
	uint32_t count = add_cameras(scene, &shown, BSPSCENE_CAMERA_INTERMISSION, MOST_CAMERAS, 1, out);
	count += add_cameras(scene, &placed, BSPSCENE_CAMERA_OTHER, MOST_CAMERAS, 1, out + count);
	count += add_cameras(scene, &start, BSPSCENE_CAMERA_SPAWN, MOST_SPAWNS, DIRECTIONS, out + count);
	/* A view from outside should rate lower than most views of rooms, but higher than a black picture. */
	out[count++] = (cli_tile_view) {
		.view = bspscene_view_overview(scene, width, height), .text = "from above, without roofs", .bonus = -0.25f,
		.above = true,
	};
	return count;
}

#else

typedef int cli_no_tile_view; /* a source file in C must declare something */

#endif
