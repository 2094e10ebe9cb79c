/* gltf_node.c - writes the node tree and cameras.
 *
 * Lights and cameras look along -Z in glTF and along +X in the scene. As +X is the same axis in both, they are rotated
 * about Y by 90 degrees. A node with a mesh or children keeps its axes, and gets a child for its light or camera. */
#include "writers/gltf/gltf.h"
#include "writers/light/lamp.h"

/* ---- Transforms ------------------------------------------------------------------------------------------- */

void bspi_gltf_set_transform(bspi_gltf *gltf, json_t *object, const bspi_trs *t)
{
	const float *p = t->translation, *q = t->rotation, *s = t->scale;
	if (p[0] != 0 || p[1] != 0 || p[2] != 0) bspi_gltf_set(gltf, object, "translation", bspi_json_floats(p, 3));
	if (q[0] != 0 || q[1] != 0 || q[2] != 0) bspi_gltf_set(gltf, object, "rotation", bspi_json_floats(q, 4));
	if (s[0] != 1 || s[1] != 1 || s[2] != 1) bspi_gltf_set(gltf, object, "scale", bspi_json_floats(s, 3));
}

/* ---- Cameras ---------------------------------------------------------------------------------------------- */

static json_t *camera_object(bspi_gltf *gltf, const bspscene_camera *camera, const char *name)
{
	const bspi_view view = bspi_view_of(gltf->scene, camera);
	json_t *object = json_object(), *perspective = json_object();
	bspi_gltf_set(gltf, perspective, "aspectRatio", bspi_json_float(view.aspect));
	bspi_gltf_set(gltf, perspective, "yfov", bspi_json_float(view.height_angle));
	bspi_gltf_set(gltf, perspective, "znear", bspi_json_float(view.near_plane));
	bspi_gltf_set(gltf, perspective, "zfar", bspi_json_float(view.far_plane));
	bspi_gltf_set(gltf, object, "name", json_string(name));
	bspi_gltf_set(gltf, object, "type", json_string("perspective"));
	bspi_gltf_set(gltf, object, "perspective", perspective);
	return object;
}

static void attach_light(bspi_gltf *gltf, json_t *object, const bspscene_node *node)
{
	json_t *extensions = json_object(), *extension = json_object();
	bspi_gltf_set(gltf, extension, "light", json_integer(bspi_gltf_add_lamp(gltf, node)));
	bspi_gltf_set(gltf, extensions, "KHR_lights_punctual", extension);
	bspi_gltf_set(gltf, object, "extensions", extensions);
}

static void attach_camera(bspi_gltf *gltf, json_t *object, const bspscene_node *node)
{
	bspi_gltf_set(gltf, object, "camera", json_integer((json_int_t)json_array_size(gltf->cameras)));
	bspi_gltf_append(gltf, gltf->cameras, camera_object(gltf, gltf->scene->cameras[node->camera], node->name));
}

/* ---- Nodes ------------------------------------------------------------------------------------------------ */

void bspi_gltf_add_child(bspi_gltf *gltf, json_t *parent, uint32_t number)
{
	json_t *children = json_object_get(parent, "children");
	if (!children) {
		bspi_gltf_set(gltf, parent, "children", json_array());
		children = json_object_get(parent, "children");
	}
	bspi_gltf_append(gltf, children, json_integer(number));
}

/* Adds a rotated child for the light or camera of a node, because the node keeps its own axes. */
static json_t *add_looking_child(bspi_gltf *gltf, json_t *object, const bspscene_node *node, const char *what)
{
	bspi_trs turned = BSPI_TRS_NONE;
	json_t *child = json_object();
	bspi_look_along_x(turned.rotation);
	bspi_gltf_set(gltf, child, "name", json_sprintf("%s.%s", node->name, what));
	bspi_gltf_set_transform(gltf, child, &turned);
	uint32_t number = (uint32_t)json_array_size(gltf->nodes);
	bspi_gltf_add_child(gltf, object, number);
	bspi_gltf_append(gltf, gltf->nodes, child);
	return json_array_get(gltf->nodes, number);
}

static bool shows_mesh(const bspi_gltf *gltf, const bspscene_node *node)
{
	return node->mesh != BSPSCENE_NO_INDEX && gltf->mesh_numbers[node->mesh] != BSPSCENE_NO_INDEX;
}

static bool shows_lamp(const bspi_gltf *gltf, const bspscene_node *node)
{
	return node->light != BSPSCENE_NO_INDEX && gltf->lamps[node->light];
}

