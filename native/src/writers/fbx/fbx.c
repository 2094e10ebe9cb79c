/* fbx.c - writes the FBX document and its files: the sections before the objects, the objects, and the sections after
 * them. See fbx.h.
 *
 * All readers know version 7400. Version 7500 only differs in the size of offsets, and is written for files of 4 GiB
 * and more. The file does not depend on the clock, so that the same map always gives the same bytes. */
#include "writers/fbx/fbx.h"

#include <string.h>

#include "base/costs.h"

#define NARROW 7400u
#define WIDE 7500u
#define FIRST_ID 1000000               /* ids must be below 2^53, so that readers in JavaScript can tell them apart */
#define CENTIMETERS_PER_METER 100
#define CREATOR "bspscene " BSPSCENE_VERSION_STRING

/* ---- Before the objects ----------------------------------------------------------------------------------- */

static void put_meta_data(bspi_fbx_file *file, const char *title)
{
	static const char *const empty[] = { "Subject", "Author", "Keywords", "Revision", "Comment" };
	bspi_fbx_open(file, "MetaData");
	bspi_fbx_i32(file, "Version", 100);
	bspi_fbx_text(file, "Title", title);
	for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) bspi_fbx_text(file, empty[i], "");
	bspi_fbx_close(file);
}

static void put_scene_info(bspi_fbx *fbx)
{
	bspi_fbx_file *file = &fbx->file;
	bspi_fbx_open(file, "SceneInfo");
	bspi_fbx_add_name(file, "GlobalInfo", "SceneInfo");
	bspi_fbx_add_text(file, "UserData");
	bspi_fbx_text(file, "Type", "UserData");
	bspi_fbx_i32(file, "Version", 100);
	put_meta_data(file, fbx->scene->name);
	bspi_fbx_open_properties(fbx);
	bspi_fbx_words(fbx, BSPI_FBX_URL, "DocumentUrl", fbx->writer->main_name);
	bspi_fbx_words(fbx, BSPI_FBX_URL, "SrcDocumentUrl", fbx->writer->main_name);
	bspi_fbx_words(fbx, BSPI_FBX_COMPOUND, "Original", NULL);
	bspi_fbx_words(fbx, BSPI_FBX_TEXT, "Original|ApplicationVendor", "");
	bspi_fbx_words(fbx, BSPI_FBX_TEXT, "Original|ApplicationName", "bspscene");
	bspi_fbx_words(fbx, BSPI_FBX_TEXT, "Original|ApplicationVersion", BSPSCENE_VERSION_STRING);
	bspi_fbx_words(fbx, BSPI_FBX_DATE, "Original|DateTime_GMT", "01/01/1970 00:00:00.000");
	bspi_fbx_words(fbx, BSPI_FBX_TEXT, "Original|FileName", fbx->writer->main_name);
	bspi_fbx_put_own_facts(fbx, bspi_asset_facts(fbx->writer));
	json_t *facts = bspi_scene_facts(fbx->writer);
	if (facts) bspi_fbx_put_own_facts(fbx, facts);
	bspi_fbx_close(file);
	bspi_fbx_close(file);
}

static void put_header(bspi_fbx *fbx)
{
	static const struct { const char *name; int32_t value; } stamp[] = {
		{ "Version", 1000 }, { "Year", 1970 }, { "Month", 1 }, { "Day", 1 }, { "Hour", 10 }, { "Minute", 0 },
		{ "Second", 0 }, { "Millisecond", 0 },
	};
	/* CreationTime, FileId and the footer must match, or the SDK refuses the file; see fbx_record.c. */
	static const uint8_t file_id[16] = {
		0x28, 0xB3, 0x2A, 0xEB, 0xB6, 0x24, 0xCC, 0xC2, 0xBF, 0xC8, 0xB0, 0x2A, 0xA9, 0x2B, 0xFC, 0xF1,
	};
	bspi_fbx_file *file = &fbx->file;
	bspi_fbx_open(file, "FBXHeaderExtension");
	bspi_fbx_i32(file, "FBXHeaderVersion", 1003);
	bspi_fbx_i32(file, "FBXVersion", (int32_t)file->version);
	bspi_fbx_i32(file, "EncryptionType", 0);
	bspi_fbx_open(file, "CreationTimeStamp");
	for (size_t i = 0; i < sizeof stamp / sizeof *stamp; i++) bspi_fbx_i32(file, stamp[i].name, stamp[i].value);
	bspi_fbx_close(file);
	bspi_fbx_text(file, "Creator", CREATOR);
	put_scene_info(fbx);
	bspi_fbx_close(file);
	bspi_fbx_open(file, "FileId");
	bspi_fbx_add_raw(file, file_id, sizeof file_id);
	bspi_fbx_close(file);
	bspi_fbx_text(file, "CreationTime", "1970-01-01 10:00:00:000");
	bspi_fbx_text(file, "Creator", CREATOR);
}

