/* bspx_room.c - see bspx_room.h. */
#include "support/make/bspx_room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/check/check_scene.h"

bspt_bytes bspt_room_with_bspx(const bspi_family *family, const bspt_bspx *lumps, uint32_t count)
{
	bspt_parts parts;
	bspt_room_parts(family, &family->variants[0], &parts);
	assert_true(!parts.bspx_count && count <= BSPT_MOST_BSPX);
	for (; parts.bspx_count < count; parts.bspx_count++) parts.bspx[parts.bspx_count] = lumps[parts.bspx_count];
	return bspt_encode_parts(&family->variants[0], &parts);
}

bspscene_scene *bspt_load_bspx(const bspi_family *family, const char *name, const bspt_writer *bytes)
{
	bspt_bytes file = bspt_room_with_bspx(family, &(bspt_bspx){ name, bspt_written(bytes) }, 1);
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, &error);
	free(file.data);
	if (!scene) fail_msg("%s", error.message);
	bspt_report report = { .failures = 0 };
	bspt_check_scene(scene, NULL, &report);
	bspt_assert_clean(&report);
	return scene;
}
