/* fbx_node.c - nodes -> models in their tree, with lamps and cameras.
 *
 * Cameras look along +X with Y up, as the scene's nodes do; lamps shine along -Y: a quarter turn lies between. A node
 * that shows a mesh or has children keeps its own axes and kind, and a child shines or looks for it. */
#include "writers/fbx/fbx.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "writers/light/lamp.h"

#define PI 3.14159265358979
#define DEGREES (180 / PI)
#define FILM_HEIGHT_MM 35.0            /* of the larger side: the film that three.js assumes */
#define MM_PER_INCH 25.4
#define PERCENT 100.0                  /* readers divide the intensity of lamps by it */

/* ---- Transforms ------------------------------------------------------------------------------------------- */

static void matrix_of(const float rotation[4], double m[3][3])
{
	double q[4], length = 0;
	for (int i = 0; i < 4; i++) length += (double)rotation[i] * (double)rotation[i];
	for (int i = 0; i < 4; i++) q[i] = (double)rotation[i] / sqrt(length);
	for (int r = 0; r < 3; r++) {
		int next = (r + 1) % 3, after = (r + 2) % 3;
		m[r][r] = 1 - 2 * (q[next] * q[next] + q[after] * q[after]);
		m[r][next] = 2 * (q[r] * q[next] - q[after] * q[3]);
		m[next][r] = 2 * (q[r] * q[next] + q[after] * q[3]);
	}
}

/* The matrix is Rz Ry Rx, in degrees. Where y is a right angle, as in every lamp that points straight down, x and z
 * turn about the same axis: x has all of it. Rounded to single: the last bit of a double is each C library's own. */
void bspi_fbx_angles_of(const float rotation[4], double out[3])
{
	double m[3][3];
	matrix_of(rotation, m);
	double level = hypot(m[0][0], m[1][0]);
	bool upright = level < 1e-6;
	out[0] = upright ? atan2(-m[1][2], m[1][1]) : atan2(m[2][1], m[2][2]);
	out[1] = atan2(-m[2][0], level);
	out[2] = upright ? 0 : atan2(m[1][0], m[0][0]);
	for (int i = 0; i < 3; i++) out[i] = (double)(float)(out[i] * DEGREES);
}

/* Turns what looks along +X so that it does when it shines along -Y: a quarter turn about +Z first. */
static void shine_along_x(float q[4])
{
	const float h = 0.70710678f;
	const float turned[4] = { (q[0] + q[1]) * h, (q[1] - q[0]) * h, (q[2] + q[3]) * h, (q[3] - q[2]) * h };
	memcpy(q, turned, sizeof turned);
}

static void put_transform(bspi_fbx *fbx, const bspi_trs *trs)
{
	double moved[3], scaled[3], turned[3];
	for (int i = 0; i < 3; i++) moved[i] = (double)(trs->translation[i] * fbx->scale);
	for (int i = 0; i < 3; i++) scaled[i] = (double)trs->scale[i];
	bspi_fbx_angles_of(trs->rotation, turned);
	bspi_fbx_triple(fbx, BSPI_FBX_TRANSLATION, "Lcl Translation", moved);
	bspi_fbx_triple(fbx, BSPI_FBX_ROTATION, "Lcl Rotation", turned);
	bspi_fbx_triple(fbx, BSPI_FBX_SCALING, "Lcl Scaling", scaled);
}

/* ---- Attributes ------------------------------------------------------------------------------------------- */

static void put_plain(bspi_fbx *fbx, const char *type)
{
	bspi_fbx_open_properties(fbx);
	bspi_fbx_close(&fbx->file);
	bspi_fbx_text(&fbx->file, "TypeFlags", type);
}

