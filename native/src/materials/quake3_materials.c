/* quake3_materials.c - makes materials from Quake III's shader names and surface bits. A material comes from the script
 * that defines the shader. Without a script it shows the image of that name (tr_shader.c R_FindShader). */
#include "materials/shader/shader.h"

#include "materials/shader/binary_material.h"

/* Differences between the games: the meaning of surface bits, and the folder with the scripts. DarkPlaces also draws
 * the same scripts in another way. */
typedef struct dialect {
	const char *scripts;               /* folder with the scripts */
	/* changes the parsed shader to what this engine draws; NULL: the engine draws what the script says */
	void (*settle)(bspi_shader *shader);
	uint32_t sky, nodraw, hint, skip;  /* surface flags */
	uint32_t liquid, fog, clip, trigger, tool; /* content flags */
	bool adds_styles;                  /* the light of a face's second and later styles is added over its textures, see
	                                    * styled_light.c */
	uint32_t count_at;                 /* offset of the texture count in binary materials, see binary_material.h; 0: the
	                                    * game has none */
} dialect;

/* The bits are those of surfaceflags.h. The tool bits are areaportal, clusterportal, donotenter and origin. */
#define QUAKE3_BITS \
	.sky = 0x4, .nodraw = 0x80, .hint = 0x100, .skip = 0x200, .liquid = 0x8 | 0x10 | 0x20, .fog = 0x40, \
	.clip = 0x10000 | 0x20000 | 0x400000, .trigger = 0x40000000, .tool = 0x8000 | 0x100000 | 0x200000 | 0x1000000

static const dialect quake3_dialect = { .scripts = "scripts/", QUAKE3_BITS };
static const dialect darkplaces_dialect = { .scripts = "scripts/", .settle = bspi_settle_for_darkplaces, QUAKE3_BITS };
/* In these games, binary files replace the scripts. */
static const dialect callofduty2_dialect = { .scripts = "scripts/", .count_at = 52, QUAKE3_BITS };
static const dialect callofduty4_dialect = { .scripts = "scripts/", .count_at = 48, QUAKE3_BITS };
static const dialect raven_dialect = {
	.scripts = "shaders/",             /* OpenJK tr_shader.cpp ScanAndLoadShaderFiles */
	.sky = 0x2000, .nodraw = 0x200000,
	.liquid = 0x2 | 0x4 | 0x20000, .fog = 0x8, .clip = 0x10 | 0x20 | 0x40 | 0x80, .trigger = 0x400,
	.adds_styles = true,
};

/* The contents of a shader's script. It is parsed once and stored with the definition. */
typedef struct shader_meaning {
	bspscene_material material;        /* what keywords and stages set; its name and its flags are not used, because
	                                    * the texture sets them */
	uint32_t parms;
	bool is_sky, has_stages, built;    /* built: the material's stages and images exist */
	const char *editor_image;          /* qer_editorimage, otherwise q3map_lightimage; NULL: the script has neither */
} shader_meaning;

typedef struct quake3_state {
	const dialect *game;
	bspi_script_index index;
	bspi_shader shader;                /* the shader that was parsed last; kept here because it is large */
	const bspi_definition *read;       /* the definition from which `shader` was parsed */
	const char *sky_box;               /* DarkPlaces: name of the only sky box of the map, without the suffixes of its
	                                    * sides; NULL: none */
} quake3_state;

/* ---- Surface kinds ---------------------------------------------------------------------------------------- */

static bool has_part(const char *name, const char *part)
{
	for (; *name; name++) {
		if (bspi_text_starts(name, part)) return true;
	}
	return false;
}

/* True if the name is that of a tool texture. Needed for maps whose surface bits do not mark tools. */
static bool is_tool_name(const char *name)
{
	static const char *const names[] = {
		"caulk", "nodraw", "nodrawnonsolid", "clip", "weapclip", "missileclip", "botclip", "full_clip", "trigger",
		"hint", "hintskip", "skip", "origin", "areaportal", "clusterportal", "donotenter", "antiportal", "lightgrid",
		"nodrop", "invisible",
	};
	if (bspi_text_equal(name, "noshader")) return true;
	if (!bspi_text_starts(name, "textures/common/") && !bspi_text_starts(name, "textures/system/")) return false;
	const char *last = strrchr(name, '/') + 1;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (bspi_text_equal(last, names[i])) return true;
	}
	return false;
}

