/* list_faces.c - lists the faces and entities of a map for scripts, as a JSON array in each line: list_faces MAP.bsp
 *     ["face", record, brush model, kind of lighting, [x, y, z]...]
 *     ["entity", key, value, key, value...] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/bspt.h"

static void put_text(const char *text)
{
	printf(", \"");
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c < ' ' || c == '"' || c == '\\') printf("\\u%04x", c);
		else putchar(c);
	}
	putchar('"');
}

static void put_face(const bspscene_scene *scene, const bspscene_face *face)
{
	const bspscene_mesh *mesh = scene->meshes[face->mesh];
	if (mesh->model == BSPSCENE_NO_INDEX) return;
	printf("[\"face\", %u, %u, %u", face->record, mesh->model, (unsigned)mesh->sections[face->section]->lighting);
	for (uint32_t i = 0; i < face->vertex_count; i++) {
		const float *at = mesh->positions + 3 * ((size_t)face->first_vertex + i);
		printf(", [%.9g, %.9g, %.9g]", (double)at[0], (double)at[1], (double)at[2]);
	}
	printf("]\n");
}

int main(int argc, char **argv)
{
	bspscene_load_options options;
	bspscene_error error;
	if (argc != 2) return 2;
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_ALL & ~(uint32_t)BSPSCENE_SURFACE_COLLISION;
	bspscene_scene *scene = bspscene_load_file(argv[1], &options, &error);
	if (!scene) bspt_die("load", error.message);
	for (uint32_t i = 0; i < scene->face_count; i++) put_face(scene, &scene->faces[i]);
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		const bspscene_entity *entity = scene->entities[i];
		printf("[\"entity\"");
		for (uint32_t k = 0; k < entity->pair_count; k++) {
			put_text(scene->pairs[entity->first_pair + k].key);
			put_text(scene->pairs[entity->first_pair + k].value);
		}
		printf("]\n");
	}
	bspscene_scene_free(scene);
	return 0;
}
