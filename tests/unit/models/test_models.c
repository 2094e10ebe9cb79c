/* Promise: one shape, stored in every model format, is read as the same shape, with faces that face outward. Damaged
 * files and lack of memory give an error with a reason, or the part that is intact. Frames are read by number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "models/sprite.h"
#include "support/bspt.h"
#include "support/models/build_model.h"
#include "support/models/build_moving.h"

/* Opens sibling files of a model, as the host of a load does. */
static bool open_sibling(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspt_model_file *file = user;
	(void)kind;
	for (uint32_t i = 0; i < file->sibling_count; i++) {
		size_t length = strlen(path), ending = strlen(file->siblings[i].ending);
		if (length < ending || strcmp(path + length - ending, file->siblings[i].ending) != 0) continue;
		stream->data = file->siblings[i].bytes.data;
		stream->size = file->siblings[i].bytes.size;
		return true;
	}
	return false;
}

static void begin(bspi_ctx *ctx)
{
	*ctx = (bspi_ctx) { .file = "test", .name = "test", .budget.limit = (uint64_t)64 << 20 };
	bspi_begin_memory(ctx);
}

static void end(bspi_ctx *ctx)
{
	bspi_end_memory(ctx);
	assert_int_equal(ctx->budget.used, 0);
}

static double volume_of(const bspi_prop_model *model)
{
	double sum = 0;
	for (uint32_t i = 0; i < model->index_count; i += 3) {
		const float *p[3];
		float across[3];
		for (uint32_t k = 0; k < 3; k++) p[k] = model->positions + 3 * (size_t)model->indices[i + k];
		bspi_cross(across, p[1], p[2]);
		sum += (double)bspi_dot(p[0], across) / 6;
	}
	return sum;
}

/* Checks every promise of bspi_prop_model. */
static void check(const bspi_prop_model *model)
{
	uint32_t vertices = 0, indices = 0;
	assert_true(model->material_count && model->skin_count && model->slot_count);
	for (uint32_t i = 0; i < model->skin_count * model->slot_count; i++) {
		assert_true(model->skins[i] < model->material_count);
	}
	for (uint32_t i = 0; i < model->section_count; i++) {
		const bspi_model_section *section = &model->sections[i];
		assert_true(section->slot < model->slot_count && section->index_count);
		assert_int_equal(section->first_vertex, vertices);
		assert_int_equal(section->first_index, indices);
		vertices += section->vertex_count;
		indices += section->index_count;
		for (uint32_t k = section->first_index; k < indices; k++) {
			assert_in_range(model->indices[k], section->first_vertex, vertices - 1);
		}
	}
	assert_int_equal(vertices, model->vertex_count);
	assert_int_equal(indices, model->index_count);
	for (size_t i = 0; i < vertices; i++) {
		const float *normal = model->normals + 3 * i;
		assert_true(bspi_is_position(model->positions + 3 * i) && bspi_are_finite(model->uvs + 2 * i, 2));
		assert_true(fabsf(bspi_dot(normal, normal) - 1) < 1e-4f);
	}
	for (uint32_t i = 0; i < model->material_count; i++) {
		const bspi_model_material *material = &model->materials[i];
		assert_non_null(material->name);
		uint64_t size = (uint64_t)material->width * material->height * (material->rgba ? 4 : 1);
		if (material->pixels.size) assert_int_equal(material->pixels.size, size);
	}
}

/* Checks the compressed normals of Bloodlines and TIKI models. All are the last direction of their table: up. */
static void check_directions(const char *path, const bspi_prop_model *model)
{
	if (!strstr(path, "words") && !strstr(path, "bytes") && !strstr(path, ".tik")) return;
	for (size_t i = 0; i < model->vertex_count; i++) assert_true(model->normals[3 * i + 2] > 0.999f);
}

/* Checks MD3's normals, which are angles. Those of the crate point up above its center and down below it. */
static void check_angles(const char *format, const bspi_prop_model *model)
{
	if (strcmp(format, "md3") != 0) return;
	for (size_t i = 0; i < model->vertex_count; i++) {
		float up = model->positions[3 * i + 2] < 0 ? -1.0f : 1.0f;
		assert_true(fabsf(model->normals[3 * i + 2] - up) < 1e-4f);
	}
}

/* Checks the uvs of Quake's skin, which has the front and the back of the model next to each other. Triangles of the
 * back use the same vertices on the seam, but half a skin further right. */