static bspscene_surface_kind hidden_kind(const dialect *game, const bspi_texture *texture, uint32_t parms)
{
	const char *name = bspi_last_part(texture->name);
	uint32_t contents = texture->content_flags;
	bool trigger = (contents & game->trigger) || (parms & BSPI_PARM_TRIGGER) || has_part(name, "trigger");
	bool clip = (contents & game->clip) || (parms & BSPI_PARM_CLIP) || has_part(name, "clip");
	bool tool = (contents & game->tool) || (parms & BSPI_PARM_TOOL) || is_tool_name(texture->name);
	if (has_part(name, "caulk")) return BSPSCENE_SURFACE_CAULK;
	if (trigger) return BSPSCENE_SURFACE_TRIGGER;
	if (clip) return BSPSCENE_SURFACE_CLIP;
	if ((parms & BSPI_PARM_HINT) || has_part(name, "hint")) return BSPSCENE_SURFACE_HINT;
	if ((parms & BSPI_PARM_SKIP) || has_part(name, "skip")) return BSPSCENE_SURFACE_SKIP;
	if (has_part(name, "nodraw") || has_part(name, "invisible")) return BSPSCENE_SURFACE_NODRAW;
	if (tool) return BSPSCENE_SURFACE_TOOL;
	return BSPSCENE_SURFACE_NODRAW;
}

/* Returns the surface kind. The map's surface bits come first, because the map was compiled with them. Curved patches
 * with the nodraw bit are hidden: q3map2 -patchmeta stores their triangles as other faces. A surface with the sky bit
 * is a wall if its shader has stages, but no skyparms. Tool names and surfaceparms only count if the shader has no
 * stages. */
static bspscene_surface_kind find_include(const dialect *game, const bspi_texture *texture,
                                          const shader_meaning *shader)
{
	const uint32_t tools = BSPI_PARM_NODRAW | BSPI_PARM_HINT | BSPI_PARM_SKIP | BSPI_PARM_CLIP | BSPI_PARM_TRIGGER |
	                       BSPI_PARM_TOOL;
	uint32_t flags = texture->surface_flags, parms = shader ? shader->parms : 0;
	bool drawn = shader && shader->has_stages;
	if ((shader && shader->is_sky) || ((flags & game->sky) && !drawn)) return BSPSCENE_SURFACE_SKY;
	if (flags & game->hint) return BSPSCENE_SURFACE_HINT;
	if (flags & game->skip) return BSPSCENE_SURFACE_SKIP;
	if (game->settle && shader && !drawn) return hidden_kind(game, texture, parms);
	bool hidden = (flags & game->nodraw) || (!drawn && ((parms & tools) || is_tool_name(texture->name)));
	return hidden ? hidden_kind(game, texture, parms) : BSPSCENE_SURFACE_VISIBLE;
}

static bspscene_material_kind find_kind(const dialect *game, const bspscene_material *material, uint32_t parms)
{
	const uint32_t liquid = BSPI_PARM_WATER | BSPI_PARM_SLIME | BSPI_PARM_LAVA;
	if (material->surface_kind == BSPSCENE_SURFACE_SKY) return BSPSCENE_MATERIAL_SKY;
	if (material->surface_kind != BSPSCENE_SURFACE_VISIBLE) return BSPSCENE_MATERIAL_TOOL;
	if (material->portal) return BSPSCENE_MATERIAL_PORTAL;
	if ((material->content_flags & game->liquid) || (parms & liquid)) return BSPSCENE_MATERIAL_LIQUID;
	if ((material->content_flags & game->fog) || (parms & BSPI_PARM_FOG)) return BSPSCENE_MATERIAL_FOG;
	return BSPSCENE_MATERIAL_NORMAL;
}

/* ---- Shaders -------------------------------------------------------------------------------------------- */

/* Returns the sort key by the rules of the engine's FinishShader: surfaces whose first pass blends are drawn after
 * opaque ones. */
