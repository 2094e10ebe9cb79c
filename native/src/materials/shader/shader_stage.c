/* shader_stage.c - parses the "{ map ... }" blocks of a shader. Meaning and defaults are ioquake3's (tr_shader.c
 * ParseStage), except that overbright bits are applied to the light itself. */
#include "materials/shader/shader.h"

#include <math.h>

/* Threshold for `alphaFunc GT0`, which keeps every alpha above 0. The smallest such alpha of a texture is 1/255. */
#define SMALLEST_ALPHA (0.5f / 255)

static void show_source(bspi_shader_parser *p, bspscene_pass_input source)
{
	p->stage->stage.input = source;
	p->stage->cube = BSPSCENE_TC_GEN_TEXTURE;
	p->stage->stage.frames_per_second = 0;
	p->stage->image_count = 0;
}

/* Reads the names that stand for something other than an image file, such as $lightmap, in the spellings of all
 * engines. */
static bool read_special_image(bspi_shader_parser *p)
{
	const char *name = p->script->word;
	bspscene_material_pass *stage = &p->stage->stage;
	if (name[0] != '$' && name[0] != '*') return false;
	name++;
	if (bspi_text_equal(name, "lightmap")) {
		show_source(p, BSPSCENE_PASS_INPUT_LIGHTMAP);
	} else if (bspi_text_starts(name, "white") || bspi_text_starts(name, "identitylight")) {
		show_source(p, BSPSCENE_PASS_INPUT_WHITE);
	} else if (bspi_text_starts(name, "black")) {
		show_source(p, BSPSCENE_PASS_INPUT_WHITE);
		stage->color_gen = BSPSCENE_COLOR_GEN_CONST;
		memset(stage->color, 0, sizeof stage->color);
	} else {
		p->stage->left_out = true;
		if (bspi_text_equal(name, "portalmap") || bspi_text_equal(name, "mirrormap")) p->shader->material.portal = true;
	}
	return true;
}

static void add_image(bspi_shader_parser *p)
{
	bspi_shader_stage *stage = p->stage;
	if (stage->image_count == BSPI_MAX_FRAMES) return;
	stage->images[stage->image_count++] = bspi_keep_word(p);
}

static void read_map(bspi_shader_parser *p)
{
	p->stage->stage.clamp = bspi_text_starts(p->script->word, "clamp");
	if (!bspi_script_argument(p->script) || read_special_image(p)) return;
	show_source(p, BSPSCENE_PASS_INPUT_IMAGE);
	add_image(p);
}

static void read_cube_map(bspi_shader_parser *p)
{
	bool around = bspi_script_is(p->script, "surroundmap");
	if (!bspi_script_argument(p->script)) return;
	show_source(p, BSPSCENE_PASS_INPUT_IMAGE);
	p->stage->cube = around ? BSPSCENE_TC_GEN_SURROUND : BSPSCENE_TC_GEN_REFLECTION;
	p->stage->stage.clamp = true;
	add_image(p);
}

static void read_anim_map(bspi_shader_parser *p)
{
	p->stage->stage.clamp = bspi_text_starts(p->script->word, "clamp") ||
	                        bspi_text_starts(p->script->word, "animclamp");
	show_source(p, BSPSCENE_PASS_INPUT_IMAGE);
	p->stage->stage.frames_per_second = fmaxf(bspi_script_number(p->script), 0);
	while (bspi_script_argument(p->script)) add_image(p);
}

static void read_video_map(bspi_shader_parser *p)
{
	if (!bspi_script_argument(p->script)) return;
	show_source(p, BSPSCENE_PASS_INPUT_VIDEO);
	p->stage->stage.video = bspi_keep_word(p);
}

/* Reads the line "material base normal gloss ...": the names of these images. */
static void read_lit_map(bspi_shader_parser *p)
{
	read_map(p);
	p->stage->lit = true;
	if (bspi_script_argument(p->script) && strcmp(p->script->word, "-")) p->shader->normal_image = bspi_keep_word(p);
	bspi_script_skip_line(p->script);
}

static void read_stage_normal_map(bspi_shader_parser *p)
{
	if (bspi_script_argument(p->script)) p->shader->normal_image = bspi_keep_word(p);
}

