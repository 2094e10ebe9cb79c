/* Promise: if the caller requests `rigs`, a model that is loaded alone has a rig as rig.h describes. In each frame of
 * each sequence, its vertices are those of a load of that frame, also if a part of the model is hidden. Models with too
 * many bones or frames are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/pose.h"
#include "base/vec.h"
#include "support/captured.h"
#include "support/check/check_scene.h"
#include "support/models/build_moving.h"
#include "support/models/furnished.h"

static bool open_sibling(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspt_moving_model *model = user;
	bspi_bytes bytes = BSPI_NO_BYTES;
	(void)kind;
	for (int i = 0; i < 2 && model->siblings[i].path; i++) {
		if (!strcmp(path, model->siblings[i].path)) bytes = model->siblings[i].bytes;
	}
	stream->data = bytes.data;
	stream->size = bytes.size;
	return bytes.size != 0;
}

static bspscene_scene *load(const bspt_moving_model *model, bspi_bytes bytes, bspscene_load_options *options,
                            bspscene_error *error)
{
	options->name = model->path;
	options->open_file = open_sibling;
	options->file_user = (void *)model;
	return bspscene_load_memory(bytes.data, bytes.size, options, error);
}

static bspscene_scene *load_rigged(const bspt_moving_model *model, bspscene_load_options *options)
{
	bspscene_error error;
	bspscene_load_options_init(options);
	options->rigs = true;
	bspscene_scene *scene = load(model, model->bytes, options, &error);
	if (!scene) fail_msg("%s: %s", model->path, error.message);
	return scene;
}

static void place_vertex(const bspscene_mesh *mesh, uint32_t frame, uint32_t vertex, float out[3])
{
	const bspscene_rig *rig = mesh->rig;
	if (mesh->frame_positions) {
		bspi_copy3(out, mesh->frame_positions + 3 * ((size_t)frame * mesh->vertex_count + vertex));
		return;
	}
	memset(out, 0, 3 * sizeof *out);
	for (size_t i = 0; i < 4; i++) {
		float place[12], own[12], at[3];
		uint32_t bone = mesh->joints[4 * vertex + i];
		memcpy(place, rig->bones[bone]->inverse_rest, sizeof place);
		for (; bone != BSPSCENE_NO_INDEX; bone = rig->bones[bone]->parent) {
			bspi_pose_transform(&rig->poses[(size_t)frame * rig->bone_count + bone], own);
			bspi_transform_multiply(place, own, place);
		}
		bspi_transform_point(at, place, mesh->positions + 3 * (size_t)vertex);
		for (int k = 0; k < 3; k++) out[k] += mesh->weights[4 * vertex + i] * at[k];
	}
}

/* Loads the model without its rig, in one pose. For skeletal models, that is a frame of a sequence; for others, a frame
 * of the file, or the first one of a group of frames. */
static bspscene_scene *load_still(const bspt_moving_model *model, const bspscene_rig *rig, uint32_t sequence,
                                  uint32_t frame)
{
	bspscene_load_options options;
	bspscene_error error;
	bool skeletal = rig->bone_count > model->tag_count;
	bspscene_load_options_init(&options);
	options.model_pose.sequence = skeletal ? rig->sequences[sequence]->name : NULL;
	options.model_pose.frame = frame + (skeletal ? 0 : rig->sequences[sequence]->first_frame);
	if (rig->sequences[sequence]->loops && !skeletal && frame) return NULL;
	bspscene_scene *scene = load(model, model->bytes, &options, &error);
	assert_non_null(scene);
	assert_null(scene->meshes[0]->rig);
	return scene;
}

static float check_frame(const bspscene_mesh *mesh, const bspscene_mesh *still, uint32_t frame)
{
	float moved = 0;
	assert_int_equal(mesh->vertex_count, still->vertex_count);
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		float at[3];
		place_vertex(mesh, frame, i, at);
		float apart = bspi_distance_squared(at, still->positions + 3 * (size_t)i);
		if (apart > 1e-6f) fail_msg("frame %u: vertex %u is %g aside", frame, i, (double)sqrtf(apart));
		moved = fmaxf(moved, bspi_distance_squared(at, mesh->positions + 3 * (size_t)i));
		for (size_t k = 0; mesh->frame_normals && k < 3; k++) {
			size_t number = 3 * ((size_t)frame * mesh->vertex_count + i) + k;
			assert_true(fabsf(mesh->frame_normals[number] - still->normals[3 * (size_t)i + k]) < 1e-5f);
		}
	}
	return moved;
}

