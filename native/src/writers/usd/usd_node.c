/* usd_node.c - writes nodes as a tree of Xform prims, with lamps and cameras. Lamps and cameras look along -Z in USD,
 * but along +X in the scene. A node that is only a lamp or camera is rotated. Its child prim, the lamp or camera
 * itself, has the same name, because importers then make one object of both. A node with a mesh or children keeps its
 * axes, and its child prim is rotated. The tree can be as deep as there are entities, so it is walked without
 * recursion. */
#include "writers/usd/usd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "writers/light/lamp.h"

#define DEGREES (180 / 3.14159265f)
/* The power that Blender's importer gives a lamp with intensity 1: watts for a normalized sphere light, and watts per
 * square meter for a sun. */
#define SPHERE_WATTS 3.14159265f
#define SUN_WATTS 4.0f
#define RADIUS 0.05f
#define SUN_ANGLE 0.53f
#define APERTURE 0.24f                 /* width of a camera's film, in tenths of a meter as in USD */

typedef struct walk {
	bool *needed;                      /* for each node, true if it is written */
	uint32_t *first_child, *next;      /* for each node, its first child and its next sibling; only nodes that are
	                                    * written count */
} walk;

/* ---- Properties ------------------------------------------------------------------------------------------- */

static void put_transform(bspi_usd *usd, const bspi_trs *trs)
{
	const float *p = trs->translation, *q = trs->rotation, *s = trs->scale;
	const float wxyz[4] = { q[3], q[0], q[1], q[2] };
	bool moved = p[0] != 0 || p[1] != 0 || p[2] != 0, turned = q[0] != 0 || q[1] != 0 || q[2] != 0;
	bool scaled = s[0] != 1 || s[1] != 1 || s[2] != 1;
	const char *const names[] = { moved ? "\"xformOp:translate\"" : "", turned ? "\"xformOp:orient\"" : "",
	                              scaled ? "\"xformOp:scale\"" : "" };
	if (moved) bspi_usd_tuple(&usd->text, "double3 xformOp:translate", p, 3);
	if (turned) bspi_usd_tuple(&usd->text, "quatf xformOp:orient", wxyz, 4);
	if (scaled) bspi_usd_tuple(&usd->text, "float3 xformOp:scale", s, 3);
	if (!moved && !turned && !scaled) return;
	bspi_usd_line(&usd->text, "uniform token[] xformOpOrder = [%s%s%s%s%s]", names[0],
	              moved && (turned || scaled) ? ", " : "", names[1], turned && scaled ? ", " : "", names[2]);
}

/* Writes the metadata of a node: its original name, and its facts. */
static void put_metadata(bspi_usd *usd, uint32_t index, const json_t *facts)
{
	bspi_usd_text *text = &usd->text;
	const bspscene_node *node = usd->scene->nodes[index];
	const json_t *own = json_object_get(facts, "bspscene");
	text->depth++;
	if (index == 0) bspi_usd_line(text, "kind = \"component\"");
	if (strcmp(node->name, usd->nodes[index]) != 0) bspi_usd_string(text, "displayName", node->name);
	if (facts) {
		bspi_usd_line(text, "customData = {");
		text->depth++;
		if (own) bspi_usd_dictionary(text, "bspscene", own);
		json_t *entity = json_copy((json_t *)(uintptr_t)facts);
		json_object_del(entity, "bspscene");
		if (json_object_size(entity)) bspi_usd_dictionary(text, "entity", entity);
		json_decref(entity);
		bspi_usd_close(text, '}');
	}
	bspi_usd_close(text, ')');
}

