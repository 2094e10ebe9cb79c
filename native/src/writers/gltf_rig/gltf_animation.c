/* gltf_animation.c - writes a rig's sequences as animations, with curves for bones and for morph weights. A property
 * that is constant in a sequence gets one key, so that a host that switches animations gets the complete new pose. */
#include "writers/gltf_rig/gltf_rig.h"

#include <string.h>

enum { TRANSLATION, ROTATION, SCALE, PATHS };
static const struct {
	const char *name;
	uint32_t width;
} paths[PATHS] = { { "translation", 3 }, { "rotation", 4 }, { "scale", 3 } };

/* The animation of one sequence. */
typedef struct curves {
	bspi_gltf *gltf;
	const bspscene_rig *rig;
	const bspscene_sequence *sequence;
	json_t *channels, *samplers;
	uint32_t times, first_time; /* accessors of the times of all frames, and of the first time alone; NO_INDEX: not made
	                             * yet */
	const bool *scaled;                /* for each bone, true if it is scaled in some frame; other bones get no scale
	                                    * curves */
	float *room;
} curves;

static void add_channel(curves *c, uint32_t node, const char *path, uint32_t input, uint32_t output)
{
	bspi_gltf *gltf = c->gltf;
	json_t *channel = json_object(), *target = json_object(), *sampler = json_object();
	bspi_gltf_set(gltf, sampler, "input", json_integer(input));
	bspi_gltf_set(gltf, sampler, "output", json_integer(output));
	bspi_gltf_set(gltf, target, "node", json_integer(node));
	bspi_gltf_set(gltf, target, "path", json_string(path));
	bspi_gltf_set(gltf, channel, "sampler", json_integer((json_int_t)json_array_size(c->samplers)));
	bspi_gltf_set(gltf, channel, "target", target);
	bspi_gltf_append(gltf, c->samplers, sampler);
	bspi_gltf_append(gltf, c->channels, channel);
}

static uint32_t times_of(curves *c, bool all)
{
	uint32_t *accessor = all ? &c->times : &c->first_time;
	if (*accessor != BSPSCENE_NO_INDEX) return *accessor;
	uint32_t count = all ? c->sequence->frame_count : 1;
	for (uint32_t i = 0; i < count; i++) c->room[i] = (float)(i / (double)c->sequence->frames_per_second);
	*accessor = bspi_gltf_add_floats(c->gltf, BSPI_GLTF_CURVES, c->room, count, 1, true);
	return *accessor;
}

static const float *part_of(const bspi_trs *pose, int path)
{
	switch (path) {
	case TRANSLATION: return pose->translation;
	case ROTATION: return pose->rotation;
	default: return pose->scale;
	}
}

static void add_curve(curves *c, uint32_t bone, uint32_t node, int path)
{
	const uint32_t width = paths[path].width, count = c->sequence->frame_count;
	const bspscene_bone_pose *poses = c->rig->poses + (size_t)c->sequence->first_frame * c->rig->bone_count + bone;
	bool moves = false;
	for (uint32_t i = 0; i < count; i++) {
		bspi_trs pose = bspi_y_up_pose(&poses[(size_t)i * c->rig->bone_count], c->gltf->scene->meters_per_unit);
		memcpy(c->room + (size_t)i * width, part_of(&pose, path), width * sizeof *c->room);
		moves = moves || memcmp(c->room + (size_t)i * width, c->room, width * sizeof *c->room) != 0;
	}
	uint32_t output = bspi_gltf_add_floats(c->gltf, BSPI_GLTF_CURVES, c->room, moves ? count : 1, width, false);
	add_channel(c, node, paths[path].name, times_of(c, moves), output);
}

/* Adds the curves of morph weights. In each frame the target of that frame has weight 1, and all others have weight
 * 0. */
static bool add_weights(curves *c, uint32_t node)
{
	uint32_t count = c->sequence->frame_count;
	size_t targets = c->rig->frame_count;
	float *weights = bspi_writer_push(c->gltf->writer, float, count * targets);
	BSPI_TRY(weights);
	for (size_t i = 0; i < count; i++) weights[i * targets + c->sequence->first_frame + i] = 1;
	uint32_t output = bspi_gltf_add_floats(c->gltf, BSPI_GLTF_CURVES, weights, (uint32_t)(count * targets), 1, false);
	add_channel(c, node, "weights", times_of(c, true), output);
	return true;
}

static void note_loop(bspi_gltf *gltf, json_t *animation)
{
	json_t *extras = json_object(), *facts = json_object();
	bspi_gltf_set(gltf, facts, "loops", json_true());
	bspi_gltf_set(gltf, extras, "bspscene", facts);
	bspi_gltf_set(gltf, animation, "extras", extras);
}

static bool add_animation(curves *c, const bspi_gltf_rigged *rigged)
{
	bspi_gltf *gltf = c->gltf;
	json_t *animation = json_object();
	c->channels = json_array();
	c->samplers = json_array();
	c->times = c->first_time = BSPSCENE_NO_INDEX;
	bool added = !rigged->morphs || add_weights(c, rigged->node_number);
	for (uint32_t bone = 0; added && bone < c->rig->bone_count; bone++) {
		/* A tag moves with its parent bone, so it has no curves. */
		bool fixed = c->rig->bones[bone]->is_tag && rigged->mesh->joints;
		for (int path = 0; path < PATHS && !fixed; path++) {
			if (path != SCALE || c->scaled[bone]) add_curve(c, bone, rigged->first_bone + bone, path);
		}
	}
	bspi_gltf_set(gltf, animation, "name", json_string(c->sequence->name));
	bspi_gltf_set(gltf, animation, "channels", c->channels);
	bspi_gltf_set(gltf, animation, "samplers", c->samplers);
	if (c->sequence->loops) note_loop(gltf, animation);
	bspi_gltf_append(gltf, rigged->animations, animation);
	return added && !gltf->writer->failure.status;
}

bool bspi_gltf_add_animations(bspi_gltf *gltf, const bspi_gltf_rigged *rigged)
{
	curves c = { .gltf = gltf, .rig = rigged->mesh->rig };
	c.room = bspi_writer_push(gltf->writer, float, 4 * (size_t)c.rig->frame_count);
	c.scaled = bspi_find_scaled_bones(gltf->writer, c.rig);
	BSPI_TRY(c.room && c.scaled);
	for (uint32_t i = 0; i < c.rig->sequence_count; i++) {
		c.sequence = c.rig->sequences[i];
		if (c.sequence->frame_count) BSPI_TRY(add_animation(&c, rigged));
	}
	return true;
}
