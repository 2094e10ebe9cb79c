/* vbsp_textures.c - makes textures from texdata and texinfos. Their names come from the lump of strings. There is a
 * texture for each way in which texinfos draw a texdata. */
#include "families/vbsp/vbsp_tables.h"

#include <inttypes.h>

/* Flags that decide how a texture is drawn. If two texinfos of one texdata differ in these flags, each needs its own
 * texture. */
#define DECIDING \
	(VBSP_SURF_SKY2D | VBSP_SURF_SKY | VBSP_SURF_TRANS | VBSP_SURF_TRIGGER | VBSP_SURF_NODRAW | VBSP_SURF_HINT | \
	 VBSP_SURF_SKIP)

/* Reads a name from the lump of strings. The last string of the lump may lack its NUL. */
static bool read_name(bspi_ctx *ctx, const bspi_lump *lumps, uint32_t index, bspi_texture *texture)
{
	enum { RECORD_SIZE = 32, NAME_AT = 12 };
	bspi_bytes names = lumps[VBSP_NAMES].bytes, offsets = lumps[VBSP_NAME_OFFSETS].bytes, slot;
	int32_t name = bspi_load_i32(lumps[VBSP_TEXDATA].bytes.data + (size_t)index * RECORD_SIZE + NAME_AT);
	int32_t at = name >= 0 && bspi_slice(offsets, (uint64_t)name * 4, 4, &slot) ? bspi_load_i32(slot.data) : -1;
	if (at < 0 || (size_t)at >= names.size) {
		memcpy(texture->name, "missing", sizeof "missing");
		return bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, BSPI_RECORD("texdata", index),
		                 "it uses name %" PRId32 ", which does not exist", name);
	}
	size_t size = 0;
	for (; size + 1 < sizeof texture->name && (size_t)at + size < names.size && names.data[(size_t)at + size]; size++) {
		char c = (char)names.data[(size_t)at + size];
		texture->name[size] = (char)(c == '\\' ? '/' : c);
	}
	texture->name[size] = 0;
	return true;
}

/* Textures that were added for texinfos, as a linked list for each texdata. */
typedef struct texture_list {
	bspi_texture *textures;
	uint32_t *next;                    /* next texture of the same texdata; 0: none */
	bool *used;                        /* true if the flags of this texture are set already */
	uint32_t count;
} texture_list;

static uint32_t find_texture(texture_list *list, uint32_t texdata, uint32_t flags)
{
	uint32_t i = texdata;
	if (!list->used[i]) {
		list->used[i] = true;
		list->textures[i].surface_flags = flags;
		return i;
	}
	while ((list->textures[i].surface_flags & DECIDING) != (flags & DECIDING)) {
		if (!list->next[i]) {
			list->next[i] = list->count;
			list->textures[list->count] = list->textures[texdata];
			list->textures[list->count].surface_flags = flags;
			return list->count++;
		}
		i = list->next[i];
	}
	return i;
}

bool bspi_vbsp_textures(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map)
{
	uint32_t count = map->textures_count;
	size_t most = (size_t)count + map->texinfos_count;
	texture_list list = {
		bspi_push(ctx, &ctx->scratch, bspi_texture, most), bspi_push(ctx, &ctx->scratch, uint32_t, most),
		bspi_push(ctx, &ctx->scratch, bool, most), count,
	};
	BSPI_TRY(list.textures && list.next && list.used);
	for (uint32_t i = 0; i < count; i++) {
		list.textures[i] = map->textures[i];
		list.textures[i].has_reflectivity = true;
		BSPI_TRY(read_name(ctx, lumps, i, &list.textures[i]));
	}
	for (uint32_t i = 0; i < map->texinfos_count; i++) {
		bspi_texinfo *info = &map->texinfos[i];
		if (info->texture < 0 || (uint32_t)info->texture >= count) continue;
		info->texture = (int32_t)find_texture(&list, (uint32_t)info->texture, info->flags);
	}
	map->textures = list.textures;
	map->textures_count = list.count;
	return true;
}