static void check_seam(const char *format, const bspi_prop_model *model)
{
	if (strcmp(format, "quake_mdl") != 0) return;
	for (uint32_t i = 0; i < 3 * BSPT_MODEL_TRIANGLES; i++) {
		const float *uv = model->uvs + 2 * (size_t)model->indices[i];
		uint32_t vertex = 0;
		while (bspi_distance_squared(model->positions + 3 * (size_t)model->indices[i], bspt_model_points[vertex]) > 0) {
			assert_true(++vertex < BSPT_MODEL_VERTICES);
		}
		bool moved = i / 3 == BSPT_MODEL_BACK && vertex == BSPT_MODEL_POINT;
		float s = (float)(vertex % 4 + (moved ? BSPT_MODEL_SKIN / 2 : 0)) + 0.5f, t = (float)(vertex / 4) + 0.5f;
		assert_true(uv[0] == s / BSPT_MODEL_SKIN && uv[1] == t / BSPT_MODEL_SKIN);
	}
}

/* Checks the uvs of the MD2 model. The corners of each triangle are at three corners of the skin, which is wider than
 * it is high. */
static void check_skin(const char *format, const bspi_prop_model *model)
{
	/* The file stores these corners in the reverse order. */
	static const float corners[3][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 } };
	if (strcmp(format, "md2") != 0) return;
	for (uint32_t i = 0; i < 3 * BSPT_MODEL_TRIANGLES; i++) {
		assert_memory_equal(model->uvs + 2 * (size_t)model->indices[i], corners[i % 3], sizeof corners[0]);
	}
}

static void every_format_is_the_same_shape(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		bspi_ctx ctx;
		bspi_prop_model model;
		const char *why = "";
		bspt_model_file file = bspt_build_model(i);
		begin(&ctx);
		ctx.options.open_file = open_sibling;
		ctx.options.file_user = &file;
		if (!bspi_read_model(&ctx, file.path, file.bytes, &(bspi_model_state) { 0 }, &model, &why)) {
			fail_msg("%s: %s", file.format, why);
		}
		if (strcmp(model.format->id, file.format) != 0) {
			fail_msg("%s: its model is taken for %s; look at `bid` of both formats", file.format, model.format->id);
		}
		check(&model);
		check_directions(file.path, &model);
		check_angles(file.format, &model);
		check_seam(file.format, &model);
		check_skin(file.format, &model);
		assert_int_equal(ctx.warning_count, 0);
		if (!strcmp(file.format, "sprite")) {
			assert_int_equal(model.index_count / 3, 4);
		} else {
			if (model.index_count / 3 != BSPT_MODEL_TRIANGLES) {
				fail_msg("%s: %u triangles are read of the model that tests/support/models makes of %d", file.format,
				         model.index_count / 3, BSPT_MODEL_TRIANGLES);
			}
			assert_true(bspi_distance_squared(model.bounds.min, (float[3]) { -8, -8, -8 }) < 1e-4f);
			assert_true(bspi_distance_squared(model.bounds.max, (float[3]) { 16, 8, 8 }) < 1e-4f);
			/* The volume must be that of the crate plus that of the pyramid on it. */
			assert_true(fabs(volume_of(&model) - (16 * 16 * 16 + 16 * 16 * 8 / 3.0)) < 1);
		}
		end(&ctx);
	}
}

/* Frames are selected by number. In frame n, the crate's front is raised by n times 4 (MD2) or 4.5 units (MD3). */
static void frames_are_read_where_they_are(void **state)
{
	static const struct {
		const char *path;
		float raised;
	} cases[] = {
		{ "models/moving.md2", 4 },
		{ "models/moving.md3", 4.5f },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspt_moving_model file = bspt_find_moving(cases[i].path);
		for (uint32_t frame = 0; frame < 3; frame++) {
			bspi_ctx ctx;
			bspi_prop_model model;
			const char *why = "";
			begin(&ctx);
			const bspi_model_state shown = { .frame = frame };
			if (!bspi_read_model(&ctx, file.path, file.bytes, &shown, &model, &why)) fail_msg("%s: %s", file.path, why);
			check(&model);
			assert_true(fabsf(model.bounds.max[2] - (8 + (float)frame * cases[i].raised)) < 1e-3f);
			assert_true(fabsf(model.bounds.min[2] + 8) < 1e-3f);
			end(&ctx);
		}
	}
}

