/* goldsrc_pose.c - poses the bones of GoldSrc's studio models. A bone has position and angles relative to its parent,
 * to which a frame of a sequence adds its own values. Reads all sequences if the caller wants the animation. */
#include "models/goldsrc_mdl.h"

#include <stdio.h>

#include "base/text.h"
#include "base/vec.h"
#include "models/rig/model_rig.h"
#include "models/skeleton/bones.h"

enum {
	MOST_SEQUENCES = 65536,
	MOST_BONES = BSPI_MODEL_MAX_BONES,
	MOST_GROUPS = 100,
	MOST_ATTACHMENTS = 1024,
	ACTIVITY_IDLE = 1,
	FLAG_LOOPS = 1,
	SEQUENCE_FILE_HEAD = 76
};

typedef struct goldsrc_bone {
	char name[32];
	int32_t parent;
	float value[6], scale[6];          /* position x, y, z, then the angles about x, y and z in radians; `scale` has
	                                    * the factors for the numbers that a frame adds to them */
} goldsrc_bone;

typedef struct goldsrc_sequence {
	char label[32];
	float rate;
	int32_t flags, activity, frame_count, motion_type, motion_bone, animation_at, group;
} goldsrc_sequence;

typedef struct goldsrc_animation {
	uint32_t offsets[6];               /* for each of a bone's six values, the offset of its runs: bytes from this
	                                    * record on; 0: no runs, the value is the bone's own */
} goldsrc_animation;

typedef struct goldsrc_attachment {
	char name[32];
	int32_t bone;
	float place[3];
} goldsrc_attachment;

static const bspi_field bone_rows[] = {
	NAME_FIELD(goldsrc_bone, name, 0, 32), FIELD(goldsrc_bone, parent, 32, I32), SKIP("flags", 36, 4),
	SKIP("controllers", 40, 24),           FIELD(goldsrc_bone, value, 64, F32),  FIELD(goldsrc_bone, scale, 88, F32),
};
static const bspi_field sequence_rows[] = {
	NAME_FIELD(goldsrc_sequence, label, 0, 32),
	FIELD(goldsrc_sequence, rate, 32, F32),
	FIELD(goldsrc_sequence, flags, 36, I32),
	FIELD(goldsrc_sequence, activity, 40, I32),
	SKIP("events", 44, 12),
	FIELD(goldsrc_sequence, frame_count, 56, I32),
	SKIP("pivots", 60, 8),
	FIELD(goldsrc_sequence, motion_type, 68, I32),
	FIELD(goldsrc_sequence, motion_bone, 72, I32),
	SKIP("movement, boxes", 76, 44),
	SKIP("blends", 120, 4),
	FIELD(goldsrc_sequence, animation_at, 124, I32),
	SKIP("blend types", 128, 28),
	FIELD(goldsrc_sequence, group, 156, I32),
	SKIP("nodes", 160, 16),
};
static const bspi_field animation_rows[] = { FIELD(goldsrc_animation, offsets, 0, U16) };
static const bspi_field attachment_rows[] = {
	NAME_FIELD(goldsrc_attachment, name, 0, 32), SKIP("type", 32, 4), FIELD(goldsrc_attachment, bone, 36, I32),
	FIELD(goldsrc_attachment, place, 40, F32),   SKIP("vectors", 52, 36),
};
static const bspi_layout bone_layout = LAYOUT("bones", goldsrc_bone, bone_rows, 112);
static const bspi_layout sequence_layout = LAYOUT("sequences", goldsrc_sequence, sequence_rows, 176);
static const bspi_layout animation_layout = LAYOUT("animations", goldsrc_animation, animation_rows, 12);
static const bspi_layout attachment_layout = LAYOUT("attachments", goldsrc_attachment, attachment_rows, 88);
const bspi_layout *const bspi_goldsrc_pose_layouts[] = {
	&bone_layout, &sequence_layout, &animation_layout, &attachment_layout, NULL,
};

typedef struct posing {
	const goldsrc_bone *bones;
	uint32_t bone_count;
	const goldsrc_sequence *sequences;
	uint32_t sequence_count;
	struct {
		bool searched, found;
		bspi_bytes file;
	} groups[MOST_GROUPS];
} posing;

/* A sequence and the animation of its bones. */
typedef struct motion {
	const goldsrc_sequence *sequence;  /* NULL: the model has no sequence */
	bspi_bytes file;
	const goldsrc_animation *animation; /* one record per bone; NULL: the bones keep their own values */
} motion;

/* ---- Sequences ---- */

