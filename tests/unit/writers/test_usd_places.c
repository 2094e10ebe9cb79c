/* Promise: a prim in USD has a translation, a rotation and a scale, in this order. Each of them is left out if it
 * changes nothing. In a package, a mesh that stands in several places is repeated, because three.js would not show
 * instances. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/captured.h"
#include "support/make/sample_scene.h"

/* Copies the line of a prim that lists its operations; "" if it has none. */
static void order_of(const bspt_bytes *file, const char *prim, char *out, size_t size)
{
	char *text = calloc(1, file->size + 1);
	assert_non_null(text);
	memcpy(text, file->data, file->size);
	const char *at = strstr(text, prim);
	assert_non_null(at);
	const char *next = strstr(at + 1, "def "), *order = strstr(at, "xformOpOrder = [");
	out[0] = 0;
	if (order && (!next || order < next)) {
		order = strchr(order, '[') + 1;
		size_t length = strcspn(order, "]");
		assert_true(length < size);
		memcpy(out, order, length);
		out[length] = 0;
	}
	free(text);
}

static void what_differs_is_said(void **state)
{
#define MOVE "\"xformOp:translate\""
#define TURN "\"xformOp:orient\""
#define SIZE "\"xformOp:scale\""
	static const struct { const char *what; float transform[12]; const char *want; } cases[] = {
		{ "as it is", { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, "" },
		{ "moved along x", { 1, 0, 0, 8, 0, 1, 0, 0, 0, 0, 1, 0 }, MOVE },
		{ "moved along y", { 1, 0, 0, 0, 0, 1, 0, 8, 0, 0, 1, 0 }, MOVE },
		{ "moved along z", { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 8 }, MOVE },
		{ "turned about x", { 1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0 }, TURN },
		{ "turned about y", { 0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0 }, TURN },
		{ "turned about z", { 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0 }, TURN },
		{ "longer along x", { 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 }, SIZE },
		{ "longer along y", { 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0 }, SIZE },
		{ "longer along z", { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0 }, SIZE },
		{ "moved and turned", { 0, -1, 0, 8, 1, 0, 0, 0, 0, 0, 1, 0 }, MOVE ", " TURN },
		{ "moved and longer", { 2, 0, 0, 8, 0, 1, 0, 0, 0, 0, 1, 0 }, MOVE ", " SIZE },
		{ "turned and longer", { 0, -2, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0 }, TURN ", " SIZE },
		{ "all of it", { 0, -2, 0, 0, 1, 0, 0, 0, 0, 0, 1, 8 }, MOVE ", " TURN ", " SIZE },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_sample *sample = bspt_sample_make();
		bspt_captured captured;
		bspscene_output output = bspt_capture(&captured);
		char got[128];
		memcpy(sample->nodes[BSPT_SAMPLE_NODE_DOOR].transform, cases[i].transform, sizeof cases[i].transform);
		assert_true(bspscene_write(&sample->scene, "usda", NULL, &output, NULL));
		order_of(&captured.files[0].bytes, "\"func_door_1\"", got, sizeof got);
		if (strcmp(got, cases[i].want) != 0) fail_msg("%s: %s", cases[i].what, got);
		bspt_captured_free(&captured);
		bspt_sample_free(sample);
	}
}

static bool has_prototypes(const bspt_sample *sample, const char *writer)
{
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.lighting = BSPSCENE_WRITE_LIGHTING_NONE;
	bspt_captured captured;
	bspscene_output output = bspt_capture(&captured);
	assert_true(bspscene_write(&sample->scene, writer, &options, &output, NULL));
	const bspt_bytes *file = &captured.files[0].bytes;
	static const char word[] = "\"Prototypes\"";
	bool found = false;
	for (size_t i = 0; i + sizeof word - 1 <= file->size && !found; i++) {
		found = !memcmp(file->data + i, word, sizeof word - 1);
	}
	bspt_captured_free(&captured);
	return found;
}

static void packages_repeat_meshes(void **state)
{
	enum { MANY = 3 * (262144 + 1) };
	bspt_sample *sample = bspt_sample_make();
	uint32_t *indices = calloc(MANY, sizeof *indices);
	(void)state;
	assert_non_null(indices);
	uint32_t door = sample->nodes[BSPT_SAMPLE_NODE_DOOR].mesh;
	sample->nodes[BSPT_SAMPLE_NODE_CHILD].mesh = door;
	assert_true(has_prototypes(sample, "usda"));
	assert_false(has_prototypes(sample, "usdz"));
	/* Meshes are not repeated if that would add too many triangles. */
	bspscene_mesh *mesh = &sample->meshes[door];
	memcpy(indices, mesh->indices, mesh->index_count * sizeof *indices);
	mesh->indices = indices;
	mesh->index_count = MANY;
	assert_true(has_prototypes(sample, "usdz"));
	bspt_sample_free(sample);
	free(indices);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_differs_is_said),
		cmocka_unit_test(packages_repeat_meshes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
