/* packed_map.c - unpacks packed maps, but never to more bytes than a map can have. See io.h. */
#include "io/io.h"
#include "io/unpack.h"

/* Limits for the unpacked size. Maps compress to between 1/3 and 1/10 of their size. Zeros compress to a thousandth by
 * gzip, and to a millionth by bzip2. */
#define LEAST_LIMIT ((uint64_t)64 << 20)
#define LARGEST_RATIO 64u
#define STEP 64u

typedef struct packed_reader {
	bspi_bytes left;
	bspi_charge charge;
	bspi_unpacker *unpacker;
	uint64_t done, limit;
	bool over_limit;
} packed_reader;

static size_t read_packed(void *user, void *data, size_t size)
{
	packed_reader *reader = user;
	if (size > reader->left.size) size = reader->left.size;
	memcpy(data, reader->left.data, size);
	reader->left.data += size;
	reader->left.size -= size;
	return size;
}

static size_t read_unpacked(void *user, void *data, size_t size)
{
	packed_reader *reader = user;
	size_t got = bspi_unpacker_read(reader->unpacker, data, size);
	if (got == SIZE_MAX) return SIZE_MAX;
	reader->done += got;
	reader->over_limit = reader->done > reader->limit;
	return reader->over_limit ? SIZE_MAX : got;
}

bool bspi_unpack_map(bspi_ctx *ctx, bspi_arena *arena, bspi_bytes file, bspi_bytes *out)
{
	bspi_packing packing = bspi_packing_of(file);
	const char *name = bspi_packing_name(packing), *trouble = NULL;
	*out = file;
	if (packing == BSPI_PACKING_NONE) return true;
	BSPI_CHECK(ctx, bspi_packing_known(packing), BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_NOWHERE,
	           "is packed by %s, which this build cannot unpack", name);
	packed_reader reader = {
		.left = file, .charge = bspi_charge_to(&ctx->budget),
		.limit = LEAST_LIMIT + LARGEST_RATIO * (uint64_t)file.size,
	};
	reader.unpacker = bspi_unpacker_create(&reader.charge, packing, 0, read_packed, &reader);
	if (!reader.unpacker) return bspi_fail_memory(ctx);
	/* `stored_size` is not 0, which would count the unpacked bytes. It is only 1, because the budget counted the
	 * stored bytes when the file was read. */
	bspscene_stream stream = { .user = &reader, .read = read_unpacked, .size = UINT64_MAX, .stored_size = 1 };
	bool ok = bspi_try_stream(ctx, arena, &stream, out, &trouble);
	bspi_unpacker_free(reader.unpacker);
	BSPI_CHECK(ctx, !reader.over_limit, BSPSCENE_ERROR_LIMIT, BSPI_NOWHERE,
	           "its %zu bytes of %s unpack to more than %llu MiB, more than any map has", file.size, name,
	           (unsigned long long)(reader.limit >> 20));
	if (reader.charge.refused) return bspi_fail_memory(ctx);
	BSPI_CHECK(ctx, !trouble, BSPSCENE_ERROR_IO, BSPI_NOWHERE,
	           "cannot be unpacked: the %s stream is damaged or cut off", name);
	return ok;
}

size_t bspi_unpack_head(bspi_bytes head, uint8_t *out, size_t size)
{
	bspi_packing packing = bspi_packing_of(head);
	bspi_budget budget;
	bspi_budget_begin(&budget, 0, NULL);
	packed_reader reader = { .left = head, .charge = bspi_charge_to(&budget) };
	size_t done = 0;
	bspi_unpacker *unpacker = NULL;
	if (packing != BSPI_PACKING_NONE) {
		unpacker = bspi_unpacker_create(&reader.charge, packing, 0, read_packed, &reader);
	}
	/* Reads in small steps. The step in which the head ends fails, but the results of the earlier steps remain. */
	while (unpacker && done < size) {
		size_t got = bspi_unpacker_read(unpacker, out + done, size - done < STEP ? size - done : STEP);
		if (!got || got == SIZE_MAX) break;
		done += got;
	}
	bspi_unpacker_free(unpacker);
	return done;
}
