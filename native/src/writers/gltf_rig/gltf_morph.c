/* gltf_morph.c - frames of vertices -> targets of a mesh's primitives: how far each vertex is from where the mesh has
 * it. Target i is frame i, so what is mixed between two frames is what the game mixes. */
#include "writers/gltf_rig/gltf_rig.h"

#include "base/text.h"

/* The difference of a frame's vertices, as they are written; normals are seen from the side that is drawn. */
static void differences(const bspi_gltf *gltf, const bspi_gltf_primitive *primitive, const bspscene_mesh *mesh,
                        uint32_t frame, bool normals, float *out)
{
	const size_t first = 3 * (size_t)frame * mesh->vertex_count;
	const bspscene_mesh moved = { .positions = mesh->frame_positions + first, .normals = mesh->frame_normals + first };
	for (uint32_t i = 0; i < primitive->vertex_count; i++) {
		bspi_gltf_vertex vertex = primitive->vertices[i];
		bool flip = gltf->sources[vertex.source].flip;
		float from[3], to[3];
		if (normals) {
			bspi_y_up_normal(mesh, vertex.vertex, flip, from);
			bspi_y_up_normal(&moved, vertex.vertex, flip, to);
		} else {
			bspi_y_up_position(gltf->scene, mesh, vertex.vertex, from);
			bspi_y_up_position(gltf->scene, &moved, vertex.vertex, to);
		}
		for (size_t k = 0; k < 3; k++) out[3 * (size_t)i + k] = to[k] - from[k];
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

/* "run.3": what viewers call the targets. */
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

static uint64_t movement_of(const bspscene_mesh *mesh, uint32_t vertex)
{
	uint64_t hash = 0;
	for (uint32_t frame = 0; frame < mesh->rig->frame_count; frame++) {
		size_t at = 3 * ((size_t)frame * mesh->vertex_count + vertex);
		hash = hash * 31 + bspi_hash(mesh->frame_positions + at, 3 * sizeof(float));
		hash = hash * 31 + bspi_hash(mesh->frame_normals + at, 3 * sizeof(float));
	}
	return hash;
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
		for (uint32_t i = 0; i < mesh->vertex_count; i++) movements[i] = movement_of(mesh, i);
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