/* Writes the facts a second time as user properties, because Blender shows these as custom properties. */
static bool put_user_properties(bspi_usd *usd, json_t *facts)
{
	const char *key;
	json_t *value;
	bspi_names names;
	uint32_t number = 0;
	BSPI_TRY(bspi_names_init(usd->writer, &names, json_object_size(facts)));
	json_object_foreach(facts, key, value)
	{
		char name[BSPI_USD_NAME_SIZE], declaration[BSPI_USD_NAME_SIZE + 32];
		const json_t *text = json_is_array(value) ? json_array_get(value, 0) : value;
		if (!json_is_string(text)) continue;
		bspi_usd_take_identifier(&names, key, number++, name);
		snprintf(declaration, sizeof declaration, "custom string userProperties:%s", name);
		bspi_usd_string(&usd->text, declaration, json_string_value(text));
	}
	return true;
}

/* ---- Lamps and cameras ------------------------------------------------------------------------------------ */

static const char *lamp_type(const bspi_lamp *lamp)
{
	return lamp->is_sun ? "DistantLight" : "SphereLight";
}

/* Writes a lamp. It is always a normalized one, because readers disagree about the brightness of lamps that are not. */
static void put_lamp(bspi_usd *usd, const bspi_lamp *lamp)
{
	bspi_usd_text *text = &usd->text;
	bspi_usd_tuple(text, "color3f inputs:color", lamp->color, 3);
	bspi_usd_number(text, "float inputs:intensity", bspi_lamp_watts(lamp) / (lamp->is_sun ? SUN_WATTS : SPHERE_WATTS));
	bspi_usd_line(text, "bool inputs:normalize = 1");
	if (lamp->is_sun) {
		bspi_usd_number(text, "float inputs:angle", SUN_ANGLE);
		return;
	}
	bspi_usd_number(text, "float inputs:radius", RADIUS);
	if (!lamp->is_spot) return;
	bspi_usd_number(text, "float inputs:shaping:cone:angle", lamp->outer_angle * DEGREES);
	bspi_usd_number(text, "float inputs:shaping:cone:softness", 1 - lamp->inner_angle / lamp->outer_angle);
}

static void put_camera(bspi_usd *usd, const bspscene_node *node)
{
	const bspi_view view = bspi_view_of(usd->scene, usd->scene->cameras[node->camera]);
	const float planes[2] = { view.near_plane, view.far_plane };
	bspi_usd_number(&usd->text, "float verticalAperture", APERTURE);
	bspi_usd_number(&usd->text, "float horizontalAperture", APERTURE * view.aspect);
	bspi_usd_number(&usd->text, "float focalLength", APERTURE / 2 / (float)tan(view.height_angle / 2));
	bspi_usd_tuple(&usd->text, "float2 clippingRange", planes, 2);
}

static void put_looking(bspi_usd *usd, uint32_t index, bool is_lamp, bool is_turned)
{
	const bspscene_node *node = usd->scene->nodes[index];
	char name[BSPI_USD_NAME_SIZE];
	bspi_trs turned = BSPI_TRS_NONE;
	bspi_lamp lamp = { .is_spot = false };
	if (is_lamp) lamp = bspi_lamp_of(usd->scene, usd->scene->lights[node->light]);
	if (is_turned) {
		char wanted[BSPI_USD_NAME_SIZE + 16];
		snprintf(wanted, sizeof wanted, "%s_%s", usd->nodes[index], is_lamp ? "light" : "camera");
		bspi_usd_take_identifier(&usd->node_names, wanted, index, name);
		bspi_look_along_x(turned.rotation);
	} else {
		snprintf(name, sizeof name, "%s", usd->nodes[index]);
	}
	bspi_usd_line(&usd->text, "def %s \"%s\" (", is_lamp ? lamp_type(&lamp) : "Camera", name);
	usd->text.depth++;
	if (lamp.is_spot) bspi_usd_line(&usd->text, "prepend apiSchemas = [\"ShapingAPI\"]");
	bspi_usd_close(&usd->text, ')');
	bspi_usd_open(&usd->text, '{');
	if (is_lamp) put_lamp(usd, &lamp);
	else put_camera(usd, node);
	if (is_turned) put_transform(usd, &turned);
	bspi_usd_close(&usd->text, '}');
}