/* Reads the line "stage normalMap" of ioquake3's second renderer, which says what the stage's image is used for. */
static void read_stage_kind(bspi_shader_parser *p)
{
	if (!bspi_script_argument(p->script)) return;
	bool normal = bspi_text_starts(p->script->word, "normal") || bspi_text_starts(p->script->word, "bump");
	p->stage->is_normal_map = normal;
	p->stage->left_out = normal || bspi_text_starts(p->script->word, "specular");
}

static void leave_out(bspi_shader_parser *p)
{
	p->stage->left_out = true;
	bspi_script_skip_line(p->script);
}

/* Marks the stage as one that cannot be shown (distortion and similar effects), and notes the first such keyword. */
static void miss(bspi_shader_parser *p)
{
	bspi_shader *shader = p->shader;
	if (!shader->unshown_line) {
		memcpy(shader->unshown, p->script->word, sizeof shader->unshown - 1);
		shader->unshown_line = p->script->word_line;
	}
	leave_out(p);
}

static bspscene_blend blend_factor(const char *name, bool source)
{
	enum { SOURCE = 1, DESTINATION = 2, BOTH = 3 };
	static const struct { const char *name; bspscene_blend blend; int place; } factors[] = {
		{ "zero", BSPSCENE_BLEND_ZERO, BOTH },
		{ "one", BSPSCENE_BLEND_ONE, BOTH },
		{ "dst_color", BSPSCENE_BLEND_DST_COLOR, SOURCE },
		{ "one_minus_dst_color", BSPSCENE_BLEND_ONE_MINUS_DST_COLOR, SOURCE },
		{ "src_color", BSPSCENE_BLEND_SRC_COLOR, DESTINATION },
		{ "one_minus_src_color", BSPSCENE_BLEND_ONE_MINUS_SRC_COLOR, DESTINATION },
		{ "src_alpha", BSPSCENE_BLEND_SRC_ALPHA, BOTH },
		{ "one_minus_src_alpha", BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA, BOTH },
		{ "dst_alpha", BSPSCENE_BLEND_DST_ALPHA, BOTH },
		{ "one_minus_dst_alpha", BSPSCENE_BLEND_ONE_MINUS_DST_ALPHA, BOTH },
		{ "src_alpha_saturate", BSPSCENE_BLEND_SRC_ALPHA_SATURATE, SOURCE },
	};
	const int side = source ? SOURCE : DESTINATION;
	if (bspi_text_starts(name, "gl_")) name += 3;
	for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
		if (factors[i].place & side && bspi_text_equal(factors[i].name, name)) return factors[i].blend;
	}
	return BSPSCENE_BLEND_ONE;         /* the engine uses this for unknown factors */
}

static void read_blend_func(bspi_shader_parser *p)
{
	static const struct { const char *name; bspscene_blend src, dst; } simple[] = {
		{ "add", BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ONE },
		{ "filter", BSPSCENE_BLEND_DST_COLOR, BSPSCENE_BLEND_ZERO },
		{ "blend", BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA },
	};
	bspscene_material_pass *stage = &p->stage->stage;
	if (!bspi_script_argument(p->script)) return;
	size_t known = 0;
	while (known < sizeof simple / sizeof *simple && !bspi_script_is(p->script, simple[known].name)) known++;
	if (known < sizeof simple / sizeof *simple) {
		stage->src_blend = simple[known].src;
		stage->dst_blend = simple[known].dst;
	} else {
		bspscene_blend src = blend_factor(p->script->word, true);
		if (!bspi_script_argument(p->script)) return;
		stage->src_blend = src;
		stage->dst_blend = blend_factor(p->script->word, false);
	}
	bool opaque = stage->src_blend == BSPSCENE_BLEND_ONE && stage->dst_blend == BSPSCENE_BLEND_ZERO;
	if (!p->stage->depth_write_set) stage->depth_write = opaque;
}

