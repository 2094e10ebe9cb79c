/* build_source_props.c - the game lump of the room of build_source.c: static props and detail props, in the layout of
 * the variant. */
#include <string.h>

#include "families/vbsp/vbsp_tables.h"
#include "support/source/build_source.h"
#include "support/store.h"

typedef struct prop_format {
	uint32_t version, size;
} prop_format;

static bool is_vindictus(const bspi_variant *variant)
{
	return !strcmp(variant->name, "vindictus");
}

static prop_format props_of(const bspi_variant *variant)
{
	if (!strcmp(variant->name, "left4dead2")) return (prop_format){ 9, 72 };
	if (!strcmp(variant->name, "darkmessiah")) return (prop_format){ 6, 136 };
	if (!strcmp(variant->name, "contagion")) return (prop_format){ 10, 72 };
	if (is_vindictus(variant)) return (prop_format){ 6, 64 };
	switch (variant->version) {
	case 17: return (prop_format){ 4, 56 };
	case 18: case 19: return (prop_format){ 5, 60 };
	case 20: return (prop_format){ 6, 64 };
	case 21: case 22: case 23: return (prop_format){ 10, 76 };
	default: return (prop_format){ 13, 88 };
	}
}

enum { NAME_SIZE = 128 };

static const bspi_layout *prop_layout(prop_format wanted)
{
	for (uint32_t i = 0; i < BSPI_VBSP_PROP_FORMATS; i++) {
		const bspi_vbsp_prop_format *format = &bspi_vbsp_prop_formats[i];
		if (format->version == wanted.version && format->layout->file_size == wanted.size) return format->layout;
	}
	bspt_die("find", "a layout of static props");
	return NULL;
}

/* Writes one model, two leafs, and two props: one in the room, one in the skybox. */
static size_t make_static_props(const bspi_variant *variant, uint8_t *out)
{
	static const bspi_static_prop props[2] = {
		{ .name = "barrel_1", .origin = { 32, 32, 0 }, .angles = { 0, 90, 0 }, .leaf_count = 1, .solid = 6, .skin = 1,
		  .flags = BSPSCENE_PROP_FADES | BSPSCENE_PROP_LIGHTING_ORIGIN, .fade_near = 300, .fade_far = 400,
		  .fade_scale = 0.5f, .lighting_origin = { 32, 32, 48 }, .lightmap_size = { 16, 32 },
		  .dx_levels = { 80, 95 }, .cpu_levels = { 1, 2 },
		  .gpu_levels = { 0, 3 }, .color = { 255, 128, 255, 255 }, .flags_ex = 4, .scale = 1, .stretch = { 1, 1, 1 } },
		{ .origin = { 1016, 8, 0 }, .first_leaf = 1, .leaf_count = 1, .fade_near = -1, .fade_scale = 1,
		  .color = { 255, 255, 255, 255 }, .scale = 1, .stretch = { 1, 1, 1 } },
	};
	prop_format format = props_of(variant);
	uint32_t leaf_size = format.version >= 12 ? 4 : 2;
	bspt_store_u32(out, 1);
	memcpy(out + 4, "models\\test\\barrel.mdl", 22);
	uint8_t *at = out + 4 + NAME_SIZE;
	bspt_store_u32(at, 2);
	at[4] = 2;
	at[4 + leaf_size] = 3;
	at += 4 + 2 * leaf_size;
	if (is_vindictus(variant)) {
		/* The second prop is twice as high. */
		bspt_store_u32(at, 1);
		bspt_store_u32(at + 4, 1);
		for (int axis = 0; axis < 3; axis++) bspt_store_f32(at + 8 + 4 * axis, axis == 2 ? 2 : 1);
		at += 4 + 16;
	}
	bspt_store_u32(at, 2);
	bspt_encode(prop_layout(format), props, 2, at + 4);
	return (size_t)(at + 4 + 2 * format.size - out);
}

/* Writes three detail props: a model, a picture, and the model again, rotated and with less light. Vampire has only
 * models, in shorter records. */
static size_t make_detail_props(bool vampire, uint8_t *out)
{
	static const float picture[8] = { -8, 16, 8, 0, 0, 0, 0.5f, 0.5f };
	uint32_t size = vampire ? 40 : 52, count = vampire ? 2 : 3;
	bspt_store_u32(out, 1);
	memcpy(out + 4, "models/test/rock.mdl", 20);
	uint8_t *at = out + 4 + NAME_SIZE;
	if (!vampire) {
		bspt_store_u32(at, 1);
		for (int k = 0; k < 8; k++) bspt_store_f32(at + 4 + 4 * k, picture[k]);
		at += 4 + sizeof picture;
	}
	bspt_store_u32(at, count);
	at += 4;
	for (uint32_t i = 0; i < count; i++, at += size) {
		bool last = i + 1 == count;
		bspt_store_f32(at, 48 + 16 * (float)i);
		if (last) bspt_store_f32(at + 16, 90);
		at[26] = 1;
		bspt_store_u32(at + 28, last ? 0xf7808080u : 0xf8808080u);
		if (i && !last) {
			at[40] = 2;
			at[44] = 1;
			bspt_store_f32(at + 48, 1);
		}
	}
	return (size_t)(at - out);
}

static uint8_t game_lump[2048];

typedef struct game_part {
	uint32_t id, version, offset;
	size_t size;
} game_part;

/* Writes a directory entry; Vindictus' flags and version are twice as wide. Returns the position of the offset. */
static uint32_t put_part(bool wide, const game_part *part, uint32_t at)
{
	uint8_t *entry = game_lump + at;
	uint32_t place = wide ? 12 : 8;
	bspt_store_u32(entry, part->id);
	bspt_store_u32(entry + place - 4, wide ? part->version : part->version << 16);
	bspt_store_u32(entry + place, part->offset);
	bspt_store_u32(entry + place + 4, (uint32_t)part->size);
	return at + place;
}

/* Makes the game lump. Dark Messiah has a number before the directory. */
void bspt_source_game_lump(const bspi_variant *variant, bspt_parts *parts)
{
	bool vampire = variant->version == 17, wide = is_vindictus(variant);
	uint32_t moved = strcmp(variant->name, "darkmessiah") ? 0 : 4, entry = wide ? 20 : 16;
	uint32_t directory = moved + 4 + 2 * entry;
	memset(game_lump, 0, sizeof game_lump);
	game_part props = { VBSP_STATIC_PROPS, props_of(variant).version, directory, 0 };
	props.size = make_static_props(variant, game_lump + directory);
	game_part details = { VBSP_DETAIL_PROPS, vampire ? 2 : 4, directory + (uint32_t)props.size, 0 };
	details.size = make_detail_props(vampire, game_lump + details.offset);
	bspt_store_u32(game_lump + moved, 2);
	parts->raw[VBSP_GAME_LUMP] = bspi_bytes_of(game_lump, details.offset + details.size);
	/* Offsets are relative to the file's start. */
	parts->moved[0] = (bspt_moved){ VBSP_GAME_LUMP, put_part(wide, &props, moved + 4) };
	parts->moved[1] = (bspt_moved){ VBSP_GAME_LUMP, put_part(wide, &details, moved + 4 + entry) };
	parts->moved_count = 2;
}
