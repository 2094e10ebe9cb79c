/* atlas_writer.c - writes lightmap sets as picture files, and a JSON file (version 2, see docs/atlas.schema.json). The
 * JSON file has the rectangle of each face's luxels, and values that identify the light of the map. `relight` checks
 * these values, which come from scene->map_light. Without map_light, edited pages cannot be written back. */
#include <inttypes.h>
#include <stdio.h>

#include "base/costs.h"
#include "base/page_luxels.h"
#include "images/write/write.h"
#include "writers/json_build.h"
#include "writers/writer_buffer.h"
#include "writers/writer_costs.h"

#define FORMAT_VERSION 2
#define NO_STYLE 255
#define NO_OFFSET UINT64_MAX

static const char *const encoding_names[] = {
	[BSPSCENE_LIGHTMAP_ENCODING_DISPLAY] = "display",
	[BSPSCENE_LIGHTMAP_ENCODING_RAW] = "raw",
	[BSPSCENE_LIGHTMAP_ENCODING_HDR] = "hdr",
	[BSPSCENE_LIGHTMAP_ENCODING_NONE] = "none",
};

static const char *const kind_names[] = {
	[BSPSCENE_LIGHTMAP_SET_LIGHT] = "light",  [BSPSCENE_LIGHTMAP_SET_DIRECTION] = "direction",
	[BSPSCENE_LIGHTMAP_SET_BUMP_0] = "bump0", [BSPSCENE_LIGHTMAP_SET_BUMP_1] = "bump1",
	[BSPSCENE_LIGHTMAP_SET_BUMP_2] = "bump2",
};

static bspi_page_kind page_kind(const bspi_writer *writer)
{
	const bspscene_write_options *options = &writer->options;
	return (bspi_page_kind){ .compression = options->compression, .bytes = options->picture_format,
	                         .floats = options->hdr_format };
}

static const char *extension_of(const bspi_writer *writer, const bspscene_lightmap_page *page)
{
	const bspi_page_kind kind = page_kind(writer);
	return bspi_picture_extension(bspi_page_format(page, &kind));
}

/* Returns a page's file name, such as "atlas_0.png", "atlas_style32_0.png" or "atlas_style32_direction_0.png". */
static const char *page_file_name(bspi_writer *writer, const bspscene_lightmap_set *set, uint32_t page)
{
	char style[24] = "", kind[24] = "", suffix[96];
	if (set->style) snprintf(style, sizeof style, "_style%" PRIu32, set->style);
	if (set->kind != BSPSCENE_LIGHTMAP_SET_LIGHT) snprintf(kind, sizeof kind, "_%s", kind_names[set->kind]);
	snprintf(suffix, sizeof suffix, "%s%s_%" PRIu32 ".%s", style, kind, page,
	         extension_of(writer, &set->pages[page]));
	return bspi_sibling_name(writer, suffix);
}

/* Returns a list's file name, such as "atlas_vertices.png" or "atlas_grid_ambient.exr". */
static const char *list_file_name(bspi_writer *writer, const bspscene_light_list *list)
{
	char suffix[48];
	snprintf(suffix, sizeof suffix, "_%s.%s", list->name, extension_of(writer, &list->luxels));
	return bspi_sibling_name(writer, suffix);
}

/* Returns the number of lists to write. There are none if light cannot be written back, because styles were summed or
 * map_light is missing. */
static uint32_t count_lists(const bspscene_scene *scene)
{
	return scene->map_light && !scene->added_styles ? scene->map_light->list_count : 0;
}

static json_t *make_lists(bspi_writer *writer)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < count_lists(writer->scene); i++) {
		const bspscene_light_list *list = &writer->scene->map_light->lists[i];
		const char *name = list_file_name(writer, list);
		json_t *object = json_object();
		bspi_json_set(writer, object, "name", json_string(list->name));
		bspi_json_set(writer, object, "count", json_integer(list->count));
		bspi_json_set(writer, object, "width", json_integer(list->luxels.width));
		bspi_json_set(writer, object, "height", json_integer(list->luxels.height));
		bspi_json_set(writer, object, "file", name ? json_string(name) : json_null());
		bspi_json_append(writer, array, object);
	}
	return array;
}

