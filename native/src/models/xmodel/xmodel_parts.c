/* xmodel_parts.c - reads the bones of Call of Duty's models. First come root bones, which have no rotation, then the
 * bones with parents. A parent comes before its children. The names of the bones follow, but are not needed. */
#include "models/xmodel/xmodel.h"

#include <math.h>

#include "base/pose.h"
#include "base/vec.h"
#include "models/skeleton/bones.h"

enum { HEAD = 6 };
#define WHOLE_TURN 32767.0f

typedef struct xmodel_bone {
	int32_t parent;
	float place[3], turn[3];           /* relative to the parent bone; `turn` is x, y and z of a quaternion */
} xmodel_bone;

static const bspi_field bone_rows[] = {
	FIELD(xmodel_bone, parent, 0, I8), FIELD(xmodel_bone, place, 1, F32), FIELD(xmodel_bone, turn, 13, I16),
};
static const bspi_layout bone_layout = LAYOUT("xmodel bones", xmodel_bone, bone_rows, 19);
const bspi_layout *const bspi_xmodel_part_layouts[] = { &bone_layout, NULL };

static void place_bone(const xmodel_bone *bone, const float parent[12], float out[12])
{
	float quaternion[4], rest = 1, own[12];
	for (int i = 0; i < 3; i++) {
		quaternion[i] = bone->turn[i] / WHOLE_TURN;
		rest -= quaternion[i] * quaternion[i];
	}
	quaternion[3] = rest > 0 ? sqrtf(rest) : 0;
	bspi_transform_quaternion(own, quaternion, bone->place);
	bspi_transform_multiply(out, parent, own);
}

bool bspi_read_xmodel_parts(bspi_model_reader *reader, bspi_bytes file, uint32_t version, bspi_xmodel_bones *out)
{
	bspi_ctx *ctx = reader->ctx;
	bspi_cursor at = bspi_cursor_at(file, 0);
	uint32_t its_version = bspi_take_u16(&at), hanging = bspi_take_u16(&at), roots = bspi_take_u16(&at);
	if (at.failed || its_version != version) {
		return bspi_refuse_model(reader, "its parts file is not of xmodel version %u", version);
	}
	if (hanging + roots > BSPI_MODEL_MAX_BONES || !roots) {
		return bspi_refuse_model(reader, "its parts file claims %u bones, %u of them roots, which is not possible",
		                         hanging + roots, roots);
	}
	const xmodel_bone *bones = bspi_take_records(reader, file, &bone_layout, HEAD, hanging, BSPI_MODEL_MAX_BONES);
	out->count = hanging + roots;
	out->to_model = bspi_push_zeroed(ctx, &ctx->scratch, out->count, sizeof *out->to_model);
	BSPI_TRY(bones && out->to_model);
	for (uint32_t i = 0; i < roots; i++) bspi_transform_identity(out->to_model[i]);
	for (uint32_t i = roots; i < out->count; i++) {
		const xmodel_bone *bone = &bones[i - roots];
		if (bone->parent < 0 || (uint32_t)bone->parent >= i) {
			return bspi_refuse_model(reader, "bone %u has the parent %d, which does not come before it", i,
			                         (int)bone->parent);
		}
		place_bone(bone, out->to_model[bone->parent], out->to_model[i]);
	}
	return true;
}

bool bspi_add_xmodel_vertex(bspi_model_reader *reader, const bspi_xmodel_bones *bones, uint32_t bone,
                            const float place[3], const float normal[3], const float uv[2])
{
	bspi_model_vertex vertex = { .number = 0 };
	if (bone >= bones->count)
		return bspi_refuse_model(reader, "a vertex names bone %u, but there are %u", bone, bones->count);
	bspi_transform_point(vertex.position, bones->to_model[bone], place);
	bspi_turn_normal(vertex.normal, bones->to_model[bone], normal);
	memcpy(vertex.uv, uv, sizeof vertex.uv);
	return bspi_add_vertex(reader, &vertex);
}
