/* shader_sky.c - finds the sky boxes of Quake III's shaders, and the one sky box that DarkPlaces shows. */
#include "materials/shader/shader.h"

/* Finds the six sides. QFusion and DarkPlaces also accept the images of a cube map. If the first side is missing, the
 * engine draws no box. This is not reported if the name contains no folder, because old scripts write "full" for no
 * box. */
bool bspi_build_shader_sky(bspi_materials *m, const char *stem, bspscene_sky *sky)
{
	if (!stem) return true;
	const char *first = bspi_text_format(m->ctx, &m->ctx->scratch, "%s%s", stem, bspi_box_suffixes[0]);
	uint32_t first_side;
	BSPI_TRY(first && bspi_try_image(m, first, &first_side));
	if (first_side == BSPSCENE_NO_INDEX) BSPI_TRY(bspi_find_cube_faces(m, stem, sky->box));
	bool faces = first_side == BSPSCENE_NO_INDEX && sky->box[0] != BSPSCENE_NO_INDEX;
	for (int i = 0; !faces && i < 6; i++) {
		const char *name = bspi_text_format(m->ctx, &m->ctx->scratch, "%s%s", stem, bspi_box_suffixes[i]);
		BSPI_TRY(name && bspi_try_image(m, name, &sky->box[i]));
		if (sky->box[i] == BSPSCENE_NO_INDEX && (i || strchr(stem, '/'))) {
			uint32_t missing;
			BSPI_TRY(bspi_find_image(m, name, "this side of the sky was not found", &missing));
			if (i) sky->box[i] = missing;
		}
		if (sky->box[0] == BSPSCENE_NO_INDEX) return true;
	}
	size_t length = strlen(stem);
	sky->name = bspi_text_format(m->ctx, &m->ctx->result, "%.*s", (int)(length - (length && stem[length - 1] == '_')),
	                             stem);
	return sky->name != NULL;
}

bool bspi_build_shader_sky_sides(bspi_materials *m, const char *const names[6], bspscene_sky *sky)
{
	for (int i = 0; i < 6; i++) {
		BSPI_TRY(bspi_find_image(m, names[i], "this side of the sky was not found", &sky->box[i]));
	}
	sky->name = bspi_text_format(m->ctx, &m->ctx->result, "%s", names[0]);
	return sky->name != NULL;
}

/* Searches like DarkPlaces' gl_rmain.c R_SetSkyBox and r_sky.c R_LoadSkyBox. */
bool bspi_find_worldspawn_sky(bspi_materials *m, const char **stem)
{
	static const struct { const char *before, *behind; } places[] = {
		{ "", "_" }, { "", "" }, { "env/", "" }, { "gfx/env/", "" },
	};
	const char *value = bspi_worldspawn_value(m, "sky");
	*stem = NULL;
	for (size_t i = 0; value && *value && i < sizeof places / sizeof *places; i++) {
		const char *begun = bspi_text_format(m->ctx, &m->ctx->scratch, "%s%s%s", places[i].before, value,
		                                     places[i].behind);
		const char *first =
			begun ? bspi_text_format(m->ctx, &m->ctx->scratch, "%s%s", begun, bspi_box_suffixes[0]) : NULL;
		uint32_t image, box[6];
		BSPI_TRY(first && bspi_try_image(m, first, &image) && bspi_find_cube_faces(m, begun, box));
		if (image == BSPSCENE_NO_INDEX && box[0] == BSPSCENE_NO_INDEX) continue;
		*stem = begun;
		return true;
	}
	return true;
}
