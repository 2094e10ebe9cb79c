/* Promise: later engines have longer records in the triangle files of Source models, with the same version number. The
 * triangles of both forms are read correctly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "models/model.h"
#include "support/bspt.h"
#include "support/models/build_model.h"
#include "support/store.h"

static bool open_sibling(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspt_model_file *file = user;
	(void)kind;
	for (uint32_t i = 0; i < file->sibling_count; i++) {
		if (!strstr(path, file->siblings[i].ending)) continue;
		stream->data = file->siblings[i].bytes.data;
		stream->size = file->siblings[i].bytes.size;
		return true;
	}
	return false;
}

static void read_model(bspi_ctx *ctx, bspt_model_file *file, bspi_prop_model *model)
{
	const char *why = "";
	*ctx = (bspi_ctx) { .file = "test", .name = "test", .budget.limit = (uint64_t)64 << 20 };
	bspi_begin_memory(ctx);
	ctx->options.open_file = open_sibling;
	ctx->options.file_user = file;
	if (!bspi_read_model(ctx, file->path, file->bytes, &(bspi_model_state) { 0 }, model, &why)) fail_msg("%s", why);
}

enum { GROUP = 73, GROUP_SIZE = 25, STRIP_SIZE = 27, TOPOLOGY = 8 };

/* Writes the file with the longer records, and splits its only strip into two strips with half of the triangles each.
 * Returns the number of added bytes. */
static size_t lengthen(bspi_bytes old, uint8_t *out)
{
	const size_t first = GROUP + GROUP_SIZE, added = TOPOLOGY + TOPOLOGY + STRIP_SIZE + TOPOLOGY;
	const uint8_t *strip = old.data + first;
	uint32_t half = bspi_load_u32(strip) / 2;
	memcpy(out, old.data, first);
	for (uint32_t i = 0; i < 2; i++) {
		uint8_t *to = out + first + TOPOLOGY + i * (STRIP_SIZE + TOPOLOGY);
		memcpy(to, strip, STRIP_SIZE);
		bspt_store_u32(to, half);
		bspt_store_u32(to + 4, i * half);
	}
	memcpy(out + first + STRIP_SIZE + added, strip + STRIP_SIZE, old.size - first - STRIP_SIZE);
	bspt_store_u32(out + GROUP + 4, bspi_load_u32(old.data + GROUP + 4) + (uint32_t)added);
	bspt_store_u32(out + GROUP + 12, bspi_load_u32(old.data + GROUP + 12) + (uint32_t)added);
	bspt_store_u32(out + GROUP + 16, 2);
	bspt_store_u32(out + GROUP + 20, GROUP_SIZE + TOPOLOGY);
	return added;
}

static void longer_records_have_the_same_triangles(void **state)
{
	static uint8_t bytes[4096];
	bspi_ctx ctx, other;
	bspi_prop_model want, got;
	(void)state;
	uint32_t number = 0;
	while (strcmp(bspt_build_model(number).format, "source_mdl") != 0) number++;
	bspt_model_file file = bspt_build_model(number);
	read_model(&ctx, &file, &want);
	assert_int_equal(want.index_count, 3 * BSPT_MODEL_TRIANGLES);
	bspi_bytes *triangles = &file.siblings[1].bytes;
	assert_true(triangles->size + 100 < sizeof bytes);
	*triangles = bspi_bytes_of(bytes, triangles->size + lengthen(*triangles, bytes));
	read_model(&other, &file, &got);
	assert_int_equal(got.index_count, want.index_count);
	assert_int_equal(got.vertex_count, want.vertex_count);
	assert_memory_equal(got.indices, want.indices, want.index_count * sizeof *want.indices);
	assert_memory_equal(got.positions, want.positions, 3 * want.vertex_count * sizeof *want.positions);
	bspi_end_memory(&other);
	bspi_end_memory(&ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(longer_records_have_the_same_triangles) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
