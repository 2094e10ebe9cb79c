/* fuzz_shader.c - the input is a shader script, or a material file of Call of Duty. Its last byte chooses the load's
 * options. The map, which is made here, has a face with each shader or material that the input defines. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "materials/materials.h"
#include "materials/shader/script_index.h"
#include "stages/stages.h"
#include "support/check/check_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_TEXTURES 32u

enum { VERTICES = 4 };

static const uint8_t tga[18 + 12] = { [2] = 2, [12] = 2, [14] = 2, [16] = 24 };

typedef struct game {
	const uint8_t *script;
	size_t size;
	bool images;                       /* true if images exist whose paths have an even length */
} game;

static bool open_file(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const game *g = user;
	size_t length = strlen(path);
	if (!bspt_is_safe_path(path)) abort();
	bool script = kind == BSPSCENE_FILE_SHADER;
	if (script) *stream = (bspscene_stream){ .data = g->size ? g->script : tga, .size = g->size, .origin = "fuzz" };
	else *stream = (bspscene_stream){ .data = tga, .size = sizeof tga };
	return script || (g->images && length % 2 == 0 && bspi_text_ends(path, ".tga"));
}

static void list_files(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                       void *found_user)
{
	(void)user;
	(void)prefix;
	(void)suffix;
	found(found_user, "scripts/fuzz.shader");
}

/* Makes a texture for each name that the script defines, and one for a name that it does not define. */
static uint32_t name_textures(bspi_ctx *ctx, const game *g, bspi_texture *textures)
{
	bspi_script_index index = { .file_count = 0 };
	uint32_t count = 0;
	if (!bspi_index_text(ctx, &index, "fuzz", bspi_bytes_of(g->script, g->size))) abort();
	for (uint32_t i = 0; i < index.definition_count && count < MOST_TEXTURES - 1; i++) {
		size_t length = strlen(index.definitions[i].name);
		if (length >= sizeof textures->name) continue;
		memcpy(textures[count].name, index.definitions[i].name, length);
		textures[count++].surface_flags = i % 5 ? 0 : 4;
	}
	memcpy(textures[count++].name, "textures/none", 14);
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t choice = size ? data[size - 1] : 0;
	game g = { data, size ? size - 1 : 0, choice & 1 };
	bspi_ctx ctx = { .file = "fuzz.bsp", .name = "fuzz", .budget.limit = 256u << 20 };
	bspi_texture textures[MOST_TEXTURES] = { { .name = "" } };
	bspi_face faces[MOST_TEXTURES] = { { .kind = BSPI_FACE_DROPPED } };
	bspi_draw_vertex vertices[VERTICES] = { { .normal = { 0, 0, 1 } } };
	bspi_fog fog = { .shader = "textures/fog" };
	bspscene_scene scene = { .name = "fuzz" };
	bspi_scene_parts parts = { .counts = { 0 } };
	bspi_set_parts(&scene, &parts);
	bspi_map map = {
		.textures = textures, .faces = faces, .faces_count = MOST_TEXTURES, .fogs = &fog, .fogs_count = 1,
		.draw_vertices = vertices, .draw_vertices_count = VERTICES, .rules.materials = BSPI_MATERIALS_QUAKE3,
	};
	if (choice & 8) map.rules.materials = choice & 16 ? BSPI_MATERIALS_CALLOFDUTY4 : BSPI_MATERIALS_CALLOFDUTY2;
	bspi_begin_memory(&ctx);
	ctx.options.open_file = open_file;
	ctx.options.list_files = list_files;
	ctx.options.file_user = &g;
	ctx.options.textures = choice & 2 ? BSPSCENE_TEXTURES_NAMES : BSPSCENE_TEXTURES_LOAD;
	ctx.options.include_mask = choice & 4 ? BSPSCENE_SURFACE_ALL : 0;
	map.textures_count = name_textures(&ctx, &g, textures);
	for (uint32_t i = 0; i < map.textures_count; i++) {
		faces[i] = (bspi_face){ .kind = BSPI_FACE_TRIANGLES, .texture = (int32_t)i, .vertex_count = VERTICES,
		                        .styles = { 0, 255, 255, 255 } };
	}
	ctx.warning_count = 0;
	bspi_build build = { .ctx = &ctx, .map = &map, .scene = &scene, .parts = &parts };
	bool built = bspi_build_materials(&build);
	if (built != !ctx.error.status) abort();
	if (built) {
		bspt_report report = { .failures = 0 };
		bspt_check_materials(&scene, &ctx.options, &report);
		for (uint32_t i = 0; i < map.textures_count; i++) {
			BSPT_EXPECT(&report, build.texture_materials[i] < scene.material_count, "texture %u has no material", i);
		}
		for (uint32_t i = 0; i < build.shader_light->picture_count; i++) {
			BSPT_EXPECT(&report, build.shader_light->pictures[i].rgb, "page %u has no luxels", i);
		}
		if (report.failures) abort();
	}
	bspi_end_memory(&ctx);
	if (ctx.budget.used) abort();
	return 0;
}