/* Writes the sky as a DomeLight. The light is rotated, because the picture of a dome is centered on +Z, but ours is
 * centered on +X. */
static void put_sky(bspi_usd *usd)
{
	bspi_usd_text *text = &usd->text;
	if (usd->sky_picture == BSPSCENE_NO_INDEX) return;
	bspi_usd_line(text, "def DomeLight \"Sky\"");
	bspi_usd_open(text, '{');
	bspi_usd_asset(text, "asset inputs:texture:file", usd->pictures.items[usd->sky_picture].file_name);
	bspi_usd_line(text, "token inputs:texture:format = \"latlong\"");
	bspi_usd_line(text, "double xformOp:rotateY = 90");
	bspi_usd_line(text, "uniform token[] xformOpOrder = [\"xformOp:rotateY\"]");
	bspi_usd_close(text, '}');
}

/* ---- Nodes ------------------------------------------------------------------------------------------------ */

static bool shows_mesh(const bspi_usd *usd, const bspscene_node *node)
{
	return node->mesh != BSPSCENE_NO_INDEX && bspi_usd_is_drawn(usd, node->mesh);
}

static bool shows_lamp(const bspi_usd *usd, const bspscene_node *node)
{
	return node->light != BSPSCENE_NO_INDEX && usd->lamps[node->light];
}

static bool put_node_mesh(bspi_usd *usd, uint32_t index)
{
	const bspscene_node *node = usd->scene->nodes[index];
	bspi_usd_text *text = &usd->text;
	if (!usd->shared[node->mesh]) return bspi_usd_put_mesh(usd, node->mesh, usd->nodes[index]);
	bspi_usd_line(text, "def Xform \"%s\" (", usd->nodes[index]);
	text->depth++;
	bspi_usd_line(text, "instanceable = true");
	bspi_usd_line(text, "references = </%s/Prototypes/mesh_%u>", usd->root, node->mesh);
	bspi_usd_close(text, ')');
	bspi_usd_open(text, '{');
	bspi_usd_close(text, '}');
	return true;
}

/* Writes the meshes that several nodes show. They are written once, below the prim "Prototypes", which is not drawn. */
static bool put_prototypes(bspi_usd *usd)
{
	bool any = false;
	for (uint32_t m = 0; m < usd->scene->mesh_count; m++) {
		if (!usd->shared[m]) continue;
		if (!any) {
			bspi_usd_line(&usd->text, "class Scope \"Prototypes\"");
			bspi_usd_open(&usd->text, '{');
		}
		any = true;
		bspi_usd_line(&usd->text, "def Xform \"mesh_%u\"", m);
		bspi_usd_open(&usd->text, '{');
		char name[BSPI_USD_NAME_SIZE];
		bspi_usd_identifier(usd->scene->meshes[m]->name, name);
		BSPI_TRY(bspi_usd_put_mesh(usd, m, name));
		bspi_usd_close(&usd->text, '}');
	}
	if (any) bspi_usd_close(&usd->text, '}');
	return true;
}

/* Writes the materials and the prototypes into the root prim. */
static bool put_library(bspi_usd *usd)
{
	bspi_usd_text *text = &usd->text;
	if (!usd->writer->failure.status) bspi_buffer_add(&text->bytes, usd->library.data, usd->library.size);
	bspi_buffer_free(&usd->library);
	return put_prototypes(usd);
}

