/* Promise: a model of Call of Duty has three files. If they do not fit each other, they are refused with a reason
 * before their data is used. Vertices are at the positions that the test computes with rotations about an
 * axis. */
#include <math.h>
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

/* Checks the message that refuses the files. `words` is the expected reason, or NULL if the model must be accepted. */
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

/* Each case has an offset in a file, new bytes for it, and the expected message. */
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
		{ 14, &surfs, STRIPS, 255, 255, "its surfaces file ends inside the strips of a surface" },
		{ 14, &surfs, BONE_14, 2, 0, "names bone 2, but there are 2" },
		{ 25, &surfs, VERSION, 20, 0, "its surfaces file is not of xmodel version 25" },
		{ 25, &surfs, VERTICES_25, 255, 255, "its surfaces file ends inside the vertices of a surface" },
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
	static const struct {
		uint32_t version;
		const char *without_parts, *cut;
	} cases[] = {
		{ 14, "its part xmodelparts/b was not found", "its surfaces file ends inside the weights of a surface" },
		{ 20, "its part xmodelparts/a was not found", "its surfaces file ends inside the triangles of a surface" },
		/* Files of version 25 store vertices in the rest pose, so a missing file of bones does no harm. */
		{ 25, NULL, "its surfaces file ends inside the triangles of a surface" },
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
		expect("its surfaces file ends inside the header of a surface");
	}
}

/* ---- Places at rest ---------------------------------------------------------------------------------------- */

typedef struct bone_turn {
	double axis[3], degrees;           /* the axis has length 1 */
} bone_turn;

/* Rotates a vector in place (Rodrigues' formula). */
static void rotate(const bone_turn *turn, double v[3])
{
	const double *axis = turn->axis, angle = turn->degrees * acos(-1.0) / 180, in[3] = { v[0], v[1], v[2] };
	double along = (axis[0] * in[0] + axis[1] * in[1] + axis[2] * in[2]) * (1 - cos(angle));
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		v[i] = in[i] * cos(angle) + (axis[j] * in[k] - axis[k] * in[j]) * sin(angle) + axis[i] * along;
	}
}

static const double bone_places[3][3] = { { 0, 0, 0 }, { 4, 0, 0 }, { 1, 2, 3 } };

/* Makes a root, its child and the child's child, with these rotations. */
static void build_chain(uint32_t version, const bone_turn turns[3])
{
	parts.size = 0;
	bspt_put_u16(&parts, version);
	bspt_put_u16(&parts, 2);
	bspt_put_u16(&parts, 1);
	for (uint32_t bone = 1; bone < 3; bone++) {
		bspt_put_u8(&parts, bone - 1);
		for (int i = 0; i < 3; i++) bspt_put_floats(&parts, 1, bone_places[bone][i]);
		for (int i = 0; i < 3; i++) {
			double part = turns[bone].axis[i] * sin(turns[bone].degrees * acos(-1.0) / 360);
			bspt_put_u16(&parts, (uint32_t)(int32_t)lround(32767 * part) & 0xffff);
		}
	}
}

/* Moves a point from the space of a bone to that of the model. If `is_direction`, only rotates it. */
static void move_to_model(const bone_turn turns[3], uint32_t bone, bool is_direction, double v[3])
{
	for (; bone; bone--) {
		rotate(&turns[bone], v);
		for (int i = 0; i < 3 && !is_direction; i++) v[i] += bone_places[bone][i];
	}
}

static void expect_vector(const float *got, const double wanted[3], const char *what, uint32_t vertex)
{
	for (int i = 0; i < 3; i++) {
		if (fabs((double)got[i] - wanted[i]) > 4e-3) {
			fail_msg("%s of vertex %u: %g %g %g instead of %g %g %g", what, vertex, (double)got[0], (double)got[1],
			         (double)got[2], wanted[0], wanted[1], wanted[2]);
		}
	}
}

typedef struct posed_case {
	bone_turn turns[3];                /* rotations of the three bones; the root's is 0 */
	/* `whole`: the bone of all vertices of the first surface; vertices of the second have bones of their own.
	 * `surfaces`: how many surfaces the file has. */
	uint32_t whole, surfaces;
} posed_case;