static json_t *make_pages(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	json_t *array = json_array();
	for (uint32_t i = 0; i < scene->lightmap_page_count; i++) {
		json_t *page = json_object();
		bspi_json_set(writer, page, "width", json_integer(scene->lightmap_sets[0].pages[i].width));
		bspi_json_set(writer, page, "height", json_integer(scene->lightmap_sets[0].pages[i].height));
		bspi_json_append(writer, array, page);
	}
	return array;
}

static const char *style_name(const bspscene_scene *scene, uint32_t style)
{
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		if (scene->light_styles[i]->style == style) return scene->light_styles[i]->name;
	}
	return "";
}

static json_t *make_set(bspi_writer *writer, const bspscene_lightmap_set *set)
{
	json_t *object = json_object(), *files = json_array();
	for (uint32_t i = 0; i < writer->scene->lightmap_page_count; i++) {
		const char *name = bspi_page_has_light(&set->pages[i]) ? page_file_name(writer, set, i) : NULL;
		bspi_json_append(writer, files, name ? json_string(name) : json_null());
	}
	bspi_json_set(writer, object, "kind", json_string(kind_names[set->kind]));
	bspi_json_set(writer, object, "style", json_integer(set->style));
	bspi_json_set(writer, object, "style_name", json_string(style_name(writer->scene, set->style)));
	bspi_json_set(writer, object, "intensity", bspi_json_float(set->intensity));
	if (set->kind == BSPSCENE_LIGHTMAP_SET_DIRECTION) {
		bspi_json_set(writer, object, "space", json_string(set->tangent_space ? "tangent" : "world"));
	}
	bspi_json_set(writer, object, "files", files);
	return object;
}

/* ---- Faces ------------------------------------------------------------------------------------------------ */

static json_t *make_source(bspi_writer *writer, const bspscene_luxel_location *source)
{
	json_t *out = source->offset == NO_OFFSET ? json_array() : json_object();
	if (source->offset != NO_OFFSET) bspi_json_set(writer, out, "offset", json_integer((json_int_t)source->offset));
	for (int slot = 0; slot < 4 && source->offset == NO_OFFSET; slot++) {
		if (source->pages[slot] < 0) continue;
		json_t *place = json_object();
		bspi_json_set(writer, place, "page", json_integer(source->pages[slot]));
		bspi_json_set(writer, place, "x", json_integer(source->x[slot]));
		bspi_json_set(writer, place, "y", json_integer(source->y[slot]));
		if (source->solid[slot]) bspi_json_set(writer, place, "solid", json_true());
		bspi_json_append(writer, out, place);
	}
	return out;
}

static json_t *make_face(bspi_writer *writer, uint32_t index)
{
	const bspscene_scene *scene = writer->scene;
	const bspscene_face *face = &scene->faces[index];
	json_t *object = json_object(), *styles = json_array();
	for (int i = 0; i < 4 && face->styles[i] != NO_STYLE; i++) {
		bspi_json_append(writer, styles, json_integer(face->styles[i]));
	}
	uint32_t model = scene->meshes[face->mesh]->model;
	bool copy = model == BSPSCENE_NO_INDEX;
	bspi_json_set(writer, object, "face", json_integer(face->record));
	bspi_json_set(writer, object, "model", copy ? json_null() : json_integer(model));
	if (copy) bspi_json_set(writer, object, "copy", json_true());
	bspi_json_set(writer, object, "page", json_integer(face->lightmap_page));
	bspi_json_set(writer, object, "x", json_integer(face->lightmap_x));
	bspi_json_set(writer, object, "y", json_integer(face->lightmap_y));
	bspi_json_set(writer, object, "width", json_integer(face->lightmap_width));
	bspi_json_set(writer, object, "height", json_integer(face->lightmap_height));
	bspi_json_set(writer, object, "styles", styles);
	if (scene->map_light) {
		bspi_json_set(writer, object, "source", make_source(writer, &scene->map_light->luxel_locations[index]));
	}
	return object;
}

static bool put_json(bspi_writer *writer, json_t *value, size_t flags, size_t cut)
{
	bspi_buffer text;
	bool made = bspi_json_text(writer, value, flags, &text);
	json_decref(value);
	bool put = made && bspi_put(writer, text.data, text.size - cut);
	bspi_buffer_free(&text);
	return put;
}

