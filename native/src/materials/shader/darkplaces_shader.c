/* darkplaces_shader.c - replaces a shader's stages by what DarkPlaces draws: a single layer times light (model_shared.c
 * Mod_LoadTextureFromQ3Shader, gl_rmain.c R_UpdateCurrentTexture, shader_glsl.h). The engine reads the other layers but
 * does not draw them. It also does not draw color and alpha waves or constants, clouds, and shaders without layers. */
#include "materials/shader/shader.h"

#define NO_LAYER UINT32_MAX

/* Index of the last layer of each kind; NO_LAYER if there is none. */
typedef struct layers {
	uint32_t lightmap, vertex, diffuse;
} layers;

static layers find_layers(const bspi_shader *shader)
{
	layers out = { NO_LAYER, NO_LAYER, NO_LAYER };
	for (uint32_t i = 0; i < shader->stage_count; i++) {
		const bspscene_material_pass *stage = &shader->stages[i].stage;
		if (stage->input == BSPSCENE_PASS_INPUT_LIGHTMAP) out.lightmap = i;
		if (stage->color_gen == BSPSCENE_COLOR_GEN_VERTEX) out.vertex = i;
		if (stage->color_gen == BSPSCENE_COLOR_GEN_DIFFUSE) out.diffuse = i;
	}
	return out;
}

static bool blends(const bspscene_material_pass *stage, bspscene_blend src, bspscene_blend dst)
{
	return stage->src_blend == src && stage->dst_blend == dst;
}

static bool is_opaque(const bspscene_material_pass *stage)
{
	return blends(stage, BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO);
}

static bool is_tested(const bspscene_material_pass *stage) { return stage->alpha_test == BSPSCENE_ALPHA_MODE_MASK; }

/* True if vertex alpha blends the second layer over the first. */
static bool is_terrain(const bspi_shader *shader)
{
	if (shader->stage_count < 2 || !shader->stages[1].alpha_gen_set) return false;
	const bspscene_material_pass *below = &shader->stages[0].stage, *above = &shader->stages[1].stage;
	bool over = blends(above, BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA);
	return above->alpha_gen == BSPSCENE_ALPHA_GEN_VERTEX && is_opaque(below) && !is_tested(below) &&
	       (over || (is_opaque(above) && is_tested(above)));
}

static uint32_t material_layer(const layers *found)
{
	if (found->lightmap != NO_LAYER) return found->lightmap ? found->lightmap - 1 : 1;
	if (found->vertex != NO_LAYER) return found->vertex;
	return found->diffuse != NO_LAYER ? found->diffuse : 0;
}

static void forget_generators(bspscene_material_pass *stage)
{
	stage->color_gen = BSPSCENE_COLOR_GEN_IDENTITY;
	stage->alpha_gen = BSPSCENE_ALPHA_GEN_IDENTITY;
	stage->alpha_test = BSPSCENE_ALPHA_MODE_OPAQUE;
	stage->depth_equal = false;
}

static void settle_terrain(bspi_shader *shader, bool lit)
{
	bspscene_material_pass *below = &shader->stages[0].stage, *above = &shader->stages[1].stage;
	forget_generators(below);
	forget_generators(above);
	above->src_blend = BSPSCENE_BLEND_SRC_ALPHA;
	above->dst_blend = BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA;
	above->alpha_gen = BSPSCENE_ALPHA_GEN_TERRAIN;
	above->depth_write = false;
	if (lit) below->color_gen = above->color_gen = BSPSCENE_COLOR_GEN_LIGHT;
	shader->stage_count = 2;
}

/* Reduces the shader to the one layer that is drawn. Blending, alpha test and vertex alpha are those of the first
 * layer; everything else is that of the drawn layer. Layers that are neither opaque, added nor alpha blended get no
 * light. */
static void settle_pass(bspi_shader *shader, uint32_t layer, bool lit)
{
	const bspscene_material_pass first = shader->stages[0].stage;
	const bool vertex_alpha = shader->stages[0].alpha_gen_set && first.alpha_gen == BSPSCENE_ALPHA_GEN_VERTEX;
	const bool adds = blends(&first, BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ONE) ||
	                  blends(&first, BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE);
	const bool covers = blends(&first, BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA);
	const bool light_falls = lit && (adds || covers || is_opaque(&first));
	const bool in_one_stage = !is_opaque(&first) || is_tested(&first);
	if (layer < shader->stage_count) {
		shader->stages[0] = shader->stages[layer];
	} else {
		shader->stages[0] = (bspi_shader_stage){ .stage = bspi_plain_pass(BSPSCENE_PASS_INPUT_WHITE) };
	}
	bspscene_material_pass *pass = &shader->stages[0].stage;
	forget_generators(pass);
	pass->src_blend = first.src_blend;
	pass->dst_blend = first.dst_blend;
	pass->depth_write = is_opaque(&first);
	pass->alpha_test = first.alpha_test;
	pass->alpha_cutoff = is_tested(&first) ? 0.5f : 0; /* the script's own threshold is ignored */
	pass->alpha_test_less = false;
	if (vertex_alpha) pass->alpha_gen = BSPSCENE_ALPHA_GEN_VERTEX;
	if (light_falls && in_one_stage) pass->color_gen = BSPSCENE_COLOR_GEN_LIGHT;
	shader->stages[0].lit = light_falls && !in_one_stage;
	shader->stages[0].glows = !covers;
	shader->stage_count = 1;
}

/* Removes stages with cube maps, because DarkPlaces has none. */
static void drop_cubes(bspi_shader *shader)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < shader->stage_count; i++) {
		if (!shader->stages[i].cube) shader->stages[kept++] = shader->stages[i];
	}
	shader->stage_count = kept;
}

void bspi_settle_for_darkplaces(bspi_shader *shader)
{
	drop_cubes(shader);
	layers found = find_layers(shader);
	bool lit = found.lightmap != NO_LAYER || found.vertex != NO_LAYER || found.diffuse != NO_LAYER;
	if (shader->material.cull == BSPSCENE_CULL_FRONT) shader->material.cull = BSPSCENE_CULL_BACK;
	shader->material.sort = 0;
	shader->is_sky |= (shader->parms & BSPI_PARM_SKY) != 0;
	shader->implicit = BSPI_IMPLICIT_NONE;
	if (shader->is_sky) shader->stage_count = 0;
	if (!shader->stage_count) return;
	if (is_terrain(shader)) settle_terrain(shader, lit);
	else settle_pass(shader, material_layer(&found), lit);
}