/* Checks a vertex of build_xmodel.c's surfaces and returns its number, which its texture coordinates tell. */
static uint32_t expect_vertex(const bspi_prop_model *read, uint32_t version, const posed_case *of, uint32_t surface,
                              uint32_t i)
{
	const float *uv = read->uvs + 2 * (size_t)i;
	uint32_t number = (uint32_t)(4 * uv[0] + 16 * uv[1]), bone = surface ? number % 2 : of->whole;
	assert_true(uv[0] < 1 && number < BSPT_MODEL_VERTICES);
	const float *p = bspt_model_points[number];
	double place[3] = { (double)p[0], (double)p[1], (double)p[2] }, normal[3] = { 0, 0, 1 };
	if (version != 25 && (surface ? bone : 1)) { /* build_xmodel.c rotates such vertices */
		place[0] = (double)p[1];
		place[1] = 4 - (double)p[0];
	}
	if (version != 25) {
		move_to_model(of->turns, bone, false, place);
		move_to_model(of->turns, bone, true, normal);
	}
	expect_vector(read->positions + 3 * (size_t)i, place, "place", i);
	expect_vector(read->normals + 3 * (size_t)i, normal, "normal", i);
	return number;
}

/* Checks the triangles. The model has them in the order of build_model.h, but counterclockwise. */
static void expect_surfaces(const bspi_prop_model *read, uint32_t version, const posed_case *of)
{
	uint32_t triangle = 0;
	assert_int_equal(read->section_count, of->surfaces);
	for (uint32_t s = 0; s < of->surfaces; s++) {
		const bspi_model_section *section = &read->sections[s];
		assert_int_equal(section->slot, s);
		for (uint32_t i = section->first_index; i < section->first_index + section->index_count; i += 3, triangle++) {
			const uint8_t *t = bspt_model_triangles[triangle];
			uint32_t turn = 0, got[3];
			for (uint32_t k = 0; k < 3; k++) got[k] = expect_vertex(read, version, of, s, read->indices[i + k]);
			while (turn < 3 && got[turn] != t[0]) turn++;
			assert_true(turn < 3 && got[(turn + 1) % 3] == t[2] && got[(turn + 2) % 3] == t[1]);
		}
	}
	assert_int_equal(triangle, of->surfaces == 2 ? BSPT_MODEL_TRIANGLES : 10);
}

static void vertices_stand_where_their_bones_are(void **state)
{
	enum { SURFACES = 2, BONE_20 = 9, BONE_14 = 11 };
	static const posed_case cases[] = {
		{ { { { 0 }, 0 }, { { 1, 0, 0 }, 90 }, { { 0, 0, 1 }, 0 } }, 1, 2 },
		{ { { { 0 }, 0 }, { { 0, 1, 0 }, 90 }, { { 0, 0, 1 }, 0 } }, 1, 2 },
		{ { { { 0 }, 0 }, { { 0, 0, 1 }, -90 }, { { 0, 1, 0 }, 30 } }, 2, 2 },
		{ { { { 0 }, 0 }, { { 1 / 3.0, 2 / 3.0, 2 / 3.0 }, 120 }, { { 1, 0, 0 }, -60 } }, 2, 2 },
		{ { { { 0 }, 0 }, { { 0, 0.6, 0.8 }, 40 }, { { 0, 1, 0 }, 150 } }, 0, 2 },
		/* The model has three materials but one surface. */
		{ { { { 0 }, 0 }, { { 0, 1, 0 }, 180 }, { { 1, 0, 0 }, 180 } }, 2, 1 },
	};
	static const uint32_t versions[] = { 14, 20, 25 };
	(void)state;
	for (size_t i = 0; i < 3 * sizeof cases / sizeof *cases; i++) {
		const posed_case *of = &cases[i / 3];
		uint32_t version = versions[i % 3];
		bspi_ctx ctx = { .file = "test", .name = "test", .budget.limit = (uint64_t)16 << 20 };
		bspi_prop_model read;
		const char *why = "";
		build(version);
		build_chain(version, of->turns);
		surfs.data[SURFACES] = (uint8_t)of->surfaces;
		if (version != 25) surfs.data[version == 14 ? BONE_14 : BONE_20] = (uint8_t)of->whole;
		bspi_begin_memory(&ctx);
		ctx.options.open_file = open_file;
		if (!bspi_read_model(&ctx, "xmodel/a", bspt_written(&model), &(bspi_model_state){ 0 }, &read, &why)) {
			fail_msg("case %zu: %s", i, why);
		}
		expect_surfaces(&read, version, of);
		bspi_end_memory(&ctx);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused), cmocka_unit_test(parts_are_looked_for),
		cmocka_unit_test(vertices_stand_where_their_bones_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
