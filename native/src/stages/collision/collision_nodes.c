/* collision_nodes.c - adds nodes for collision meshes: for those of the world below its node, and for those of a brush
 * model below each entity that has it. */
#include "stages/collision/collision.h"
#include "stages/entities/nodes.h"

#include "base/text.h"

/* Adds a hidden node. Its name is like "worldspawn:collision" or "func_door:12:hull1". */
static bool add_node(bspi_nodes *nodes, uint32_t parent, const bspi_collision_mesh *mesh)
{
	static const float nowhere[3];
	bspi_ctx *ctx = nodes->build->ctx;
	const char *name = bspi_text_format(ctx, &ctx->result, "%s:%s", nodes->nodes[parent].name, mesh->suffix);
	BSPI_TRY(name);
	bspscene_node *node = bspi_add_node(nodes, BSPSCENE_NODE_COLLISION, parent, name, nowhere);
	node->mesh = mesh->mesh;
	node->hidden = true;
	return true;
}

size_t bspi_count_collision_nodes(const bspi_build *build)
{
	const size_t most_per_model = 2;
	if (!build->collision || !build->collision->mesh_count) return 0;
	return ((size_t)build->scene->entity_count + 1) * most_per_model;
}

bool bspi_add_collision_nodes(bspi_nodes *nodes)
{
	const bspi_build *build = nodes->build;
	const struct bspi_collision *collision = build->collision;
	const bspscene_scene *scene = build->scene;
	if (!collision || !collision->mesh_count) return true;
	/* For model m, first[m] is the index of its first mesh, and first[m + 1] is the index after its last mesh. */
	uint32_t *first = bspi_push(build->ctx, &build->ctx->scratch, uint32_t, (size_t)build->map->models_count + 1);
	BSPI_TRY(first);
	for (uint32_t i = 0; i < collision->mesh_count; i++) first[collision->meshes[i].model + 1] = i + 1;
	for (uint32_t i = 1; i <= build->map->models_count; i++) first[i] = first[i] ? first[i] : first[i - 1];
	uint32_t tree_nodes = nodes->node_count;
	for (uint32_t i = 0; i < tree_nodes; i++) {
		const bspscene_node *node = &nodes->nodes[i];
		bool world = node->kind == BSPSCENE_NODE_WORLD && node->parent == BSPI_NODE_ROOT;
		if (!world && node->kind != BSPSCENE_NODE_BRUSH_ENTITY) continue;
		uint32_t model = world ? 0 : scene->entities[node->entity]->model;
		for (uint32_t k = first[model]; k < first[model + 1]; k++) BSPI_TRY(add_node(nodes, i, &collision->meshes[k]));
	}
	return true;
}