static void build_node(bspi_gltf *gltf, uint32_t index, bool has_children)
{
	const bspscene_scene *scene = gltf->scene;
	const bspscene_node *node = scene->nodes[index];
	json_t *object = json_array_get(gltf->nodes, gltf->node_numbers[index]);
	bool has_mesh = shows_mesh(gltf, node), has_light = shows_lamp(gltf, node);
	bool has_camera = node->camera != BSPSCENE_NO_INDEX;
	bool light_looks = has_light && scene->lights[node->light]->kind != BSPSCENE_LIGHT_POINT;
	bool keeps_axes = has_mesh || has_children;
	bspi_trs transform = bspi_y_up_transform(node->transform, scene->meters_per_unit);
	if (!keeps_axes && (light_looks || has_camera)) bspi_look_along_x(transform.rotation);

	bspi_gltf_set(gltf, object, "name", json_string(node->name));
	bspi_gltf_set_transform(gltf, object, &transform);
	if (has_mesh) bspi_gltf_set(gltf, object, "mesh", json_integer(gltf->mesh_numbers[node->mesh]));
	if (has_light) {
		attach_light(gltf, light_looks && keeps_axes ? add_looking_child(gltf, object, node, "light") : object, node);
	}
	if (has_camera) attach_camera(gltf, keeps_axes ? add_looking_child(gltf, object, node, "camera") : object, node);
	if (!gltf->writer->options.omit_entities) {
		bspi_gltf_set(gltf, object, "extras", bspi_node_facts(gltf->writer, index));
	}
}

/* ---- The tree --------------------------------------------------------------------------------------------- */

/* Marks the nodes that are written. These are all nodes, but with omit_entities only those that show something, and
 * their ancestors. */
static void mark_needed(const bspi_gltf *gltf, bool *needed)
{
	const bspscene_scene *scene = gltf->scene;
	bool all = !gltf->writer->options.omit_entities;
	for (uint32_t i = 0; i < gltf->group_count; i++) {
		if (gltf->groups[i].node != BSPSCENE_NO_INDEX) needed[gltf->groups[i].node] = true;
	}
	for (uint32_t i = scene->node_count; i-- > 0;) {
		const bspscene_node *node = scene->nodes[i];
		needed[i] =
			needed[i] || all || shows_mesh(gltf, node) || shows_lamp(gltf, node) || node->camera != BSPSCENE_NO_INDEX;
		if (needed[i] && node->parent != BSPSCENE_NO_INDEX) needed[node->parent] = true;
	}
}

static bool number_nodes(bspi_gltf *gltf)
{
	uint32_t count = gltf->scene->node_count;
	bool *needed = bspi_writer_push(gltf->writer, bool, count);
	gltf->node_numbers = bspi_writer_push(gltf->writer, uint32_t, count);
	BSPI_TRY(needed && gltf->node_numbers);
	mark_needed(gltf, needed);
	for (uint32_t i = 0; i < count; i++) {
		gltf->node_numbers[i] = needed[i] ? (uint32_t)json_array_size(gltf->nodes) : BSPSCENE_NO_INDEX;
		if (needed[i]) bspi_gltf_append(gltf, gltf->nodes, json_object());
	}
	return !gltf->writer->failure.status;
}

/* Adds nodes for meshes that no scene node shows: parts of the world, or the whole merged scene. */
static void add_group_nodes(bspi_gltf *gltf)
{
	for (uint32_t i = 0; i < gltf->group_count; i++) {
		const bspi_gltf_group *group = &gltf->groups[i];
		if (group->node == BSPSCENE_NO_INDEX) continue;
		json_t *object = json_object();
		bspi_gltf_set(gltf, object, "name", json_string(group->name));
		bspi_gltf_set(gltf, object, "mesh", json_integer(i));
		uint32_t number = (uint32_t)json_array_size(gltf->nodes);
		bspi_gltf_add_child(gltf, json_array_get(gltf->nodes, gltf->node_numbers[group->node]), number);
		bspi_gltf_append(gltf, gltf->nodes, object);
	}
}

bool bspi_gltf_build_nodes(bspi_gltf *gltf)
{
	const bspscene_scene *scene = gltf->scene;
	BSPI_TRY(bspi_choose_lamps(gltf->writer, &gltf->lamps) && number_nodes(gltf));
	for (uint32_t i = 0; i < scene->node_count; i++) {
		uint32_t parent = scene->nodes[i]->parent, number = gltf->node_numbers[i];
		if (number == BSPSCENE_NO_INDEX || parent == BSPSCENE_NO_INDEX) continue;
		bspi_gltf_add_child(gltf, json_array_get(gltf->nodes, gltf->node_numbers[parent]), number);
	}
	add_group_nodes(gltf);
	for (uint32_t i = 0; i < scene->node_count; i++) {
		if (gltf->node_numbers[i] == BSPSCENE_NO_INDEX) continue;
		json_t *object = json_array_get(gltf->nodes, gltf->node_numbers[i]);
		build_node(gltf, i, json_object_get(object, "children") != NULL);
	}
	return true;
}
