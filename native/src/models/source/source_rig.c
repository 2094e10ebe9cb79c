/* source_rig.c - adds the bones, attachments and sequences of a Source model as its rig. The rest pose is the
 * compiled pose after a quarter turn. The vertices are stored in this pose. In another rest pose, they would have to
 * be moved by several bones each, and that cannot be undone exactly. */
#include "models/rig/model_rig.h"
#include "models/source/source_pose.h"

#include "base/pose.h"
#include "base/text.h"
#include "base/vec.h"

enum { BONE_SIZE = 216, MOST_ATTACHMENTS = 512 };

static const char *name_of(bspi_model_reader *reader, int64_t at, const char *word, uint32_t number)
{
	const char *name = bspi_take_text(reader, reader->file, at);
	return name ? bspi_rig_name(reader, name, strlen(name), word, number) : NULL;
}

static bool rig_bones(bspi_model_reader *reader, const bspi_source_header *h, const bspi_source_posing *p)
{
	float places[BSPI_MODEL_MAX_BONES][12];
	for (uint32_t i = 0; i < p->bone_count; i++) {
		bspscene_bone *bone = &reader->rig->bones[i];
		float place[12], turn[12], back[12], own[12];
		bone->name = name_of(reader, h->bones_at + (int64_t)i * BONE_SIZE + p->bones[i].name_at, "bone", i);
		BSPI_TRY(bone->name);
		bspi_transform_invert(p->bones[i].to_bone, place);
		bspi_turn_quarter(turn);
		bspi_transform_multiply(places[i], turn, place);
		memcpy(own, places[i], sizeof own);
		if (bspi_source_has_parent(p, i)) {
			bone->parent = (uint32_t)p->bones[i].parent;
			bspi_transform_invert(places[bone->parent], back);
			bspi_transform_multiply(own, back, places[i]);
		}
		bone->rest = bspi_pose_of(own);
	}
	return true;
}

static bool rig_attachments(bspi_model_reader *reader, const bspi_source_header *h, const bspi_source_posing *p,
                            const bspi_source_attachment *attachments)
{
	for (uint32_t i = p->bone_count; i < reader->rig->bone_count; i++) {
		uint32_t number = i - p->bone_count;
		const bspi_source_attachment *from = &attachments[number];
		bspscene_bone *tag = &reader->rig->bones[i];
		int64_t record = h->attachments_at + (int64_t)number * bspi_source_attachment_layout.file_size;
		tag->name = name_of(reader, record + from->name_at, "attachment", number);
		BSPI_TRY(tag->name);
		if (from->bone >= 0 && (uint32_t)from->bone < p->bone_count) tag->parent = (uint32_t)from->bone;
		if (bspi_are_finite(from->place, 12)) tag->rest = bspi_pose_of(from->place);
		tag->is_tag = true;
	}
	return true;
}

/* Adds the sequences whose animation is in this file. Skips animations that are only added to others (deltas). */
static bool rig_sequences(bspi_model_reader *reader, const bspi_source_header *h, bspi_source_posing *p,
                          const bspi_source_animation **kept)
{
	bspi_rig *rig = reader->rig;
	uint32_t left_out = 0, chosen;
	BSPI_TRY(bspi_source_choose(reader, h, p, &chosen) || !reader->ctx->error.status);
	for (uint32_t i = 0; i < p->sequence_count; i++) {
		const bspi_source_animation *from = bspi_source_animation_of(h, p, i);
		bool read = from && from->frame_count > 0 && !((p->sequences[i].flags | from->flags) & BSPI_SOURCE_DELTA) &&
		            bspi_source_frame(h, p, from, 0);
		left_out += !read;
		if (!read) continue;
		const char *label = bspi_source_label(reader, h, p, i);
		BSPI_TRY(label);
		const char *name = bspi_rig_name(reader, label, strlen(label), "sequence", i);
		uint32_t frame = reader->state.frame < (uint32_t)from->frame_count ? reader->state.frame : 0;
		if (i == chosen) rig->still_frame = rig->frame_count + frame;
		kept[rig->sequence_count] = from;
		BSPI_TRY(bspi_rig_sequence(reader, name, from->rate, p->sequences[i].flags & BSPI_SOURCE_LOOPS,
		                           (uint32_t)from->frame_count));
	}
	return !left_out ||
	       bspi_warn(reader->ctx, BSPSCENE_WARNING_UNSUPPORTED, BSPI_LUMP("models"),
	                 "%s: %u sequences are not read, because they are in other files or are added to other sequences",
	                 reader->path, left_out);
}

static void fill_frames(const bspi_source_header *h, bspi_source_posing *p, const bspi_source_animation *from,
                        const bspscene_sequence *to, bspi_rig *rig)
{
	for (uint32_t frame = 0; frame < to->frame_count; frame++) {
		bspscene_bone_pose *poses = rig->poses + (size_t)(to->first_frame + frame) * rig->bone_count;
		bspi_source_frame(h, p, from, frame); /* if the data end early, the remaining bones keep their pose */
		for (uint32_t i = 0; i < p->bone_count; i++) poses[i] = bspi_pose_of(p->local[i]);
	}
}

static bool fill_rig(bspi_model_reader *reader, const bspi_source_header *h, bspi_source_posing *p)
{
	bspi_ctx *ctx = reader->ctx;
	const bspi_source_animation **kept =
		bspi_push(ctx, &ctx->scratch, const bspi_source_animation *, p->sequence_count);
	const bspi_source_attachment *attachments =
		bspi_take_records(reader, reader->file, &bspi_source_attachment_layout, h->attachments_at, h->attachment_count,
	                      MOST_ATTACHMENTS);
	p->runs = bspi_push_zeroed(ctx, &ctx->scratch, p->bone_count, sizeof *p->runs);
	BSPI_TRY(kept && attachments && p->runs);
	uint32_t room = BSPI_MODEL_MAX_BONES - p->bone_count, tags = (uint32_t)h->attachment_count;
	BSPI_TRY(bspi_rig_bones(reader, p->bone_count + (tags < room ? tags : room)) && rig_bones(reader, h, p));
	BSPI_TRY(rig_attachments(reader, h, p, attachments) && rig_sequences(reader, h, p, kept));
	BSPI_TRY(bspi_rig_poses(reader));
	for (uint32_t i = 0; i < reader->rig->sequence_count; i++) {
		fill_frames(h, p, kept[i], &reader->rig->sequences[i], reader->rig);
	}
	return true;
}

bool bspi_rig_source(bspi_model_reader *reader, bspi_studio *source)
{
	bspi_source_posing p;
	BSPI_TRY(bspi_source_bones(reader, source, &p));
	bool moves = p.bone_count && p.bone_count <= BSPI_MODEL_MAX_BONES;
	if (moves && bspi_source_sequences(reader, source->header, &p)) return fill_rig(reader, source->header, &p);
	reader->why[0] = 0; /* forgets why the animation was refused: the model is read without it */
	reader->rig = NULL;
	return !reader->ctx->error.status;
}
