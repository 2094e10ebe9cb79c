/* fbx_rig.c - see fbx_rig.h. */
#include "writers/fbx_rig/fbx_rig.h"

#include "writers/vertex_frames.h"

/* Shows a skinned mesh in a model of its own, because editors turn the model above the bones into the skeleton. */
static bool put_skinned_model(bspi_fbx *fbx, bspi_fbx_rigged *rigged)
{
	const bspscene_node *node = fbx->scene->nodes[rigged->node];
	bspi_fbx_model model = { .kind = BSPI_FBX_MESH, .node = node, .trs = BSPI_TRS_NONE, .parent = rigged->model };
	model.name = bspi_fbx_child_name(fbx, node->name, "mesh");
	BSPI_TRY(model.name);
	rigged->shown = bspi_fbx_put_model(fbx, &model);
	return true;
}

bool bspi_fbx_put_rig(bspi_fbx *fbx, uint32_t node, int64_t model)
{
	const uint32_t mesh = fbx->scene->nodes[node]->mesh;
	bspi_fbx_rigged rigged = {
		.mesh = fbx->scene->meshes[mesh], .geometry = &fbx->geometries[mesh], .node = node, .model = model,
		.shown = model,
	};
	if (!rigged.mesh->rig) return true;
	BSPI_TRY(bspi_fbx_put_bones(fbx, &rigged));
	if (rigged.mesh->joints) BSPI_TRY(put_skinned_model(fbx, &rigged) && bspi_fbx_put_skin(fbx, &rigged));
	if (bspi_has_shapes(rigged.mesh)) BSPI_TRY(bspi_fbx_put_shapes(fbx, &rigged));
	return bspi_fbx_put_animations(fbx, &rigged);
}
