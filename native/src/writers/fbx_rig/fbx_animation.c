/* fbx_animation.c - writes a rig's sequences as animation stacks, with curves for bones and for the weights of shapes.
 * A property that is constant in a sequence gets one key, so that a host that switches stacks gets the complete new
 * pose. */
#include "writers/fbx_rig/fbx_rig.h"

#include <string.h>

#define LINEAR 4                       /* flag of a key: interpolation is linear */
#define WHOLE 100.0f                   /* weight at which a shape is fully applied */

/* The animation stack of one sequence. */
typedef struct stack {
	bspi_fbx *fbx;
	const bspi_fbx_rigged *rigged;
	const bspscene_sequence *sequence;
	int64_t layer;
	int64_t *times;                    /* times and values of the keys of one curve, with room for the longest
	                                    * sequence */
	float (*values)[3];
	float (*quaternions)[4];
	bspi_fbx_turn_key *turns;
	const bool *scaled;                /* for each bone, true if some frame scales it; other bones have no curves for
	                                    * scale */
} stack;

/* ---- Curves ----------------------------------------------------------------------------------------------- */

static void put_times(bspi_fbx_file *file, const int64_t *times, uint32_t count)
{
	bspi_fbx_open(file, "KeyTime");
	bspi_fbx_array *array = bspi_fbx_begin_array(file, 'l', count);
	for (uint32_t i = 0; i < count; i++) bspi_fbx_put_i64(array, times[i]);
	bspi_fbx_end_array(file);
	bspi_fbx_close(file);
}

/* Writes the attributes that all keys of a curve share: linear interpolation. */
static void put_way(bspi_fbx_file *file, uint32_t count)
{
	static const struct { const char *name; int32_t count; char type; } arrays[] = {
		{ "KeyAttrFlags", 1, 'i' }, { "KeyAttrDataFloat", 4, 'f' }, { "KeyAttrRefCount", 1, 'i' },
	};
	const int32_t values[3] = { LINEAR, 0, (int32_t)count };
	for (int a = 0; a < 3; a++) {
		bspi_fbx_open(file, arrays[a].name);
		bspi_fbx_array *array = bspi_fbx_begin_array(file, arrays[a].type, (size_t)arrays[a].count);
		/* the floats are all 0, which has the same bytes as the integer 0 */
		for (int i = 0; i < arrays[a].count; i++) bspi_fbx_put_i32(array, values[a]);
		bspi_fbx_end_array(file);
		bspi_fbx_close(file);
	}
}

/* Writes one axis of s->values as a curve. */
static void put_curve(stack *s, int64_t curve_node, const char *property, int axis, uint32_t count)
{
	bspi_fbx_file *file = &s->fbx->file;
	int64_t id = bspi_fbx_open_object(s->fbx, BSPI_FBX_CURVE, "", "");
	bspi_fbx_open(file, "Default");
	bspi_fbx_add_f64(file, (double)s->values[0][axis]);
	bspi_fbx_close(file);
	bspi_fbx_i32(file, "KeyVer", 4008);
	put_times(file, s->times, count);
	bspi_fbx_open(file, "KeyValueFloat");
	bspi_fbx_array *array = bspi_fbx_begin_array(file, 'f', count);
	for (uint32_t i = 0; i < count; i++) bspi_fbx_put_f32(array, s->values[i][axis]);
	bspi_fbx_end_array(file);
	bspi_fbx_close(file);
	put_way(file, count);
	bspi_fbx_close(file);
	bspi_fbx_link_to(s->fbx, id, curve_node, property);
}

/* Writes the curves of a property with one or three channels. */
static void put_curves(stack *s, const char *name, int64_t target, const char *property, int axes, uint32_t count)
{
	static const char *const of_three[3] = { "d|X", "d|Y", "d|Z" };
	static const char *const of_one = "d|DeformPercent";
	bspi_fbx *fbx = s->fbx;
	int64_t id = bspi_fbx_open_object(fbx, BSPI_FBX_CURVE_NODE, name, "");
	bspi_fbx_open_properties(fbx);
	for (int i = 0; i < axes; i++) {
		bspi_fbx_number(fbx, BSPI_FBX_NUMBER, axes == 1 ? of_one : of_three[i], (double)s->values[0][i]);
	}
	bspi_fbx_close(&fbx->file);
	bspi_fbx_close(&fbx->file);
	bspi_fbx_link_to(fbx, id, s->layer, NULL);
	bspi_fbx_link_to(fbx, id, target, property);
	bool moves = false;
	size_t size = (size_t)axes * sizeof **s->values;
	for (uint32_t i = 1; i < count; i++) moves = moves || memcmp(s->values[i], s->values[0], size) != 0;
	for (int i = 0; i < axes; i++) put_curve(s, id, axes == 1 ? of_one : of_three[i], i, moves ? count : 1);
}

/* ---- Bones ------------------------------------------------------------------------------------------------ */

static bspi_trs pose_at(const stack *s, uint32_t bone, uint32_t frame)
{
	const bspscene_rig *rig = s->rigged->mesh->rig;
	size_t at = (size_t)(s->sequence->first_frame + frame) * rig->bone_count + bone;
	return bspi_y_up_pose(&rig->poses[at], s->fbx->scene->meters_per_unit);
}