static const goldsrc_sequence *choose_sequence(const bspi_model_reader *reader, const posing *p)
{
	const char *wanted = reader->state.sequence;
	for (uint32_t i = 0; i < p->sequence_count; i++) {
		const goldsrc_sequence *sequence = &p->sequences[i];
		char label[sizeof sequence->label + 1], number[16];
		memcpy(label, sequence->label, sizeof sequence->label);
		label[sizeof sequence->label] = 0;
		snprintf(number, sizeof number, "%u", i);
		bool fits =
			wanted ? bspi_text_equal(label, wanted) || !strcmp(number, wanted) : sequence->activity == ACTIVITY_IDLE;
		if (fits) return sequence;
	}
	return p->sequence_count ? p->sequences : NULL;
}

/* Opens the file that has the sequences of a group. It is opened only once. */
static bool open_group(bspi_model_reader *reader, posing *p, int32_t group, bspi_bytes *file, bool *found)
{
	uint32_t number = (uint32_t)group % MOST_GROUPS;
	if (!p->groups[number].searched) {
		char ending[16];
		snprintf(ending, sizeof ending, "%02u.mdl", number);
		BSPI_TRY(bspi_open_model_sibling(reader, ending, &p->groups[number].file, &p->groups[number].found));
		p->groups[number].searched = true;
	}
	*file = p->groups[number].file;
	*found = p->groups[number].found && file->size >= SEQUENCE_FILE_HEAD && !memcmp(file->data, "IDSQ", 4);
	return true;
}

/* Finds the animation of a sequence, in the model or in the file of the sequence's group. That file may be missing. */
static bool find_motion(bspi_model_reader *reader, posing *p, const goldsrc_sequence *sequence, motion *out)
{
	bool found = true;
	*out = (motion) { .sequence = sequence, .file = reader->file };
	if (!sequence) return true;
	if (sequence->group > 0) BSPI_TRY(open_group(reader, p, sequence->group, &out->file, &found));
	if (!found) return true;
	out->animation = bspi_take_records(reader, out->file, &animation_layout, sequence->animation_at, p->bone_count,
	                                   MOST_BONES);
	return out->animation != NULL;
}

/* ---- Bones ---- */

static void find_runs(const motion *m, uint32_t bone, bspi_value_runs out[6])
{
	int64_t at = m->sequence ? m->sequence->animation_at + animation_layout.file_size * (int64_t)bone : 0;
	for (uint32_t k = 0; k < 6; k++) {
		uint32_t offset = m->animation ? m->animation[bone].offsets[k] : 0;
		out[k] = (bspi_value_runs) { .file = m->file, .at = offset ? at + offset : -1 };
	}
}

/* Computes the transform from a bone to its parent. If `runs` are used for several frames, the frames must be in
 * ascending order. */
static void pose_bone(const posing *p, const motion *m, uint32_t bone, uint32_t frame, bspi_value_runs runs[6],
                      float out[12])
{
	const goldsrc_bone *from = &p->bones[bone];
	float values[6];
	for (uint32_t k = 0; k < 6; k++) {
		values[k] = from->value[k] + (runs[k].at >= 0 ? bspi_run_value(&runs[k], frame) * from->scale[k] : 0);
		bool held = k < 3 && m->sequence && (uint32_t)m->sequence->motion_bone == bone &&
		            (m->sequence->motion_type >> k & 1);
		if (held) values[k] = 0;
	}
	bspi_bone_from_angles(out, values + 3, values);
}

static bool is_child(const posing *p, uint32_t bone)
{
	return p->bones[bone].parent >= 0 && (uint32_t)p->bones[bone].parent < bone;
}

/* ---- Animation ---- */

static bool rig_bones(bspi_model_reader *reader, const posing *p)
{
	for (uint32_t i = 0; i < p->bone_count; i++) {
		bspscene_bone *bone = &reader->rig->bones[i];
		if (is_child(p, i)) bone->parent = (uint32_t)p->bones[i].parent;
		bone->name = bspi_rig_name(reader, p->bones[i].name, sizeof p->bones[i].name, "bone", i);
		BSPI_TRY(bone->name);
	}
	return true;
}

static bool rig_attachments(bspi_model_reader *reader, const posing *p, const goldsrc_attachment *attachments)
{
	for (uint32_t i = p->bone_count; i < reader->rig->bone_count; i++) {
		const goldsrc_attachment *from = &attachments[i - p->bone_count];
		bspscene_bone *tag = &reader->rig->bones[i];
		if (from->bone >= 0 && (uint32_t)from->bone < p->bone_count) tag->parent = (uint32_t)from->bone;
		tag->name = bspi_rig_name(reader, from->name, sizeof from->name, "attachment", i - p->bone_count);
		BSPI_TRY(tag->name);
		bspi_copy3(tag->rest.translation, from->place);
		tag->is_tag = true;
	}
	return true;
}

