/* scene_find.c - see scene_find.h. */
#include "support/check/scene_find.h"

#include <string.h>

#include "support/bspt.h"

const bspscene_mesh *bspt_find_mesh(const bspscene_scene *scene, const char *name)
{
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		if (!strcmp(scene->meshes[i]->name, name)) return scene->meshes[i];
	}
	bspt_die("find the mesh", name);
}

const bspscene_node *bspt_find_node(const bspscene_scene *scene, const char *name)
{
	for (uint32_t i = 0; i < scene->node_count; i++) {
		if (!strcmp(scene->nodes[i]->name, name)) return scene->nodes[i];
	}
	bspt_die("find the node", name);
}

const bspscene_face *bspt_find_face(const bspscene_scene *scene, const bspscene_mesh *mesh, uint32_t source)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->meshes[scene->faces[i].mesh] == mesh && scene->faces[i].record == source) return &scene->faces[i];
	}
	return NULL;
}

uint32_t bspt_count_warnings(const bspscene_scene *scene, bspscene_warning_code code)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		if (scene->warnings[i]->code == code) count += scene->warnings[i]->count;
	}
	return count;
}