static void frames_are_where_they_stand(void **state)
{
	(void)state;
	for (uint32_t number = 0; number < bspt_moving_count; number++) {
		const bspt_moving_model model = bspt_build_moving(number);
		bspscene_load_options options;
		bspt_report report = { 0 };
		bspscene_scene *scene = load_rigged(&model, &options);
		bspt_check_scene(scene, &options, &report);
		bspt_assert_clean(&report);
		const bspscene_rig *rig = scene->meshes[0]->rig;
		float moved = 0;
		assert_non_null(rig);
		assert_int_equal(rig->bone_count, model.bone_count);
		assert_int_equal(rig->sequence_count, model.sequence_count);
		for (uint32_t i = 0; i < rig->sequence_count; i++) {
			const bspscene_sequence *sequence = rig->sequences[i];
			assert_string_equal(sequence->name, model.sequences[i]);
			assert_int_equal(sequence->frame_count, model.frame_counts[i]);
			assert_true(sequence->frames_per_second == model.rates[i]);
			for (uint32_t frame = 0; frame < sequence->frame_count; frame++) {
				bspscene_scene *still = load_still(&model, rig, i, frame);
				if (!still) continue;
				moved = fmaxf(moved, check_frame(scene->meshes[0], still->meshes[0], sequence->first_frame + frame));
				bspscene_scene_free(still);
			}
		}
		if (moved < 1) fail_msg("%s does not move", model.path);
		bspscene_scene_free(scene);
	}
}

/* The expected values come from the file. The first frame of "wave" equals the joints of the IQM file, and the joints
 * are the rest pose. So nothing may move in that frame. */
static void bones_rest_where_the_file_has_them(void **state)
{
	static const float places[2][3] = { { 0, 1, 2 }, { 6, 0, 0 } };
	(void)state;
	const bspt_moving_model model = bspt_find_moving("models/moving.iqm");
	bspscene_load_options options;
	bspscene_scene *scene = load_rigged(&model, &options);
	const bspscene_rig *rig = scene->meshes[0]->rig;
	bspscene_scene *still = load_still(&model, rig, 0, 0);
	assert_true(check_frame(scene->meshes[0], still->meshes[0], 0) < 1e-6f);
	for (uint32_t i = 0; i < 2; i++) {
		assert_true(bspi_distance_squared(rig->bones[i]->rest.translation, places[i]) < 1e-6f);
	}
	bspscene_scene_free(still);
	bspscene_scene_free(scene);
}

/* The values come from the file: the MD3's tag rotates by 90 degrees in each frame, and rises. */
static void tags_have_places(void **state)
{
	(void)state;
	for (uint32_t number = 0; number < bspt_moving_count; number++) {
		const bspt_moving_model model = bspt_build_moving(number);
		bspscene_load_options options;
		if (!model.tag_count) continue;
		bspscene_scene *scene = load_rigged(&model, &options);
		const bspscene_rig *rig = scene->meshes[0]->rig;
		const bspscene_bone *tag = rig->bones[rig->bone_count - 1];
		assert_true(tag->is_tag);
		bool fixed = scene->meshes[0]->joints != NULL;
		assert_string_equal(tag->name, fixed ? "attachment0" : "tag_weapon");
		assert_int_equal(tag->parent, fixed ? 1 : BSPSCENE_NO_INDEX);
		for (uint32_t frame = 0; frame < rig->frame_count; frame++) {
			const bspscene_bone_pose *pose = &rig->poses[(size_t)frame * rig->bone_count + rig->bone_count - 1];
			const float forward[3] = { 1, 0, 0 };
			float place[12], at[3];
			bspi_pose_transform(pose, place);
			bspi_transform_point(at, place, forward);
			float rises = fixed ? 0 : (float)frame, turned = fixed ? 0 : (float)frame;
			assert_true(fabsf(at[0] - 1 - (turned == 0 ? 1 : turned == 1 ? 0 : -1.0f)) < 1e-5f);
			assert_true(fabsf(at[1] - 2 - (turned == 1 ? 1.0f : 0)) < 1e-5f);
			assert_true(fabsf(at[2] - 3 - rises) < 1e-5f);
		}
		bspscene_scene_free(scene);
	}
}

/* The expected values come from the file. It stores frames in sections, and the last frame has a section of its own.
 * Additive sequences are left out. */