static void put_ways(stack *s, uint32_t bone, bool scales)
{
	const uint32_t count = s->sequence->frame_count;
	for (uint32_t i = 0; i < count; i++) {
		bspi_trs pose = pose_at(s, bone, i);
		s->times[i] = bspi_fbx_time_of(s->sequence, i);
		for (int k = 0; k < 3; k++) s->values[i][k] = scales ? pose.scale[k] : pose.translation[k] * s->fbx->scale;
	}
	if (scales) put_curves(s, "S", s->rigged->bones[bone], "Lcl Scaling", 3, count);
	else put_curves(s, "T", s->rigged->bones[bone], "Lcl Translation", 3, count);
}

static void put_turns(stack *s, uint32_t bone)
{
	for (uint32_t i = 0; i < s->sequence->frame_count; i++) {
		bspi_trs pose = pose_at(s, bone, i);
		memcpy(s->quaternions[i], pose.rotation, sizeof pose.rotation);
	}
	uint32_t count = bspi_fbx_turn_keys((const float(*)[4])s->quaternions, s->sequence->frame_count, s->turns);
	for (uint32_t i = 0; i < count; i++) {
		s->times[i] = bspi_fbx_time_of(s->sequence, (double)s->turns[i].part);
		memcpy(s->values[i], s->turns[i].angles, sizeof *s->values);
	}
	put_curves(s, "R", s->rigged->bones[bone], "Lcl Rotation", 3, count);
}

/* ---- Shapes ----------------------------------------------------------------------------------------------- */

/* Writes the curve of a shape's weight: 100 at the shape's own frame, and 0 at the frames before and after it. */
static void put_share(stack *s, uint32_t shape)
{
	const bspscene_sequence *sequence = s->sequence;
	uint32_t count = 0, first = sequence->first_frame;
	bool shown = shape >= first && shape - first < sequence->frame_count;
	for (uint32_t i = 0; i < 3; i++) {
		/* i is 0 for the frame before the shape's own, 1 for its own, and 2 for the one after */
		uint32_t frame = shape - first + i;
		if (!shown || frame < 1 || frame > sequence->frame_count) continue;
		s->times[count] = bspi_fbx_time_of(sequence, frame - 1);
		s->values[count++][0] = i == 1 ? WHOLE : 0;
	}
	if (!shown) {
		s->times[count] = 0;
		s->values[count++][0] = 0;
	}
	put_curves(s, "DeformPercent", s->rigged->channels[shape], "DeformPercent", 1, count);
}

/* ---- Stacks ----------------------------------------------------------------------------------------------- */

static void open_stack(stack *s)
{
	bspi_fbx *fbx = s->fbx;
	const bspi_fbx_take take = {
		s->sequence->name, bspi_fbx_time_of(s->sequence, s->sequence->frame_count - 1),
	};
	int64_t id = bspi_fbx_open_object(fbx, BSPI_FBX_STACK, take.name, "");
	bspi_fbx_open_properties(fbx);
	bspi_fbx_moment(fbx, "LocalStart", 0);
	bspi_fbx_moment(fbx, "LocalStop", take.end);
	bspi_fbx_moment(fbx, "ReferenceStart", 0);
	bspi_fbx_moment(fbx, "ReferenceStop", take.end);
	if (s->sequence->loops) bspi_fbx_integer(fbx, BSPI_FBX_USER_BOOL, "bspscene.loops", 1);
	bspi_fbx_close(&fbx->file);
	bspi_fbx_close(&fbx->file);
	s->layer = bspi_fbx_open_object(fbx, BSPI_FBX_ANIMATION_LAYER, "BaseLayer", "");
	bspi_fbx_close(&fbx->file);
	bspi_fbx_link_to(fbx, s->layer, id, NULL);
	if (!fbx->writer->failure.status) bspi_buffer_add(&fbx->takes, &take, sizeof take);
}

static void put_stack(stack *s)
{
	const bspscene_mesh *mesh = s->rigged->mesh;
	open_stack(s);
	for (uint32_t bone = 0; bone < mesh->rig->bone_count; bone++) {
		/* A tag moves with its parent bone, so it has no curves. */
		if (mesh->rig->bones[bone]->is_tag && mesh->joints) continue;
		put_ways(s, bone, false);
		put_turns(s, bone);
		if (s->scaled[bone]) put_ways(s, bone, true);
	}
	for (uint32_t i = 0; s->rigged->channels && i < mesh->rig->frame_count; i++) put_share(s, i);
}

bool bspi_fbx_put_animations(bspi_fbx *fbx, const bspi_fbx_rigged *rigged)
{
	const bspscene_rig *rig = rigged->mesh->rig;
	stack s = { .fbx = fbx, .rigged = rigged };
	size_t longest = 0;
	for (uint32_t i = 0; i < rig->sequence_count; i++) {
		if (rig->sequences[i]->frame_count > longest) longest = rig->sequences[i]->frame_count;
	}
	/* The curve of a shape's weight has up to three keys, even in a short sequence. */
	size_t keys = BSPI_FBX_MOST_PARTS * longest + 3;
	s.times = bspi_writer_push(fbx->writer, int64_t, keys);
	s.values = bspi_writer_push_zeroed(fbx->writer, keys, sizeof *s.values);
	s.quaternions = bspi_writer_push_zeroed(fbx->writer, longest, sizeof *s.quaternions);
	s.turns = bspi_writer_push(fbx->writer, bspi_fbx_turn_key, keys);
	s.scaled = bspi_find_scaled_bones(fbx->writer, rig);
	BSPI_TRY(s.times && s.values && s.quaternions && s.turns && s.scaled);
	for (uint32_t i = 0; i < rig->sequence_count; i++) {
		s.sequence = rig->sequences[i];
		if (s.sequence->frame_count) put_stack(&s);
	}
	return !fbx->writer->failure.status;
}
