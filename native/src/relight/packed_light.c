/* packed_light.c - writes light that a Source map stores compressed. Changed light is appended to the file without
 * compression, and the entry in the lump directory refers to it there. No other lump is moved. */
#include "relight/relight_parts.h"

#include <string.h>

enum { LUMP_ALIGNMENT = 4, SIZE_AT = 4 };

uint8_t *bspi_unpacked_bytes(bspi_relight *r, const bspi_light_store *store)
{
	bspi_ctx *ctx = r->build.ctx;
	for (uint32_t i = 0; i < r->unpacked_count; i++) {
		if (r->unpacked[i].store == store) return r->unpacked[i].new;
	}
	uint8_t *new = bspi_push_unset(ctx, &ctx->scratch, store->luxels.size, 1);
	if (!new) return NULL;
	memcpy(new, store->luxels.data, store->luxels.size);
	const bspi_unpacked_light light = { store, new };
	r->unpacked[r->unpacked_count++] = light;
	return new;
}

static void store_u32(bool big_endian, uint8_t *out, uint32_t value)
{
	for (int i = 0; i < 4; i++) out[big_endian ? 3 - i : i] = (uint8_t)(value >> 8 * i);
}

static bool is_changed(const bspi_unpacked_light *light)
{
	return memcmp(light->new, light->store->luxels.data, light->store->luxels.size) != 0;
}

/* Appends the luxels to the copy of the file. Overwrites the compressed luxels with zeros, because nothing refers to
 * them anymore. */
static bool move_light(bspi_relight *r, const bspi_unpacked_light *light)
{
	bspi_ctx *ctx = r->build.ctx;
	bspi_relit_file *map = &r->files[0];
	const bspi_light_store *store = light->store;
	uint64_t at = ((uint64_t)map->new_size + LUMP_ALIGNMENT - 1) / LUMP_ALIGNMENT * LUMP_ALIGNMENT;
	uint64_t size = at + store->luxels.size;
	BSPI_CHECK(ctx, size <= INT32_MAX, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_NOWHERE,
	           "its light \"%s\" is compressed, and uncompressed it would make the map larger than 2 GiB", store->name);
	uint8_t *grown = bspi_push(ctx, &ctx->scratch, uint8_t, (size_t)size);
	BSPI_TRY(grown);
	memcpy(grown, map->new, map->new_size);
	memset(grown + (store->packed.data - map->old.data), 0, store->packed.size);
	memcpy(grown + at, light->new, store->luxels.size);
	store_u32(store->big_endian, grown + store->place_at, (uint32_t)at);
	store_u32(store->big_endian, grown + store->place_at + SIZE_AT, (uint32_t)store->luxels.size);
	store_u32(store->big_endian, grown + store->unpacked_size_at, 0);
	map->new = grown;
	map->new_size = (size_t)size;
	return true;
}

bool bspi_move_unpacked_light(bspi_relight *r)
{
	for (uint32_t i = 0; i < r->unpacked_count; i++) {
		BSPI_TRY(!is_changed(&r->unpacked[i]) || move_light(r, &r->unpacked[i]));
	}
	return true;
}