static float find_sort(const bspi_materials *m, const bspscene_material *material, bool is_sky)
{
	enum { SKY = 2, OPAQUE = 3, DECAL = 4, SEE_THROUGH = 5, FOG = 7, BLEND = 9 };
	if (is_sky) return SKY;
	if (material->sort > 0) return material->sort;
	if (!material->pass_count) return FOG;
	if (material->polygon_offset) return DECAL;
	const bspscene_material_pass *stages = m->stages + material->first_pass;
	bool blends = stages[0].src_blend != BSPSCENE_BLEND_ONE || stages[0].dst_blend != BSPSCENE_BLEND_ZERO;
	if (!blends) return OPAQUE;
	return stages[0].depth_write ? SEE_THROUGH : BLEND;
}

static bool keep_source(bspi_materials *m, const bspi_definition *definition, bspscene_material *out)
{
	const quake3_state *state = m->state;
	const bspi_script_file *file = &state->index.files[definition->file];
	bspi_bytes text = bspi_bytes_of(file->text.data + definition->begin, definition->end - definition->begin);
	out->script_file = bspi_text_keep(m->ctx, file->path);
	out->script_line = definition->line;
	out->script_text = bspi_text_copy(m->ctx, text, NULL);
	return out->script_file && out->script_text;
}

static bool keep_fog(bspi_materials *m, const bspscene_fog_parms *said, bspscene_material *out)
{
	if (!(said->depth > 0)) return true;
	bspscene_fog_parms *fog = bspi_push(m->ctx, &m->ctx->result, bspscene_fog_parms, 1);
	BSPI_TRY(fog);
	*fog = *said;
	fog->is_linear = m->map->rules.linear_fog;
	out->fog = fog;
	return true;
}

static bool keep_deforms(bspi_materials *m, const bspi_shader *shader, bspscene_material *out)
{
	if (!shader->deform_count) return true;
	const bspscene_deform *deforms =
		bspi_push_copy(m->ctx, shader->deforms, shader->deform_count, sizeof *deforms);
	BSPI_TRY(deforms);
	out->deforms = bspi_table(m->ctx, bspscene_deform, deforms, shader->deform_count);
	out->deform_count = shader->deform_count;
	return out->deforms != NULL;
}

static bool warn_about(bspi_materials *m, const bspi_definition *definition, const bspi_shader *shader)
{
	const quake3_state *state = m->state;
	const char *path = state->index.files[definition->file].path;
	if (shader->unknown_count) {
		BSPI_TRY(bspi_warn(m->ctx, BSPSCENE_WARNING_UNSUPPORTED, BSPI_LUMP("scripts"),
		                   "%s:%u: shader %.100s has the unknown keyword '%s', which is ignored", path,
		                   (unsigned)shader->unknown_line, definition->name, shader->unknown));
	}
	if (shader->unshown_line) {
		BSPI_TRY(bspi_warn(m->ctx, BSPSCENE_WARNING_UNSUPPORTED, BSPI_LUMP("scripts"),
		                   "%s:%u: a stage with '%s' in shader %.100s is left out", path,
		                   (unsigned)shader->unshown_line, shader->unshown, definition->name));
	}
	if (!shader->too_many_stages) return true;
	return bspi_warn(m->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("scripts"),
	                 "%s:%u: shader %.100s has more than %u stages: the others are left out", path,
	                 (unsigned)definition->line, definition->name, BSPI_MAX_STAGES);
}

/* Finds the sky box of this shader. In games with one sky for the whole map, this is the map's sky box. */
static bool find_sides(bspi_materials *m, const bspi_shader *shader, bspscene_sky *sky)
{
	const quake3_state *state = m->state;
	if (state->game->settle) return bspi_build_shader_sky(m, state->sky_box, sky);
	if (shader->sky_sides[0]) return bspi_build_shader_sky_sides(m, shader->sky_sides, sky);
	return bspi_build_shader_sky(m, shader->sky_box, sky);
}

/* Builds the sky and the sun. A shader without a sky may still have a sun. */
static bool build_sky(bspi_materials *m, const bspi_shader *shader, bspscene_material *material)
{
	const bspscene_sky *said = &shader->sky;
	if (!shader->is_sky && !said->has_sun) return true;
	bspscene_sky *sky = bspi_add_sky(m->ctx, material);
	BSPI_TRY(sky);
	if (material->pass_count) sky->cloud_height = said->cloud_height;
	sky->has_sun = said->has_sun;
	sky->sun_intensity = said->sun_intensity;
	memcpy(sky->sun_color, said->sun_color, sizeof sky->sun_color);
	memcpy(sky->sun_direction, said->sun_direction, sizeof sky->sun_direction);
	return !shader->is_sky || find_sides(m, shader, sky);
}

