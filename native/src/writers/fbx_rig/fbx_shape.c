/* fbx_shape.c - writes a shape (blend shape) for each frame of vertices: the offset of each point from the mesh at
 * rest. Channel i is frame i, so mixing two channels interpolates between two frames as the game does. */
#include "writers/fbx_rig/fbx_rig.h"

#include <stdio.h>

#include "writers/vertex_frames.h"

#define WHOLE 100.0                    /* weight at which a shape is fully applied */
#define NUMBER_SIZE 12

/* Lists in fbx->scratch.numbers the points that a frame moves or whose normal it turns. The list has at least one
 * point, because Blender refuses empty shapes. */
static uint32_t find_moved(bspi_fbx *fbx, const bspi_fbx_rigged *rigged, uint32_t frame)
{
	const bspi_fbx_geometry *geometry = rigged->geometry;
	uint32_t *numbers = fbx->scratch.numbers, count = 0;
	for (uint32_t i = 0; i < geometry->point_count; i++) {
		const bspi_fbx_point *point = &geometry->points[i];
		float shift[3], turn[3];
		bspi_frame_shift(fbx->scene, rigged->mesh, frame, point->vertex, shift);
		bspi_frame_turn(rigged->mesh, frame, point->vertex, point->flip, turn);
		bool moves = false;
		for (int k = 0; k < 3; k++) moves = moves || shift[k] != 0 || turn[k] != 0;
		if (moves) numbers[count++] = i;
	}
	if (!count) numbers[count++] = 0;
	return count;
}

static void put_differences(bspi_fbx *fbx, const bspi_fbx_rigged *rigged, uint32_t frame, uint32_t count, bool normals)
{
	bspi_fbx_file *file = &fbx->file;
	bspi_fbx_open(file, normals ? "Normals" : "Vertices");
	bspi_fbx_array *array = bspi_fbx_begin_array(file, 'd', 3 * (size_t)count);
	for (uint32_t i = 0; i < count; i++) {
		const bspi_fbx_point *point = &rigged->geometry->points[fbx->scratch.numbers[i]];
		float moved[3];
		if (normals) bspi_frame_turn(rigged->mesh, frame, point->vertex, point->flip, moved);
		else bspi_frame_shift(fbx->scene, rigged->mesh, frame, point->vertex, moved);
		for (int k = 0; k < 3; k++) bspi_fbx_put_f64(array, (double)(normals ? moved[k] : moved[k] * fbx->scale));
	}
	bspi_fbx_end_array(file);
	bspi_fbx_close(file);
}

static int64_t put_shape(bspi_fbx *fbx, const bspi_fbx_rigged *rigged, const char *name, uint32_t frame)
{
	bspi_fbx_file *file = &fbx->file;
	uint32_t count = find_moved(fbx, rigged, frame);
	int64_t id = bspi_fbx_open_object(fbx, BSPI_FBX_GEOMETRY, name, "Shape");
	bspi_fbx_i32(file, "Version", 100);
	bspi_fbx_open(file, "Indexes");
	bspi_fbx_array *indices = bspi_fbx_begin_array(file, 'i', count);
	for (uint32_t i = 0; i < count; i++) bspi_fbx_put_i32(indices, (int32_t)fbx->scratch.numbers[i]);
	bspi_fbx_end_array(file);
	bspi_fbx_close(file);
	put_differences(fbx, rigged, frame, count, false);
	put_differences(fbx, rigged, frame, count, true);
	bspi_fbx_close(file);
	return id;
}

static int64_t put_channel(bspi_fbx *fbx, const char *name)
{
	bspi_fbx_file *file = &fbx->file;
	int64_t id = bspi_fbx_open_object(fbx, BSPI_FBX_CLUSTER, name, "BlendShapeChannel");
	bspi_fbx_i32(file, "Version", 100);
	bspi_fbx_open_properties(fbx);
	bspi_fbx_number(fbx, BSPI_FBX_NUMBER, "DeformPercent", 0);
	bspi_fbx_close(file);
	bspi_fbx_open(file, "FullWeights");
	bspi_fbx_put_f64(bspi_fbx_begin_array(file, 'd', 1), WHOLE);
	bspi_fbx_end_array(file);
	bspi_fbx_close(file);
	bspi_fbx_close(file);
	return id;
}

bool bspi_fbx_put_shapes(bspi_fbx *fbx, bspi_fbx_rigged *rigged)
{
	const bspscene_rig *rig = rigged->mesh->rig;
	rigged->channels = bspi_writer_push(fbx->writer, int64_t, rig->frame_count);
	BSPI_TRY(rigged->channels);
	int64_t deformer = bspi_fbx_open_object(fbx, BSPI_FBX_DEFORMER, rigged->mesh->name, "BlendShape");
	bspi_fbx_i32(&fbx->file, "Version", 100);
	bspi_fbx_close(&fbx->file);
	bspi_fbx_link_to(fbx, deformer, rigged->geometry->id, NULL);
	for (uint32_t s = 0; s < rig->sequence_count; s++) {
		const bspscene_sequence *sequence = rig->sequences[s];
		for (uint32_t i = 0; i < sequence->frame_count; i++) {
			char number[NUMBER_SIZE];
			snprintf(number, sizeof number, "%u", i);
			const char *name = bspi_fbx_child_name(fbx, sequence->name, number); /* the name that editors show */
			BSPI_TRY(name);
			int64_t shape = put_shape(fbx, rigged, name, sequence->first_frame + i);
			int64_t channel = put_channel(fbx, name);
			bspi_fbx_link_to(fbx, channel, deformer, NULL);
			bspi_fbx_link_to(fbx, shape, channel, NULL);
			rigged->channels[sequence->first_frame + i] = channel;
		}
	}
	return !fbx->writer->failure.status;
}