/* Writes the axes and UnitScaleFactor, which is in centimeters per unit. AmbientColor is black, because three.js adds a
 * lamp if it is not. */
static void put_settings(bspi_fbx *fbx)
{
	static const struct { const char *name; int32_t value; } axes[] = {
		{ "UpAxis", 1 }, { "UpAxisSign", 1 }, { "FrontAxis", 2 }, { "FrontAxisSign", 1 }, { "CoordAxis", 0 },
		{ "CoordAxisSign", 1 }, { "OriginalUpAxis", -1 }, { "OriginalUpAxisSign", 1 },
	};
	static const double black[3];
	double unit = (double)(CENTIMETERS_PER_METER / fbx->scale);
	bspi_fbx_open(&fbx->file, "GlobalSettings");
	fbx->counts[BSPI_FBX_GLOBAL_SETTINGS]++;
	bspi_fbx_i32(&fbx->file, "Version", 1000);
	bspi_fbx_open_properties(fbx);
	for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
		bspi_fbx_integer(fbx, BSPI_FBX_INT, axes[i].name, axes[i].value);
	}
	bspi_fbx_number(fbx, BSPI_FBX_DOUBLE, "UnitScaleFactor", unit);
	bspi_fbx_number(fbx, BSPI_FBX_DOUBLE, "OriginalUnitScaleFactor", unit);
	bspi_fbx_triple(fbx, BSPI_FBX_COLOR_RGB, "AmbientColor", black);
	bspi_fbx_words(fbx, BSPI_FBX_TEXT, "DefaultCamera", "Producer Perspective");
	bspi_fbx_integer(fbx, BSPI_FBX_ENUM, "TimeMode", 6);
	bspi_fbx_moment(fbx, "TimeSpanStart", 0);
	bspi_fbx_moment(fbx, "TimeSpanStop", fbx->longest ? fbx->longest : BSPI_FBX_SECOND);
	bspi_fbx_number(fbx, BSPI_FBX_DOUBLE, "CustomFrameRate", -1);
	bspi_fbx_close(&fbx->file);
	bspi_fbx_close(&fbx->file);
}

static void put_documents(bspi_fbx *fbx)
{
	bspi_fbx_file *file = &fbx->file;
	bspi_fbx_open(file, "Documents");
	bspi_fbx_i32(file, "Count", 1);
	bspi_fbx_open(file, "Document");
	bspi_fbx_add_i64(file, ++fbx->last_id);
	bspi_fbx_add_text(file, "");
	bspi_fbx_add_text(file, "Scene");
	bspi_fbx_open_properties(fbx);
	bspi_fbx_words(fbx, BSPI_FBX_TEXT, "ActiveAnimStackName", fbx->first_sequence ? fbx->first_sequence->name : "");
	bspi_fbx_close(file);
	bspi_fbx_open(file, "RootNode");
	bspi_fbx_add_i64(file, 0);
	bspi_fbx_close(file);
	bspi_fbx_close(file);
	bspi_fbx_close(file);
	bspi_fbx_open(file, "References");
	bspi_fbx_close(file);
}

static int kinds_of(const bspi_fbx *fbx)
{
	return fbx->moves ? BSPI_FBX_OBJECT_COUNT : BSPI_FBX_STILL_COUNT;
}

/* Writes the number of objects of each kind. fill_counts sets the numbers later. No templates are written, because
 * every object has all of its properties. */
static void put_definitions(bspi_fbx *fbx)
{
	bspi_fbx_file *file = &fbx->file;
	bspi_fbx_open(file, "Definitions");
	bspi_fbx_i32(file, "Version", 100);
	bspi_fbx_i32(file, "Count", 0);
	fbx->total_place = file->bytes.size - sizeof(int32_t);
	const int count = kinds_of(fbx);
	for (int i = 0; i < count; i++) {
		if (i == BSPI_FBX_CLUSTER) continue; /* clusters are counted as deformers */
		bspi_fbx_open(file, "ObjectType");
		bspi_fbx_add_text(file, bspi_fbx_record_of((bspi_fbx_object)i));
		bspi_fbx_i32(file, "Count", 0);
		fbx->count_places[i] = file->bytes.size - sizeof(int32_t);
		bspi_fbx_close(file);
	}
	bspi_fbx_close(file);
}