/* Adds the sequences whose files exist. Stores the index of each added one in `kept`. */
static bool rig_sequences(bspi_model_reader *reader, posing *p, uint32_t *kept)
{
	bspi_rig *rig = reader->rig;
	uint32_t missing = 0;
	for (uint32_t i = 0; i < p->sequence_count; i++) {
		const goldsrc_sequence *from = &p->sequences[i];
		bspi_bytes file;
		bool found = true;
		if (from->group > 0) BSPI_TRY(open_group(reader, p, from->group, &file, &found));
		missing += !found;
		if (!found || from->frame_count < 1) continue;
		kept[rig->sequence_count] = i;
		const char *name = bspi_rig_name(reader, from->label, sizeof from->label, "sequence", i);
		BSPI_TRY(bspi_rig_sequence(reader, name, from->rate, from->flags & FLAG_LOOPS, (uint32_t)from->frame_count));
	}
	return !missing ||
	       bspi_warn(reader->ctx, BSPSCENE_WARNING_FILE_MISSING, BSPI_LUMP("models"),
	                 "%s: the files with %u sequences were not found: these poses are missing", reader->path, missing);
}

static bool rig_motion(bspi_model_reader *reader, posing *p, const bspscene_sequence *to, const goldsrc_sequence *from)
{
	bspi_rig *rig = reader->rig;
	motion m;
	BSPI_TRY(find_motion(reader, p, from, &m));
	for (uint32_t bone = 0; bone < p->bone_count; bone++) {
		bspi_value_runs runs[6];
		find_runs(&m, bone, runs);
		for (uint32_t frame = 0; frame < to->frame_count; frame++) {
			float local[12];
			pose_bone(p, &m, bone, frame, runs, local);
			rig->poses[(size_t)(to->first_frame + frame) * rig->bone_count + bone] = bspi_pose_of(local);
		}
	}
	return true;
}

/* Adds bones, sequences and vertices, but no poses. */
static bool begin_rig(bspi_model_reader *reader, posing *p, const bspi_goldsrc_header *h, uint32_t **kept)
{
	const goldsrc_attachment *attachments = bspi_take_records(reader, reader->file, &attachment_layout,
	                                                          h->attachments_at, h->attachment_count, MOST_ATTACHMENTS);
	*kept = bspi_push(reader->ctx, &reader->ctx->scratch, uint32_t, p->sequence_count);
	BSPI_TRY(attachments && *kept);
	uint32_t room = MOST_BONES - p->bone_count, tags = (uint32_t)h->attachment_count;
	return bspi_rig_bones(reader, p->bone_count + (tags < room ? tags : room)) && rig_bones(reader, p) &&
	       rig_attachments(reader, p, attachments) && rig_sequences(reader, p, *kept);
}

static bool end_rig(bspi_model_reader *reader, posing *p, const uint32_t *kept)
{
	BSPI_TRY(bspi_rig_poses(reader));
	for (uint32_t i = 0; i < reader->rig->sequence_count; i++) {
		BSPI_TRY(rig_motion(reader, p, &reader->rig->sequences[i], &p->sequences[kept[i]]));
	}
	return true;
}

/* ---- Entry ---- */

static bool take_posing(bspi_model_reader *reader, const bspi_goldsrc_header *h, posing *p)
{
	p->bones = bspi_take_records(reader, reader->file, &bone_layout, h->bones_at, h->bone_count, MOST_BONES);
	BSPI_TRY(p->bones);
	p->bone_count = (uint32_t)h->bone_count;
	p->sequences = bspi_take_records(reader, reader->file, &sequence_layout, h->sequences_at, h->sequence_count,
	                                 MOST_SEQUENCES);
	BSPI_TRY(p->sequences);
	p->sequence_count = (uint32_t)h->sequence_count;
	return true;
}

bool bspi_pose_goldsrc(bspi_model_reader *reader, bspi_goldsrc *model)
{
	posing p = { .bone_count = 0 };
	motion m;
	uint32_t *kept = NULL;
	BSPI_TRY(take_posing(reader, model->header, &p) && find_motion(reader, &p, choose_sequence(reader, &p), &m));
	model->bones = bspi_push_zeroed(reader->ctx, &reader->ctx->scratch, p.bone_count, sizeof *model->bones);
	BSPI_TRY(model->bones && (!reader->rig || begin_rig(reader, &p, model->header, &kept)));
	uint32_t frame = m.sequence && reader->state.frame < (uint32_t)m.sequence->frame_count ? reader->state.frame : 0;
	for (uint32_t i = 0; i < p.bone_count; i++) {
		float local[12];
		bspi_value_runs runs[6];
		find_runs(&m, i, runs);
		pose_bone(&p, &m, i, frame, runs, local);
		if (is_child(&p, i)) bspi_transform_multiply(model->bones[i], model->bones[p.bones[i].parent], local);
		else memcpy(model->bones[i], local, sizeof local);
		if (reader->rig) reader->rig->bones[i].rest = bspi_pose_of(local);
	}
	return !reader->rig || end_rig(reader, &p, kept);
}
