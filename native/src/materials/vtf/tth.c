/* tth.c - see tth.h. The .tth has a table of mipmaps, two sizes, and the beginning of the VTF with its small mipmaps.
 * The .ttz is a zlib stream with the rest of the VTF (docs/formats/source-files.md, "TTH and TTZ"). */
#include "materials/vtf/tth.h"

#include "io/inflate.h"

enum { LEVEL_COUNT_AT = 6, HEAD_SIZE_AT = 8, LEVELS_AT = 12, LEVEL_SIZE = 8 };
/* LARGEST_TEXTURE limits the bytes of a texture (4096 x 4096 pixels with all mipmaps need 90 MB). LARGEST_RATIO is the
 * largest number of bytes to which Deflate can unpack one byte. */
#define LARGEST_TEXTURE (256u << 20)
#define LARGEST_RATIO 1032u

typedef struct tth {
	uint32_t whole_size;
	bspi_bytes head; /* beginning of the VTF */
} tth;

static bool read_head(bspi_bytes bytes, tth *out)
{
	if (bytes.size < LEVELS_AT || memcmp(bytes.data, "TTH", 4)) return false;
	uint32_t head_size = bspi_load_u32(bytes.data + HEAD_SIZE_AT);
	bspi_cursor at = bspi_cursor_at(bytes, LEVELS_AT + LEVEL_SIZE * (uint64_t)bytes.data[LEVEL_COUNT_AT]);
	out->whole_size = bspi_take_u32(&at);
	bspi_take(&at, 4); /* size of the .ttz, which is not needed */
	return !at.failed && bspi_slice(bytes, at.at, head_size, &out->head);
}

static bool refuse(const char **why, const char *reason)
{
	*why = reason;
	return false;
}

bool bspi_join_tth(bspi_ctx *ctx, bspi_bytes head, bspi_bytes rest, bspi_bytes *out, const char **why)
{
	tth t;
	if (!read_head(head, &t)) return refuse(why, "is not a TTH file, or is cut off");
	if (t.whole_size > LARGEST_TEXTURE || t.whole_size < t.head.size) {
		return refuse(why, "its sizes contradict each other");
	}
	uint32_t missing = t.whole_size - (uint32_t)t.head.size;
	if (missing && !rest.size) return refuse(why, "the .ttz file that belongs to it is missing or empty");
	if (missing / LARGEST_RATIO > rest.size) return refuse(why, "the .ttz file is too small for the texture");
	uint8_t *whole = bspi_push(ctx, &ctx->result, uint8_t, t.whole_size);
	BSPI_TRY(whole);
	if (t.head.size) memcpy(whole, t.head.data, t.head.size);
	bool ended = true;
	if (!bspi_budget_take(&ctx->budget, BSPI_INFLATE_MEMORY)) return bspi_fail_memory(ctx);
	bool fits = !missing || bspi_inflate(&ctx->budget.heap, rest, whole + t.head.size, missing, &ended);
	bspi_budget_give(&ctx->budget, BSPI_INFLATE_MEMORY);
	if (!fits || !ended) return refuse(why, "the .ttz file is damaged or belongs to another texture");
	*out = bspi_bytes_of(whole, t.whole_size);
	return true;
}
