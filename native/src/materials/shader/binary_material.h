/* binary_material.h - materials of Call of Duty 2 and 4, "materials/NAME": no text, but which pictures a surface has
 * and how it is blended (docs/formats/callofduty.md, "Material files"). */
#ifndef BSPI_BINARY_MATERIAL_H
#define BSPI_BINARY_MATERIAL_H

#include "materials/shader/shader.h"

typedef struct bspi_binary_material {
	const char *color, *normals;       /* pictures, by their names below images/; NULL: none. Inside the file */
	bool two_sided, unlit;
	float cutoff;                      /* of a test of alpha; 0: there is none */
	bspscene_blend src, dst;           /* ONE, ZERO: not blended */
} bspi_binary_material;

/* `count_at`: where the number of textures is, which the two games have in different places. False: it is none. */
bool bspi_read_binary_material(bspi_bytes file, uint32_t count_at, bspi_binary_material *out);

/* The stages of the material `name`, and into `out` its picture, its normal map and which sides are shown. Without a
 * file it is the picture of the name, below images/ or as other engines have it; missing ones are counted. */
bool bspi_build_binary_material(bspi_materials *m, uint32_t count_at, const char *name, bspscene_material *out);

#endif
