/* gltf_morph.c - writes a morph target for each frame of vertices: the offset of each vertex from the mesh at rest.
 * Target i is frame i, so mixing two targets interpolates between two frames as the game does. */
#include "writers/gltf_rig/gltf_rig.h"

#include "writers/vertex_frames.h"

/* Computes, for the vertices of a primitive, the offsets of the positions or normals in a frame, in the file's axes.
 * Normals are those of the drawn side. */
static void differences(const bspi_gltf *gltf, const bspi_gltf_primitive *primitive, const bspscene_mesh *mesh,
                        uint32_t frame, bool normals, float *out)
{
	for (uint32_t i = 0; i < primitive->vertex_count; i++) {
		bspi_gltf_vertex vertex = primitive->vertices[i];
		float *to = out + 3 * (size_t)i;
		if (normals) bspi_frame_turn(mesh, frame, vertex.vertex, gltf->sources[vertex.source].flip, to);
		else bspi_frame_shift(gltf->scene, mesh, frame, vertex.vertex, to);
	}
}

static void add_target(bspi_gltf *gltf, const bspi_gltf_primitive *primitive, const bspscene_mesh *mesh,
                       uint32_t frame, float *room, json_t *targets)
{
	json_t *target = json_object();
	differences(gltf, primitive, mesh, frame, false, room);
	uint32_t accessor = bspi_gltf_add_floats(gltf, BSPI_GLTF_TARGETS, room, primitive->vertex_count, 3, true);
	bspi_gltf_set(gltf, target, "POSITION", json_integer(accessor));
	if (primitive->uses[BSPI_GLTF_NORMAL]) {
		differences(gltf, primitive, mesh, frame, true, room);
		accessor = bspi_gltf_add_floats(gltf, BSPI_GLTF_TARGETS, room, primitive->vertex_count, 3, false);
		bspi_gltf_set(gltf, target, "NORMAL", json_integer(accessor));
	}
	bspi_gltf_append(gltf, targets, target);
}

/* Names the morph targets by sequence and frame, such as "run.3". */
static void name_targets(bspi_gltf *gltf, const bspscene_rig *rig, json_t *mesh)
{
	json_t *extras = json_object(), *names = json_array();
	for (uint32_t s = 0; s < rig->sequence_count; s++) {
		const bspscene_sequence *sequence = rig->sequences[s];
		for (uint32_t i = 0; i < sequence->frame_count; i++) {
			bspi_gltf_append(gltf, names, json_sprintf("%s.%u", sequence->name, i));
		}
	}
	bspi_gltf_set(gltf, extras, "targetNames", names);
	bspi_gltf_set(gltf, mesh, "extras", extras);
}

bool bspi_gltf_find_movements(bspi_gltf *gltf)
{
	const bspscene_scene *scene = gltf->scene;
	gltf->movements = bspi_writer_push(gltf->writer, const uint64_t *, scene->mesh_count);
	BSPI_TRY(gltf->movements);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bspscene_mesh *mesh = scene->meshes[m];
		if (!mesh->rig || !mesh->frame_positions) continue;
		uint64_t *movements = bspi_writer_push(gltf->writer, uint64_t, mesh->vertex_count);
		BSPI_TRY(movements);
		for (uint32_t i = 0; i < mesh->vertex_count; i++) movements[i] = bspi_vertex_movement(mesh, i);
		gltf->movements[m] = movements;
	}
	return true;
}

bool bspi_gltf_add_targets(bspi_gltf *gltf, const bspi_gltf_rigged *rigged)
{
	const bspscene_mesh *mesh = rigged->mesh;
	uint32_t group = (uint32_t)json_integer_value(json_object_get(rigged->node, "mesh")), place = 0;
	for (uint32_t i = 0; i < gltf->primitive_count; i++) {
		const bspi_gltf_primitive *primitive = &gltf->primitives[i];
		if (primitive->group != group) continue;
		json_t *object = json_array_get(gltf->groups[group].primitives, place++), *targets = json_array();
		float *room = bspi_writer_push(gltf->writer, float, 3 * (size_t)primitive->vertex_count);
		for (uint32_t frame = 0; room && frame < mesh->rig->frame_count; frame++) {
			add_target(gltf, primitive, mesh, frame, room, targets);
		}
		bspi_gltf_set(gltf, object, "targets", targets);
		BSPI_TRY(room && !gltf->writer->failure.status);
	}
	name_targets(gltf, mesh->rig, json_array_get(gltf->meshes, group));
	return !gltf->writer->failure.status;
}
