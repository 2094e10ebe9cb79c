/* atlas_writer.c - page sets to picture files, and a JSON file that says where each face's luxels are:
 *
 *     { "map": "atrium", "encoding": "display", "overbright": 4, "metres_per_unit": 0.0254,
 *       "pages": [ { "width": 260, "height": 380 } ],
 *       "sets": [ { "kind": "light", "style": 0, "style_name": "normal", "intensity": 1,
 *                   "files": [ "atlas_0.png" ] } ],
 *       "faces": [ { "face": 7, "model": 0, "page": 0, "x": 1, "y": 1, "width": 14, "height": 9,
 *                    "styles": [ 0 ] } ] }
 *
 * picture = texture x page x intensity; "face" is the record in the map's face lump. A file is null where a set has
 * nothing on a page. Sets of directions name their "space". */
#include <inttypes.h>
#include <stdio.h>

#include "images/write.h"
#include "writers/json_build.h"

#define NO_STYLE 255
#define EXR_PIXEL_SIZE 12u

static const char *const encoding_names[] = {
	[BSPSCENE_LIGHTMAP_DISPLAY] = "display", [BSPSCENE_LIGHTMAP_RAW] = "raw", [BSPSCENE_LIGHTMAP_HDR] = "hdr",
	[BSPSCENE_LIGHTMAP_NONE] = "none",
};

static const char *const kind_names[] = {
	[BSPSCENE_PAGES_LIGHT] = "light", [BSPSCENE_PAGES_DIRECTION] = "direction", [BSPSCENE_PAGES_BUMP_0] = "bump0",
	[BSPSCENE_PAGES_BUMP_1] = "bump1", [BSPSCENE_PAGES_BUMP_2] = "bump2",
};

/* "atlas_0.png", "atlas_style32_0.png", "atlas_style32_direction_0.png". */
static const char *page_file_name(bspi_writer *writer, const bspscene_page_set *set, uint32_t page)
{
	char style[24] = "", kind[24] = "", suffix[96];
	if (set->style) snprintf(style, sizeof style, "_style%" PRIu32, set->style);
	if (set->kind != BSPSCENE_PAGES_LIGHT) snprintf(kind, sizeof kind, "_%s", kind_names[set->kind]);
	snprintf(suffix, sizeof suffix, "%s%s_%" PRIu32 ".%s", style, kind, page,
	         bspscene_page_extension(&set->pages[page]));
	return bspi_sibling_name(writer, suffix);
}

static json_t *make_pages(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	json_t *array = json_array();
	for (uint32_t i = 0; i < scene->page_count; i++) {
		json_t *page = json_object();
		bspi_json_set(writer, page, "width", json_integer(scene->page_sets[0].pages[i].width));
		bspi_json_set(writer, page, "height", json_integer(scene->page_sets[0].pages[i].height));
		bspi_json_append(writer, array, page);
	}
	return array;
}

static const char *style_name(const bspscene_scene *scene, uint32_t style)
{
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		if (scene->light_styles[i].style == style) return scene->light_styles[i].name;
	}
	return "";
}

static json_t *make_set(bspi_writer *writer, const bspscene_page_set *set)
{
	json_t *object = json_object(), *files = json_array();
	for (uint32_t i = 0; i < writer->scene->page_count; i++) {
		const char *name = set->pages[i].data ? page_file_name(writer, set, i) : NULL;
		bspi_json_append(writer, files, name ? json_string(name) : json_null());
	}
	bspi_json_set(writer, object, "kind", json_string(kind_names[set->kind]));
	bspi_json_set(writer, object, "style", json_integer(set->style));
	bspi_json_set(writer, object, "style_name", json_string(style_name(writer->scene, set->style)));
	bspi_json_set(writer, object, "intensity", bspi_json_float(set->intensity));
	if (set->kind == BSPSCENE_PAGES_DIRECTION) {
		bspi_json_set(writer, object, "space", json_string(set->tangent_space ? "tangent" : "world"));
	}
	bspi_json_set(writer, object, "files", files);
	return object;
}