/* Writes the faces, each on a line of its own, because maps have thousands of faces. */
static bool put_faces(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	bool first = true;
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].lightmap_page == BSPSCENE_NO_INDEX) continue;
		BSPI_TRY(bspi_put_text(writer, first ? "\n  " : ",\n  "));
		BSPI_TRY(put_json(writer, make_face(writer, i), JSON_COMPACT, 0));
		first = false;
	}
	return true;
}

/* Writes the position and style of each luxel of the list "probes", one probe on each line, because maps can have a
 * million. */
static bool put_probes(bspi_writer *writer)
{
	const bspscene_map_light *stored = writer->scene->map_light;
	if (!count_lists(writer->scene) || !stored->probe_count) return true;
	BSPI_TRY(bspi_put_text(writer, ",\n \"probes\": ["));
	for (uint32_t i = 0; i < stored->probe_count; i++) {
		const bspscene_light_probe *probe = &stored->probes[i];
		BSPI_TRY(bspi_put_text(writer, i ? ",\n  [" : "\n  ["));
		for (int k = 0; k < 3; k++) {
			BSPI_TRY(bspi_put_number(writer, (double)probe->origin[k], 9) && bspi_put_text(writer, ","));
		}
		BSPI_TRY(bspi_put_format(writer, "%" PRIu32 "]", probe->style));
	}
	return bspi_put_text(writer, "\n ]");
}

/* ---- The document ----------------------------------------------------------------------------------------- */

static void set_stored_light(bspi_writer *writer, json_t *document)
{
	const bspscene_map_light *stored = writer->scene->map_light;
	json_t *source = json_object(), *unseen = json_object();
	bspi_json_set(writer, source, "layout_hash", json_string(stored->layout_hash));
	bspi_json_set(writer, source, "light_hash", json_string(stored->light_hash));
	bspi_json_set(writer, unseen, "luxels", json_integer((json_int_t)stored->hidden_count));
	bspi_json_set(writer, unseen, "of", json_integer((json_int_t)stored->luxel_count));
	bspi_json_set(writer, document, "source", source);
	bspi_json_set(writer, document, "light", json_string(stored->name));
	bspi_json_set(writer, document, "clamp", json_string(stored->clamps_hue ? "hue" : "channels"));
	bspi_json_set(writer, document, "gutter", json_integer(stored->gutter));
	bspi_json_set(writer, document, "left_out", unseen);
}

static void set_merged_styles(bspi_writer *writer, json_t *document)
{
	const bspscene_scene *scene = writer->scene;
	json_t *styles = json_object();
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		char number[16];
		uint32_t style = scene->light_styles[i]->style & 0xff;
		snprintf(number, sizeof number, "%" PRIu32, style);
		bspi_json_set(writer, styles, number, bspi_json_float(scene->added_styles[style]));
	}
	bspi_json_set(writer, document, "merged_styles", styles);
}

static json_t *make_document(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	json_t *document = json_object(), *sets = json_array();
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		bspi_json_append(writer, sets, make_set(writer, &scene->lightmap_sets[i]));
	}
	bspi_json_set(writer, document, "version", json_integer(FORMAT_VERSION));
	bspi_json_set(writer, document, "generator", json_string("bspscene " BSPSCENE_VERSION_STRING));
	bspi_json_set(writer, document, "map", json_string(scene->name));
	if (scene->map_light) set_stored_light(writer, document);
	bspi_json_set(writer, document, "encoding", json_string(encoding_names[scene->lightmap_encoding]));
	bspi_json_set(writer, document, "overbright", bspi_json_float(scene->overbright));
	if (scene->added_styles) set_merged_styles(writer, document);
	bspi_json_set(writer, document, "meters_per_unit", bspi_json_float(scene->meters_per_unit));
	bspi_json_set(writer, document, "pages", make_pages(writer));
	bspi_json_set(writer, document, "sets", sets);
	if (count_lists(scene)) bspi_json_set(writer, document, "lists", make_lists(writer));
	return document;
}

/* Writes the document, then the probes and the faces. They follow its last member, before the closing brace. */
static bool write_document(bspi_writer *writer)
{
	static const size_t ending = sizeof "\n}" - 1;
	return bspi_begin(writer, writer->main_name) &&
	       put_json(writer, make_document(writer), JSON_INDENT(1), ending) && put_probes(writer) &&
	       bspi_put_text(writer, ",\n \"faces\": [") && put_faces(writer) && bspi_put_text(writer, "\n ]\n}\n") &&
	       bspi_end(writer);
}

