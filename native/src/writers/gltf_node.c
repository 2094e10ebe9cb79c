/* gltf_node.c - the node tree and cameras.
 *
 * Lights and cameras look along -Z in glTF and along their node's +X in the scene, which is +X in glTF too: a quarter
 * turn about +Y lies between. A node that shows a mesh or has children keeps its own axes, and a child looks for it. */
#include "writers/gltf.h"

#include <math.h>

#define RADIANS (3.14159265f / 180)

/* ---- Transforms ------------------------------------------------------------------------------------------- */

/* The game axis under each glTF axis, and its sign. */
static const int axis[3] = { 0, 2, 1 };
static const float sign[3] = { 1, 1, -1 };

typedef struct trs {
	float translation[3], rotation[4], scale[3];
} trs;

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Makes `v` of unit length and square to `other` (which may be NULL). False when nothing is left of it. */
static bool straighten(double v[3], const double *other)
{
	double along = other ? dot(v, other) : 0;
	for (int i = 0; i < 3; i++) v[i] -= other ? along * other[i] : 0;
	double length = sqrt(dot(v, v));
	if (!(length > 1e-9)) return false;
	for (int i = 0; i < 3; i++) v[i] /= length;
	return true;
}

/* m[row][column] is a rotation. */
static void quaternion(double m[3][3], float out[4])
{
	double q[4], trace = m[0][0] + m[1][1] + m[2][2];
	int big = m[0][0] > m[1][1] ? (m[0][0] > m[2][2] ? 0 : 2) : (m[1][1] > m[2][2] ? 1 : 2);
	if (trace > 0) {
		double s = 2 * sqrt(trace + 1);
		q[0] = (m[2][1] - m[1][2]) / s;
		q[1] = (m[0][2] - m[2][0]) / s;
		q[2] = (m[1][0] - m[0][1]) / s;
		q[3] = s / 4;
	} else {
		int j = (big + 1) % 3, k = (big + 2) % 3;
		double s = 2 * sqrt(1 + m[big][big] - m[j][j] - m[k][k]);
		q[big] = s / 4;
		q[j] = (m[j][big] + m[big][j]) / s;
		q[k] = (m[k][big] + m[big][k]) / s;
		q[3] = (m[k][j] - m[j][k]) / s;
	}
	double length = sqrt(dot(q, q) + q[3] * q[3]);
	for (int i = 0; i < 4; i++) out[i] = (float)(q[i] / length);
}

/* Nodes may be turned, scaled and mirrored; glTF has no shear, and no game has any. */
static trs convert_transform(const float transform[12], float metres_per_unit)
{
	trs out = { { 0, 0, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } };
	double columns[3][3], m[3][3];
	for (int c = 0; c < 3; c++) {
		out.translation[c] = sign[c] * transform[4 * axis[c] + 3] * metres_per_unit;
		for (int r = 0; r < 3; r++) columns[c][r] = (double)(sign[r] * sign[c] * transform[4 * axis[r] + axis[c]]);
		out.scale[c] = (float)sqrt(dot(columns[c], columns[c]));
	}
	double x[3] = { columns[0][0], columns[0][1], columns[0][2] };
	double y[3] = { columns[1][0], columns[1][1], columns[1][2] };
	if (!straighten(x, NULL) || !straighten(y, x)) return out;
	double z[3] = { x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0] };
	if (dot(z, columns[2]) < 0) out.scale[2] = -out.scale[2];
	for (int r = 0; r < 3; r++) {
		m[r][0] = x[r];
		m[r][1] = y[r];
		m[r][2] = z[r];
	}
	quaternion(m, out.rotation);
	for (int i = 0; i < 3; i++) {
		if (fabsf(out.scale[i] - 1) < 1e-5f) out.scale[i] = 1;
	}
	return out;
}

static void look_along_x(float q[4])
{
	const float h = 0.70710678f;       /* a quarter turn about -Y: (0, -h, 0, h) */
	float turned[4] = { q[0] * h + q[2] * h, q[1] * h - q[3] * h, q[2] * h - q[0] * h, q[3] * h + q[1] * h };
	for (int i = 0; i < 4; i++) q[i] = turned[i];
}

static void set_transform(bspi_gltf *gltf, json_t *object, const trs *t)
{
	const float *p = t->translation, *q = t->rotation, *s = t->scale;
	if (p[0] != 0 || p[1] != 0 || p[2] != 0) bspi_gltf_set(gltf, object, "translation", bspi_json_floats(p, 3));
	if (q[0] != 0 || q[1] != 0 || q[2] != 0) bspi_gltf_set(gltf, object, "rotation", bspi_json_floats(q, 4));
	if (s[0] != 1 || s[1] != 1 || s[2] != 1) bspi_gltf_set(gltf, object, "scale", bspi_json_floats(s, 3));
}

