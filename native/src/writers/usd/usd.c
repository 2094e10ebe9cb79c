/* usd.c - writes the USD document and its files in order. See usd.h. */
#include "writers/usd/usd.h"

#include "base/costs.h"

/* ---- The document ----------------------------------------------------------------------------------------- */

static void put_header(bspi_usd *usd)
{
	bspi_usd_text *text = &usd->text;
	json_t *facts = bspi_asset_facts(usd->writer), *scene = bspi_scene_facts(usd->writer);
	bspi_usd_line(text, "#usda 1.0");
	bspi_usd_open(text, '(');
	bspi_usd_line(text, "customLayerData = {");
	text->depth++;
	bspi_usd_line(text, "string creator = \"bspscene " BSPSCENE_VERSION_STRING "\"");
	bspi_usd_dictionary(text, "bspscene", facts);
	if (scene) bspi_usd_dictionary(text, "scene", scene);
	if (usd->lit.sheet_count) bspi_usd_number(text, "double litTexelsPerLuxel", usd->lit.density);
	bspi_usd_close(text, '}');
	bspi_usd_line(text, "defaultPrim = \"%s\"", usd->root);
	bspi_usd_line(text, "metersPerUnit = 1");
	bspi_usd_line(text, "upAxis = \"Y\"");
	bspi_usd_close(text, ')');
	json_decref(facts);
	json_decref(scene);
}

/* Marks the meshes that become prototypes: they are written once, and several nodes refer to them. */
static bool find_shared(bspi_usd *usd)
{
	const bspscene_scene *scene = usd->scene;
	uint64_t repeated = 0;
	bool *shown = bspi_writer_push(usd->writer, bool, scene->mesh_count);
	usd->shared = bspi_writer_push(usd->writer, bool, scene->mesh_count);
	BSPI_TRY(shown && usd->shared);
	for (uint32_t i = 0; i < scene->node_count; i++) {
		uint32_t mesh = scene->nodes[i]->mesh;
		if (mesh == BSPSCENE_NO_INDEX) continue;
		if (shown[mesh]) repeated += scene->meshes[mesh]->index_count / 3;
		usd->shared[mesh] = shown[mesh] && bspi_usd_is_drawn(usd, mesh);
		shown[mesh] = true;
	}
	if (usd->repeats && repeated <= BSPSCENE_USDZ_MOST_REPEATED) {
		memset(usd->shared, 0, scene->mesh_count * sizeof *usd->shared);
	}
	return true;
}

/* Writes the materials to a buffer before everything else, because they decide which parts of meshes are drawn. */
static bool put_materials(bspi_usd *usd)
{
	usd->text.depth = 1;
	BSPI_TRY(bspi_usd_put_materials(usd));
	usd->text.depth = 0;
	usd->library = usd->text.bytes;
	usd->text.bytes = (bspi_buffer){ .writer = usd->writer };
	return true;
}

static bool bake(bspi_usd *usd)
{
	bool *shown;
	if (usd->writer->options.lighting != BSPSCENE_WRITE_LIGHTING_BAKED) return true;
	BSPI_TRY(bspi_mark_shown(usd->writer, &shown) && bspi_lit_make(usd->writer, shown, false, &usd->lit));
	usd->scene = usd->writer->scene;
	for (uint32_t i = 0; i < usd->lit.sheet_count; i++) {
		char name[BSPI_LIT_NAME_SIZE];
		bspi_lit_sheet_name(i, name);
		BSPI_TRY(bspi_picture_set_add(&usd->pictures, name, &usd->lit.sheets[i].picture, &usd->lit_pictures[i]));
	}
	return true;
}

static bool draw_sky(bspi_usd *usd)
{
	usd->sky_picture = BSPSCENE_NO_INDEX;
	BSPI_TRY(bspi_panorama(usd->writer, &usd->sky));
	return !usd->sky.data || bspi_picture_set_add(&usd->pictures, "sky", &usd->sky, &usd->sky_picture);
}

static bool build(bspi_usd *usd)
{
	const bspscene_scene *scene = usd->scene;
	const char *name = scene->node_count ? scene->nodes[0]->name : scene->name;
	bspi_usd_identifier(*name ? name : "map", usd->root);
	BSPI_TRY(bspi_picture_set_begin(&usd->pictures, usd->writer));
	usd->pictures.later = true;
	BSPI_TRY(bake(usd) && bspi_usd_reserve_meshes(usd) && draw_sky(usd) && put_materials(usd) && find_shared(usd));
	put_header(usd);
	bspi_usd_line(&usd->text, "%s", "");
	if (!scene->node_count) bspi_usd_line(&usd->text, "def Xform \"%s\" {\n}", usd->root);
	return bspi_usd_put_nodes(usd) && !usd->writer->failure.status;
}

/* ---- The files -------------------------------------------------------------------------------------------- */

static bool put_files(bspi_usd *usd)
{
	bspi_writer *writer = usd->writer;
	BSPI_TRY(bspi_begin(writer, writer->main_name));
	BSPI_TRY(bspi_put(writer, usd->text.bytes.data, usd->text.bytes.size) && bspi_end(writer));
	return bspi_picture_set_put(&usd->pictures);
}

static bool write_usd(bspi_writer *writer, bool repeats, bool (*put)(bspi_usd *usd))
{
	bspi_usd usd = {
		.writer = writer, .scene = writer->scene, .text = { .writer = writer, .bytes = { .writer = writer } },
		.library = { .writer = writer }, .repeats = repeats,
	};
	bool written = build(&usd) && bspi_picture_set_make(&usd.pictures) && put(&usd);
	bspi_buffer_free(&usd.text.bytes);
	bspi_buffer_free(&usd.library);
	bspi_picture_set_free(&usd.pictures);
	bspi_lit_free(&usd.lit);
	bspi_picture_free(&usd.sky);
	return written;
}

static bool write_usda(bspi_writer *writer)
{
	return write_usd(writer, false, put_files);
}

/* Writes a package (.usdz). Apple's viewers refuse packages with lamps, and the sky counts as a lamp. So lamps are only
 * written on request. */
static bool write_usdz(bspi_writer *writer)
{
	if (!writer->options.lights) writer->options.lights = BSPSCENE_WRITE_LIGHTS_NONE;
	return write_usd(writer, true, bspi_usd_put_package);
}

const bspi_writer_format bspi_writer_usda = {
	.about = {
		.name = "usda", .title = "USD, text", .extension = "usda", .chosen_by_extension = true,
		.lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP,
		.lightings = BSPI_USUAL_LIGHTINGS | 1u << BSPSCENE_WRITE_LIGHTING_BAKED,
	},
	.write = write_usda,
	.contents = BSPI_WRITES_PICTURES | BSPI_WRITES_PAGES | BSPI_WRITES_LIT | BSPI_WRITES_SKY | BSPI_WRITES_PANORAMA,
	.triangle_cost = BSPI_USD_TRIANGLE,
};

const bspi_writer_format bspi_writer_usdz = {
	.about = {
		.name = "usdz", .title = "USD, one package", .extension = "usdz", .chosen_by_extension = true,
		.lighting = BSPSCENE_WRITE_LIGHTING_BAKED,
		.lightings = BSPI_USUAL_LIGHTINGS | 1u << BSPSCENE_WRITE_LIGHTING_BAKED,
	},
	.write = write_usdz,
	.contents = BSPI_WRITES_PICTURES | BSPI_WRITES_NODES | BSPI_WRITES_PAGES | BSPI_WRITES_LIT | BSPI_WRITES_SKY,
	.triangle_cost = BSPI_USD_TRIANGLE,
};
