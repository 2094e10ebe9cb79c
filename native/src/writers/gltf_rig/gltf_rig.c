/* gltf_rig.c - see gltf_rig.h. */
#include "writers/gltf_rig/gltf_rig.h"

#include "writers/vertex_frames.h"

static bool add_rig(bspi_gltf *gltf, bspi_gltf_rigged *rigged)
{
	BSPI_TRY(bspi_gltf_add_bones(gltf, rigged));
	rigged->morphs = bspi_has_shapes(rigged->mesh);
	BSPI_TRY(!rigged->morphs || bspi_gltf_add_targets(gltf, rigged));
	return bspi_gltf_add_animations(gltf, rigged);
}

bool bspi_gltf_build_motion(bspi_gltf *gltf)
{
	const bspscene_scene *scene = gltf->scene;
	json_t *animations = json_array();
	gltf->motion.writer = gltf->writer;
	gltf->skinned = bspi_writer_push(gltf->writer, uint32_t, scene->node_count);
	bool built = gltf->skinned != NULL;
	for (uint32_t i = 0; built && i < scene->node_count; i++) {
		uint32_t mesh = scene->nodes[i]->mesh, number = gltf->node_numbers[i];
		bool moves = mesh != BSPSCENE_NO_INDEX && number != BSPSCENE_NO_INDEX && scene->meshes[mesh]->rig &&
		             gltf->mesh_numbers[mesh] != BSPSCENE_NO_INDEX;
		if (!moves) continue;
		bspi_gltf_rigged rigged = {
			.mesh = scene->meshes[mesh],
			.node = json_array_get(gltf->nodes, number),
			.node_number = number,
			.animations = animations,
		};
		built = add_rig(gltf, &rigged);
	}
	bspi_gltf_close_floats(gltf);
	if (json_array_size(animations)) bspi_gltf_set(gltf, gltf->document, "animations", json_incref(animations));
	json_decref(animations);
	return built && !gltf->writer->failure.status;
}

void bspi_gltf_add_skinned_roots(bspi_gltf *gltf, json_t *roots)
{
	for (uint32_t i = 0; i < gltf->skinned_count; i++) {
		bspi_gltf_append(gltf, roots, json_integer(gltf->skinned[i]));
	}
}
