/* gltf_lit.c - writes surfaces with the baked picture of texture times light. See lit.h. */
#include <math.h>

#include "writers/gltf/gltf.h"
#include "writers/light/drawn.h"

bool bspi_gltf_make_lit(bspi_gltf *gltf)
{
	bool *shown;
	if (gltf->writer->options.lighting != BSPSCENE_WRITE_LIGHTING_BAKED) return true;
	BSPI_TRY(bspi_mark_shown(gltf->writer, &shown) && bspi_lit_make(gltf->writer, shown, true, &gltf->lit));
	gltf->scene = gltf->writer->scene;
	if (!gltf->lit.sheet_count) return true;
	json_t *facts = json_object_get(json_object_get(gltf->document, "asset"), "extras");
	bspi_gltf_set(gltf, facts, "litTexelsPerLuxel", bspi_json_float(gltf->lit.density));
	for (uint32_t i = 0; i < gltf->lit.sheet_count; i++) {
		char name[BSPI_LIT_NAME_SIZE];
		bspi_picture *picture = &gltf->lit.sheets[i].picture;
		bspi_lit_sheet_name(i, name);
		BSPI_TRY(bspi_gltf_made_texture(gltf, name, picture, BSPI_GLTF_CLAMP, &gltf->lit_textures[i]));
		*picture = (bspi_picture){ .data = NULL };
	}
	return true;
}

bspi_lit_section bspi_gltf_lit_section(const bspi_gltf *gltf, const bspi_gltf_source *source)
{
	static const bspi_lit_section as_it_is = { .light = { 1, 1, 1 } };
	return gltf->lit.sections && !source->glow ? gltf->lit.sections[source->mesh][source->section] : as_it_is;
}

const float *bspi_gltf_lit_uvs(const bspi_gltf *gltf, const bspi_gltf_source *source)
{
	return bspi_gltf_lit_section(gltf, source).in_picture ? gltf->lit.uvs[source->mesh] : NULL;
}

/* See gltf.h. Surfaces outside of the baked picture have a factor for their light. Factors cannot exceed 1, so brighter
 * light is clamped. */
void bspi_gltf_set_lit(bspi_gltf *gltf, json_t *pbr, bspi_gltf_look *look)
{
	if (look->lit.in_picture) {
		json_t *info = json_object();
		bspi_gltf_set(gltf, info, "index", json_integer(gltf->lit_textures[look->lit.sheet]));
		bspi_gltf_set(gltf, pbr, "baseColorTexture", info);
		look->uses_uv = true;
		return;
	}
	float factor[4];
	bspi_lit_factor(gltf->scene->materials[look->material], &look->lit, factor);
	for (int i = 0; i < 3; i++) factor[i] = fminf(factor[i], 1);
	bspi_gltf_set(gltf, pbr, "baseColorFactor", bspi_json_floats(factor, 4));
}
