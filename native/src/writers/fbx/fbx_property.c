/* fbx_property.c - writes properties of objects: records "P" of name, type, subtype, flags and values. Readers require
 * the right pair of type and subtype (Blender aborts the import otherwise). Flag A means animatable, U user-defined. */
#include "writers/fbx/fbx.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_KEY 63u                /* longest name of a custom property in Blender */

static const struct { const char *type, *subtype, *flags; } types[BSPI_FBX_TYPE_COUNT] = {
	[BSPI_FBX_DOUBLE] = { "double", "Number", "" },
	[BSPI_FBX_NUMBER] = { "Number", "", "A" },
	[BSPI_FBX_FIELD_OF_VIEW] = { "FieldOfView", "", "A" },
	[BSPI_FBX_INT] = { "int", "Integer", "" },
	[BSPI_FBX_ENUM] = { "enum", "", "" },
	[BSPI_FBX_BOOL] = { "bool", "", "" },
	[BSPI_FBX_COLOR_RGB] = { "ColorRGB", "Color", "" },
	[BSPI_FBX_COLOR] = { "Color", "", "A" },
	[BSPI_FBX_VECTOR] = { "Vector3D", "Vector", "" },
	[BSPI_FBX_TRANSLATION] = { "Lcl Translation", "", "A" },
	[BSPI_FBX_ROTATION] = { "Lcl Rotation", "", "A" },
	[BSPI_FBX_SCALING] = { "Lcl Scaling", "", "A" },
	[BSPI_FBX_TEXT] = { "KString", "", "" },
	[BSPI_FBX_URL] = { "KString", "Url", "" },
	[BSPI_FBX_DATE] = { "DateTime", "", "" },
	[BSPI_FBX_COMPOUND] = { "Compound", "", "" },
	[BSPI_FBX_TIME] = { "KTime", "Time", "" },
	[BSPI_FBX_USER_TEXT] = { "KString", "", "U" },
	[BSPI_FBX_USER_DOUBLE] = { "double", "Number", "U" },
	[BSPI_FBX_USER_INT] = { "int", "Integer", "U" },
	[BSPI_FBX_USER_BOOL] = { "bool", "", "U" },
};

/* Names that readers take for built-in properties of a node, even if the flags say user-defined. */
static const char *const taken[] = {
	"Lcl Translation", "Lcl Rotation", "Lcl Scaling", "TranslationActive", "TranslationMin", "TranslationMax",
	"TranslationMinX", "TranslationMinY", "TranslationMinZ", "TranslationMaxX", "TranslationMaxY", "TranslationMaxZ",
	"RotationOffset", "RotationPivot", "ScalingOffset", "ScalingPivot", "RotationActive", "RotationOrder",
	"RotationSpaceForLimitOnly", "RotationStiffnessX", "RotationStiffnessY", "RotationStiffnessZ", "RotationMin",
	"RotationMax", "RotationMinX", "RotationMinY", "RotationMinZ", "RotationMaxX", "RotationMaxY", "RotationMaxZ",
	"AxisLen", "PreRotation", "PostRotation", "InheritType", "ScalingActive", "ScalingMin", "ScalingMax",
	"ScalingMinX", "ScalingMinY", "ScalingMinZ", "ScalingMaxX", "ScalingMaxY", "ScalingMaxZ", "GeometricTranslation",
	"GeometricRotation", "GeometricScaling", "QuaternionInterpolate", "LookAtProperty", "UpVectorProperty", "Show",
	"NegativePercentShapeSupport", "DefaultAttributeIndex", "Freeze", "LODBox", "Visibility",
	"Visibility Inheritance", "Color", "Size", "Look", "MinDampRangeX", "MinDampRangeY", "MinDampRangeZ",
	"MaxDampRangeX", "MaxDampRangeY", "MaxDampRangeZ", "MinDampStrengthX", "MinDampStrengthY", "MinDampStrengthZ",
	"MaxDampStrengthX", "MaxDampStrengthY", "MaxDampStrengthZ", "PreferedAngleX", "PreferedAngleY", "PreferedAngleZ",
	"UDP3DSMAX",
};

static bool is_taken(const char *key)
{
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
		if (!strcmp(key, taken[i])) return true;
	}
	return false;
}

/* ---- Typed properties ------------------------------------------------------------------------------------- */

static void open_property(bspi_fbx *fbx, bspi_fbx_type type, const char *name)
{
	bspi_fbx_open(&fbx->file, "P");
	bspi_fbx_add_text(&fbx->file, name);
	bspi_fbx_add_text(&fbx->file, types[type].type);
	bspi_fbx_add_text(&fbx->file, types[type].subtype);
	bspi_fbx_add_text(&fbx->file, types[type].flags);
}

