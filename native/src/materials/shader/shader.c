/* shader.c - parses the keywords of a whole shader into bspi_shader. Meaning and defaults are ioquake3's (tr_shader.c
 * ParseShader). Keywords of RTCW, Enemy Territory, Raven's games, QFusion, DarkPlaces and XreaL are known, so that
 * their scripts cause no warnings. */
#include "materials/shader/shader.h"

#include <math.h>

/* values of `sort`, from tr_local.h shaderSort_t */
enum { SORT_PORTAL = 1, SORT_SKY, SORT_OPAQUE, SORT_DECAL, SORT_SEE_THROUGH, SORT_BANNER, SORT_FOG, SORT_UNDERWATER,
       SORT_BLEND, SORT_ADDITIVE, SORT_NEAREST = 16 };

#define CLOUD_HEIGHT 512.0f            /* the engine's default (ParseSkyParms) */

static void read_cull(bspi_shader_parser *p)
{
	if (!bspi_script_argument(p->script)) return;
	const bspi_script *s = p->script;
	bool none = bspi_script_is(s, "none") || bspi_script_is(s, "disable") || bspi_script_is(s, "twosided");
	bool back = bspi_script_is(s, "back") || bspi_script_is(s, "backside") || bspi_script_is(s, "backsided");
	p->shader->material.cull = none ? BSPSCENE_CULL_NONE : back ? BSPSCENE_CULL_FRONT : BSPSCENE_CULL_BACK;
	p->shader->cull_set = true;
}

static void read_surface_parm(bspi_shader_parser *p)
{
	static const struct { const char *name; uint32_t parm; } parms[] = {
		{ "sky", BSPI_PARM_SKY }, { "nodraw", BSPI_PARM_NODRAW }, { "hint", BSPI_PARM_HINT },
		{ "skip", BSPI_PARM_SKIP }, { "fog", BSPI_PARM_FOG }, { "water", BSPI_PARM_WATER },
		{ "slime", BSPI_PARM_SLIME }, { "slag", BSPI_PARM_SLIME }, { "lava", BSPI_PARM_LAVA },
		{ "trans", BSPI_PARM_TRANS }, { "trigger", BSPI_PARM_TRIGGER }, { "playerclip", BSPI_PARM_CLIP },
		{ "monsterclip", BSPI_PARM_CLIP }, { "botclip", BSPI_PARM_CLIP }, { "clipmissile", BSPI_PARM_CLIP },
		{ "clipshot", BSPI_PARM_CLIP }, { "shotclip", BSPI_PARM_CLIP }, { "origin", BSPI_PARM_TOOL },
		{ "areaportal", BSPI_PARM_TOOL }, { "clusterportal", BSPI_PARM_TOOL }, { "antiportal", BSPI_PARM_TOOL },
		{ "donotenter", BSPI_PARM_TOOL }, { "donotenterlarge", BSPI_PARM_TOOL }, { "lightgrid", BSPI_PARM_TOOL },
	};
	if (!bspi_script_argument(p->script)) return;
	for (size_t i = 0; i < sizeof parms / sizeof *parms; i++) {
		if (bspi_script_is(p->script, parms[i].name)) p->shader->parms |= parms[i].parm;
	}
}

/* Reads the name of a sky box. `behind` is added to the name, before the suffix of each side. */
static void read_sky_box(bspi_shader_parser *p, const char *behind)
{
	p->shader->is_sky = true;
	p->shader->sky.cloud_height = CLOUD_HEIGHT;
	if (!bspi_script_argument(p->script)) return;
	if (!bspi_script_is(p->script, "-")) {
		p->shader->sky_box = bspi_text_format(p->ctx, &p->ctx->scratch, "%s%s", p->script->word, behind);
		p->failed |= !p->shader->sky_box;
	}
	float height = bspi_script_number(p->script);
	if (height > 0) p->shader->sky.cloud_height = height;
	bspi_script_skip_line(p->script);  /* name of an inner box, which no engine draws */
}

/* Reads QFusion's six image names: right, back, left, front, up and down. In place of a name, the suffix of another
 * side means the image of that side. If one is missing, there is no box (r_shader.c Shader_ParseCustomSkySides). */