/* Parses a definition into state->shader. Stores the part that does not depend on images in the definition's
 * `meaning`. */
static bool parse(bspi_materials *m, bspi_definition *definition)
{
	quake3_state *state = m->state;
	bspi_shader *shader = &state->shader;
	shader_meaning *meaning = definition->meaning;
	const bspi_script_file *file = &state->index.files[definition->file];
	bspi_script script = {
		.text = bspi_bytes_of(file->text.data, definition->end),
		.at = definition->body,
		.line = definition->body_line,
	};
	if (state->read == definition) return true;
	memset(shader, 0, sizeof *shader);
	shader->templates = &state->index;
	BSPI_TRY(bspi_parse_shader(m->ctx, &script, shader));
	if (state->game->settle) state->game->settle(shader);
	state->read = definition;
	if (meaning) return true;
	definition->meaning = meaning = bspi_push(m->ctx, &m->ctx->scratch, shader_meaning, 1);
	BSPI_TRY(meaning);
	*meaning = (shader_meaning){
		.material = shader->material,
		.parms = shader->parms,
		.is_sky = shader->is_sky,
		.has_stages = shader->stage_count || shader->implicit,
		.editor_image = shader->editor_image ? shader->editor_image : shader->light_image,
	};
	return keep_fog(m, &shader->fog, &meaning->material) && keep_deforms(m, shader, &meaning->material) &&
	       keep_source(m, definition, &meaning->material) && warn_about(m, definition, shader);
}

/* Finds the image of a shader without stages: the image with the shader's name, otherwise the editor image. */
static bool find_implicit_image(bspi_materials *m, const char *name, const char *editor_image, const char *what,
                                uint32_t *image)
{
	BSPI_TRY(bspi_try_image(m, name, image));
	if (*image == BSPSCENE_NO_INDEX && editor_image) BSPI_TRY(bspi_try_image(m, editor_image, image));
	return *image != BSPSCENE_NO_INDEX || bspi_find_image(m, name, what, image);
}

/* Builds the stages and images of the shader in state->shader. All textures with this shader share them. */
static bool build_shader(bspi_materials *m, const char *name, const bspi_definition *definition)
{
	shader_meaning *meaning = definition->meaning;
	quake3_state *state = m->state;
	const bspi_shader *shader = &state->shader;
	bspscene_material *material = &meaning->material;
	material->first_pass = m->stage_count;
	material->normal_image = BSPSCENE_NO_INDEX;
	for (uint32_t i = 0; i < shader->stage_count; i++) BSPI_TRY(bspi_build_shader_stage(m, shader, &shader->stages[i]));
	bool fog = (shader->parms & BSPI_PARM_FOG) || material->fog;
	if (!shader->stage_count && (shader->implicit || (!meaning->is_sky && !fog))) {
		bool other = shader->implicit && strcmp(shader->implicit_image, "-") != 0;
		const char *wanted = other ? shader->implicit_image : name;
		uint32_t image;
		BSPI_TRY(find_implicit_image(m, wanted, meaning->editor_image,
		                             "its shader has no stages, and there is no image of this name", &image));
		BSPI_TRY(bspi_build_implicit_passes(m, shader->implicit, image));
		if (shader->implicit > BSPI_IMPLICIT_MAP && !shader->cull_set) material->cull = BSPSCENE_CULL_NONE;
	}
	material->pass_count = m->stage_count - material->first_pass;
	BSPI_TRY(bspi_add_styled_passes(m, definition->styles, material));
	BSPI_TRY(build_sky(m, shader, material));
	if (shader->normal_image) BSPI_TRY(bspi_try_normal_map(m, shader->normal_image, &material->normal_image));
	meaning->built = true;
	return true;
}

