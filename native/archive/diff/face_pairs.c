/* face_pairs.c - see face_pairs.h. Sorts the faces of both maps by a hash of their corners, and merges the two
 * lists. */
#include "archive/diff/face_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

/* Positions are rounded to an eighth of a game unit, as in bspscene_identity. */
#define STEPS_PER_UNIT 8.0

typedef struct hashed_face {
	uint64_t hash;
	uint32_t face;
} hashed_face;

/* Hashes the corners of the face's triangles (64-bit FNV-1a). */
static uint64_t hash_face(const bspscene_scene *scene, const bspscene_face *face)
{
	const bspscene_mesh *mesh = scene->meshes[face->mesh];
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (uint32_t i = 0; i < face->index_count; i++) {
		const float *position = mesh->positions + (size_t)mesh->indices[face->first_index + i] * 3;
		for (int k = 0; k < 3; k++) {
			double steps = fmin(fmax((double)position[k], -1e9), 1e9) * STEPS_PER_UNIT;
			hash = (hash ^ (uint64_t)llround(steps)) * UINT64_C(0x100000001b3);
		}
	}
	return hash;
}

static int compare_faces(const void *a, const void *b)
{
	const hashed_face *one = a, *other = b;
	if (one->hash != other->hash) return one->hash < other->hash ? -1 : 1;
	return (one->face > other->face) - (one->face < other->face);
}

static hashed_face *sort_faces(const bspscene_scene *scene)
{
	hashed_face *faces = cli_allocate(scene->face_count, sizeof *faces);
	for (uint32_t i = 0; i < scene->face_count; i++) faces[i] = (hashed_face){ hash_face(scene, &scene->faces[i]), i };
	if (scene->face_count) qsort(faces, scene->face_count, sizeof *faces, compare_faces);
	return faces;
}

static uint32_t *all_unpaired(uint32_t count)
{
	uint32_t *numbers = cli_allocate(count, sizeof *numbers);
	for (uint32_t i = 0; i < count; i++) numbers[i] = BSPSCENE_NO_INDEX;
	return numbers;
}

const bspscene_section *cli_section_of(const bspscene_scene *scene, const bspscene_face *face)
{
	return scene->meshes[face->mesh]->sections[face->section];
}

bool cli_is_retextured(const bspscene_scene *a, const bspscene_face *face_a, const bspscene_scene *b,
                       const bspscene_face *face_b)
{
	const char *one = a->materials[cli_section_of(a, face_a)->material]->name;
	return strcmp(one, b->materials[cli_section_of(b, face_b)->material]->name) != 0;
}

cli_face_pairs cli_pair_faces(const bspscene_scene *a, const bspscene_scene *b)
{
	cli_face_pairs pairs = { .in_b = all_unpaired(a->face_count), .in_a = all_unpaired(b->face_count) };
	hashed_face *of_a = sort_faces(a), *of_b = sort_faces(b);
	uint32_t i = 0, k = 0;
	while (i < a->face_count && k < b->face_count) {
		bool both = of_a[i].hash == of_b[k].hash, first = of_a[i].hash < of_b[k].hash;
		if (both) {
			pairs.in_b[of_a[i].face] = of_b[k].face;
			pairs.in_a[of_b[k].face] = of_a[i].face;
			pairs.same++;
			pairs.retextured += cli_is_retextured(a, &a->faces[of_a[i].face], b, &b->faces[of_b[k].face]);
		}
		i += both || first;
		k += both || !first;
	}
	free(of_a);
	free(of_b);
	return pairs;
}

void cli_face_pairs_free(cli_face_pairs *pairs)
{
	free(pairs->in_b);
	free(pairs->in_a);
	*pairs = (cli_face_pairs){ 0 };
}