static void read_sky_sides(bspi_shader_parser *p)
{
	bspi_shader *shader = p->shader;
	const char **sides = shader->sky_sides;
	int same[6];
	bool all = true;
	shader->is_sky = true;
	shader->sky_box = NULL;
	for (int i = 0; i < 6; i++) {
		bool named = bspi_script_argument(p->script);
		for (same[i] = 0; same[i] < 6 && !(named && bspi_script_is(p->script, bspi_box_suffixes[same[i]])); ) same[i]++;
		sides[i] = named && same[i] == 6 ? bspi_keep_word(p) : NULL;
	}
	for (int i = 0; i < 6; i++) {
		if (same[i] < 6) sides[i] = sides[same[i]];
		all = all && sides[i];
	}
	if (!all) memset(shader->sky_sides, 0, sizeof shader->sky_sides);
	float height = bspi_script_number(p->script);
	shader->sky.cloud_height = height > 0 ? height : CLOUD_HEIGHT;
	bspi_script_skip_line(p->script);
}

static void read_sky(bspi_shader_parser *p) { read_sky_box(p, "_"); }
static void read_plain_sky(bspi_shader_parser *p) { read_sky_box(p, ""); } /* QFusion's skyparms2 */

static void read_fog(bspi_shader_parser *p)
{
	bspscene_fog_parms *fog = &p->shader->fog;
	bspi_script_vector(p->script, fog->color, 3);
	for (int i = 0; i < 3; i++) fog->color[i] = fminf(fmaxf(fog->color[i], 0), 1);
	fog->depth = fmaxf(bspi_script_number(p->script), 1); /* as in the engine's R_LoadFogs */
	bspi_script_skip_line(p->script);  /* direction of the fog's gradient, written by old compilers */
}

/* Reads "r g b intensity degrees elevation". Both angles are in degrees and give the direction to the sun. */
static void read_sun(bspi_shader_parser *p)
{
	bspscene_sky *sky = &p->shader->sky;
	const float to_radians = 0.017453292519943295f;
	float v[6];
	bspi_script_vector(p->script, v, 6);
	float largest = fmaxf(fmaxf(v[0], v[1]), v[2]);
	for (int i = 0; i < 3; i++) sky->sun_color[i] = largest > 0 ? fmaxf(v[i], 0) / largest : 1;
	sky->has_sun = true;
	sky->sun_intensity = v[3];
	float degrees = fmodf(v[4], 360) * to_radians, elevation = fmodf(v[5], 360) * to_radians;
	sky->sun_direction[0] = (float)cos(degrees) * (float)cos(elevation);
	sky->sun_direction[1] = (float)sin(degrees) * (float)cos(elevation);
	sky->sun_direction[2] = (float)sin(elevation);
	bspi_script_skip_line(p->script);
}

static void read_sort(bspi_shader_parser *p)
{
	static const struct { const char *name; float sort; } names[] = {
		{ "portal", SORT_PORTAL }, { "sky", SORT_SKY }, { "opaque", SORT_OPAQUE }, { "decal", SORT_DECAL },
		{ "seethrough", SORT_SEE_THROUGH }, { "banner", SORT_BANNER }, { "underwater", SORT_UNDERWATER },
		{ "additive", SORT_ADDITIVE }, { "nearest", SORT_NEAREST },
	};
	if (!bspi_script_argument(p->script)) return;
	bspi_text_number(p->script->word, &p->shader->material.sort);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (bspi_script_is(p->script, names[i].name)) p->shader->material.sort = names[i].sort;
	}
}

static void read_portal(bspi_shader_parser *p)
{
	p->shader->material.portal = true;
	p->shader->material.sort = SORT_PORTAL;
}

static void read_implicit(bspi_shader_parser *p)
{
	bool mask = bspi_script_is(p->script, "implicitmask"), blend = bspi_script_is(p->script, "implicitblend");
	p->shader->implicit = mask ? BSPI_IMPLICIT_MASK : blend ? BSPI_IMPLICIT_BLEND : BSPI_IMPLICIT_MAP;
	p->shader->implicit_image = bspi_script_argument(p->script) ? bspi_keep_word(p) : "-";
}

static void read_surface_light(bspi_shader_parser *p)
{
	p->shader->material.surface_light = bspi_script_number(p->script);
}

static void read_polygon_offset(bspi_shader_parser *p) { p->shader->material.polygon_offset = true; }
static void read_no_picmip(bspi_shader_parser *p) { p->shader->material.no_picmip = true; }