/* ---- The pages -------------------------------------------------------------------------------------------- */

/* A picture file of the atlas. */
typedef struct page_file {
	const bspscene_lightmap_page *page;
	const char *name;
	double cost;
	bspi_buffer bytes;
} page_file;

typedef struct page_files {
	bspi_writer *writer;
	page_file *files; uint32_t count;
} page_files;

static bool encode_page(void *user, bspi_task *task)
{
	const page_files *p = user;
	page_file *file = &p->files[task->index];
	const bspscene_lightmap_page *page = file->page;
	bspi_budget *budget = &p->writer->budget;
	bspi_cancel_check check = { &p->writer->canceler, (double)page->width * page->height, 0 };
	bspi_page_kind kind = page_kind(p->writer);
	kind.progress = bspi_check_cancel;
	kind.progress_user = &check;
	uint64_t held = bspi_page_work_size(page, &kind);
	if (!bspi_budget_take(budget, held)) return bspi_task_fail_memory(task);
	bspscene_error error = { .status = BSPSCENE_OK };
	file->bytes = (bspi_buffer){ .writer = p->writer, .error = &task->error };
	bool written = bspi_write_page(&budget->heap, page, &kind, bspi_buffer_add, &file->bytes, &error);
	bspi_budget_give(budget, held);
	file->bytes.error = NULL;
	if (written || task->error.status) return written;
	return bspi_error_set(&task->error, error.status, "%s: %s", file->name, error.message);
}

static void drop_page(void *user, bspi_task *task)
{
	bspi_buffer_free(&((const page_files *)user)->files[task->index].bytes);
}

static bool put_page(void *user, bspi_task *task)
{
	const page_files *p = user;
	page_file *file = &p->files[task->index];
	bool put = bspi_begin(p->writer, file->name) && bspi_put(p->writer, file->bytes.data, file->bytes.size) &&
	           bspi_end(p->writer);
	bspi_buffer_free(&file->bytes);
	return put && bspi_writer_worked(p->writer, "lightmaps", file->cost);
}

static void add_page(page_files *p, const bspscene_lightmap_page *page, const char *name, double cost)
{
	p->files[p->count++] = (page_file){ .page = page, .name = name, .cost = cost };
}

static bool find_pages(bspi_writer *writer, page_files *p)
{
	const bspscene_scene *scene = writer->scene;
	size_t most = (size_t)scene->lightmap_set_count * scene->lightmap_page_count + count_lists(scene);
	*p = (page_files){ .writer = writer, .files = bspi_writer_push(writer, page_file, most) };
	BSPI_TRY(p->files);
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		for (uint32_t k = 0; k < scene->lightmap_page_count; k++) {
			const bspscene_lightmap_page *page = &set->pages[k];
			if (!bspi_page_has_light(page)) continue;
			add_page(p, page, page_file_name(writer, set, k), bspi_cost_of_page(writer, page));
		}
	}
	for (uint32_t i = 0; i < count_lists(scene); i++) {
		const bspscene_light_list *list = &scene->map_light->lists[i];
		add_page(p, &list->luxels, list_file_name(writer, list), 0);
	}
	return !writer->failure.status;
}

static bool write_atlas(bspi_writer *writer)
{
	page_files pages;
	const bspi_page_kind kind = page_kind(writer);
	BSPI_TRY(bspi_check_page_kind(&kind, &writer->failure));
	BSPI_TRY(write_document(writer) && find_pages(writer, &pages));
	const bspi_job job = { .count = pages.count, .work = encode_page, .finish = put_page, .drop = drop_page,
	                       .user = &pages };
	return bspi_run_writer_job(writer, &job);
}

const bspi_writer_format bspi_writer_atlas = {
	.about = {
		.name = "atlas", .title = "lightmap pages and atlas.json", .extension = "json", .chosen_by_extension = false,
		.lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP, .lightings = BSPI_USUAL_LIGHTINGS,
	},
	.write = write_atlas, .stops_at_white = true, .contents = BSPI_WRITES_SETS,
	.load_share = BSPI_ATLAS_LOAD_SHARE,
};
