/* fbx_node.c - writes nodes as a tree of models, with lamps and cameras.
 *
 * Cameras look along +X with Y up, like the scene's nodes. Lamps shine along -Y, so they are rotated by 90 degrees. A
 * node with a mesh or children keeps its axes and its kind, and has a child for its lamp or camera. */
#include "writers/fbx/fbx.h"

#include <string.h>

#include "writers/light/lamp.h"

/* Rotates a lamp, which shines along -Y, so that it shines along +X of its node. */
static void shine_along_x(float q[4])
{
	const float h = 0.70710678f;
	const float turned[4] = { (q[0] + q[1]) * h, (q[1] - q[0]) * h, (q[2] + q[3]) * h, (q[3] - q[2]) * h };
	memcpy(q, turned, sizeof turned);
}

static json_t *facts_of(bspi_fbx *fbx, uint32_t index, bool has_lamp)
{
	const bspscene_node *node = fbx->scene->nodes[index];
	if (fbx->writer->options.omit_entities) return NULL;
	json_t *facts = bspi_node_facts(fbx->writer, index);
	if (!has_lamp) return facts;
	const bspi_lamp lamp = bspi_lamp_of(fbx->scene, fbx->scene->lights[node->light]);
	json_t *own = json_object_get(facts, "bspscene");
	bspi_json_set(fbx->writer, own, lamp.is_sun ? "lux" : "candela", bspi_json_float(lamp.intensity));
	return facts;
}

static bool put_child(bspi_fbx *fbx, const bspscene_node *node, bspi_fbx_model_kind kind, int64_t parent)
{
	bspi_fbx_model child = { .kind = kind, .node = node, .trs = BSPI_TRS_NONE, .parent = parent };
	child.name = bspi_fbx_child_name(fbx, node->name, kind == BSPI_FBX_LAMP ? "light" : "camera");
	BSPI_TRY(child.name);
	if (kind == BSPI_FBX_LAMP) shine_along_x(child.trs.rotation);
	bspi_fbx_put_model(fbx, &child);
	return true;
}

static bool shows_mesh(const bspi_fbx *fbx, const bspscene_node *node)
{
	return node->mesh != BSPSCENE_NO_INDEX && fbx->geometries[node->mesh].id;
}

static bool shows_lamp(const bspi_fbx *fbx, const bspscene_node *node)
{
	return node->light != BSPSCENE_NO_INDEX && fbx->lamps[node->light];
}

/* True if bones move the vertices of a node's mesh. Then a child of the node's model shows the mesh. */
static bool has_skin(const bspi_fbx *fbx, const bspscene_node *node)
{
	const bspscene_mesh *mesh = fbx->scene->meshes[node->mesh];
	return mesh->rig && mesh->joints;
}

/* Makes sure that the mesh has a geometry for the next model. Every model with a rig needs a geometry of its own, so
 * that its bones do not move other models. Returns false if memory is out. */
static bool own_geometry(bspi_fbx *fbx, uint32_t mesh)
{
	BSPI_TRY(!fbx->scene->meshes[mesh]->rig || !fbx->geometries[mesh].has_model || bspi_fbx_put_geometry(fbx, mesh));
	fbx->geometries[mesh].has_model = true;
	return true;
}

static bool put_node(bspi_fbx *fbx, uint32_t index, bool has_children, int64_t *ids)
{
	const bspscene_scene *scene = fbx->scene;
	const bspscene_node *node = scene->nodes[index];
	bool has_mesh = shows_mesh(fbx, node), has_lamp = shows_lamp(fbx, node);
	bool has_camera = node->camera != BSPSCENE_NO_INDEX;
	bool keeps_axes = has_mesh || has_children || (has_lamp && has_camera);
	if (has_mesh) BSPI_TRY(own_geometry(fbx, node->mesh));
	bspi_fbx_model model = {
		.name = node->name,
		.node = node,
		.parent = node->parent == BSPSCENE_NO_INDEX ? 0 : ids[node->parent],
		.trs = bspi_y_up_transform(node->transform, scene->meters_per_unit),
		.facts = facts_of(fbx, index, has_lamp),
	};
	if (has_mesh && !has_skin(fbx, node)) model.kind = BSPI_FBX_MESH;
	else if (!keeps_axes && has_lamp) model.kind = BSPI_FBX_LAMP;
	else if (!keeps_axes && has_camera) model.kind = BSPI_FBX_CAMERA;
	if (model.kind == BSPI_FBX_LAMP) shine_along_x(model.trs.rotation);
	ids[index] = bspi_fbx_put_model(fbx, &model);
	if (!keeps_axes) return true;
	BSPI_TRY(!has_mesh || bspi_fbx_put_rig(fbx, index, ids[index]));
	BSPI_TRY(!has_lamp || put_child(fbx, node, BSPI_FBX_LAMP, ids[index]));
	return !has_camera || put_child(fbx, node, BSPI_FBX_CAMERA, ids[index]);
}

/* Marks in `is_written` the nodes that are written, and in `has_children` those with children that are written.
 * Children follow their parents, so the loop begins with the last node. With omit_entities, only nodes that show
 * something and their ancestors are written. */
static void mark_nodes(const bspi_fbx *fbx, bool *is_written, bool *has_children)
{
	const bspscene_scene *scene = fbx->scene;
	for (uint32_t i = scene->node_count; i-- > 0;) {
		const bspscene_node *node = scene->nodes[i];
		is_written[i] = has_children[i] || !fbx->writer->options.omit_entities || shows_mesh(fbx, node) ||
		                shows_lamp(fbx, node) || node->camera != BSPSCENE_NO_INDEX;
		if (is_written[i] && node->parent != BSPSCENE_NO_INDEX) has_children[node->parent] = true;
	}
}

bool bspi_fbx_put_nodes(bspi_fbx *fbx)
{
	const bspscene_scene *scene = fbx->scene;
	bool *has_children = bspi_writer_push(fbx->writer, bool, scene->node_count);
	bool *is_written = bspi_writer_push(fbx->writer, bool, scene->node_count);
	int64_t *ids = bspi_writer_push(fbx->writer, int64_t, scene->node_count);
	BSPI_TRY(has_children && is_written && ids && bspi_choose_lamps(fbx->writer, &fbx->lamps));
	mark_nodes(fbx, is_written, has_children);
	for (uint32_t i = 0; i < scene->node_count; i++) {
		if (is_written[i]) BSPI_TRY(put_node(fbx, i, has_children[i], ids));
	}
	return !fbx->writer->failure.status;
}