/* Opens the prim of a node. It is closed after its children are written. */
static bool open_node(bspi_usd *usd, uint32_t index, bool has_children)
{
	const bspscene_node *node = usd->scene->nodes[index];
	bool has_mesh = shows_mesh(usd, node), has_lamp = shows_lamp(usd, node);
	bool has_camera = node->camera != BSPSCENE_NO_INDEX;
	bool keeps_axes = has_mesh || has_children || (has_lamp && has_camera);
	bspi_trs trs = bspi_y_up_transform(node->transform, usd->scene->meters_per_unit);
	if (!keeps_axes && (has_lamp || has_camera)) bspi_look_along_x(trs.rotation);
	json_t *facts = usd->writer->options.omit_entities ? NULL : bspi_node_facts(usd->writer, index);

	bspi_usd_line(&usd->text, "def Xform \"%s\" (", usd->nodes[index]);
	put_metadata(usd, index, facts);
	bspi_usd_open(&usd->text, '{');
	bool whole = !facts || put_user_properties(usd, facts);
	json_decref(facts);
	put_transform(usd, &trs);
	if (index == 0) whole = whole && put_library(usd);
	if (index == 0) put_sky(usd);
	if (has_mesh) whole = whole && put_node_mesh(usd, index);
	if (has_lamp) put_looking(usd, index, true, keeps_axes);
	if (has_camera) put_looking(usd, index, false, keeps_axes);
	return whole && !usd->writer->failure.status;
}

/* ---- The tree --------------------------------------------------------------------------------------------- */

static bool prepare(bspi_usd *usd, walk *w)
{
	const bspscene_scene *scene = usd->scene;
	uint32_t count = scene->node_count;
	w->needed = bspi_writer_push(usd->writer, bool, count);
	w->first_child = bspi_writer_push(usd->writer, uint32_t, count);
	w->next = bspi_writer_push(usd->writer, uint32_t, count);
	usd->nodes = bspi_writer_push_zeroed(usd->writer, count, sizeof *usd->nodes);
	BSPI_TRY(w->needed && w->first_child && w->next && usd->nodes);
	BSPI_TRY(bspi_choose_lamps(usd->writer, &usd->lamps));
	BSPI_TRY(bspi_names_init(usd->writer, &usd->node_names, 3 * (size_t)count + 3));
	if (count) bspi_usd_take_identifier(&usd->node_names, scene->nodes[0]->name, 0, usd->nodes[0]);
	bspi_names_take(&usd->node_names, "Materials");
	bspi_names_take(&usd->node_names, "Prototypes");
	bspi_names_take(&usd->node_names, "Sky");
	for (uint32_t i = 0; i < count; i++) {
		w->first_child[i] = w->next[i] = BSPSCENE_NO_INDEX;
		if (!i) continue;
		bspi_usd_take_identifier(&usd->node_names, scene->nodes[i]->name, i, usd->nodes[i]);
	}
	for (uint32_t i = count; i-- > 0;) {
		const bspscene_node *node = scene->nodes[i];
		w->needed[i] = w->needed[i] || !usd->writer->options.omit_entities || shows_mesh(usd, node) ||
		               shows_lamp(usd, node) || node->camera != BSPSCENE_NO_INDEX;
		if (!w->needed[i] || node->parent == BSPSCENE_NO_INDEX) continue;
		w->needed[node->parent] = true;
		w->next[i] = w->first_child[node->parent];
		w->first_child[node->parent] = i;
	}
	return true;
}

/* Writes a node and everything below it. */
static bool put_tree(bspi_usd *usd, const walk *w, uint32_t root)
{
	uint32_t at = root;
	for (;;) {
		BSPI_TRY(open_node(usd, at, w->first_child[at] != BSPSCENE_NO_INDEX));
		if (w->first_child[at] != BSPSCENE_NO_INDEX) {
			at = w->first_child[at];
			continue;
		}
		bspi_usd_close(&usd->text, '}');
		while (at != root && w->next[at] == BSPSCENE_NO_INDEX) {
			at = usd->scene->nodes[at]->parent;
			bspi_usd_close(&usd->text, '}');
		}
		if (at == root) return true;
		at = w->next[at];
	}
}

bool bspi_usd_put_nodes(bspi_usd *usd)
{
	walk w;
	BSPI_TRY(prepare(usd, &w));
	return !usd->scene->node_count || put_tree(usd, &w, 0);
}