static void frames_without_room_for_their_vertices_are_refused(void **state)
{
	enum { FRAME_SIZE_AT = 16, WHOLE = 40 + 4 * BSPT_MODEL_VERTICES };
	(void)state;
	uint32_t number = 0;
	while (strcmp(bspt_build_model(number).format, "md2") != 0) number++;
	for (uint32_t left_out = 0; left_out < 2; left_out++) {
		const bspt_model_file file = bspt_build_model(number);
		uint8_t copy[BSPT_MOST_WRITTEN];
		bspi_ctx ctx;
		bspi_prop_model model;
		const char *why = "";
		memcpy(copy, file.bytes.data, file.bytes.size);
		assert_int_equal(copy[FRAME_SIZE_AT], WHOLE);
		copy[FRAME_SIZE_AT] = (uint8_t)(WHOLE - left_out);
		begin(&ctx);
		const bspi_bytes bytes = bspi_bytes_of(copy, file.bytes.size);
		bool read = bspi_read_model(&ctx, file.path, bytes, &(bspi_model_state) { 0 }, &model, &why);
		if (read == left_out) fail_msg("%u bytes left out: \"%s\"", left_out, why);
		if (left_out) assert_non_null(strstr(why, "1 frames of 75 bytes have no room for 9 vertices"));
		end(&ctx);
	}
}

/* In Quake's format, a group of frames may have only one frame. That frame is shown. */
static void groups_of_one_frame_are_read(void **state)
{
	enum { FRAME = 24 + 4 * BSPT_MODEL_VERTICES, GROUP = 4 + 4 + 8 + 4 };
	static const uint8_t group[GROUP] = { 1, 0, 0, 0, 1 };
	(void)state;
	uint32_t number = 0;
	while (strcmp(bspt_build_model(number).format, "quake_mdl") != 0) number++;
	const bspt_model_file file = bspt_build_model(number);
	uint8_t copy[BSPT_MOST_WRITTEN];
	bspi_ctx ctx;
	bspi_prop_model model;
	const char *why = "";
	size_t at = file.bytes.size - FRAME - 4;
	memcpy(copy, file.bytes.data, at);
	memcpy(copy + at, group, GROUP);
	memcpy(copy + at + GROUP, file.bytes.data + at + 4, FRAME);
	begin(&ctx);
	const bspi_bytes bytes = bspi_bytes_of(copy, at + GROUP + FRAME);
	if (!bspi_read_model(&ctx, file.path, bytes, &(bspi_model_state) { 0 }, &model, &why)) fail_msg("%s", why);
	check(&model);
	assert_true(fabs(volume_of(&model) - (16 * 16 * 16 + 16 * 16 * 8 / 3.0)) < 1);
	end(&ctx);
}

/* This map was made by a real compiler, not by a test. Its triangles must face as its planes do, and its light must be
 * the bytes of the file. */
static void real_maps_face_outwards(void **state)
{
	(void)state;
	bspi_ctx ctx;
	bspi_prop_model model;
	const char *why = "";
	uint32_t turned = 0, bright = 0;
	bspt_bytes file = bspt_read_file(BSPT_FIXTURES "/atrium/quake/maps/atrium.bsp");
	begin(&ctx);
	bspi_bytes bytes = bspi_bytes_of(file.data, file.size);
	assert_true(bspi_read_model(&ctx, "maps/atrium.bsp", bytes, &(bspi_model_state) { 0 }, &model, &why));
	check(&model);
	assert_non_null(model.light);
	for (uint32_t i = 0; i < model.index_count; i += 3) {
		const float *p[3];
		float u[3], v[3], across[3];
		for (uint32_t k = 0; k < 3; k++) p[k] = model.positions + 3 * (size_t)model.indices[i + k];
		bspi_sub(u, p[1], p[0]);
		bspi_sub(v, p[2], p[0]);
		bspi_cross(across, u, v);
		turned += bspi_dot(across, model.normals + 3 * (size_t)model.indices[i]) < 0;
	}
	for (size_t i = 0; i < model.vertex_count; i++) bright += model.light[4 * i] > 32;
	assert_int_equal(turned, 0);
	assert_true(model.index_count > 3000 && bright > model.vertex_count / 4);
	end(&ctx);
	free(file.data);
}

/* Reads hostile bytes once. Returns whether they were accepted. */
static bool try(const bspt_model_file *file, uint64_t allocations)
{
	bspi_ctx ctx;
	bspi_prop_model model;
	const char *why = NULL;
	begin(&ctx);
	ctx.options.open_file = open_sibling;
	ctx.options.file_user = (void *)file;
	ctx.budget.allocation_limit = allocations;
	bool read =
		bspi_read_model(&ctx, file->path, file->bytes, &(bspi_model_state) { .frame = 1, .body = 3 }, &model, &why);
	if (read) check(&model);
	else assert_true(ctx.error.status || (why && *why));
	end(&ctx);
	return read;
}