static void read_no_mipmaps(bspi_shader_parser *p)
{
	p->shader->material.no_mipmaps = true;
	p->shader->material.no_picmip = true;
}

static void read_editor_image(bspi_shader_parser *p)
{
	if (bspi_script_argument(p->script)) p->shader->editor_image = bspi_keep_word(p);
}

static void read_light_image(bspi_shader_parser *p)
{
	if (bspi_script_argument(p->script)) p->shader->light_image = bspi_keep_word(p);
}

static void read_normal_map(bspi_shader_parser *p)
{
	if (bspi_script_argument(p->script)) p->shader->normal_image = bspi_keep_word(p);
}

/* Reads QFusion's "if deluxe ... endif" around whole passes. If the condition is false, skips to the endif. */
static void read_if(bspi_shader_parser *p)
{
	if (bspi_read_condition(p->script)) return;
	for (size_t depth = 1; depth && bspi_script_next(p->script); ) {
		if (bspi_script_is(p->script, "if")) depth++;
		if (bspi_script_is(p->script, "endif")) depth--;
	}
}

static const bspi_shader_keyword surface_keywords[] = {
	{ "surfaceparm", read_surface_parm },
	{ "cull", read_cull },
	{ "qer_editorimage", read_editor_image },
	{ "q3map_lightimage", read_light_image },
	{ "q3map_surfacelight", read_surface_light },
	{ "q3map_sun*", read_sun },        /* q3map_sunExt has two more numbers */
	{ "sun", read_sun },
	{ "sort", read_sort },
	{ "portal", read_portal },
	{ "polygonoffset", read_polygon_offset },
	{ "deformvertexes", bspi_read_deform },
	{ "skyparms", read_sky },
	{ "skyparms2", read_plain_sky },
	{ "skyparmssides", read_sky_sides },
	{ "fogparms", read_fog },
	{ "nomipmaps", read_no_mipmaps },
	{ "nomipmap", read_no_mipmaps },
	{ "nopicmip", read_no_picmip },
	{ "implicitmap", read_implicit },
	{ "implicitmask", read_implicit },
	{ "implicitblend", read_implicit },
	{ "diffusemap", read_implicit },
	{ "normalmap", read_normal_map },
	{ "if", read_if },
	{ "template", bspi_read_template },
	/* for map tools and servers; ignored */
	{ "qer*", NULL }, { "q3map*", NULL }, { "tesssize", NULL }, { "light", NULL }, { "light1", NULL },
	{ "entitymergable", NULL }, { "clamptime", NULL },
	/* RTCW and Enemy Territory; ignored */
	{ "skyfogvars", NULL }, { "waterfogvars", NULL }, { "fogvars", NULL }, { "sunshader", NULL },
	{ "lightgridmul*", NULL }, { "nocompress", NULL }, { "allowcompress", NULL }, { "nofog", NULL },
	{ "distancecull", NULL }, { "novlcollapse", NULL },
	/* Raven's games; ignored */
	{ "material", NULL }, { "hitmaterial", NULL }, { "hitlocation", NULL }, { "notc", NULL }, { "nodlight", NULL },
	{ "surfacesprites", NULL },
	/* QFusion, DarkPlaces and XreaL; ignored */
	{ "endif", NULL }, { "skip", NULL }, { "nofiltering", NULL }, { "nodepthtest", NULL },
	{ "smallestmipmapsize", NULL }, { "stenciltest", NULL }, { "portalmip", NULL }, { "forceworldoutlines", NULL },
	{ "softparticle", NULL }, { "offsetmappingscale", NULL }, { "glossexponent", NULL }, { "glossintensity", NULL },
	{ "dp*", NULL }, { "specularmap", NULL }, { "bumpmap", NULL }, { "glowmap", NULL }, { "lightmap", NULL },
	{ NULL, NULL }
};

bool bspi_parse_shader(bspi_ctx *ctx, bspi_script *script, bspi_shader *out)
{
	bspi_shader_parser parser = { .ctx = ctx, .script = script, .shader = out };
	while (!parser.failed && bspi_script_next(script) && !bspi_script_is_brace(script, '}')) {
		if (bspi_script_is_brace(script, '{')) bspi_read_shader_stage(&parser);
		else bspi_read_keyword(&parser, surface_keywords);
	}
	return !parser.failed;
}