/* ---- After the objects ------------------------------------------------------------------------------------ */

static void fill_counts(bspi_fbx *fbx)
{
	const int count = kinds_of(fbx);
	int32_t total = 0;
	for (int i = 0; i < count; i++) {
		if (i == BSPI_FBX_CLUSTER) continue;
		bspi_fbx_set_i32(&fbx->file, fbx->count_places[i], fbx->counts[i]);
		total += fbx->counts[i];
	}
	bspi_fbx_set_i32(&fbx->file, fbx->total_place, total);
}

static void put_span(bspi_fbx_file *file, const char *name, int64_t end)
{
	bspi_fbx_open(file, name);
	bspi_fbx_add_i64(file, 0);
	bspi_fbx_add_i64(file, end);
	bspi_fbx_close(file);
}

/* Writes the animation stacks a second time, in the section that old readers use. */
static void put_takes(bspi_fbx *fbx)
{
	bspi_fbx_file *file = &fbx->file;
	bspi_fbx_open(file, "Takes");
	bspi_fbx_text(file, "Current", fbx->first_sequence ? fbx->first_sequence->name : "");
	for (size_t at = 0; at < fbx->takes.size; at += sizeof(bspi_fbx_take)) {
		bspi_fbx_take take;
		memcpy(&take, fbx->takes.data + at, sizeof take);
		bspi_fbx_open(file, "Take");
		bspi_fbx_add_text(file, take.name);
		bspi_fbx_text(file, "FileName", take.name);
		put_span(file, "LocalTime", take.end);
		put_span(file, "ReferenceTime", take.end);
		bspi_fbx_close(file);
	}
	bspi_fbx_close(file);
}

static void put_links(bspi_fbx *fbx)
{
	bspi_fbx_file *file = &fbx->file;
	bspi_fbx_open(file, "Connections");
	for (size_t at = 0; at < fbx->links.size; at += sizeof(bspi_fbx_link)) {
		bspi_fbx_link link;
		memcpy(&link, fbx->links.data + at, sizeof link);
		bspi_fbx_open(file, "C");
		bspi_fbx_add_text(file, link.property ? "OP" : "OO");
		bspi_fbx_add_i64(file, link.child);
		bspi_fbx_add_i64(file, link.parent);
		if (link.property) bspi_fbx_add_text(file, link.property);
		bspi_fbx_close(file);
	}
	bspi_fbx_close(file);
}

/* ---- Entry ------------------------------------------------------------------------------------------------ */

static bool build(bspi_fbx *fbx)
{
	put_header(fbx);
	put_settings(fbx);
	put_documents(fbx);
	put_definitions(fbx);
	bspi_fbx_open(&fbx->file, "Objects");
	BSPI_TRY(bspi_fbx_put_geometries(fbx) && bspi_fbx_put_nodes(fbx));
	bspi_fbx_close(&fbx->file);
	put_links(fbx);
	put_takes(fbx);
	bspi_fbx_end_file(&fbx->file);
	if (fbx->writer->failure.status) return false;
	fill_counts(fbx);
	return true;
}

/* Makes the baked pictures. Surfaces whose materials have alpha are not in them and keep their texture, because readers
 * expect color and alpha to have the same coordinates. */
static bool bake(bspi_fbx *fbx)
{
	bool *shown;
	if (fbx->writer->options.lighting != BSPSCENE_WRITE_LIGHTING_BAKED) return true;
	BSPI_TRY(bspi_mark_shown(fbx->writer, &shown) && bspi_lit_make(fbx->writer, shown, true, &fbx->lit));
	fbx->scene = fbx->writer->scene;
	for (uint32_t i = 0; i < fbx->lit.sheet_count; i++) {
		char name[BSPI_LIT_NAME_SIZE];
		bspi_lit_sheet_name(i, name);
		BSPI_TRY(bspi_picture_set_add(&fbx->pictures, name, &fbx->lit.sheets[i].picture, &fbx->lit_pictures[i]));
	}
	return true;
}

