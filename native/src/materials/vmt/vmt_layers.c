/* vmt_layers.c - reads the layers of Lightmapped_4WayBlend, which are blended on displacements. Keys and defaults are
 * those of Valve's wiki and of the shaders' parameter lists. */
#include "materials/vmt/vmt_reading.h"

#include <stdio.h>

#include "base/text.h"

/* Reads a number like "$texture2_lumend". */
static float layer_number(const bspi_vmt *vmt, uint32_t number, const char *what, float otherwise)
{
	char key[32];
	snprintf(key, sizeof key, "$texture%u_%s", (unsigned)number, what);
	return bspi_vmt_number(vmt, key, otherwise);
}

/* Reads a layer's scale, "2" or "[2 1]". In the engine the lowest layer has none, so it is 1. */
static void read_scale(const bspi_vmt *vmt, uint32_t number, float out[2])
{
	char key[32];
	float scale[2];
	snprintf(key, sizeof key, "$texture%u_uvscale", (unsigned)number);
	const char *value = number > 1 ? bspi_vmt_value(vmt, key) : NULL;
	uint32_t count = value ? bspi_text_numbers(value, scale, 2) : 0;
	for (uint32_t k = 0; k < 2; k++) out[k] = count ? scale[k % count] : 1;
}

static void read_layer(const bspi_vmt *vmt, uint32_t number, bspscene_layer *out)
{
	char key[32];
	snprintf(key, sizeof key, "$lumblendfactor%u", (unsigned)number);
	read_scale(vmt, number, out->uv_scale);
	out->luminance[0] = layer_number(vmt, number, "lumstart", 0);
	out->luminance[1] = layer_number(vmt, number, "lumend", 1);
	out->luminance_share = bspi_vmt_number(vmt, key, 1);
	out->blend[0] = layer_number(vmt, number, "blendstart", 0);
	out->blend[1] = layer_number(vmt, number, "blendend", 1);
	out->doubled = number > 2 && layer_number(vmt, number, "blendmode", 0) == 1;
}

bool bspi_read_vmt_layers(bspi_materials *m, const bspi_vmt *vmt, bspscene_material *out)
{
	static const char *const keys[][2] = { { "$basetexture3", NULL }, { "$basetexture4", NULL } };
	uint32_t images[BSPSCENE_MATERIAL_MAX_LAYERS] = { out->base_image, out->second_image };
	for (uint32_t i = 2; i < BSPSCENE_MATERIAL_MAX_LAYERS; i++) {
		BSPI_TRY(bspi_find_vmt_image(m, vmt, keys[i - 2], true, &images[i]));
	}
	uint32_t count = 0;
	while (count < BSPSCENE_MATERIAL_MAX_LAYERS && images[count] != BSPSCENE_NO_INDEX) count++;
	bspscene_layer *layers = bspi_push(m->ctx, &m->ctx->result, bspscene_layer, count);
	BSPI_TRY(layers);
	for (uint32_t i = 0; i < count; i++) {
		layers[i].image = images[i];
		read_layer(vmt, i + 1, &layers[i]);
	}
	out->layers = bspi_table(m->ctx, bspscene_layer, layers, count);
	out->layer_count = count;
	return out->layers != NULL;
}
