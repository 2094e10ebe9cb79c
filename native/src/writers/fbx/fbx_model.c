/* fbx_model.c - writes models with their transforms, lamps and cameras. Lamps shine along -Y, cameras look along +X
 * with Y up. */
#include "writers/fbx/fbx.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "writers/light/lamp.h"

#define PI 3.14159265358979
#define DEGREES (180 / PI)
#define FILM_HEIGHT_MM 35.0            /* size of the film on its larger side, as three.js assumes it */
#define MM_PER_INCH 25.4
#define PERCENT 100.0                  /* FBX states the intensity of lamps in percent */

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

/* Converts a quaternion to angles for Rz Ry Rx, in degrees. If the angle about y is a right angle (gimbal lock), as for
 * every lamp that points down, the angle about z is 0, and x gets the rest of the rotation. The result is rounded to
 * float, because the last bit of a double depends on the C library. */
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

/* Writes a camera. Some readers use film size and focal length, others an angle, so both are written. */
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

const char *bspi_fbx_child_name(bspi_fbx *fbx, const char *name, const char *ending)
{
	size_t size = strlen(name) + strlen(ending) + 2;
	char *out = bspi_writer_push(fbx->writer, char, size);
	if (out) snprintf(out, size, "%s.%s", name, ending);
	return out;
}
