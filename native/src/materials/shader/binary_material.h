/* binary_material.h - reads binary materials of Call of Duty 2 and 4, "materials/NAME": the images of a surface and how
 * it is blended (docs/formats/callofduty.md, "Material files"). */
#ifndef BSPI_BINARY_MATERIAL_H
#define BSPI_BINARY_MATERIAL_H

#include "materials/shader/shader.h"

typedef struct bspi_binary_material {
	const char *color, *normals;       /* names of images below images/; they are in the file's bytes; NULL:
	                                    * none */
	bool two_sided, unlit;
	float cutoff;                      /* alpha test threshold; 0: no test */
	bspscene_blend src, dst;           /* ONE and ZERO: opaque */
} bspi_binary_material;

/* Reads a material. `count_at` is the offset of the texture count, which differs between the two games. Returns false
 * if the file is not such a material. */
bool bspi_read_binary_material(bspi_bytes file, uint32_t count_at, bspi_binary_material *out);

/* Adds the stages of material `name`, and sets base image, normal map and visible sides in `out`. If the material has
 * no file, its name is used as the name of an image: first below images/, then where other engines have images. Missing
 * images are counted. */
bool bspi_build_binary_material(bspi_materials *m, uint32_t count_at, const char *name, bspscene_material *out);

#endif