/* Copies the properties that the script sets over those that the texture has. */
static void take_meaning(const shader_meaning *meaning, bspscene_material *out)
{
	const bspscene_material *in = &meaning->material;
	out->cull = in->cull;
	out->sort = in->sort;
	out->polygon_offset = in->polygon_offset;
	out->deforms = in->deforms;
	out->deform_count = in->deform_count;
	out->no_mipmaps = in->no_mipmaps;
	out->no_picmip = in->no_picmip;
	out->portal = in->portal;
	out->surface_light = in->surface_light;
	out->fog = in->fog;
	out->script_file = in->script_file;
	out->script_line = in->script_line;
	out->script_text = in->script_text;
	if (!meaning->built) return;
	out->sky = in->sky;
	out->first_pass = in->first_pass;
	out->pass_count = in->pass_count;
	out->normal_image = in->normal_image;
}

/* Removes the extension of a name. Searches for scripts and images ignore extensions. */
static void strip_ending(const char *name, char *out, size_t size)
{
	size_t length = strlen(name);
	if (length >= size) length = size - 1;
	memcpy(out, name, length);
	out[length] = 0;
	char *dot = strrchr(out, '.'), *slash = strpbrk(dot ? dot : "", "/\\");
	if (dot && !slash) *dot = 0;
}

static bool is_shown(const bspi_materials *m, bspscene_surface_kind include)
{
	return include == BSPSCENE_SURFACE_VISIBLE || include == BSPSCENE_SURFACE_SKY ||
	       (m->ctx->options.include_mask & (uint32_t)include);
}

/* Completes a material after its stages were built. If its image is missing, or it has no stages (tools, sky boxes), it
 * shows its editor image. Fog without stages becomes a half transparent sheet in the fog's color. */
static bool finish_reading(bspi_materials *m, const char *editor_image, bspscene_material *out)
{
	const float sheet_opacity = 0.5f;
	bspi_read_as_one_texture(m, editor_image, out);
	bool none = out->base_image == BSPSCENE_NO_INDEX;
	bool missing = none ? !out->pass_count : m->images[out->base_image].format == BSPSCENE_IMAGE_MISSING;
	if (missing && editor_image && out->kind != BSPSCENE_MATERIAL_FOG) {
		uint32_t image;
		BSPI_TRY(bspi_try_image(m, editor_image, &image));
		if (image != BSPSCENE_NO_INDEX) out->base_image = image;
	}
	if (out->kind == BSPSCENE_MATERIAL_SKY) {
		out->unlit = true;
		out->alpha_mode = BSPSCENE_ALPHA_MODE_OPAQUE;
	}
	if (out->kind == BSPSCENE_MATERIAL_FOG && !out->pass_count) {
		for (int i = 0; i < 3; i++) out->color[i] = out->fog ? out->fog->color[i] : 0;
		out->color[3] = sheet_opacity;
		out->alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
		out->unlit = true;
	}
	return true;
}

/* Makes the material of a surface whose name no script defines: it shows the image of this name, lit. DarkPlaces
 * blends images that have alpha. */
static bool build_unwritten(bspi_materials *m, const char *name, bspscene_material *out)
{
	const quake3_state *state = m->state;
	uint32_t image;
	const bspscene_load_options *options = &m->ctx->options;
	const char *what = options->list_files || !options->open_file
	                       ? "there is no shader and no image of this name"
	                       : "there is no image of this name, and without list_files no scripts are read";
	out->first_pass = m->stage_count;
	if (state->game->count_at) {
		BSPI_TRY(bspi_build_binary_material(m, state->game->count_at, name, out));
		out->pass_count = m->stage_count - out->first_pass;
		return true;
	}
	BSPI_TRY(bspi_find_image(m, name, what, &image));
	if (state->game->settle && image != BSPSCENE_NO_INDEX) {
		bspi_shader_stage stage = { .stage = bspi_plain_pass(BSPSCENE_PASS_INPUT_IMAGE), .images = { name },
		                            .image_count = 1, .lit = true, .glows = true };
		if (m->images[image].has_alpha) {
			stage.lit = stage.glows = stage.stage.depth_write = false;
			stage.stage.color_gen = BSPSCENE_COLOR_GEN_LIGHT;
			stage.stage.src_blend = BSPSCENE_BLEND_SRC_ALPHA;
			stage.stage.dst_blend = BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA;
		}
		BSPI_TRY(bspi_build_shader_stage(m, &state->shader, &stage));
	} else {
		BSPI_TRY(bspi_build_implicit_passes(m, BSPI_IMPLICIT_NONE, image));
	}
	out->pass_count = m->stage_count - out->first_pass;
	return true;
}