static void read_alpha_func(bspi_shader_parser *p)
{
	static const struct { const char *name; float cutoff; bool less; } tests[] = {
		{ "gt0", SMALLEST_ALPHA, false }, { "lt128", 0.5f, true }, { "ge128", 0.5f, false }, { "ge192", 0.75f, false },
	};
	if (!bspi_script_argument(p->script)) return;
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
		if (!bspi_script_is(p->script, tests[i].name)) continue;
		p->stage->stage.alpha_test = BSPSCENE_ALPHA_MODE_MASK;
		p->stage->stage.alpha_cutoff = tests[i].cutoff;
		p->stage->stage.alpha_test_less = tests[i].less;
	}
}

/* Returns the light style of a stage. q3map2 writes it only as a comment: "rgbGen wave noise 0.5 1 0 5.37 // style
 * 1". */
static uint32_t style_comment(const bspi_script *script)
{
	bspi_bytes rest = bspi_script_rest_of_line(script);
	char text[48];
	size_t size = rest.size < sizeof text - 1 ? rest.size : sizeof text - 1;
	memcpy(text, rest.data, size);
	text[size] = 0;
	const char *comment = strstr(text, "// style ");
	float style = 0;
	if (comment) bspi_text_number(comment + 9, &style);
	return style >= 1 && style < 255 ? (uint32_t)style : 0;
}

/* A word that can follow a keyword, and the value that it stands for. */
typedef struct gen_word {
	const char *name;
	int gen;                           /* bspscene_color_gen or bspscene_alpha_gen */
} gen_word;

/* Reads the word after a keyword and returns its value. If it is none of `words`, skips the rest of the line and
 * returns -1. */
static int read_gen(bspi_shader_parser *p, const gen_word *words, size_t count)
{
	if (!bspi_script_argument(p->script)) return -1;
	for (size_t i = 0; i < count; i++) {
		if (bspi_script_is(p->script, words[i].name)) return words[i].gen;
	}
	bspi_script_skip_line(p->script);
	return -1;
}

static void read_rgb_gen(bspi_shader_parser *p)
{
	static const gen_word words[] = {
		{ "identity", BSPSCENE_COLOR_GEN_IDENTITY }, { "identitylighting", BSPSCENE_COLOR_GEN_IDENTITY_LIGHTING },
		{ "vertex", BSPSCENE_COLOR_GEN_VERTEX }, { "exactvertex", BSPSCENE_COLOR_GEN_VERTEX },
		{ "oneminusvertex", BSPSCENE_COLOR_GEN_ONE_MINUS_VERTEX }, { "entity", BSPSCENE_COLOR_GEN_ENTITY },
		{ "oneminusentity", BSPSCENE_COLOR_GEN_ONE_MINUS_ENTITY }, { "lightingdiffuse", BSPSCENE_COLOR_GEN_DIFFUSE },
		{ "lightingdiffuseentity", BSPSCENE_COLOR_GEN_DIFFUSE }, { "wave", BSPSCENE_COLOR_GEN_WAVE },
		{ "const", BSPSCENE_COLOR_GEN_CONST }, { "constant", BSPSCENE_COLOR_GEN_CONST },
	};
	bspscene_material_pass *stage = &p->stage->stage;
	int gen = read_gen(p, words, sizeof words / sizeof *words);
	if (gen < 0) return;
	stage->color_gen = (bspscene_color_gen)gen;
	p->stage->color_gen_set = true;
	/* `vertex` sets alpha to vertex alpha too, if it was not set. No other word does. */
	bool plain_alpha = stage->alpha_gen == BSPSCENE_ALPHA_GEN_IDENTITY;
	if (bspi_script_is(p->script, "vertex") && plain_alpha) stage->alpha_gen = BSPSCENE_ALPHA_GEN_VERTEX;
	if (bspi_script_is(p->script, "wave")) {
		stage->color_wave = bspi_read_wave(p);
	} else if (bspi_text_starts(p->script->word, "const")) {
		bspi_script_vector(p->script, stage->color, 3);
		for (int i = 0; i < 3; i++) stage->color[i] = fminf(fmaxf(stage->color[i], 0), 1);
	}
	uint32_t style = style_comment(p->script);
	if (style) stage->light_style = style;
}