/* Returns the bytes of the model (part 0) or of a sibling file. */
static bspi_bytes *part_of(bspt_model_file *file, uint32_t part)
{
	return part ? &file->siblings[part - 1].bytes : &file->bytes;
}

static void cut_files_do_no_harm(void **state)
{
	(void)state;
	bspt_guard guard = bspt_guard_make(BSPT_MOST_WRITTEN);
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		const bspt_model_file whole = bspt_build_model(i);
		for (uint32_t part = 0; part <= whole.sibling_count; part++) {
			bspt_model_file file = whole;
			bspi_bytes *bytes = part_of(&file, part), all = *bytes;
			for (size_t size = 0; size < all.size; size++) {
				*bytes = bspi_bytes_of(bspt_guard_place(&guard, all.data, size), size);
				if (try(&file, 0) && size < all.size / 2) fail_msg("%s is read of %zu bytes", file.format, size);
			}
		}
	}
	bspt_guard_free(&guard);
}

/* Each byte is replaced by each of `values`, and each four bytes by each of `words`, which are critical numbers. */
static void garbled_files_do_no_harm(void **state)
{
	(void)state;
	static const uint8_t values[] = { 0, 0x80, 0xff };
	static const uint32_t words[] = { 0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000, 0x7f800000, 0x10000 };
	bspt_guard guard = bspt_guard_make(BSPT_MOST_WRITTEN);
	uint8_t copy[BSPT_MOST_WRITTEN];
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		const bspt_model_file whole = bspt_build_model(i);
		for (size_t n = 0; n < (whole.sibling_count + 1) * (size_t)BSPT_MOST_WRITTEN; n++) {
			bspt_model_file file = whole;
			size_t at = n % BSPT_MOST_WRITTEN;
			bspi_bytes *bytes = part_of(&file, (uint32_t)(n / BSPT_MOST_WRITTEN)), all = *bytes;
			/* Fewer bytes are tried here. Maps have tests of their own, scripts have no offsets, and the models include
			 * four TIKIs. */
			bool tiki = !strcmp(file.format, "tiki"), script = tiki && n < BSPT_MOST_WRITTEN;
			if ((script || !strcmp(file.format, "box_map")) && at % 3) continue;
			for (size_t k = 0; at < all.size && k < sizeof values + sizeof words / sizeof *words; k++) {
				memcpy(copy, all.data, all.size);
				if (tiki && !script && k < sizeof values && at % 4 != 3) continue;
				if (k < sizeof values) copy[at] = values[k];
				else if (at % 4 || at + 4 > all.size) continue;
				else memcpy(copy + at, &words[k - sizeof values], 4);
				*bytes = bspi_bytes_of(bspt_guard_place(&guard, copy, all.size), all.size);
				try(&file, 0);
			}
		}
	}
	bspt_guard_free(&guard);
}

static void starved_readers_say_so(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		bspt_model_file file = bspt_build_model(i);
		uint64_t limit = 1;
		while (!try(&file, limit)) limit++;
		assert_true(limit > 1);
	}
}