static bool build_unwritten_sky(bspi_materials *m, bspscene_material *out)
{
	bspscene_sky *sky = bspi_add_sky(m->ctx, out);
	const quake3_state *state = m->state;
	return sky && bspi_build_shader_sky(m, state->sky_box, sky);
}

static bool make_material(bspi_materials *m, const bspi_material_rules *rules, const bspi_texture *texture,
                          bspscene_material *out)
{
	const dialect *game = rules->data;
	const quake3_state *state = m->state;
	char name[sizeof texture->name];
	strip_ending(texture->name, name, sizeof name);
	bspi_definition *definition = bspi_find_definition(&state->index, name);
	if (definition && !definition->meaning) BSPI_TRY(parse(m, definition));
	shader_meaning *meaning = definition ? definition->meaning : NULL;
	out->surface_kind = find_include(game, texture, meaning);
	bool shown = is_shown(m, out->surface_kind);
	if (meaning && shown && !meaning->built) {
		BSPI_TRY(parse(m, definition) && build_shader(m, name, definition));
	}
	if (meaning) take_meaning(meaning, out);
	out->kind = find_kind(game, out, meaning ? meaning->parms : 0);
	if (!shown) return true;
	bool sky = out->kind == BSPSCENE_MATERIAL_SKY;
	if (!meaning && !sky) BSPI_TRY(build_unwritten(m, name, out));
	if (!meaning && sky && state->game->settle) BSPI_TRY(build_unwritten_sky(m, out));
	out->sort = find_sort(m, out, sky);
	return finish_reading(m, meaning ? meaning->editor_image : sky ? name : NULL, out);
}

/* Finds the sky that DarkPlaces shows on all sky surfaces: the sky box of the last texture in the map's list whose
 * shader has one. The texture need not be on a face. Without such a texture, it is the sky of worldspawn. */
static bool find_only_sky(bspi_materials *m)
{
	quake3_state *state = m->state;
	for (uint32_t i = m->texture_count; i-- > 0 && !state->sky_box; ) {
		const bspi_texture *texture = &m->textures[i];
		char name[sizeof texture->name];
		strip_ending(texture->name, name, sizeof name);
		bspi_definition *definition = bspi_find_definition(&state->index, name);
		if (!definition) continue;
		BSPI_TRY(parse(m, definition));
		if (state->shader.is_sky) state->sky_box = state->shader.sky_box;
	}
	return state->sky_box || bspi_find_worldspawn_sky(m, &state->sky_box);
}

static bool find_styles(bspi_materials *m)
{
	const quake3_state *state = m->state;
	bspi_definition **definitions = bspi_push(m->ctx, &m->ctx->stage, bspi_definition *, m->texture_count);
	BSPI_TRY(definitions);
	for (uint32_t i = 0; i < m->texture_count; i++) {
		char name[sizeof m->textures[i].name];
		strip_ending(m->textures[i].name, name, sizeof name);
		definitions[i] = bspi_find_definition(&state->index, name);
	}
	return bspi_collect_styles(m, definitions);
}

static bool begin(bspi_materials *m, const bspi_material_rules *rules)
{
	const dialect *game = rules->data;
	quake3_state *state = bspi_push(m->ctx, &m->ctx->scratch, quake3_state, 1);
	BSPI_TRY(state);
	m->state = state;
	state->game = game;
	if (m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	BSPI_TRY(bspi_index_scripts(m->ctx, game->scripts, ".shader", &state->index));
	return (!game->settle || find_only_sky(m)) && (!game->adds_styles || find_styles(m));
}

const bspi_material_rules bspi_material_rules_quake3 = {
	begin, make_material, &quake3_dialect, .names_models = true, .reads_scripts = true,
};
const bspi_material_rules bspi_material_rules_darkplaces = {
	begin, make_material, &darkplaces_dialect, .names_models = true, .reads_scripts = true,
};
const bspi_material_rules bspi_material_rules_callofduty2 = {
	begin, make_material, &callofduty2_dialect, .names_models = true, .reads_scripts = true,
};
const bspi_material_rules bspi_material_rules_callofduty4 = {
	begin, make_material, &callofduty4_dialect, .names_models = true, .reads_scripts = true,
};
const bspi_material_rules bspi_material_rules_raven = {
	begin, make_material, &raven_dialect, .names_models = true, .reads_scripts = true,
};