static void read_alpha_gen(bspi_shader_parser *p)
{
	static const gen_word words[] = {
		{ "identity", BSPSCENE_ALPHA_GEN_IDENTITY }, { "vertex", BSPSCENE_ALPHA_GEN_VERTEX },
		{ "oneminusvertex", BSPSCENE_ALPHA_GEN_ONE_MINUS_VERTEX }, { "entity", BSPSCENE_ALPHA_GEN_ENTITY },
		{ "oneminusentity", BSPSCENE_ALPHA_GEN_ONE_MINUS_ENTITY }, { "lightingspecular", BSPSCENE_ALPHA_GEN_SPECULAR },
		{ "wave", BSPSCENE_ALPHA_GEN_WAVE }, { "const", BSPSCENE_ALPHA_GEN_CONST },
		{ "constant", BSPSCENE_ALPHA_GEN_CONST }, { "portal", BSPSCENE_ALPHA_GEN_PORTAL },
	};
	const float portal_range = 256;
	bspscene_material_pass *stage = &p->stage->stage;
	int gen = read_gen(p, words, sizeof words / sizeof *words);
	if (gen < 0) return;
	stage->alpha_gen = (bspscene_alpha_gen)gen;
	p->stage->alpha_gen_set = true;
	if (bspi_script_is(p->script, "wave")) stage->alpha_wave = bspi_read_wave(p);
	else if (bspi_text_starts(p->script->word, "const")) {
		stage->alpha = fminf(fmaxf(bspi_script_number(p->script), 0), 1);
	}
	else if (bspi_script_is(p->script, "portal")) stage->alpha_range = bspi_script_number(p->script);
	if (stage->alpha_gen == BSPSCENE_ALPHA_GEN_PORTAL && !(stage->alpha_range > 0)) stage->alpha_range = portal_range;
}

static void read_tc_gen(bspi_shader_parser *p)
{
	bspscene_material_pass *stage = &p->stage->stage;
	if (!bspi_script_argument(p->script)) return;
	const bspi_script *s = p->script;
	p->stage->tc_gen_set = true;
	stage->tc_gen = BSPSCENE_TC_GEN_TEXTURE;
	if (bspi_script_is(s, "environment") || bspi_script_is(s, "reflection"))
		stage->tc_gen = BSPSCENE_TC_GEN_ENVIRONMENT;
	if (bspi_script_is(s, "lightmap")) stage->tc_gen = BSPSCENE_TC_GEN_LIGHTMAP;
	if (bspi_script_is(s, "vector")) {
		stage->tc_gen = BSPSCENE_TC_GEN_VECTOR;
		bspi_script_vector(p->script, stage->tc_vectors[0], 3);
		bspi_script_vector(p->script, stage->tc_vectors[1], 3);
	}
}

static void read_tc_mod(bspi_shader_parser *p)
{
	static const struct { const char *name; bspscene_tc_mod_kind kind; uint32_t values; } kinds[] = {
		{ "scale", BSPSCENE_TC_MOD_SCALE, 2 }, { "scroll", BSPSCENE_TC_MOD_SCROLL, 2 },
		{ "rotate", BSPSCENE_TC_MOD_ROTATE, 1 }, { "stretch", BSPSCENE_TC_MOD_STRETCH, 0 },
		{ "turb", BSPSCENE_TC_MOD_TURBULENCE, 0 },
		{ "transform", BSPSCENE_TC_MOD_TRANSFORM, 6 }, { "entitytranslate", BSPSCENE_TC_MOD_ENTITY_TRANSLATE, 0 },
		{ "offset", BSPSCENE_TC_MOD_OFFSET, 2 },
	};
	bspscene_material_pass *stage = &p->stage->stage;
	bspscene_tc_mod mod = { .kind = BSPSCENE_TC_MOD_SCALE };
	size_t i = 0;
	bool named = bspi_script_argument(p->script);
	while (i < sizeof kinds / sizeof *kinds && !bspi_script_is(p->script, kinds[i].name)) i++;
	if (named && i < sizeof kinds / sizeof *kinds && stage->tc_mod_count < BSPSCENE_MATERIAL_PASS_MAX_TC_MODS) {
		mod.kind = kinds[i].kind;
		if (kinds[i].values) bspi_script_vector(p->script, mod.values, kinds[i].values);
		if (mod.kind == BSPSCENE_TC_MOD_STRETCH) mod.wave = bspi_read_wave(p);
		if (mod.kind == BSPSCENE_TC_MOD_TURBULENCE) {
			float wave[4];
			bspi_script_vector(p->script, wave, 4);
			mod.wave = (bspscene_wave){ BSPSCENE_WAVE_SIN, wave[0], wave[1], wave[2], wave[3] };
		}
		stage->tc_mods[stage->tc_mod_count++] = mod;
	}
	bspi_script_skip_line(p->script);
}

