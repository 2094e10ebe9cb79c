/* Promise: inconsistencies in the three files of Call of Duty's models are refused with a reason before they are
 * used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "models/model.h"
#include "support/models/build_model.h"

static bspt_writer model, parts, surfs;

static bool open_file(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspt_writer *file = NULL;
	(void)user;
	(void)kind;
	if (!strncmp(path, "xmodelparts/", 12)) file = &parts;
	if (!strncmp(path, "xmodelsurfs/", 12)) file = &surfs;
	if (!file || !file->size) return false;
	stream->data = file->data;
	stream->size = file->size;
	return true;
}

static void build(uint32_t version)
{
	model.size = parts.size = surfs.size = 0;
	bspt_build_xmodel(&model, version);
	bspt_build_xmodel_parts(&parts, version);
	bspt_build_xmodel_surfs(&surfs, version);
}

/* `words`: the expected reason; NULL if the model must be accepted. */
static void expect(const char *words)
{
	bspi_ctx ctx = { .file = "test", .name = "test", .budget.limit = (uint64_t)16 << 20 };
	bspi_prop_model out;
	const char *why = "";
	bspi_begin_memory(&ctx);
	ctx.options.open_file = open_file;
	bool read = bspi_read_model(&ctx, "xmodel/a", bspt_written(&model), &(bspi_model_state){ 0 }, &out, &why);
	if (read != !words || (words && !strstr(why, words))) fail_msg("'%s' instead of '%s'", why, words ? words : "");
	bspi_end_memory(&ctx);
}

/* An offset in a file, new bytes for it, and the expected message. */
static void refused(void **state)
{
	enum { VERSION = 0, MATERIALS = 27 + 4 * 4 + 5 + 4 + 4 + 4 + 84, HANGING = 2, ROOTS = 4, PARENT = 6, SURFACES = 2,
	       BONE = 9, STRIPS = 9, BONE_14 = 11, VERTICES_25 = 7 };
	static const struct {
		uint32_t version;
		bspt_writer *file;
		size_t at;
		uint8_t low, high;
		const char *words;
	} cases[] = {
		{ 20, &model, VERSION, 21, 0, "its model format is unknown" },
		{ 20, &model, MATERIALS, 0, 0, "it claims 0 materials" },
		{ 20, &model, MATERIALS, 3, 0, "the file ends inside its materials" },
		{ 20, &model, MATERIALS, 255, 255, "it claims 65535 materials" },
		{ 20, &model, MATERIALS - 88, 255, 255, "it claims 0 materials" },
		{ 20, &parts, VERSION, 25, 0, "its parts file is not of xmodel version 20" },
		{ 20, &parts, HANGING, 0, 1, "claims 257 bones" },
		{ 20, &parts, HANGING, 9, 0, "xmodel bones" },
		{ 20, &parts, ROOTS, 0, 0, "1 bones, 0 of them roots" },
		{ 20, &parts, PARENT, 1, 0, "bone 1 has the parent 1," },
		{ 20, &parts, PARENT, 255, 0, "bone 1 has the parent -1," },
		{ 20, &surfs, VERSION, 25, 0, "its surfaces file is not of xmodel version 20" },
		{ 20, &surfs, SURFACES, 3, 0, "it has 3 surfaces, but only 2 materials" },
		{ 20, &surfs, BONE, 2, 0, "names bone 2, but there are 2" },
		{ 14, &model, VERSION, 20, 0, "its model format is unknown" },
		{ 14, &parts, VERSION, 20, 0, "its parts file is not of xmodel version 14" },
		{ 14, &surfs, VERSION, 20, 0, "its surfaces file is not of xmodel version 14" },
		{ 14, &surfs, STRIPS, 255, 255, "it ends inside its strips" },
		{ 14, &surfs, BONE_14, 2, 0, "names bone 2, but there are 2" },
		{ 25, &surfs, VERSION, 20, 0, "its surfaces file is not of xmodel version 25" },
		{ 25, &surfs, VERTICES_25, 255, 255, "it ends inside its vertices" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		build(cases[i].version);
		cases[i].file->data[cases[i].at] = cases[i].low;
		cases[i].file->data[cases[i].at + 1] = cases[i].high;
		expect(cases[i].words);
	}
}

static void parts_are_looked_for(void **state)
{
	static const struct { uint32_t version; const char *without_parts, *cut; } cases[] = {
		{ 14, "its part xmodelparts/b was not found", "it ends inside its weights" },
		{ 20, "its part xmodelparts/a was not found", "it ends inside its triangles" },
		{ 25, NULL, "it ends inside its triangles" }, /* version 25 stores positions at rest */
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		build(cases[i].version);
		expect(NULL);
		parts.size = 0;
		expect(cases[i].without_parts);
		build(cases[i].version);
		surfs.size--;
		expect(cases[i].cut);
		surfs.size = 6;
		expect("it ends inside a surface's head");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(refused), cmocka_unit_test(parts_are_looked_for) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
