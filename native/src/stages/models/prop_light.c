/* prop_light.c - reads the light that Source's compiler stored for a static prop (sp_<number>.vhv in the map's
 * archive). The file has a color for each vertex of the model's strip groups. It is converted to a color for each
 * vertex of the prop's mesh. */
#include "stages/models/models.h"

#include <stdio.h>

#include "base/text.h"
#include "images/display.h"
#include "io/io.h"

enum { VERSION = 2, HEADER = 40, ENTRY = 28, COLOR = 4, MOST_ENTRIES = 65536 };
enum { CHECKSUM_AT = 4, VERTEX_SIZE_AT = 12, ENTRIES_AT = 20 }; /* byte offsets of fields in the header */
enum { LOD_AT, COUNT_AT = 4, OFFSET_AT = 8 };                   /* byte offsets of fields in an entry */

/* Opens the file with a prop's light. If the map was compiled only for HDR, there is only the HDR file. */
static bool open_light(bspi_build *build, uint32_t prop, bspi_sibling *out)
{
	static const char *const words[] = { "sp", "sp_hdr" };
	char path[32];
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		snprintf(path, sizeof path, "%s_%u.vhv", words[i], prop);
		if (bspi_open_sibling(build->ctx, &build->ctx->stage, path, BSPSCENE_FILE_LIGHT, out)) return true;
		BSPI_TRY(!build->ctx->error.status);
	}
	return false;
}

/* Reads the colors of the model's most detailed level. The header has one entry for each strip group. Returns NULL, or
 * the reason why the file is not used. */
static const char *take_colors(bspi_bytes file, const bspi_prop_model *model, uint8_t *out)
{
	if (file.size < HEADER || bspi_load_u32(file.data) != VERSION) return "it is of another version";
	if (bspi_load_u32(file.data + CHECKSUM_AT) != model->checksum) return "it was made for another model";
	uint32_t entries = bspi_load_u32(file.data + ENTRIES_AT), taken = 0;
	bspi_bytes view;
	if (bspi_load_u32(file.data + VERTEX_SIZE_AT) != COLOR) return "its colors have another size";
	if (entries > MOST_ENTRIES || !bspi_slice(file, HEADER, (uint64_t)entries * ENTRY, &view)) return "it is cut off";
	for (uint32_t i = 0; i < entries; i++) {
		const uint8_t *entry = view.data + (size_t)i * ENTRY;
		uint32_t count = bspi_load_u32(entry + COUNT_AT);
		bspi_bytes colors;
		if (bspi_load_u32(entry + LOD_AT)) continue;
		if (count > model->number_count - taken) return "it has more vertices than the model";
		if (!bspi_slice(file, bspi_load_u32(entry + OFFSET_AT), (uint64_t)count * COLOR, &colors))
			return "it is cut off";
		memcpy(out + (size_t)taken * COLOR, colors.data, colors.size);
		taken += count;
	}
	return taken == model->number_count ? NULL : "it has fewer vertices than the model";
}

/* Converts a stored color to a vertex color. The file has the bytes blue, green and red. Each is half of the display
 * light: 255 stands for light of 2. */
static void convert(const uint8_t *from, float gain, uint8_t out[4])
{
	for (size_t k = 0; k < 3; k++) {
		float value = 2 * (float)from[2 - k] / gain;
		out[k] = (uint8_t)(value < 255 ? value + 0.5f : 255);
	}
	out[3] = 255;
}

static bool arrange_colors(bspi_build *build, const bspi_model_use *use, const uint8_t *from, const uint8_t **colors)
{
	const bspi_prop_model *model = &build->models->models[use->model].model;
	uint32_t count = build->scene->meshes[use->mesh]->vertex_count;
	uint8_t *out = bspi_push_unset(build->ctx, &build->ctx->result, count, 4);
	BSPI_TRY(out);
	float gain = bspi_color_intensity(build->scene);
	for (size_t i = 0; i < count; i++) {
		uint32_t vertex = use->vertices ? use->vertices[i] : (uint32_t)i;
		convert(from + COLOR * (size_t)model->numbers[vertex], gain, out + 4 * i);
	}
	*colors = out;
	return true;
}

bool bspi_find_prop_light(bspi_build *build, uint32_t prop, const uint8_t **colors)
{
	bspi_ctx *ctx = build->ctx;
	bspi_sibling file;
	*colors = NULL;
	bool is_lit = !build->map->full_bright && ctx->options.lightmap_encoding != BSPSCENE_LIGHTMAP_ENCODING_NONE;
	bool wanted = is_lit && build->map->pakfile.size;
	if (!wanted || bspi_static_prop_mesh(build, prop) == BSPSCENE_NO_INDEX) return true;
	const bspi_model_use *use = &build->models->uses[build->models->of_static_prop[prop]];
	const bspi_prop_model *model = &build->models->models[use->model].model;
	if (!model->number_count || !open_light(build, prop, &file)) return !ctx->error.status;
	uint8_t *stored = bspi_push_unset(ctx, &ctx->stage, model->number_count, COLOR);
	BSPI_TRY(stored);
	const char *trouble = take_colors(file.bytes, model, stored);
	if (!trouble) return arrange_colors(build, use, stored, colors);
	return bspi_warn(ctx, BSPSCENE_WARNING_FILE_STALE, BSPI_LUMP("models"), "%s: %s: the light at its position is used",
	                 file.path, trouble);
}