static void read_depth_func(bspi_shader_parser *p)
{
	if (bspi_script_argument(p->script)) p->stage->stage.depth_equal = bspi_script_is(p->script, "equal");
}

static void read_depth_write(bspi_shader_parser *p)
{
	p->stage->depth_write_set = true;
	p->stage->stage.depth_write = true;
}

/* Copies the properties that each of the two textures of a pass has separately (Medal of Honor, Call of Duty). */
static void take_texture(bspi_shader_stage *to, const bspi_shader_stage *from)
{
	bspscene_material_pass *out = &to->stage;
	const bspscene_material_pass *in = &from->stage;
	out->input = in->input;
	out->clamp = in->clamp;
	out->frames_per_second = in->frames_per_second;
	out->video = in->video;
	out->tc_gen = in->tc_gen;
	memcpy(out->tc_vectors, in->tc_vectors, sizeof out->tc_vectors);
	memcpy(out->tc_mods, in->tc_mods, sizeof out->tc_mods);
	out->tc_mod_count = in->tc_mod_count;
	memcpy(to->images, from->images, sizeof to->images);
	to->image_count = from->image_count;
	to->cube = from->cube;
	to->tc_gen_set = from->tc_gen_set;
}

/* Reads "nextbundle [add]": texture keywords after it belong to the second texture of the stage. Engines have at most
 * two. */
static void read_next_bundle(bspi_shader_parser *p)
{
	const bspi_shader_stage none = { .stage = bspi_plain_pass(BSPSCENE_PASS_INPUT_IMAGE) };
	p->adds_texture = bspi_script_argument(p->script) && bspi_script_is(p->script, "add");
	if (p->first_texture->image_count || p->first_texture->stage.input != BSPSCENE_PASS_INPUT_IMAGE) return;
	take_texture(p->first_texture, p->stage);
	take_texture(p->stage, &none);
}

static void read_detail(bspi_shader_parser *p) { p->stage->stage.is_detail = true; }

static const bspi_shader_keyword stage_keywords[] = {
	{ "map", read_map }, { "clampmap", read_map }, { "mapcomp", read_map }, { "mapnocomp", read_map },
	{ "mapnocompress", read_map },
	{ "animmap", read_anim_map }, { "clampanimmap", read_anim_map }, { "animclampmap", read_anim_map },
	{ "oneshotanimmap", read_anim_map },
	{ "videomap", read_video_map },
	{ "blendfunc", read_blend_func },
	{ "alphafunc", read_alpha_func },
	{ "rgbgen", read_rgb_gen },
	{ "alphagen", read_alpha_gen },
	{ "tcgen", read_tc_gen }, { "texgen", read_tc_gen },
	{ "tcmod", read_tc_mod },
	{ "depthfunc", read_depth_func },
	{ "depthwrite", read_depth_write },
	{ "detail", read_detail },
	{ "nextbundle", read_next_bundle },
	{ "material", read_lit_map }, { "diffusemap", read_lit_map },
	{ "normalmap", read_stage_normal_map }, { "bumpmap", read_stage_normal_map },
	{ "stage", read_stage_kind },
	{ "cubemap", read_cube_map }, { "surroundmap", read_cube_map },
	{ "shadecubemap", miss }, { "distortion", miss }, { "celshade", miss }, { "portalmap", leave_out },
	/* Raven's games: sprites on the surface, and glow; ignored */
	{ "surfacesprites", NULL }, { "ss*", NULL }, { "glow", NULL },
	/* RTCW and Enemy Territory, QFusion, XreaL; ignored */
	{ "fog", NULL }, { "nocompress", NULL }, { "skip", NULL }, { "grayscale", NULL }, { "greyscale", NULL },
	{ "if", NULL }, { "endif", NULL },
	{ "specularmap", NULL }, { "glowmap", NULL }, { "specularexponent*", NULL }, { "specularreflectance", NULL },
	{ "gloss", NULL }, { "roughness", NULL }, { "normalscale", NULL }, { "parallaxdepth", NULL }, { "depthmask", NULL },
	{ NULL, NULL }
};

