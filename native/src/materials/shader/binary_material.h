/* binary_material.h - reads binary materials of Call of Duty 2 and 4, "materials/NAME": the images of a surface and how
 * it is blended (docs/formats/callofduty.md, "Material files"). */
#ifndef BSPI_BINARY_MATERIAL_H
#define BSPI_BINARY_MATERIAL_H

#include "materials/shader/shader.h"

typedef struct bspi_binary_material {
	const char *color, *normals;       /* names of images below images/, pointing into the file; NULL: none */
	bool two_sided, unlit;
	float cutoff;                      /* alpha test threshold; 0: no test */
	bspscene_blend src, dst;           /* ONE, ZERO: opaque */
} bspi_binary_material;

/* `count_at`: offset of the texture count, which differs between the two games. False if the file is no such
 * material. */
bool bspi_read_binary_material(bspi_bytes file, uint32_t count_at, bspi_binary_material *out);

/* Adds the stages of material `name`, and sets base image, normal map and visible sides in `out`. A material without a
 * file gets the image of that name: below images/, else where other engines have it. Missing images are counted. */
bool bspi_build_binary_material(bspi_materials *m, uint32_t count_at, const char *name, bspscene_material *out);

#endif
