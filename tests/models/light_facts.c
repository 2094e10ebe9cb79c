/* light_facts.c - prints the light of a map's models for an independent calculation: light_facts MAP. It writes a line
 * for each prop whose vertices have light of their own. A line for each vertex follows, with position, normal and color
 * of display light. */
#include <stdio.h>
#include <string.h>

#include <bspscene/bspscene.h>

static void put_vertex(const bspscene_mesh *mesh, const float world[12], const uint8_t *colors, float gain, uint32_t v)
{
	const float *position = mesh->positions + 3 * (size_t)v, *normal = mesh->normals + 3 * (size_t)v;
	float place[3], turned[3];
	for (int i = 0; i < 3; i++) {
		const float *row = world + 4 * i;
		place[i] = row[0] * position[0] + row[1] * position[1] + row[2] * position[2] + row[3];
		turned[i] = row[0] * normal[0] + row[1] * normal[1] + row[2] * normal[2];
	}
	printf("%.9g %.9g %.9g %.9g %.9g %.9g", (double)place[0], (double)place[1], (double)place[2], (double)turned[0],
	       (double)turned[1], (double)turned[2]);
	for (int i = 0; i < 3; i++) printf(" %.9g", (double)((float)colors[4 * (size_t)v + (size_t)i] * gain / 255));
	printf("\n");
}

static void put_node(const bspscene_scene *scene, uint32_t number)
{
	const bspscene_node *node = scene->nodes[number];
	const bspscene_prop *prop = scene->props[node->prop];
	const bspscene_mesh *mesh = scene->meshes[node->mesh];
	float world[12], gain = scene->lightmap_set_count ? scene->lightmap_sets[0].intensity : 1;
	const float *at = prop->lighting_origin;
	bool told = prop->flags & BSPSCENE_PROP_LIGHTING_ORIGIN;
	/* The light of models in a 3D skybox is measured at their position in the map. The scene shows the skybox enlarged,
	 * at another position. */
	if (scene->nodes[node->parent]->kind == BSPSCENE_NODE_SKY) memcpy(world, node->transform, sizeof world);
	else bspscene_node_world_transform(scene, number, world);
	printf("prop %s %u %d %.9g %.9g %.9g %.9g\n", node->name, mesh->vertex_count, told, (double)at[0], (double)at[1],
	       (double)at[2], (double)gain);
	for (uint32_t v = 0; v < mesh->vertex_count; v++) put_vertex(mesh, world, prop->colors, gain, v);
}

int main(int argc, char **argv)
{
	bspscene_error error;
	bspscene_scene *scene = argc == 2 ? bspscene_open(argv[1], NULL, &error) : NULL;
	if (!scene) {
		fprintf(stderr, "%s\n", argc == 2 ? error.message : "light_facts MAP");
		return 1;
	}
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		printf("style %u %.9g\n", scene->light_styles[i]->style, (double)scene->light_styles[i]->start);
	}
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		if (node->prop == BSPSCENE_NO_INDEX || node->mesh == BSPSCENE_NO_INDEX) continue;
		if (scene->props[node->prop]->colors) put_node(scene, i);
	}
	bspscene_scene_free(scene);
	return 0;
}