/* ---- Cameras ---------------------------------------------------------------------------------------------- */

/* The game's field of view is that of a 4:3 picture; its near plane is 4 units away. */
static json_t *camera_object(bspi_gltf *gltf, const bspscene_camera *camera, const char *name)
{
	const bspscene_scene *scene = gltf->scene;
	float fov = fminf(fmaxf(camera->fov_degrees, 1), 170) * RADIANS, aspect = 4.0f / 3.0f;
	float near_plane = 4 * scene->metres_per_unit, size[3];
	for (int i = 0; i < 3; i++) size[i] = fmaxf(scene->bounds.max[i] - scene->bounds.min[i], 0);
	float far_plane = 2 * sqrtf(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]) * scene->metres_per_unit;
	json_t *object = json_object(), *perspective = json_object();
	bspi_gltf_set(gltf, perspective, "aspectRatio", bspi_json_float(aspect));
	bspi_gltf_set(gltf, perspective, "yfov", bspi_json_float(2 * atanf(tanf(fov / 2) / aspect)));
	bspi_gltf_set(gltf, perspective, "znear", bspi_json_float(near_plane));
	bspi_gltf_set(gltf, perspective, "zfar", bspi_json_float(fmaxf(far_plane, 1000 * near_plane)));
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
	bspi_gltf_append(gltf, gltf->cameras, camera_object(gltf, &gltf->scene->cameras[node->camera], node->name));
}

/* ---- Nodes ------------------------------------------------------------------------------------------------ */

static void add_child(bspi_gltf *gltf, json_t *parent, uint32_t number)
{
	json_t *children = json_object_get(parent, "children");
	if (!children) {
		bspi_gltf_set(gltf, parent, "children", json_array());
		children = json_object_get(parent, "children");
	}
	bspi_gltf_append(gltf, children, json_integer(number));
}

/* A light or camera that looks for a node with axes of its own. */
static json_t *add_looking_child(bspi_gltf *gltf, json_t *object, const bspscene_node *node, const char *what)
{
	trs turned = { { 0, 0, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } };
	json_t *child = json_object();
	look_along_x(turned.rotation);
	bspi_gltf_set(gltf, child, "name", json_sprintf("%s.%s", node->name, what));
	set_transform(gltf, child, &turned);
	uint32_t number = (uint32_t)json_array_size(gltf->nodes);
	add_child(gltf, object, number);
	bspi_gltf_append(gltf, gltf->nodes, child);
	return json_array_get(gltf->nodes, number);
}

static void build_node(bspi_gltf *gltf, uint32_t index, bool has_children)
{
	const bspscene_scene *scene = gltf->scene;
	const bspscene_node *node = &scene->nodes[index];
	json_t *object = json_array_get(gltf->nodes, index);
	bool has_mesh = node->mesh != BSPSCENE_NO_INDEX && gltf->mesh_numbers[node->mesh] != BSPSCENE_NO_INDEX;
	bool has_light = node->light != BSPSCENE_NO_INDEX && gltf->lamps[node->light];
	bool has_camera = node->camera != BSPSCENE_NO_INDEX;
	bool light_looks = has_light && scene->lights[node->light].kind != BSPSCENE_LIGHT_POINT;
	bool keeps_axes = has_mesh || has_children;
	trs transform = convert_transform(node->transform, scene->metres_per_unit);
	if (!keeps_axes && (light_looks || has_camera)) look_along_x(transform.rotation);

	bspi_gltf_set(gltf, object, "name", json_string(node->name));
	set_transform(gltf, object, &transform);
	if (has_mesh) bspi_gltf_set(gltf, object, "mesh", json_integer(gltf->mesh_numbers[node->mesh]));
	if (has_light) {
		attach_light(gltf, light_looks && keeps_axes ? add_looking_child(gltf, object, node, "light") : object, node);
	}
	if (has_camera) attach_camera(gltf, keeps_axes ? add_looking_child(gltf, object, node, "camera") : object, node);
	bspi_gltf_set(gltf, object, "extras", bspi_gltf_node_facts(gltf, index));
}

bool bspi_gltf_build_nodes(bspi_gltf *gltf)
{
	const bspscene_scene *scene = gltf->scene;
	BSPI_TRY(bspi_gltf_choose_lamps(gltf));
	for (uint32_t i = 0; i < scene->node_count; i++) bspi_gltf_append(gltf, gltf->nodes, json_object());
	for (uint32_t i = 0; i < scene->node_count; i++) {
		uint32_t parent = scene->nodes[i].parent;
		if (parent != BSPSCENE_NO_INDEX) add_child(gltf, json_array_get(gltf->nodes, parent), i);
	}
	for (uint32_t i = 0; i < scene->node_count; i++) {
		build_node(gltf, i, json_object_get(json_array_get(gltf->nodes, i), "children") != NULL);
	}
	return true;
}
