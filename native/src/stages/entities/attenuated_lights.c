/* attenuated_lights.c - reads Source's light entities, whose falloff has three coefficients. They are the lights that
 * vrad bakes (utils/vrad/lightmap.cpp), and those of the running game. The map compiler's own list (world_lights.c) has
 * the same numbers. The intensity of a light is 255 times its light at a distance of 100 units. */
#include "stages/entities/nodes.h"

#include "base/text.h"
#include "base/vec.h"

#define REFERENCE 100.0f
#define MOST_LIGHT 1e9f
#define BRIGHTEST 1e6f
#define GAMMA 2.2f

/* A term of the falloff is ignored if, at the reference distance, its share of the sum is smaller than this. */
#define SHARE 0.01f

void bspi_fade_light(bspscene_light *light, float constant, float linear, float quadratic)
{
	float parts[3] = { fmaxf(constant, 0), fmaxf(linear, 0) * REFERENCE, fmaxf(quadratic, 0) * REFERENCE * REFERENCE };
	float sum = parts[0] + parts[1] + parts[2];
	if (!(sum > 0) || !isfinite(sum)) {
		light->falloff = BSPSCENE_FALLOFF_NONE;
		return;
	}
	/* The kind of falloff is given by the highest power that has a significant share, because that determines the light
	 * far away. */
	light->falloff = parts[2] > sum * SHARE ? BSPSCENE_FALLOFF_INVERSE_SQUARE
	                 : parts[1] > sum * SHARE ? BSPSCENE_FALLOFF_INVERSE : BSPSCENE_FALLOFF_NONE;
	light->intensity = fminf(light->intensity / sum, MOST_LIGHT);
}

/* Reads "r g b brightness", after which four numbers for HDR may follow. The key counts as missing if a number is
 * negative, or if there are 2, 5, 6 or 7 numbers. Colors are display values. Brightness is linear, and 255 means a
 * light of 1. */
static bool read_color(const bspi_nodes *nodes, uint32_t entity, const char *key, bool hdr, bspscene_light *light)
{
	float all[8];
	uint32_t count = bspi_entity_numbers(nodes->build, entity, key, all, 8);
	const float *rgbi = all + (count == 8 && hdr ? 4 : 0);
	bool known = count == 1 || count == 3 || count == 4 || count == 8;
	for (uint32_t i = 0; i < count; i++) known = known && all[i] >= 0;
	if (!known) return false;
	for (int i = 0; i < 3; i++) light->color[i] = fminf(rgbi[count == 1 ? 0 : i], BRIGHTEST);
	float brightest = bspi_normalize_color(light->color) / 255;
	light->intensity = fminf((float)pow(brightest, GAMMA) * (count >= 4 ? rgbi[3] : 255), MOST_LIGHT);
	return true;
}

/* Reads the brightness. If the compiler's list of lights is for HDR, the HDR key comes first, otherwise the LDR key. If
 * that key is missing, the other one is read. */
static void read_brightness(const bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	bool hdr = nodes->build->map->hdr_lights;
	float scale = bspi_entity_number(nodes, entity, "_lightscaleHDR", 1);
	bool high = hdr && read_color(nodes, entity, "_lightHDR", hdr, light);
	bool found = high || read_color(nodes, entity, "_light", hdr, light);
	if (!found) high = found = read_color(nodes, entity, "_lightHDR", true, light);
	if (!found) light->color[0] = light->color[1] = light->color[2] = 1;
	if (!found) light->intensity = 0;
	if ((hdr || high) && scale >= 0) light->intensity = fminf(light->intensity * scale, MOST_LIGHT);
}

/* ---- Falloff ---------------------------------------------------------------------------------------------- */

/* Finds the parabola a x^2 + b x + 1 through the points (near, at_near) and (far, at_far). */
static void fit(float near, float at_near, float far, float at_far, float *a, float *b)
{
	float slope_near = (at_near - 1) / near, slope_far = (at_far - 1) / far;
	*a = (slope_far - slope_near) / (far - near);
	*b = slope_near - *a * near;
}