static void others_are_refused_by_name(void **state)
{
	static const struct {
		const char *bytes, *words;
	} cases[] = {
		{ "2LGM\6\0\0\0", "Ghoul 2" },         { "IDST\64\0\0\0", "studio model of version 52" },
		{ "IDSQ\12\0\0\0", "sequences" },      { "abcdefgh", "its model format is unknown" },
		{ "", "its model format is unknown" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_ctx ctx;
		bspi_prop_model model;
		const char *why = "";
		begin(&ctx);
		bspi_bytes bytes = bspi_bytes_of(cases[i].bytes, *cases[i].bytes ? 8 : 0);
		assert_false(bspi_read_model(&ctx, "a", bytes, &(bspi_model_state) { 0 }, &model, &why));
		if (!strstr(why, cases[i].words)) fail_msg("\"%s\" does not say \"%s\"", why, cases[i].words);
		end(&ctx);
	}
}

static void sprites_say_how_they_stand(void **state)
{
	(void)state;
	for (uint32_t frame = 0; frame < 2; frame++) {
		bspi_ctx ctx;
		bspi_sprite sprite;
		begin(&ctx);
		uint32_t number = 0;
		while (strcmp(bspt_build_model(number).format, "sprite") != 0) number++;
		bspt_model_file file = bspt_build_model(number);
		bspi_model_reader reader = { .ctx = &ctx, .path = file.path, .state = { .frame = frame }, .file = file.bytes };
		assert_true(bspi_read_sprite(&reader, &sprite));
		assert_int_equal(sprite.turn, BSPI_SPRITE_PARALLEL);
		assert_int_equal(sprite.blend, BSPI_SPRITE_ADDITIVE);
		assert_int_equal(sprite.frame_count, 2);
		assert_int_equal(sprite.left, -4);
		assert_int_equal(sprite.top, 12);
		assert_int_equal(sprite.width, 8);
		assert_int_equal(sprite.height, 16);
		assert_int_equal(sprite.pixels.data[0], frame);
		assert_int_equal(sprite.palette.size, 768);
		end(&ctx);
	}
}

/* The model's first skin is a group of one picture. That picture is used. */
static void groups_of_one_picture_are_read(void **state)
{
	enum { HEADER = 40 + 2 + 768, GROUP = 4 + 4 + 4 };
	static const uint8_t group[GROUP] = { 1, 0, 0, 0, 1 };
	(void)state;
	uint32_t number = 0;
	while (strcmp(bspt_build_model(number).format, "sprite") != 0) number++;
	const bspt_model_file file = bspt_build_model(number);
	uint8_t copy[BSPT_MOST_WRITTEN];
	memcpy(copy, file.bytes.data, HEADER);
	memcpy(copy + HEADER, group, GROUP);
	memcpy(copy + HEADER + GROUP, file.bytes.data + HEADER + 4, file.bytes.size - HEADER - 4);
	for (uint32_t frame = 0; frame < 2; frame++) {
		bspi_ctx ctx;
		bspi_sprite sprite;
		begin(&ctx);
		const bspi_bytes bytes = bspi_bytes_of(copy, file.bytes.size + GROUP - 4);
		bspi_model_reader reader = { .ctx = &ctx, .path = file.path, .state = { .frame = frame }, .file = bytes };
		assert_true(bspi_read_sprite(&reader, &sprite));
		assert_int_equal(sprite.pixels.data[0], frame);
		end(&ctx);
	}
}

/* Checks that the fields of each table cover the record without gaps, in order, and lie inside the decoded struct. */
static void check_tables(const bspi_model_format *format, const bspi_layout *const *layout)
{
	static const size_t sizes[] = {
		[BSPI_U8] = 1,  [BSPI_I8] = 1,  [BSPI_U16] = 2,   [BSPI_I16] = 2,  [BSPI_U32] = 4,
		[BSPI_I32] = 4, [BSPI_F32] = 4, [BSPI_CHARS] = 1, [BSPI_SKIP] = 1,
	};
	for (; layout && *layout; layout++) {
		size_t at = 0;
		for (uint16_t i = 0; i < (*layout)->field_count; i++) {
			const bspi_field *field = &(*layout)->fields[i];
			if (field->file_offset != at) {
				fail_msg("%s: %s.%s starts at byte %u, but the row before it ends at %zu; correct the offset, or add a "
				         "SKIP row for bytes that are not read",
				         format->id, (*layout)->name, field->name, field->file_offset, at);
			}
			at += field->count * sizes[field->file_type];
			size_t memory = field->memory_offset + (size_t)field->count * BSPI_TYPE_SIZE(field->memory_type);
			if (field->file_type != BSPI_SKIP && memory > (*layout)->memory_size) {
				fail_msg("%s: %s.%s ends outside of its struct; FIELD and LAYOUT must name the same type", format->id,
				         (*layout)->name, field->name);
			}
		}
		if (at != (*layout)->file_size) {
			fail_msg("%s: the rows of %s fill %zu bytes, but its LAYOUT says %u; correct that, or add a SKIP row",
			         format->id, (*layout)->name, at, (unsigned)(*layout)->file_size);
		}
	}
}

static void tables_describe_their_records(void **state)
{
	(void)state;
	for (uint32_t f = 0; f < bspi_model_format_count; f++) {
		for (int file = 0; file < BSPI_MODEL_MAX_FILES; file++) {
			check_tables(bspi_model_formats[f], bspi_model_formats[f]->layouts[file]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_is_the_same_shape),
		cmocka_unit_test(frames_are_read_where_they_are),
		cmocka_unit_test(groups_of_one_frame_are_read),
		cmocka_unit_test(groups_of_one_picture_are_read),
		cmocka_unit_test(frames_without_room_for_their_vertices_are_refused),
		cmocka_unit_test(cut_files_do_no_harm),
		cmocka_unit_test(garbled_files_do_no_harm),
		cmocka_unit_test(starved_readers_say_so),
		cmocka_unit_test(others_are_refused_by_name),
		cmocka_unit_test(sprites_say_how_they_stand),
		cmocka_unit_test(tables_describe_their_records),
		cmocka_unit_test(real_maps_face_outwards),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
