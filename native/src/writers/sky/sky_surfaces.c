/* sky_surfaces.c - see sky_surfaces.h. */
#include "writers/sky/sky_surfaces.h"

#include <string.h>

#include <bspscene/sky.h>

#include "base/vec.h"
#include "sky/sky_divide.h"
#include "sky/sky_source.h"
#include "writers/sky/sky_choice.h"
#include "writers/sky/sky_eyes.h"

/* Limit for the number of triangles that dividing adds, against hostile maps. Real maps have up to 15,000 triangles
 * after dividing. */
#define MOST_SPLITS (UINT64_C(1) << 18)

static bool is_drawn(const bspscene_node *node)
{
	return node->mesh != BSPSCENE_NO_INDEX && !node->hidden;
}

static bool has_sky_faces(const bspscene_scene *scene)
{
	for (uint32_t i = 0; i < scene->node_count; i++) {
		if (!is_drawn(scene->nodes[i])) continue;
		const bspscene_mesh *mesh = scene->meshes[scene->nodes[i]->mesh];
		for (uint32_t s = 0; s < mesh->section_count; s++) {
			if (mesh->sections[s]->index_count && bspi_is_sky_section(scene, mesh->sections[s])) return true;
		}
	}
	return false;
}

static bool is_outside_open(const bspscene_scene *scene, const float point[3])
{
	uint32_t leaf = bspscene_find_leaf(scene, point);
	return leaf == BSPSCENE_NO_INDEX || scene->tree->leafs[leaf].cluster != BSPSCENE_NO_INDEX;
}

/* True if players can see the surroundings of the map, because it has no sky faces or is not closed. Compilers make the
 * outside of a closed map solid, except for a leaf at a corner here and there. */
static bool is_open(const bspscene_scene *scene)
{
	const float away = 1024;
	float middle[3], point[3];
	int count = 0, open = 0;
	if (!has_sky_faces(scene)) return true;
	bspi_sky_middle(scene, middle);
	for (int way = 0; way < 27; way++) {
		const int signs[3] = { way % 3 - 1, way / 3 % 3 - 1, way / 9 - 1 };
		if (!signs[0] && !signs[1] && !signs[2]) continue;
		for (int i = 0; i < 3; i++) {
			if (signs[i] < 0) point[i] = scene->bounds.min[i] - away;
			else point[i] = signs[i] > 0 ? scene->bounds.max[i] + away : middle[i];
		}
		count++;
		open += is_outside_open(scene, point);
	}
	return 2 * open > count;
}

/* ---- Triangles -------------------------------------------------------------------------------------------- */

typedef struct filling {
	bspi_sky_surfaces *out;
	uint32_t firsts[BSPSCENE_CUBE_SIDES]; /* for each side, the index of the vertex that is written next; not used while
	                                       * counting */
} filling;

static void count(void *user, uint32_t side, const bspi_sky_vertex corners[3])
{
	(void)corners;
	((filling *)user)->out->counts[side]++;
}

static void fill(void *user, uint32_t side, const bspi_sky_vertex corners[3])
{
	filling *f = user;
	float ways[2][3], normal[3];
	for (int i = 0; i < 2; i++) bspi_sub(ways[i], corners[i + 1].position, corners[0].position);
	bspi_cross(normal, ways[0], ways[1]);
	if (!bspi_normalize(normal)) memcpy(normal, (const float[3]){ 0, 0, 1 }, sizeof normal);
	for (int i = 0; i < 3; i++) {
		size_t vertex = f->firsts[side]++;
		bspi_copy3(f->out->positions + 3 * vertex, corners[i].position);
		bspi_copy3(f->out->normals + 3 * vertex, normal);
		memcpy(f->out->uvs + 2 * vertex, corners[i].uv, sizeof corners[i].uv);
	}
}

/* Returns the face that a triangle belongs to, or NULL. The search begins with face *number, because triangles and
 * faces have the same order. */
static const bspscene_face *face_of(const bspscene_scene *scene, const bspscene_section *section, uint32_t index,
                                    uint32_t *number)
{
	for (; *number < section->face_count; ++*number) {
		const bspscene_face *face = &scene->faces[section->first_face + *number];
		if (index < face->first_index) return NULL;
		if (index - face->first_index < face->index_count) return face;
	}
	return NULL;
}

/* A node that shows a mesh. */
typedef struct placed {
	const bspscene_scene *scene;
	const bspscene_mesh *mesh;
	float transform[12];
	bool mirrored;
} placed;