/* Finds coefficients for a light that is reduced to a half at one distance and to 1/256 at another one. The light is
 * divided by a parabola of the distance, which is 2 at the first distance and 256 at the second. This parabola may
 * fall before it rises. vrad then changes it toward a line until it does not fall, and scales it so that it is 2 again
 * at the first distance (SolveInverseQuadraticMonotonic). */
static void fade_by_distances(bspscene_light *light, float half, float zero)
{
	const float at_half = 2, at_zero = 256;
	if (zero < half) zero = 2 * half;
	float a = 0, b = 0;
	if (!(zero > half)) {              /* the second distance is not valid, so only the first one is used */
		bspi_fade_light(light, 0, at_half / half, 0);
		return;
	}
	for (int step = 0; step <= 20; step++) {
		float line = 1 + (at_zero - 1) * half / zero, at = at_half + (line - at_half) * (float)step / 20;
		fit(half, at, zero, at_zero, &a, &b);
		if (2 * a + b >= 0) break;
	}
	float scale = at_half / (1 + half * (b + half * a));
	bspi_fade_light(light, scale, b * scale, a * scale);
}

static void read_falloff(const bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	float half = bspi_entity_number(nodes, entity, "_fifty_percent_distance", 0);
	if (half > 0) {
		fade_by_distances(light, half, bspi_entity_number(nodes, entity, "_zero_percent_distance", 0));
		return;
	}
	/* The keys give the brightness that these lights have at the reference distance. */
	float brightness = light->intensity;
	bspi_fade_light(light, bspi_entity_number(nodes, entity, "_constant_attn", 0),
	                bspi_entity_number(nodes, entity, "_linear_attn", 0),
	                bspi_entity_number(nodes, entity, "_quadratic_attn", 0));
	light->intensity = brightness;
	light->radius = fmaxf(bspi_entity_number(nodes, entity, "_distance", 0), 0);
}

/* ---- Direction and cones ---------------------------------------------------------------------------------- */

/* Reads the half angles of the inner and the outer cone, in degrees from the cone's axis. Returns false if the light
 * shines in all directions. */
static bool read_cones(const bspi_nodes *nodes, uint32_t entity, float *inner, float *outer)
{
	*inner = bspi_entity_number(nodes, entity, "_inner_cone", 0);
	*outer = bspi_entity_number(nodes, entity, "_cone", 0);
	if (!(*inner > 0)) *inner = 10;
	*outer = fmaxf(*inner, *outer);
	return !(*inner == 180 && *outer == 180);
}

static void read_baked(bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	const char *classname = nodes->build->scene->entities[entity]->classname;
	float direction[3], inner, outer;
	read_brightness(nodes, entity, light);
	if (bspi_text_equal(classname, "light_environment")) {
		light->falloff = BSPSCENE_FALLOFF_NONE;
		bspi_aim_by_pitch(nodes, entity, true, direction);
		bspi_make_spot(nodes, entity, light, direction, 10, 10);
		light->kind = BSPSCENE_LIGHT_SUN;
		return;
	}
	read_falloff(nodes, entity, light);
	if (!bspi_text_equal(classname, "light_spot") || !read_cones(nodes, entity, &inner, &outer)) return;
	bspi_aim_by_pitch(nodes, entity, true, direction);
	bspi_make_spot(nodes, entity, light, direction, inner, outer);
}

/* ---- Lights of the running game --------------------------------------------------------------------------- */