/* Adds the stage if it has an image. ioquake3 ignores a stage without an image and all stages after it (FinishShader,
 * GeneratePermanentShader). Other engines ignore only that stage. We do the same, because the author probably wanted
 * the later stages. */
static void keep_stage(bspi_shader_parser *p, const bspi_shader_stage *stage)
{
	bspi_shader *shader = p->shader;
	bool shows = stage->stage.input != BSPSCENE_PASS_INPUT_IMAGE || stage->image_count;
	if (stage->is_normal_map && stage->image_count) shader->normal_image = stage->images[0];
	if (stage->left_out || !shows) return;
	shader->too_many_stages |= shader->stage_count == BSPI_MAX_STAGES;
	if (shader->stage_count < BSPI_MAX_STAGES) shader->stages[shader->stage_count++] = *stage;
}

/* Sets what ParseStage of the engine sets by default at the end of a stage. */
static void complete_stage(bspi_shader_stage *stage)
{
	bspscene_material_pass *s = &stage->stage;
	bool lighting = s->src_blend == BSPSCENE_BLEND_ONE || s->src_blend == BSPSCENE_BLEND_SRC_ALPHA;
	if (!stage->color_gen_set && lighting) s->color_gen = BSPSCENE_COLOR_GEN_IDENTITY_LIGHTING;
	if (stage->cube) s->tc_gen = stage->cube;
	if (!stage->tc_gen_set && s->input == BSPSCENE_PASS_INPUT_LIGHTMAP) s->tc_gen = BSPSCENE_TC_GEN_LIGHTMAP;
}

/* Splits a stage with two textures into two stages, if they give the same picture. They do not if the stage is blended
 * with the background. Then only one texture is kept: the second one if the first one is a lightmap, otherwise the
 * first one. */
static void keep_textures(bspi_shader_parser *p, bspi_shader_stage *first, bspi_shader_stage *stage)
{
	const bspscene_material_pass *s = &stage->stage;
	bspi_shader_stage second = { .stage = bspi_plain_pass(BSPSCENE_PASS_INPUT_IMAGE) };
	bool plain = s->src_blend == BSPSCENE_BLEND_ONE || s->src_blend == BSPSCENE_BLEND_DST_COLOR;
	bool apart = s->dst_blend == BSPSCENE_BLEND_ZERO && plain;
	bool first_is_light = first->stage.input == BSPSCENE_PASS_INPUT_LIGHTMAP;
	take_texture(&second, stage);
	if (apart || !first_is_light) take_texture(stage, first);
	complete_stage(stage);
	keep_stage(p, stage);
	if (!apart) return;
	second.stage.src_blend = p->adds_texture ? BSPSCENE_BLEND_ONE : BSPSCENE_BLEND_DST_COLOR;
	second.stage.dst_blend = p->adds_texture ? BSPSCENE_BLEND_ONE : BSPSCENE_BLEND_ZERO;
	second.stage.depth_write = false;
	second.stage.depth_equal = s->alpha_test != BSPSCENE_ALPHA_MODE_OPAQUE;
	second.color_gen_set = true;
	complete_stage(&second);
	keep_stage(p, &second);
}

void bspi_read_shader_stage(bspi_shader_parser *p)
{
	bspi_shader_stage stage = { .stage = bspi_plain_pass(BSPSCENE_PASS_INPUT_IMAGE) }, first = stage;
	p->stage = &stage;
	p->first_texture = &first;
	for (size_t depth = 1; depth && !p->failed && bspi_script_next(p->script); ) {
		if (bspi_script_is_brace(p->script, '{')) depth++;
		else if (bspi_script_is_brace(p->script, '}')) depth--;
		else if (depth == 1) bspi_read_keyword(p, stage_keywords);
	}
	p->stage = p->first_texture = NULL;
	if (first.image_count || first.stage.input != BSPSCENE_PASS_INPUT_IMAGE) {
		keep_textures(p, &first, &stage);
		return;
	}
	complete_stage(&stage);
	keep_stage(p, &stage);
}