static void sections_of_source_are_found(void **state)
{
	(void)state;
	static const float heights[] = { 0, 4, 8, 1, 2, 3, 4, 5 }, half_turns[] = { 10, 30, 90, 0, 5, 10, 15, 20 };
	const bspt_moving_model model = bspt_find_moving("models/source.mdl");
	bspscene_load_options options;
	bspscene_scene *scene = load_rigged(&model, &options);
	const bspscene_rig *rig = scene->meshes[0]->rig;
	assert_int_equal(rig->frame_count, sizeof heights / sizeof *heights);
	for (uint32_t frame = 0; frame < rig->frame_count; frame++) {
		const bspscene_bone_pose *poses = &rig->poses[(size_t)frame * rig->bone_count];
		assert_true(fabsf(poses[1].translation[2] - heights[frame]) < 1e-5f);
		assert_true(fabsf(poses[0].rotation[2] - sinf(half_turns[frame] * 0.00872664626f)) < 1e-5f);
	}
	assert_int_equal(rig->still_frame, 0);
	assert_true(rig->sequences[0]->loops && !rig->sequences[1]->loops);
	assert_string_equal(rig->bones[1]->name, "front");
	bool warned = false;
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		warned |= scene->warnings[i]->code == BSPSCENE_WARNING_UNSUPPORTED;
	}
	assert_true(warned);
	bspscene_scene_free(scene);
}

/* The legs of a Quake III player have the sequences of death, and then their own sequences. The frame numbers of the
 * latter continue those of the torso. */
static void players_have_their_sequences(void **state)
{
	(void)state;
	static const char numbers[] =
		"sex m // 1\nheadoffset 0 0 0\n0 2 0 25 // BOTH_DEATH1\n1 1 0 25\n9 9 0 25\n0 0 0 0\n0 0 0 0\n0 0 0 0\n"
		"1 5 0 15 // TORSO_GESTURE\n0 1 0 1\n0 1 0 1\n0 1 0 1\n0 1 0 1\n0 1 0 1\n0 1 0 1\n"
		"6 -2 2 20 // LEGS_WALKCR\n9 1 0 0\n";
	static const char *const names[] = { "BOTH_DEATH1", "BOTH_DEAD1", "LEGS_WALKCR" };
	static const uint32_t frames[] = { 0, 1, 1, 2, 1 };
	bspt_moving_model model = bspt_find_moving("models/moving.md3");
	bspscene_load_options options;
	bspscene_scene *all = load_rigged(&model, &options);
	model.path = "models/players/p/lower.md3";
	model.siblings[0].path = "models/players/p/animation.cfg";
	model.siblings[0].bytes = bspi_bytes_of(numbers, sizeof numbers - 1);
	bspscene_scene *scene = load_rigged(&model, &options);
	const bspscene_mesh *mesh = scene->meshes[0], *whole = all->meshes[0];
	const bspscene_rig *rig = mesh->rig;
	assert_int_equal(rig->sequence_count, 3);
	assert_int_equal(rig->frame_count, 5);
	for (uint32_t i = 0; i < 3; i++) assert_string_equal(rig->sequences[i]->name, names[i]);
	assert_true(rig->sequences[2]->loops && !rig->sequences[0]->loops);
	assert_true(rig->sequences[2]->frames_per_second == 20);
	for (uint32_t i = 0; i < 5; i++) {
		size_t count = 3 * (size_t)mesh->vertex_count;
		assert_memory_equal(mesh->frame_positions + i * count, whole->frame_positions + frames[i] * count,
		                    count * sizeof(float));
		assert_memory_equal(&rig->poses[i], &whole->rig->poses[frames[i]], sizeof *rig->poses);
	}
	bspscene_scene_free(scene);
	bspscene_scene_free(all);
}

/* The gestures that follow the legs' animations in the file are numbered like the torso's: nothing is subtracted. */
static void gestures_of_teams_are_frames_of_the_torso(void **state)
{
	enum { BEFORE_LEGS = 13, LEGS = 12 };
	(void)state;
	char numbers[512] = "";
	for (int i = 0; i < BEFORE_LEGS + LEGS; i++) strcat(numbers, i < BEFORE_LEGS ? "9 0 0 0\n" : "11 0 0 0\n");
	strcat(numbers, "1 2 0 15 // TORSO_GETFLAG\n2 1 0 15 // TORSO_GUARDBASE\n");
	bspt_moving_model model = bspt_find_moving("models/moving.md3");
	bspscene_load_options options;
	model.path = "models/players/p/upper.md3";
	model.siblings[0].path = "models/players/p/animation.cfg";
	model.siblings[0].bytes = bspi_bytes_of(numbers, strlen(numbers));
	bspscene_scene *scene = load_rigged(&model, &options);
	const bspscene_rig *rig = scene->meshes[0]->rig;
	assert_int_equal(rig->sequence_count, 2);
	assert_string_equal(rig->sequences[0]->name, "TORSO_GETFLAG");
	assert_int_equal(rig->sequences[0]->frame_count, 2);
	assert_string_equal(rig->sequences[1]->name, "TORSO_GUARDBASE");
	bspscene_scene_free(scene);
}