/* Reads a dynamic light. Its light is 2 ^ brightness times its color, and ends at the distance that a key gives. */
static void read_dynamic(bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	float color[3], direction[3], inner = bspi_entity_number(nodes, entity, "_inner_cone", 0);
	float outer = bspi_entity_number(nodes, entity, "_cone", 0);
	if (bspi_entity_numbers(nodes->build, entity, "_light", color, 3) == 3) {
		for (int i = 0; i < 3; i++) light->color[i] = fminf(fmaxf(color[i], 0), BRIGHTEST);
		light->intensity = (float)pow(bspi_normalize_color(light->color) / 255, GAMMA) * 255;
	}
	float brightness = fminf(fmaxf(bspi_entity_number(nodes, entity, "brightness", 0), -20), 20);
	light->intensity = fminf(light->intensity * (float)exp2(brightness), MOST_LIGHT);
	light->radius = fmaxf(bspi_entity_number(nodes, entity, "distance", 0), 0);
	if (!(outer > 0) || !bspi_aim_by_pitch(nodes, entity, true, direction)) return;
	bspi_make_spot(nodes, entity, light, direction, fminf(inner, outer), outer);
}

/* Makes the light a spot light that points to its target or, without a target, along the key `angles`. The angles
 * have the same meaning as in entities that are not lights; baked lights use bspi_aim_by_pitch instead. */
static void aim_by_angles(bspi_nodes *nodes, uint32_t entity, bspscene_light *light, float half_angle)
{
	const bspscene_entity *e = nodes->build->scene->entities[entity];
	float angles[3], m[12], direction[3];
	bspi_entity_angles(nodes, entity, angles);
	bspi_transform_angles(m, e->origin, angles[0], angles[1], angles[2]);
	for (int i = 0; i < 3; i++) direction[i] = m[4 * i];
	bspi_target_direction(nodes, e, direction);
	bspi_make_spot(nodes, entity, light, direction, half_angle, half_angle);
}

static void read_projected(bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	float fov = bspi_entity_number(nodes, entity, "lightfov", 90);
	if (!read_color(nodes, entity, "lightcolor", false, light)) light->intensity = 200;
	light->falloff = BSPSCENE_FALLOFF_INVERSE;
	light->radius = fmaxf(bspi_entity_number(nodes, entity, "farz", 750), 0);
	aim_by_angles(nodes, entity, light, fov / 2);
}

static void read_beam(bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	const float degrees = 57.29577951308232f;
	float length = bspi_entity_number(nodes, entity, "spotlightlength", 500),
	      width = bspi_entity_number(nodes, entity, "spotlightwidth", 50);
	if (!read_color(nodes, entity, "rendercolor", false, light)) light->intensity = 255;
	light->radius = fmaxf(length, 1);
	aim_by_angles(nodes, entity, light, (float)atan(fmaxf(width, 1) / 2 / light->radius) * degrees);
}

/* Classes of lights that exist only in the running game. Without the spawnflag `started` the light is off at first. If
 * `started` is 0, it is always on. */
static const struct runtime_light {
	const char *classname;
	void (*read)(bspi_nodes *nodes, uint32_t entity, bspscene_light *light);
	uint32_t started;
} runtime_lights[] = {
	{ "light_dynamic", read_dynamic, 0 },
	{ "env_projectedtexture", read_projected, 1 },
	{ "point_spotlight", read_beam, 1 },
};

static const struct runtime_light *find_runtime(const char *classname)
{
	for (size_t i = 0; i < sizeof runtime_lights / sizeof *runtime_lights; i++) {
		if (bspi_text_equal(classname, runtime_lights[i].classname)) return &runtime_lights[i];
	}
	return NULL;
}

bool bspi_is_attenuated_light(const char *classname)
{
	return bspi_text_starts(classname, "light") || find_runtime(classname);
}

void bspi_read_attenuated_light(bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	const bspscene_entity *e = nodes->build->scene->entities[entity];
	const struct runtime_light *runtime = find_runtime(e->classname);
	light->color[0] = light->color[1] = light->color[2] = 1;
	if (!runtime) {
		read_baked(nodes, entity, light);
		return;
	}
	float flags = bspi_entity_number(nodes, entity, "spawnflags", (float)runtime->started);
	light->is_dynamic = true;
	nodes->nodes[e->node].hidden |= runtime->started && !((uint32_t)fminf(fmaxf(flags, 0), 65535) & runtime->started);
	runtime->read(nodes, entity, light);
}
