/* scaled_bones.c - finds which bones of a rig are ever scaled, once for all sequences. */
#include "writers/writers.h"

#include <string.h>

static bool is_scaled(const bspscene_bone_pose *pose)
{
	static const float one[3] = { 1, 1, 1 };
	return memcmp(pose->scale, one, sizeof one) != 0;
}

const bool *bspi_find_scaled_bones(bspi_writer *writer, const bspscene_rig *rig)
{
	/* The array has one element too many, so that it is not empty: rigs with frames of vertices have no bones, and NULL
	 * means failure. */
	bool *scaled = bspi_writer_push(writer, bool, (size_t)rig->bone_count + 1);
	for (uint32_t bone = 0; scaled && bone < rig->bone_count; bone++) scaled[bone] = is_scaled(&rig->bones[bone]->rest);
	for (uint32_t i = 0; scaled && i < rig->frame_count; i++) {
		const bspscene_bone_pose *poses = rig->poses + (size_t)i * rig->bone_count;
		for (uint32_t bone = 0; bone < rig->bone_count; bone++) scaled[bone] = scaled[bone] || is_scaled(&poses[bone]);
	}
	return scaled;
}