/* In maps, models have rigs only on request. All instances of a model share one. */
static void models_in_maps_move_when_asked_to(void **state)
{
	(void)state;
	static const char entities[] =
		"{ \"classname\" \"worldspawn\" }{ \"classname\" \"misc_thing\" \"model\" \"models/moving.md3\" }"
		"{ \"classname\" \"misc_thing\" \"model\" \"models/moving.md3\" \"origin\" \"9 9 9\" }";
	const bspt_moving_model model = bspt_find_moving("models/moving.md3");
	for (int asked = 0; asked < 3; asked++) {
		bspt_furnished g;
		bspt_furnished_begin(&g);
		bspt_furnished_add(&g, model.path, model.bytes.data, model.bytes.size);
		g.options.rigs = asked == 1;
		g.options.map_rigs = asked == 2;
		bspt_furnished_load(&g, &bspi_family_quake3, entities);
		const bspscene_mesh *one = g.scene->meshes[bspt_furnished_mesh(&g, "misc_thing:1")];
		const bspscene_mesh *other = g.scene->meshes[bspt_furnished_mesh(&g, "misc_thing:2")];
		assert_int_equal(one->rig != NULL, asked == 2);
		assert_ptr_equal(one->rig, other->rig);
		if (one->rig) assert_int_equal(one->rig->frame_count, 3);
		bspt_furnished_end(&g);
	}
}

/* Adds the moving MD3 with its surface twice; the first one is hidden. */
static void add_half_hidden(bspt_furnished *g, const bspt_moving_model *model)
{
	enum { SURFACES = 84, SURFACES_AT = 100, SHADER = 108 };
	static uint8_t bytes[1 << 14];
	size_t surface = bspi_load_u32(model->bytes.data + SURFACES_AT), size = model->bytes.size - surface;
	assert_true(model->bytes.size + size <= sizeof bytes);
	memcpy(bytes, model->bytes.data, model->bytes.size);
	memcpy(bytes + model->bytes.size, model->bytes.data + surface, size);
	bytes[SURFACES] = 2;
	memcpy(bytes + surface + SHADER, "textures/common/caulk", sizeof "textures/common/caulk");
	bspt_furnished_add(g, "models/half.md3", bytes, model->bytes.size + size);
}

static void what_is_shown_of_a_model_moves_alone(void **state)
{
	(void)state;
	static const char entities[] =
		"{ \"classname\" \"worldspawn\" }{ \"classname\" \"misc_thing\" \"model\" \"models/moving.md3\" }"
		"{ \"classname\" \"misc_thing\" \"model\" \"models/half.md3\" }";
	const bspt_moving_model model = bspt_find_moving("models/moving.md3");
	bspt_furnished g;
	bspt_furnished_begin(&g);
	bspt_furnished_add(&g, model.path, model.bytes.data, model.bytes.size);
	add_half_hidden(&g, &model);
	g.options.map_rigs = true;
	bspt_furnished_load(&g, &bspi_family_quake3, entities);
	const bspscene_mesh *want = g.scene->meshes[bspt_furnished_mesh(&g, "misc_thing:1")];
	const bspscene_mesh *half = g.scene->meshes[bspt_furnished_mesh(&g, "misc_thing:2")];
	size_t count = 3 * (size_t)want->vertex_count;
	assert_int_equal(half->section_count, 1);
	assert_int_equal(half->vertex_count, want->vertex_count);
	assert_int_equal(half->rig->frame_count, want->rig->frame_count);
	assert_memory_equal(half->positions, want->positions, count * sizeof(float));
	assert_memory_equal(half->indices, want->indices, want->index_count * sizeof(uint32_t));
	count *= want->rig->frame_count;
	assert_memory_equal(half->frame_positions, want->frame_positions, count * sizeof(float));
	assert_memory_equal(half->frame_normals, want->frame_normals, count * sizeof(float));
	bspt_furnished_end(&g);
}

