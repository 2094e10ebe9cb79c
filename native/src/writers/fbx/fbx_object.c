/* fbx_object.c - writes the objects of a document: a record with an id and a name, and the connection to its parent. */
#include "writers/fbx/fbx.h"

#include <math.h>

static const struct { const char *record, *name; } objects[BSPI_FBX_OBJECT_COUNT] = {
	[BSPI_FBX_GLOBAL_SETTINGS] = { "GlobalSettings", "" },
	[BSPI_FBX_MODEL] = { "Model", "Model" },
	[BSPI_FBX_NODE_ATTRIBUTE] = { "NodeAttribute", "NodeAttribute" },
	[BSPI_FBX_GEOMETRY] = { "Geometry", "Geometry" },
	[BSPI_FBX_MATERIAL] = { "Material", "Material" },
	[BSPI_FBX_TEXTURE] = { "Texture", "Texture" },
	[BSPI_FBX_VIDEO] = { "Video", "Video" },
	[BSPI_FBX_DEFORMER] = { "Deformer", "Deformer" },
	[BSPI_FBX_CLUSTER] = { "Deformer", "SubDeformer" },
	[BSPI_FBX_POSE] = { "Pose", "Pose" },
	[BSPI_FBX_STACK] = { "AnimationStack", "AnimStack" },
	[BSPI_FBX_ANIMATION_LAYER] = { "AnimationLayer", "AnimLayer" },
	[BSPI_FBX_CURVE_NODE] = { "AnimationCurveNode", "AnimCurveNode" },
	[BSPI_FBX_CURVE] = { "AnimationCurve", "AnimCurve" },
};

int64_t bspi_fbx_open_object(bspi_fbx *fbx, bspi_fbx_object kind, const char *name, const char *subclass)
{
	int64_t id = ++fbx->last_id;
	bspi_fbx_open(&fbx->file, objects[kind].record);
	bspi_fbx_add_i64(&fbx->file, id);
	bspi_fbx_add_name(&fbx->file, name, objects[kind].name);
	bspi_fbx_add_text(&fbx->file, subclass);
	fbx->counts[kind == BSPI_FBX_CLUSTER ? BSPI_FBX_DEFORMER : kind]++;
	return id;
}

int64_t bspi_fbx_time_of(const bspscene_sequence *sequence, double frame)
{
	return (int64_t)llround(frame / (double)sequence->frames_per_second * BSPI_FBX_SECOND);
}

void bspi_fbx_link_to(bspi_fbx *fbx, int64_t child, int64_t parent, const char *property)
{
	const bspi_fbx_link link = { child, parent, property };
	if (!fbx->writer->failure.status) bspi_buffer_add(&fbx->links, &link, sizeof link);
}

const char *bspi_fbx_record_of(bspi_fbx_object kind)
{
	return objects[kind].record;
}
