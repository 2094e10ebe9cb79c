/* sky_box.c - finds the six images of the sky box that worldspawn names. */
#include <stdio.h>

#include <bspscene/scene.h>

#include "base/text.h"
#include "materials/materials.h"

const char *const bspi_box_suffixes[6] = { "rt", "bk", "lf", "ft", "up", "dn" };

const char *bspi_worldspawn_value(const bspi_materials *m, const char *key)
{
	for (uint32_t i = 0; i < m->scene->entity_count; i++) {
		if (bspi_text_equal(m->scene->entities[i]->classname, "worldspawn")) {
			return bspscene_entity_value(m->scene, i, key);
		}
	}
	return NULL;
}

bool bspi_make_sky_box(bspi_materials *m, const char *folder, const char *key, const char *otherwise,
                       bspscene_material *out)
{
	const char *name = bspi_worldspawn_value(m, key);
	if (!name || !*name) name = otherwise;
	bspi_make_sky(out);
	if (!name) return true;
	bspscene_sky *sky = bspi_add_sky(m->ctx, out);
	BSPI_TRY(sky);
	sky->name = bspi_text_format(m->ctx, &m->ctx->result, "%s%.100s", folder, name);
	BSPI_TRY(sky->name);
	for (int i = 0; i < 6; i++) {
		char path[BSPI_PATH_SIZE];
		snprintf(path, sizeof path, "%s%.100s%s", folder, name, bspi_box_suffixes[i]);
		BSPI_TRY(bspi_try_image(m, path, &sky->box[i]));
	}
	return true;
}
