/* The Xbox 360's map in shared/data: refused by its name, and its lumps, compressed as on PCs, become as large as its
 * directory says. Exits 77 without it: check_console [MAP] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ctx.h"
#include "io/lzma.h"
#include "support/bspt.h"

enum { LUMPS = 64, ENTRY = 16, DIRECTORY = 8, SKIPPED = 77 };

static uint32_t big_endian(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Bytes that a lump unpacks to, 0 when it does not. */
static size_t unpack(bspi_bytes lump)
{
	bspi_ctx ctx = { .file = "console.bsp", .budget = { .limit = 256u << 20 } };
	bspi_bytes out = BSPI_NO_BYTES;
	bspi_begin_memory(&ctx);
	if (!bspi_read_valve_lzma(&ctx, lump, BSPI_LUMP("lump"), true, &out)) fprintf(stderr, "%s\n", ctx.error.message);
	size_t size = out.size;
	bspi_end_memory(&ctx);
	return size;
}

static int check_refused(bspt_bytes file)
{
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, &error);
	bspscene_scene_free(scene);
	if (!scene && error.status == BSPSCENE_ERROR_UNSUPPORTED_FORMAT && strstr(error.message, "Xbox 360")) return 0;
	fprintf(stderr, "not refused by name: %s\n", scene ? "it loads" : error.message);
	return 1;
}

int main(int argc, char **argv)
{
	const char *data = getenv("BSPSCENE_SHARED_DATA");
	char path[1024];
	snprintf(path, sizeof path, "%s/maps/other/v20_xbox360_shack.bsp", data ? data : "");
	if (argc > 1) snprintf(path, sizeof path, "%s", argv[1]);
	FILE *there = fopen(path, "rb");
	if (!there) {
		printf("skipped: %s is not here (BSPSCENE_SHARED_DATA)\n", path);
		return SKIPPED;
	}
	fclose(there);
	bspt_bytes file = bspt_read_file(path);
	int failures = check_refused(file), compressed = 0;
	for (uint32_t i = 0; i < LUMPS; i++) {
		const uint8_t *entry = file.data + DIRECTORY + ENTRY * i;
		bspi_bytes lump;
		if (!bspi_slice(bspi_bytes_of(file.data, file.size), big_endian(entry), big_endian(entry + 4), &lump)) continue;
		if (!bspi_is_valve_lzma(lump)) continue;
		size_t size = unpack(lump), stated = big_endian(entry + 12);
		compressed++;
		if (size == stated) continue;
		fprintf(stderr, "lump %u: %zu bytes, stated %zu\n", (unsigned)i, size, stated);
		failures++;
	}
	printf("%d compressed lumps, %d failures\n", compressed, failures);
	free(file.data);
	return failures || !compressed;
}
