/* sprite_material.c - reads materials that are sprites (Source's env_sprite). The sprite is a quad of 1 x 1 game unit,
 * which later gets the size of its texture. The material says where it is and how it turns (the engine's
 * spritemodel.cpp). */
#include "models/sprite.h"

#include <stdlib.h>

#include "base/text.h"
#include "materials/vmt/vmt.h"

/* Words of $spriteorientation, in the order of bspi_sprite_turn. */
static const char *const turns[] = {
	"vp_parallel_upright", "facing_upright", "vp_parallel", "oriented", "vp_parallel_oriented",
};

/* Reads how the sprite turns: a word, or the number of a word. */
static bspi_sprite_turn turn_of(const bspi_vmt *vmt)
{
	const char *value = bspi_vmt_value(vmt, "$spriteorientation");
	for (uint32_t i = 0; value && i < sizeof turns / sizeof *turns; i++) {
		const char digit[2] = { (char)('0' + i), 0 };
		if (bspi_text_equal(value, turns[i]) || !strcmp(value, digit)) return (bspi_sprite_turn)i;
	}
	return BSPI_SPRITE_UPRIGHT;
}

/* Returns the name of a material, such as "sprites/a" for "materials/sprites/a.vmt" or "sprites/a.spr". */
static const char *material_name(bspi_ctx *ctx, const char *path)
{
	if (bspi_text_starts(path, "materials/")) path += strlen("materials/");
	const char *dot = strrchr(path, '.');
	return bspi_text_format(ctx, &ctx->scratch, "%.*s", (int)(dot ? (size_t)(dot - path) : strlen(path)), path);
}

bool bspi_read_sprite_material(bspi_ctx *ctx, const char *path, const bspi_model_state *state, bspi_prop_model *out,
                               bool *found)
{
	enum { MIDDLE = 2 };
	bspi_vmt vmt;
	float origin[2];
	bspi_model_reader reader = { .ctx = ctx, .path = path, .state = *state, .file = BSPI_NO_BYTES };
	bspi_model_material *material = bspi_push(ctx, &ctx->scratch, bspi_model_material, 1);
	const char *name = material_name(ctx, path);
	BSPI_TRY(material && name && bspi_open_vmt(ctx, name, &vmt, found));
	if (!*found) return true;
	*material = (bspi_model_material) {
		.name = name,
		.flags = bspi_sprite_flags(state),
		.pixels = BSPI_NO_BYTES,
		.palette = BSPI_NO_BYTES,
	};
	float picture[4] = { -1.0f / MIDDLE, 1.0f / MIDDLE, 1, 1 };
	const char *place = bspi_vmt_value(&vmt, "$spriteorigin");
	if (place && bspi_text_numbers(place, origin, 2) == 2) {
		picture[0] = -origin[0];
		picture[1] = origin[1];
	}
	reader.model.sized_by_picture = true;
	return bspi_put_sprite(&reader, turn_of(&vmt), picture) && bspi_set_materials(&reader, material, 1) &&
	       bspi_check_model(&reader, out);
}