static void find_sequences(bspi_fbx *fbx)
{
	for (uint32_t m = 0; m < fbx->scene->mesh_count; m++) {
		const bspscene_rig *rig = fbx->scene->meshes[m]->rig;
		fbx->moves = fbx->moves || rig;
		for (uint32_t i = 0; rig && i < rig->sequence_count; i++) {
			if (!rig->sequences[i]->frame_count) continue;
			int64_t end = bspi_fbx_time_of(rig->sequences[i], (double)rig->sequences[i]->frame_count - 1);
			if (!fbx->first_sequence) fbx->first_sequence = rig->sequences[i];
			if (end > fbx->longest) fbx->longest = end;
		}
	}
}

static bool prepare(bspi_fbx *fbx)
{
	bspi_writer *writer = fbx->writer;
	size_t section_count = 0;
	BSPI_TRY(bspi_picture_set_begin(&fbx->pictures, writer) && bake(fbx));
	const bspscene_scene *scene = fbx->scene;
	size_t picture_count = (size_t)scene->image_count * BSPI_PICTURE_USE_COUNT + scene->lightmap_page_count + 2 +
	                       BSPI_LIT_MOST_SHEETS;
	for (uint32_t m = 0; m < scene->mesh_count; m++) section_count += scene->meshes[m]->section_count;
	fbx->geometries = bspi_writer_push(writer, bspi_fbx_geometry, scene->mesh_count);
	fbx->materials = bspi_writer_push(writer, bspi_fbx_material, section_count);
	fbx->slots = bspi_writer_push(writer, uint32_t, section_count);
	fbx->slot_of = bspi_writer_push(writer, uint32_t, section_count);
	fbx->first_materials = bspi_writer_push(writer, uint32_t, scene->material_count);
	fbx->videos = bspi_writer_push(writer, int64_t, picture_count);
	fbx->textures = bspi_writer_push_zeroed(writer, picture_count, sizeof *fbx->textures);
	BSPI_TRY(fbx->geometries && fbx->materials && fbx->slots && fbx->slot_of && fbx->first_materials);
	BSPI_TRY(fbx->videos && fbx->textures);
	for (uint32_t i = 0; i < scene->material_count; i++) fbx->first_materials[i] = BSPSCENE_NO_INDEX;
	find_sequences(fbx);
	return true;
}

static void release(bspi_fbx *fbx)
{
	bspi_fbx_free_file(&fbx->file);
	bspi_buffer_free(&fbx->links);
	bspi_buffer_free(&fbx->takes);
	bspi_picture_set_free(&fbx->pictures);
	bspi_lit_free(&fbx->lit);
}

static bool put_files(bspi_fbx *fbx)
{
	bspi_writer *writer = fbx->writer;
	BSPI_TRY(bspi_begin(writer, writer->main_name));
	BSPI_TRY(bspi_put(writer, fbx->file.bytes.data, fbx->file.bytes.size) && bspi_end(writer));
	return writer->options.embed_textures || bspi_picture_set_put(&fbx->pictures);
}

bool bspi_fbx_write_version(bspi_writer *writer, uint32_t version, bool *too_large)
{
	bspi_fbx fbx = {
		.writer = writer, .scene = writer->scene, .last_id = FIRST_ID, .links = { .writer = writer },
		.takes = { .writer = writer },
		.scale = writer->options.centimeters ? CENTIMETERS_PER_METER : 1,
	};
	bspi_fbx_begin_file(&fbx.file, writer, version);
	bool built = prepare(&fbx) && build(&fbx);
	*too_large = fbx.file.too_large;
	bool written = built && (*too_large || put_files(&fbx));
	release(&fbx);
	return written;
}

static bool write_fbx(bspi_writer *writer)
{
	bool too_large;
	return bspi_fbx_write_version(writer, NARROW, &too_large) &&
	       (!too_large || bspi_fbx_write_version(writer, WIDE, &too_large)) && bspi_put_panorama(writer);
}

const bspi_writer_format bspi_writer_fbx = {
	.about = {
		.name = "fbx", .title = "FBX, binary", .extension = "fbx", .chosen_by_extension = true, .animates = true,
		.lighting = BSPSCENE_WRITE_LIGHTING_BAKED,
		.lightings = BSPI_USUAL_LIGHTINGS | 1u << BSPSCENE_WRITE_LIGHTING_BAKED,
	},
	.write = write_fbx,
	.contents = BSPI_WRITES_PICTURES | BSPI_WRITES_PAGES | BSPI_WRITES_LIT | BSPI_WRITES_SKY | BSPI_WRITES_PANORAMA,
	.triangle_cost = BSPI_FBX_TRIANGLE,
};
