#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/map/map_reading.h"

void bspt_begin_reading(bspt_reading *reading, bool strict)
{
	memset(reading, 0, sizeof *reading);
	reading->ctx.file = "test.bsp";
	reading->ctx.options.strict = strict;
	reading->ctx.budget.limit = 64u << 20;
	bspi_begin_memory(&reading->ctx);
}

bool bspt_read_bytes(bspt_reading *reading, const void *data, size_t size, bool strict)
{
	bspt_begin_reading(reading, strict);
	return bspi_read_map(&reading->ctx, bspi_bytes_of(data, size), &reading->map);
}

void bspt_read_room(bspt_reading *reading, bool strict)
{
	bspt_bytes file = bspt_build_room(&bspi_family_quake3, &bspi_family_quake3.variants[0]);
	if (!bspt_read_bytes(reading, file.data, file.size, strict)) fail_msg("%s", reading->ctx.error.message);
	assert_int_equal(reading->ctx.warning_count, 0);
	reading->map.vis_rows = NULL;      /* the rows point into the file, which is freed */
	free(file.data);
}

void bspt_end_reading(bspt_reading *reading)
{
	bspi_end_memory(&reading->ctx);
	assert_int_equal(reading->ctx.budget.used, 0);
}

uint32_t bspt_kept_faces(const bspi_map *map)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) count += map->faces[i].kind != BSPI_FACE_DROPPED;
	return count;
}