static void put_lamp(bspi_fbx *fbx, const bspscene_node *node)
{
	const bspi_lamp lamp = bspi_lamp_of(fbx->scene, fbx->scene->lights[node->light]);
	const double color[3] = { (double)lamp.color[0], (double)lamp.color[1], (double)lamp.color[2] };
	bspi_fbx_open_properties(fbx);
	bspi_fbx_integer(fbx, BSPI_FBX_ENUM, "LightType", lamp.is_sun ? 1 : lamp.is_spot ? 2 : 0);
	bspi_fbx_integer(fbx, BSPI_FBX_BOOL, "CastLight", 1);
	bspi_fbx_triple(fbx, BSPI_FBX_COLOR, "Color", color);
	bspi_fbx_number(fbx, BSPI_FBX_NUMBER, "Intensity", PERCENT * (double)bspi_lamp_watts(&lamp));
	bspi_fbx_integer(fbx, BSPI_FBX_ENUM, "DecayType", lamp.is_sun ? 0 : 2);
	bspi_fbx_number(fbx, BSPI_FBX_DOUBLE, "DecayStart", 0);
	bspi_fbx_integer(fbx, BSPI_FBX_BOOL, "CastShadows", 1);
	if (lamp.is_spot) {
		bspi_fbx_number(fbx, BSPI_FBX_NUMBER, "InnerAngle", 2 * (double)lamp.inner_angle * DEGREES);
		bspi_fbx_number(fbx, BSPI_FBX_NUMBER, "OuterAngle", 2 * (double)lamp.outer_angle * DEGREES);
	}
	bspi_fbx_close(&fbx->file);
	bspi_fbx_text(&fbx->file, "TypeFlags", "Light");
	bspi_fbx_i32(&fbx->file, "GeometryVersion", 124);
}

static void put_point(bspi_fbx *fbx, const char *name, double x, double y, double z)
{
	bspi_fbx_open(&fbx->file, name);
	bspi_fbx_add_f64(&fbx->file, x);
	bspi_fbx_add_f64(&fbx->file, y);
	bspi_fbx_add_f64(&fbx->file, z);
	bspi_fbx_close(&fbx->file);
}

/* Readers differ in what they compute the angles from: film and focal length, or one of the angles. */
static void put_camera(bspi_fbx *fbx, const bspscene_node *node)
{
	const bspi_view view = bspi_view_of(fbx->scene, fbx->scene->cameras[node->camera]);
	double aspect = (double)view.aspect, half = (double)(float)tan((double)view.height_angle / 2);
	double height = FILM_HEIGHT_MM / fmax(aspect, 1), width = height * aspect;
	double across = (double)(float)(2 * atan(half * aspect) * DEGREES), up = (double)view.height_angle * DEGREES;
	bspi_fbx_open_properties(fbx);
	bspi_fbx_integer(fbx, BSPI_FBX_ENUM, "AspectRatioMode", 1);
	bspi_fbx_number(fbx, BSPI_FBX_DOUBLE, "AspectWidth", aspect);
	bspi_fbx_number(fbx, BSPI_FBX_DOUBLE, "AspectHeight", 1);
	bspi_fbx_number(fbx, BSPI_FBX_DOUBLE, "FilmWidth", width / MM_PER_INCH);
	bspi_fbx_number(fbx, BSPI_FBX_DOUBLE, "FilmHeight", height / MM_PER_INCH);
	bspi_fbx_number(fbx, BSPI_FBX_DOUBLE, "FilmAspectRatio", aspect);
	bspi_fbx_integer(fbx, BSPI_FBX_ENUM, "ApertureMode", 3);
	bspi_fbx_integer(fbx, BSPI_FBX_ENUM, "GateFit", 0);
	bspi_fbx_number(fbx, BSPI_FBX_FIELD_OF_VIEW, "FieldOfView", across);
	bspi_fbx_number(fbx, BSPI_FBX_FIELD_OF_VIEW, "FieldOfViewX", across);
	bspi_fbx_number(fbx, BSPI_FBX_FIELD_OF_VIEW, "FieldOfViewY", up);
	bspi_fbx_number(fbx, BSPI_FBX_NUMBER, "FocalLength", height / 2 / half);
	bspi_fbx_number(fbx, BSPI_FBX_DOUBLE, "NearPlane", (double)(view.near_plane * fbx->scale));
	bspi_fbx_number(fbx, BSPI_FBX_DOUBLE, "FarPlane", (double)(view.far_plane * fbx->scale));
	bspi_fbx_integer(fbx, BSPI_FBX_ENUM, "CameraProjectionType", 0);
	bspi_fbx_close(&fbx->file);
	bspi_fbx_text(&fbx->file, "TypeFlags", "Camera");
	bspi_fbx_i32(&fbx->file, "GeometryVersion", 124);
	put_point(fbx, "Position", 0, 0, 0);
	put_point(fbx, "Up", 0, 1, 0);
	put_point(fbx, "LookAt", 1, 0, 0);
}

/* ---- Models ----------------------------------------------------------------------------------------------- */

static const char *const kinds[] = {
	[BSPI_FBX_NULL] = "Null",     [BSPI_FBX_MESH] = "Mesh",     [BSPI_FBX_LAMP] = "Light",
	[BSPI_FBX_CAMERA] = "Camera", [BSPI_FBX_LIMB] = "LimbNode",
};

