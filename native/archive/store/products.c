/* products.c - see products.h. */
#include "archive/store/products.h"

#include <string.h>

static const struct {
	cli_step step;
	const char *name;
} step_rows[] = {
	{ CLI_STEP_INFO, "info" },
	{ CLI_STEP_PICTURES, "pictures" },
	{ CLI_STEP_LIGHTMAPS, "lightmaps" },
	{ CLI_STEP_GLB, "glb" },
	{ CLI_STEP_ENTITIES, "entities" },
	{ CLI_STEP_FILES, "files" },
	{ CLI_STEP_COMPANIONS, "companions" },
	{ CLI_STEP_ORIGINALS, "originals" },
};
enum { STEP_COUNT = sizeof step_rows / sizeof *step_rows };

cli_products cli_products_asked(const cli_args *args)
{
	const cli_process_options *own = cli_process_options_of(args);
	cli_products asked = { .steps = own->steps ? own->steps : CLI_DEFAULT_STEPS };
	if (own->keep_originals) asked.steps |= CLI_STEP_ORIGINALS;
	asked.shared_textures = asked.steps & CLI_STEP_GLB && own->shared_textures;
	for (int kind = 0; asked.steps & CLI_STEP_PICTURES && kind < CLI_PICTURE_KINDS; kind++) {
		asked.pictures[kind] = own->pictures[kind];
		if (!own->has_pictures && kind != CLI_PICTURE_TURN) asked.pictures[kind] = cli_picture_rows[kind].size;
	}
	return asked;
}

/* ---- Results ---------------------------------------------------------------------------------------------- */

void cli_products_describe(const cli_products *products, json_t *result)
{
	json_t *steps = json_array(), *pictures = json_object();
	for (int i = 0; i < STEP_COUNT; i++) {
		if (products->steps & step_rows[i].step) json_array_append_new(steps, json_string(step_rows[i].name));
	}
	for (int kind = 0; kind < CLI_PICTURE_KINDS; kind++) {
		const cli_picture_size *size = &products->pictures[kind];
		if (!size->width) continue;
		json_t *sides = json_array();
		json_array_append_new(sides, json_integer(size->width));
		json_array_append_new(sides, json_integer(size->height));
		json_object_set_new(pictures, cli_picture_rows[kind].file, sides);
	}
	json_object_set_new(result, "steps", steps);
	if (products->steps & CLI_STEP_PICTURES) json_object_set(result, "pictures", pictures);
	if (products->shared_textures) json_object_set_new(result, "textures", json_string("shared"));
	json_decref(pictures);
}

static uint32_t read_steps(const json_t *names)
{
	uint32_t steps = 0;
	for (size_t k = 0; k < json_array_size(names); k++) {
		const char *name = json_string_value(json_array_get(names, k));
		for (int i = 0; name && i < STEP_COUNT; i++) {
			if (!strcmp(name, step_rows[i].name)) steps |= step_rows[i].step;
		}
	}
	return steps;
}

/* Returns number `index` of `sides`: the width or height of a picture in pixels. Returns 0 if a picture of this kind
 * cannot be that large. */
static uint32_t read_side(const json_t *sides, size_t index, int kind)
{
	json_int_t side = json_integer_value(json_array_get(sides, index));
	return side > 0 && side <= (json_int_t)cli_picture_rows[kind].most_side ? (uint32_t)side : 0;
}

cli_products cli_products_of(const json_t *result)
{
	cli_products products = { 0 };
	const char *version = json_string_value(json_object_get(result, "version"));
	if (!version || strcmp(version, bspscene_version()) != 0) return products;
	const json_t *pictures = json_object_get(result, "pictures");
	products.steps = read_steps(json_object_get(result, "steps"));
	products.shared_textures = json_object_get(result, "textures") != NULL;
	for (int kind = 0; kind < CLI_PICTURE_KINDS; kind++) {
		const json_t *sides = json_object_get(pictures, cli_picture_rows[kind].file);
		cli_picture_size size = { read_side(sides, 0, kind), read_side(sides, 1, kind) };
		if (size.width && size.height) products.pictures[kind] = size;
	}
	return products;
}

/* ---- Comparing -------------------------------------------------------------------------------------------- */

bool cli_products_have_plain(const cli_products *there, const cli_products *wanted)
{
	if (wanted->steps & CLI_PLAIN_STEPS & ~there->steps) return false;
	return !(wanted->steps & CLI_STEP_GLB) || there->shared_textures == wanted->shared_textures;
}

bool cli_products_have_picture(const cli_products *there, const cli_products *wanted, cli_picture_kind kind)
{
	cli_picture_size one = there->pictures[kind], other = wanted->pictures[kind];
	return !other.width || (one.width == other.width && one.height == other.height);
}

bool cli_products_suffice(const cli_products *there, const cli_products *wanted)
{
	bool suffice = cli_products_have_plain(there, wanted) && !(wanted->steps & ~there->steps);
	for (int kind = 0; suffice && kind < CLI_PICTURE_KINDS; kind++) {
		suffice = cli_products_have_picture(there, wanted, (cli_picture_kind)kind);
	}
	return suffice;
}

void cli_products_add(cli_products *wanted, const cli_products *there)
{
	if (!(wanted->steps & CLI_STEP_GLB)) wanted->shared_textures = there->shared_textures;
	wanted->steps |= there->steps;
	for (int kind = 0; kind < CLI_PICTURE_KINDS; kind++) {
		if (!wanted->pictures[kind].width) wanted->pictures[kind] = there->pictures[kind];
	}
}