static void load_hostile(const bspt_moving_model *model, bspi_bytes bytes)
{
	bspscene_load_options options;
	bspscene_error error;
	bspt_report report = { 0 };
	bspscene_load_options_init(&options);
	options.rigs = true;
	options.memory_limit = (uint64_t)32 << 20;
	bspscene_scene *scene = load(model, bytes, &options, &error);
	if (scene) bspt_check_scene(scene, &options, &report);
	else bspt_check_error(&error, &report);
	bspt_assert_clean(&report);
	bspscene_scene_free(scene);
}

/* Files are truncated everywhere, and each word is replaced by critical numbers. */
static void hostile_files_do_no_harm(void **state)
{
	(void)state;
	static const uint32_t words[] = { 0, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000, 0x7f800000, 0x40000 };
	bspt_guard guard = bspt_guard_make(BSPT_MOST_WRITTEN);
	uint8_t copy[BSPT_MOST_WRITTEN];
	for (uint32_t number = 0; number < bspt_moving_count; number++) {
		const bspt_moving_model model = bspt_build_moving(number);
		for (size_t size = 64; size < model.bytes.size; size += 3) {
			load_hostile(&model, bspi_bytes_of(bspt_guard_place(&guard, model.bytes.data, size), size));
		}
		for (size_t at = 8; at + 4 <= model.bytes.size; at += 4) {
			for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
				memcpy(copy, model.bytes.data, model.bytes.size);
				memcpy(copy + at, &words[k], 4);
				load_hostile(&model, bspi_bytes_of(bspt_guard_place(&guard, copy, model.bytes.size), model.bytes.size));
			}
		}
	}
	bspt_guard_free(&guard);
}

/* Frames without data take no bytes in the file, but each of them needs memory. So their number is checked before any
 * frame is made. */
static void absurd_counts_are_refused(void **state)
{
	(void)state;
	for (uint32_t number = 0; number < bspt_moving_count; number++) {
		bspt_moving_model model = bspt_build_moving(number);
		uint8_t copy[BSPT_MOST_WRITTEN];
		bspscene_load_options options;
		bspscene_error error;
		memcpy(copy, model.bytes.data, model.bytes.size);
		copy[model.frames_at + 3] = 0x40;
		bspscene_load_options_init(&options);
		options.rigs = true;
		assert_null(load(&model, bspi_bytes_of(copy, model.bytes.size), &options, &error));
		assert_int_equal(error.status, BSPSCENE_ERROR_BAD_LUMP);
	}
}

/* In FBX, each sequence has a curve for each shape. The curve tells when the shape is shown. */
static void shapes_of_fbx_have_curves(void **state)
{
	static const char name[] = "d|DeformPercent";
	(void)state;
	for (uint32_t number = 0; number < bspt_moving_count; number++) {
		const bspt_moving_model model = bspt_build_moving(number);
		bspscene_load_options options;
		bspscene_scene *scene = load_rigged(&model, &options);
		const bspscene_mesh *mesh = scene->meshes[0];
		bspt_captured captured;
		bspscene_output output = bspt_capture(&captured);
		assert_true(bspscene_write(scene, "fbx", NULL, &output, NULL));
		const bspt_bytes *file = &captured.files[0].bytes;
		uint32_t found = 0, shapes = mesh->frame_positions ? mesh->rig->frame_count : 0;
		for (size_t at = 0; at + sizeof name <= file->size; at++) {
			found += !memcmp(file->data + at, name, sizeof name - 1);
		}
		assert_int_equal(found, 2 * shapes * mesh->rig->sequence_count);
		bspt_captured_free(&captured);
		bspscene_scene_free(scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_where_they_stand),
		cmocka_unit_test(bones_rest_where_the_file_has_them),
		cmocka_unit_test(tags_have_places),
		cmocka_unit_test(sections_of_source_are_found),
		cmocka_unit_test(players_have_their_sequences),
		cmocka_unit_test(gestures_of_teams_are_frames_of_the_torso),
		cmocka_unit_test(models_in_maps_move_when_asked_to),
		cmocka_unit_test(what_is_shown_of_a_model_moves_alone),
		cmocka_unit_test(hostile_files_do_no_harm),
		cmocka_unit_test(absurd_counts_are_refused),
		cmocka_unit_test(shapes_of_fbx_have_curves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