void bspi_fbx_open_properties(bspi_fbx *fbx)
{
	bspi_fbx_open(&fbx->file, "Properties70");
}

void bspi_fbx_number(bspi_fbx *fbx, bspi_fbx_type type, const char *name, double value)
{
	open_property(fbx, type, name);
	bspi_fbx_add_f64(&fbx->file, value);
	bspi_fbx_close(&fbx->file);
}

void bspi_fbx_integer(bspi_fbx *fbx, bspi_fbx_type type, const char *name, int32_t value)
{
	open_property(fbx, type, name);
	bspi_fbx_add_i32(&fbx->file, value);
	bspi_fbx_close(&fbx->file);
}

void bspi_fbx_triple(bspi_fbx *fbx, bspi_fbx_type type, const char *name, const double values[3])
{
	open_property(fbx, type, name);
	for (int i = 0; i < 3; i++) bspi_fbx_add_f64(&fbx->file, values[i]);
	bspi_fbx_close(&fbx->file);
}

void bspi_fbx_words(bspi_fbx *fbx, bspi_fbx_type type, const char *name, const char *text)
{
	open_property(fbx, type, name);
	if (text) bspi_fbx_add_text(&fbx->file, text);
	bspi_fbx_close(&fbx->file);
}

void bspi_fbx_moment(bspi_fbx *fbx, const char *name, int64_t value)
{
	open_property(fbx, BSPI_FBX_TIME, name);
	bspi_fbx_add_i64(&fbx->file, value);
	bspi_fbx_close(&fbx->file);
}

/* ---- Facts ------------------------------------------------------------------------------------------------ */

/* Writes a list or an object as JSON text, because FBX has no type for these. */
static void put_json(bspi_fbx *fbx, const char *name, const json_t *value)
{
	bspi_buffer text;
	if (bspi_json_text(fbx->writer, value, JSON_COMPACT | JSON_ENCODE_ANY, &text) && bspi_buffer_add(&text, "", 1)) {
		bspi_fbx_words(fbx, BSPI_FBX_USER_TEXT, name, (const char *)text.data);
	}
	bspi_buffer_free(&text);
}

static void put_fact(bspi_fbx *fbx, const char *name, const json_t *value)
{
	json_int_t integer = json_integer_value(value);
	switch (json_typeof(value)) {
	case JSON_STRING:
		bspi_fbx_words(fbx, BSPI_FBX_USER_TEXT, name, json_string_value(value));
		break;
	case JSON_INTEGER:
		if (integer < INT32_MIN || integer > INT32_MAX) {
			bspi_fbx_number(fbx, BSPI_FBX_USER_DOUBLE, name, (double)integer);
		} else {
			bspi_fbx_integer(fbx, BSPI_FBX_USER_INT, name, (int32_t)integer);
		}
		break;
	case JSON_REAL:
		bspi_fbx_number(fbx, BSPI_FBX_USER_DOUBLE, name, json_real_value(value));
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		bspi_fbx_integer(fbx, BSPI_FBX_USER_BOOL, name, json_is_true(value));
		break;
	default:
		put_json(fbx, name, value);
	}
}

static void put_members(bspi_fbx *fbx, json_t *facts)
{
	const char *key;
	json_t *value;
	json_object_foreach(facts, key, value)
	{
		char name[LONGEST_KEY + 1];
		snprintf(name, sizeof name, "bspscene.%s", key);
		put_fact(fbx, name, value);
	}
}

void bspi_fbx_put_own_facts(bspi_fbx *fbx, json_t *facts)
{
	put_members(fbx, facts);
	json_decref(facts);
}

/* See fbx.h. Some keys are not accepted by all readers as names of properties. They are collected as JSON in a single
 * property. */
void bspi_fbx_put_node_facts(bspi_fbx *fbx, json_t *facts)
{
	const char *key;
	json_t *value, *own = json_incref(json_object_get(facts, "bspscene")), *rest = json_object();
	json_object_foreach(facts, key, value)
	{
		char name[LONGEST_KEY + 1];
		int length = snprintf(name, sizeof name, "%s%s", is_taken(key) ? "entity." : "", key);
		if (value == own) continue;
		if (length > 0 && (size_t)length < sizeof name) put_fact(fbx, name, value);
		else bspi_json_set(fbx->writer, rest, key, json_incref(value));
	}
	if (json_object_size(rest)) put_json(fbx, "bspscene.keys", rest);
	json_decref(rest);
	json_decref(facts);
	if (own) bspi_fbx_put_own_facts(fbx, own);
}
