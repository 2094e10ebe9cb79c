/* scene_text_line.c - prints numbers, names, and hashes of arrays in a scene's text. Floats are rounded to steps before
 * hashing and printed with six digits, because their last bits depend on compiler and processor. */
#include "support/text/scene_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

bool bspt_say_floats(bspi_writer *writer, const char *word, const float *values, uint32_t count)
{
	BSPI_TRY(bspi_put_text(writer, word));
	for (uint32_t i = 0; i < count; i++) {
		BSPI_TRY(bspi_put_text(writer, " "));
		BSPI_TRY(bspi_put_number(writer, fabsf(values[i]) < 1e-5f ? 0 : (double)values[i], 6));
	}
	return true;
}

bool bspt_say_quoted(bspi_writer *writer, const char *text)
{
	BSPI_TRY(bspi_put_text(writer, "\""));
	for (const char *p = text; *p; p++) {
		const char *special = strchr("\"\\", *p);
		if (*p == '\n') BSPI_TRY(bspi_put_text(writer, "\\n"));
		else if (special) BSPI_TRY(bspi_put_format(writer, "\\%c", *p));
		else if ((unsigned char)*p < 0x20) BSPI_TRY(bspi_put_format(writer, "\\x%02x", (unsigned)*p));
		else BSPI_TRY(bspi_put(writer, p, 1));
	}
	return bspi_put_text(writer, "\"");
}

bool bspt_say_index(bspi_writer *writer, const char *word, uint32_t index)
{
	return index == BSPSCENE_NO_INDEX || bspi_put_format(writer, " %s %" PRIu32, word, index);
}

bool bspt_say_word(bspi_writer *writer, const char *word, bool is_so)
{
	return !is_so || (bspi_put_text(writer, " ") && bspi_put_text(writer, word));
}

bool bspt_say_bounds(bspi_writer *writer, const bspscene_bounds *bounds)
{
	if (!(bounds->min[0] <= bounds->max[0])) return bspi_put_text(writer, " empty");
	return bspt_say_floats(writer, "", bounds->min, 3) && bspt_say_floats(writer, " to", bounds->max, 3);
}

uint64_t bspt_hash_integer(uint64_t hash, int64_t value)
{
	for (int i = 0; i < 8; i++) hash = (hash ^ ((uint64_t)value >> 8 * i & 0xFF)) * 0x100000001b3u;
	return hash;
}

uint64_t bspt_hash_floats(const float *values, size_t count, double steps)
{
	uint64_t hash = BSPT_HASH_START;
	for (size_t i = 0; i < count; i++) {
		double step = floor((double)values[i] * steps + 0.5);
		hash = bspt_hash_integer(hash, (int64_t)fmin(fmax(step, -9e15), 9e15));
	}
	return hash;
}

uint64_t bspt_hash_indices(const uint32_t *values, size_t count)
{
	uint64_t hash = BSPT_HASH_START;
	for (size_t i = 0; i < count; i++) hash = bspt_hash_integer(hash, values[i]);
	return hash;
}

bool bspt_say_hash(bspi_writer *writer, const char *word, const void *array, uint64_t hash)
{
	return !array || bspi_put_format(writer, " %s %016" PRIx64, word, hash);
}
