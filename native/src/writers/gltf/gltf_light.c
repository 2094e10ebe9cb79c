/* gltf_light.c - writes lamps as KHR_lights_punctual. */
#include "writers/gltf/gltf.h"
#include "writers/light/lamp.h"

static json_t *lamp_object(bspi_gltf *gltf, const bspi_lamp *lamp, const char *name)
{
	json_t *object = json_object();
	bspi_gltf_set(gltf, object, "name", json_string(name));
	bspi_gltf_set(gltf, object, "type", json_string(lamp->is_sun ? "directional" : lamp->is_spot ? "spot" : "point"));
	bspi_gltf_set(gltf, object, "color", bspi_json_floats(lamp->color, 3));
	bspi_gltf_set(gltf, object, "intensity", bspi_json_float(lamp->intensity));
	if (lamp->range > 0) bspi_gltf_set(gltf, object, "range", bspi_json_float(lamp->range));
	if (lamp->is_spot) {
		json_t *spot = json_object();
		bspi_gltf_set(gltf, spot, "innerConeAngle", bspi_json_float(lamp->inner_angle));
		bspi_gltf_set(gltf, spot, "outerConeAngle", bspi_json_float(lamp->outer_angle));
		bspi_gltf_set(gltf, object, "spot", spot);
	}
	return object;
}

uint32_t bspi_gltf_add_lamp(bspi_gltf *gltf, const bspscene_node *node)
{
	const bspi_lamp lamp = bspi_lamp_of(gltf->scene, gltf->scene->lights[node->light]);
	bspi_gltf_append(gltf, gltf->lights, lamp_object(gltf, &lamp, node->name));
	gltf->extensions |= BSPI_GLTF_LIGHTS;
	return (uint32_t)json_array_size(gltf->lights) - 1;
}
