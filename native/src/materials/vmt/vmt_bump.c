/* vmt_bump.c - reads normal maps that change the light of lightmaps: $bumpmap and $bumpmap2 of LightmappedGeneric and
 * WorldVertexTransition (SDK: stdshaders/lightmappedgeneric_dx9_helper.cpp, lightmappedgeneric_ps2_3_x.h). */
#include "materials/vmt/vmt_reading.h"

#define SELF_SHADOWING 0x8000000u

bool bspi_read_vmt_bump_light(bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	static const char *const first[] = { "$bumpmap", NULL }, *const second[] = { "$bumpmap2", NULL };
	bspscene_bump_light found = { .second_image = BSPSCENE_NO_INDEX };
	bool wanted = m->ctx->options.reflections && bspi_kind_of_vmt(vmt) == BSPI_VMT_LIGHTMAPPED && !out->layer_count;
	if (!wanted || bspi_vmt_is_set(vmt, "$nodiffusebumplighting")) return true;
	BSPI_TRY(bspi_find_vmt_image(m, vmt, first, false, &found.image));
	if (found.image == BSPSCENE_NO_INDEX) return true;
	if (out->second_image != BSPSCENE_NO_INDEX) {
		BSPI_TRY(bspi_find_vmt_image(m, vmt, second, false, &found.second_image));
	}
	found.self_shadowing = bspi_vmt_is_set(vmt, "$ssbump") || bspi_vmt_image_has(m, found.image, SELF_SHADOWING);
	bspscene_bump_light *kept = bspi_push(m->ctx, &m->ctx->result, bspscene_bump_light, 1);
	BSPI_TRY(kept);
	*kept = found;
	out->bump_light = kept;
	return true;
}