static json_t *make_face(bspi_writer *writer, const bspscene_face *face)
{
	json_t *object = json_object(), *styles = json_array();
	for (int i = 0; i < 4 && face->styles[i] != NO_STYLE; i++) {
		bspi_json_append(writer, styles, json_integer(face->styles[i]));
	}
	uint32_t model = writer->scene->meshes[face->mesh].model;
	bspi_json_set(writer, object, "face", json_integer(face->source));
	bspi_json_set(writer, object, "model", model == BSPSCENE_NO_INDEX ? json_null() : json_integer(model));
	bspi_json_set(writer, object, "page", json_integer(face->page));
	bspi_json_set(writer, object, "x", json_integer(face->x));
	bspi_json_set(writer, object, "y", json_integer(face->y));
	bspi_json_set(writer, object, "width", json_integer(face->width));
	bspi_json_set(writer, object, "height", json_integer(face->height));
	bspi_json_set(writer, object, "styles", styles);
	return object;
}

static json_t *make_document(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	json_t *document = json_object(), *sets = json_array(), *faces = json_array();
	for (uint32_t i = 0; i < scene->page_set_count; i++) {
		bspi_json_append(writer, sets, make_set(writer, &scene->page_sets[i]));
	}
	for (uint32_t i = 0; i < scene->face_count && !writer->failure.status; i++) {
		if (scene->faces[i].page != BSPSCENE_NO_INDEX) {
			bspi_json_append(writer, faces, make_face(writer, &scene->faces[i]));
		}
	}
	bspi_json_set(writer, document, "map", json_string(scene->name));
	bspi_json_set(writer, document, "encoding", json_string(encoding_names[scene->lightmap_encoding]));
	bspi_json_set(writer, document, "overbright", bspi_json_float(scene->overbright));
	bspi_json_set(writer, document, "metres_per_unit", bspi_json_float(scene->metres_per_unit));
	bspi_json_set(writer, document, "pages", make_pages(writer));
	bspi_json_set(writer, document, "sets", sets);
	bspi_json_set(writer, document, "faces", faces);
	return document;
}

static bool write_document(bspi_writer *writer)
{
	bspi_buffer text;
	json_t *document = make_document(writer);
	bool made = bspi_json_text(writer, document, JSON_INDENT(1), &text);
	json_decref(document);
	bool written = made && bspi_begin(writer, writer->main_name) && bspi_put(writer, text.data, text.size) &&
	               bspi_put_text(writer, "\n") && bspi_end(writer);
	bspi_buffer_free(&text);
	return written;
}

static bool write_page(bspi_writer *writer, const bspscene_page_set *set, uint32_t page)
{
	const char *name = page_file_name(writer, set, page);
	BSPI_TRY(name && bspi_begin(writer, name));
	/* EXR is put together in memory, and its rows besides. */
	bool is_exr = set->pages[page].format == BSPSCENE_PAGE_RGB16F;
	uint64_t held = is_exr ? (uint64_t)set->pages[page].width * set->pages[page].height * EXR_PIXEL_SIZE : 0;
	BSPI_TRY(bspi_writer_take(writer, held));
	bspscene_error error = { .status = BSPSCENE_OK };
	bool written = bspi_write_page(&writer->budget.heap, &set->pages[page], bspi_put_user, writer, &error);
	bspi_writer_give(writer, held);
	return written ? bspi_end(writer) : bspi_writer_fail(writer, error.status, "%s: %s", name, error.message);
}

bool bspi_write_atlas(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	uint64_t total = (uint64_t)scene->page_set_count * scene->page_count;
	BSPI_TRY(write_document(writer));
	for (uint32_t i = 0; i < scene->page_set_count; i++) {
		for (uint32_t page = 0; page < scene->page_count; page++) {
			if (!scene->page_sets[i].pages[page].data) continue;
			BSPI_TRY(bspi_writer_progress(writer, "lightmaps", (uint64_t)i * scene->page_count + page, total));
			BSPI_TRY(write_page(writer, &scene->page_sets[i], page));
		}
	}
	return true;
}