static void divide_section(bspi_sky_divider *divider, const bspi_sky_eyes *eyes, const placed *p,
                           const bspscene_section *section)
{
	bool flip = p->mirrored != (p->scene->materials[section->material]->cull == BSPSCENE_CULL_FRONT);
	uint32_t number = 0;
	for (uint32_t i = section->first_index; i < section->first_index + section->index_count; i += 3) {
		float corners[3][3];
		for (uint32_t c = 0; c < 3; c++) {
			uint32_t vertex = p->mesh->indices[i + (flip ? 2 - c : c)];
			bspi_transform_point(corners[c], p->transform, p->mesh->positions + 3 * (size_t)vertex);
		}
		bspi_copy3(divider->eye, bspi_sky_eye_of(eyes, face_of(p->scene, section, i, &number)));
		bspi_divide_sky(divider, corners);
	}
}

static void divide_faces(bspi_sky_divider *divider, const bspi_sky_eyes *eyes, const bspscene_scene *scene)
{
	placed p = { .scene = scene };
	for (uint32_t i = 0; i < scene->node_count; i++) {
		float cross[3];
		if (!is_drawn(scene->nodes[i])) continue;
		p.mesh = scene->meshes[scene->nodes[i]->mesh];
		bspscene_node_world_transform(scene, i, p.transform);
		bspi_cross(cross, p.transform + 4, p.transform + 8);
		p.mirrored = bspi_dot(p.transform, cross) < 0;
		for (uint32_t s = 0; s < p.mesh->section_count; s++) {
			if (bspi_is_sky_section(scene, p.mesh->sections[s])) divide_section(divider, eyes, &p, p.mesh->sections[s]);
		}
	}
}

/* Adds a cube around the scene. It shows the sky as seen from the usual eye. */
static void divide_cube(bspi_sky_divider *divider, const bspscene_scene *scene)
{
	static const float uvs[4][2] = { { 0, 0 }, { 0, 1 }, { 1, 1 }, { 1, 0 } };
	float center[3], half, corners[4][3], triangle[3][3];
	bspscene_sky_cube_bounds(scene, center, &half);
	for (uint32_t side = 0; side < BSPSCENE_CUBE_SIDES; side++) {
		for (int i = 0; i < 4; i++) {
			bspscene_sky_direction(side, uvs[i][0], uvs[i][1], corners[i]);
			for (int k = 0; k < 3; k++) corners[i][k] = center[k] + corners[i][k] * half;
		}
		for (int second = 1; second < 3; second++) {
			bspi_copy3(triangle[0], corners[0]);
			memcpy(triangle[1], corners[second], 2 * sizeof triangle[1]);
			bspi_divide_sky(divider, triangle);
		}
	}
}

static void divide_all(const bspi_writer *writer, const bspi_sky_eyes *eyes, filling *f, bspi_sky_take_fn *take)
{
	bspi_sky_divider divider = { .size = bspi_written_sky_size(writer), .splits_left = MOST_SPLITS, .take = take,
	                             .user = f };
	divide_faces(&divider, eyes, writer->scene);
	bspi_copy3(divider.eye, eyes->usual);
	if (is_open(writer->scene)) divide_cube(&divider, writer->scene);
}

bool bspi_find_sky_surfaces(bspi_writer *writer, bspi_sky_surfaces *out)
{
	filling f = { .out = out };
	bspi_sky_eyes eyes;
	uint64_t vertices = 0;
	*out = (bspi_sky_surfaces){ .positions = NULL };
	BSPI_TRY(bspi_find_sky_eyes(writer, &eyes));
	divide_all(writer, &eyes, &f, count);
	for (int side = 0; side < BSPSCENE_CUBE_SIDES; side++) {
		f.firsts[side] = (uint32_t)vertices;
		vertices += 3 * (uint64_t)out->counts[side];
		if (vertices > UINT32_MAX / 4) {
			return bspi_writer_fail(writer, BSPSCENE_ERROR_LIMIT, "the map has too many sky faces");
		}
	}
	out->vertex_count = (uint32_t)vertices;
	out->positions = bspi_writer_push(writer, float, 3 * (size_t)vertices);
	out->normals = bspi_writer_push(writer, float, 3 * (size_t)vertices);
	out->uvs = bspi_writer_push(writer, float, 2 * (size_t)vertices);
	BSPI_TRY(out->positions && out->normals && out->uvs);
	divide_all(writer, &eyes, &f, fill);
	return true;
}