static int64_t put_attribute(bspi_fbx *fbx, const bspi_fbx_model *model)
{
	int64_t id = bspi_fbx_open_object(fbx, BSPI_FBX_NODE_ATTRIBUTE, model->name, kinds[model->kind]);
	switch (model->kind) {
	case BSPI_FBX_LAMP: put_lamp(fbx, model->node); break;
	case BSPI_FBX_CAMERA: put_camera(fbx, model->node); break;
	case BSPI_FBX_LIMB: put_plain(fbx, "Skeleton"); break;
	default: put_plain(fbx, "Null");
	}
	bspi_fbx_close(&fbx->file);
	return id;
}

static void link_mesh(bspi_fbx *fbx, uint32_t mesh, int64_t model)
{
	const bspi_fbx_geometry *geometry = &fbx->geometries[mesh];
	bspi_fbx_link_to(fbx, geometry->id, model, NULL);
	for (uint32_t i = 0; i < geometry->material_count; i++) {
		bspi_fbx_link_to(fbx, fbx->materials[fbx->slots[geometry->first_material + i]].id, model, NULL);
	}
}

int64_t bspi_fbx_put_model(bspi_fbx *fbx, const bspi_fbx_model *model)
{
	int64_t attribute = model->kind == BSPI_FBX_MESH ? 0 : put_attribute(fbx, model);
	int64_t id = bspi_fbx_open_object(fbx, BSPI_FBX_MODEL, model->name, kinds[model->kind]);
	bspi_fbx_i32(&fbx->file, "Version", 232);
	bspi_fbx_open_properties(fbx);
	bspi_fbx_integer(fbx, BSPI_FBX_BOOL, "RotationActive", 1);
	bspi_fbx_integer(fbx, BSPI_FBX_ENUM, "InheritType", 1);
	bspi_fbx_integer(fbx, BSPI_FBX_INT, "DefaultAttributeIndex", 0);
	put_transform(fbx, &model->trs);
	if (model->facts) bspi_fbx_put_node_facts(fbx, model->facts);
	bspi_fbx_close(&fbx->file);
	bspi_fbx_open(&fbx->file, "Shading");
	bspi_fbx_add_bool(&fbx->file, true);
	bspi_fbx_close(&fbx->file);
	bspi_fbx_text(&fbx->file, "Culling", "CullingOff");
	bspi_fbx_close(&fbx->file);

	bspi_fbx_link_to(fbx, id, model->parent, NULL);
	if (attribute) bspi_fbx_link_to(fbx, attribute, id, NULL);
	else link_mesh(fbx, model->node->mesh, id);
	return id;
}

static json_t *facts_of(bspi_fbx *fbx, uint32_t index, bool has_lamp)
{
	const bspscene_node *node = fbx->scene->nodes[index];
	if (fbx->writer->options.no_entities) return NULL;
	json_t *facts = bspi_node_facts(fbx->writer, index);
	if (!has_lamp) return facts;
	const bspi_lamp lamp = bspi_lamp_of(fbx->scene, fbx->scene->lights[node->light]);
	json_t *own = json_object_get(facts, "bspscene");
	bspi_json_set(fbx->writer, own, lamp.is_sun ? "lux" : "candela", bspi_json_float(lamp.intensity));
	return facts;
}

const char *bspi_fbx_child_name(bspi_fbx *fbx, const char *name, const char *ending)
{
	size_t size = strlen(name) + strlen(ending) + 2;
	char *out = bspi_writer_push(fbx->writer, char, size);
	if (out) snprintf(out, size, "%s.%s", name, ending);
	return out;
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

/* Its vertices hang on bones, and a child shows it. */
static bool has_skin(const bspi_fbx *fbx, const bspscene_node *node)
{
	const bspscene_mesh *mesh = fbx->scene->meshes[node->mesh];
	return mesh->rig && mesh->joints;
}

/* Bones of one model move the geometry of no other. */
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
		.trs = bspi_y_up_transform(node->transform, scene->metres_per_unit),
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

/* From the leaves to the root: what is written, and what has something below it. Without entities that is what shows
 * something, and what it stands on. */
static void mark_nodes(const bspi_fbx *fbx, bool *is_written, bool *has_children)
{
	const bspscene_scene *scene = fbx->scene;
	for (uint32_t i = scene->node_count; i-- > 0;) {
		const bspscene_node *node = scene->nodes[i];
		is_written[i] = has_children[i] || !fbx->writer->options.no_entities || shows_mesh(fbx, node) ||
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
