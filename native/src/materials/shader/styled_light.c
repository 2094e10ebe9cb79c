/* styled_light.c - adds the passes for a face's second and later light styles. Raven's engines draw the first
 * lightmap pass as the script says. After it, they add one pass for each other style of the surface (OpenJK
 * tr_shader.cpp FinishShader). So if the first lightmap pass multiplies textures, the other styles are added to the
 * product. */
#include "materials/shader/shader.h"

enum { STYLES = 256, NO_STYLE = 255 };

/* With more styles than this, no passes are added: the textures are multiplied by the sum of all styles. The engine has
 * room for 8 passes. */
#define MOST_STYLES 32u

/* The light styles of all faces that use a shader. */
struct bspi_style_set {
	bool used[STYLES];
	uint32_t count;                    /* number of used styles, without style 0 */
	bool differs;                      /* some face has no page, or a first style other than 0 */
};

static void take_face(const bspi_face *face, bspi_style_set *set)
{
	set->differs = set->differs || face->lightmap[0] < 0 || face->styles[0];
	for (uint32_t slot = 1; slot < BSPI_MAX_STYLES; slot++) {
		uint8_t style = face->styles[slot];
		if (style == NO_STYLE || !style || face->lightmap[slot] < 0 || set->used[style]) continue;
		set->used[style] = true;
		set->count++;
	}
}

static bool has_styles(const bspi_face *face)
{
	bool any = false;
	for (uint32_t slot = 1; slot < BSPI_MAX_STYLES; slot++) any = any || face->styles[slot] != NO_STYLE;
	return any;
}

bool bspi_collect_styles(bspi_materials *m, bspi_definition *const *definitions)
{
	for (uint32_t i = 0; i < m->map->faces_count; i++) {
		bspi_definition *definition = definitions[bspi_shown_texture(m, i)];
		if (!definition || definition->styles || !has_styles(&m->map->faces[i])) continue;
		definition->styles = bspi_push(m->ctx, &m->ctx->scratch, bspi_style_set, 1);
		BSPI_TRY(definition->styles);
	}
	for (uint32_t i = 0; i < m->map->faces_count; i++) {
		bspi_definition *definition = definitions[bspi_shown_texture(m, i)];
		if (definition && definition->styles) take_face(&m->map->faces[i], definition->styles);
	}
	return true;
}

static uint32_t first_light_pass(const bspi_materials *m, const bspscene_material *material)
{
	uint32_t i = 0;
	while (i < material->pass_count && m->stages[material->first_pass + i].input != BSPSCENE_PASS_INPUT_LIGHTMAP) i++;
	return i;
}

bool bspi_add_styled_passes(bspi_materials *m, const bspi_style_set *set, bspscene_material *material)
{
	uint32_t light = first_light_pass(m, material), first = material->first_pass + light + 1, at = first;
	if (!set || set->differs || !set->count || set->count > MOST_STYLES) return true;
	if (!light || light == material->pass_count) return true;
	bspscene_material_pass added = m->stages[first - 1];
	added.src_blend = added.dst_blend = BSPSCENE_BLEND_ONE;
	added.color_gen = BSPSCENE_COLOR_GEN_IDENTITY;
	uint32_t after = m->stage_count - first;
	for (uint32_t i = 0; i < set->count; i++) BSPI_TRY(bspi_add_pass(m, &added));
	memmove(m->stages + first + set->count, m->stages + first, after * sizeof *m->stages);
	for (uint32_t style = 1; style < NO_STYLE; style++) {
		if (!set->used[style]) continue;
		m->stages[at] = added;
		m->stages[at++].light_style = style;
	}
	material->pass_count += set->count;
	return true;
}
