/* cube_sides.c - finds the six images of a sky box. They may be files named after the sides of the box. They may also
 * be named after the faces of an OpenGL cube map, whose images are turned. Or they are six faces in one KTX file
 * (QFusion's r_image.c R_FindImage). */
#include "materials/shader/shader.h"

#include "images/images.h"

/* How the image of a face of a cube map becomes the image of a side of the box. It is transposed first, then
 * mirrored. */
enum { MIRRORED = 1, UPSIDE_DOWN = 2, TRANSPOSED = 4 };
static const struct face {
	const char *name;
	uint8_t turn, number;              /* `number`: index of the face in a KTX file */
} faces[6] = {
	{ "px", TRANSPOSED, 0 }, { "py", UPSIDE_DOWN, 2 }, { "nx", TRANSPOSED | MIRRORED | UPSIDE_DOWN, 1 },
	{ "ny", MIRRORED, 3 },   { "pz", TRANSPOSED, 4 },  { "nz", TRANSPOSED, 5 },
};

static void turn_picture(const bspscene_pixels *in, uint8_t turn, bspscene_pixels *out)
{
	for (uint32_t y = 0; y < out->height; y++) {
		for (uint32_t x = 0; x < out->width; x++) {
			uint32_t column = turn & MIRRORED ? out->width - 1 - x : x;
			uint32_t row = turn & UPSIDE_DOWN ? out->height - 1 - y : y;
			size_t from = turn & TRANSPOSED ? (size_t)column * in->width + row : (size_t)row * in->width + column;
			memcpy(out->data + 4 * ((size_t)y * out->width + x), in->data + 4 * from, 4);
		}
	}
}

static bool add_turned(bspi_materials *m, const char *name, const bspscene_pixels *in, uint8_t turn, uint32_t *index)
{
	bool across = turn & TRANSPOSED;
	bspscene_pixels out = { .width = across ? in->height : in->width, .height = across ? in->width : in->height };
	out.data = bspi_push(m->ctx, &m->ctx->scratch, uint8_t, (size_t)out.width * out.height * 4);
	BSPI_TRY(out.data);
	turn_picture(in, turn, &out);
	return bspi_add_made_picture(m, name, &out, index);
}

/* Replaces the image *index by a copy that is turned as face->turn says. Leaves *index unchanged if the image cannot
 * be decoded, or if its pixels are not loaded. */
static bool turn_image(bspi_materials *m, const struct face *face, uint32_t *index)
{
	const bspscene_image *image = &m->images[*index];
	bspscene_pixels picture = { 0 };
	const char *name = bspi_text_format(m->ctx, &m->ctx->result, "%s_turned", image->name);
	BSPI_TRY(name);
	if (!image->data || bspi_find_made_picture(m, name, index)) return true;
	bool decoded, done = bspi_decode_for_making(m, *index, &picture, &decoded);
	if (done && decoded) done = add_turned(m, name, &picture, face->turn, index);
	bspi_pixels_give(&m->ctx->budget, &picture);
	return done;
}

/* Finds the images whose names are `stem` and each of the six suffixes. Unless all six exist, box[0] stays
 * NO_INDEX. */
static bool find_six(bspi_materials *m, const char *stem, bool as_faces, uint32_t box[6])
{
	uint32_t found[6];
	for (int i = 0; i < 6; i++) {
		const char *end = as_faces ? faces[i].name : bspi_box_suffixes[i];
		const char *name = bspi_text_format(m->ctx, &m->ctx->scratch, "%s%s", stem, end);
		BSPI_TRY(name && bspi_try_image(m, name, &found[i]));
		if (found[i] == BSPSCENE_NO_INDEX) return true;
	}
	for (int i = 0; as_faces && i < 6; i++) BSPI_TRY(turn_image(m, &faces[i], &found[i]));
	memcpy(box, found, sizeof found);
	return true;
}

bool bspi_find_cube_faces(bspi_materials *m, const char *stem, uint32_t box[6])
{
	box[0] = BSPSCENE_NO_INDEX;
	return find_six(m, stem, true, box);
}

/* Decodes one face of a KTX cube map. `room` is memory for the decoder, with as many bytes as the file. *index is left
 * unchanged if this fails. */
static bool find_ktx_face(bspi_materials *m, uint32_t file, const struct face *face, uint8_t *room, uint32_t *index)
{
	const bspscene_image *image = &m->images[file];
	bspscene_pixels picture = { 0 };
	bspscene_error why;
	bspi_bytes alone;
	const char *name = bspi_text_format(m->ctx, &m->ctx->result, "%s_%s_turned", image->name, face->name);
	BSPI_TRY(name);
	if (bspi_find_made_picture(m, name, index)) return true;
	if (!bspi_ktx_face(bspi_bytes_of(image->data, image->size), face->number, room, &alone)) return true;
	bool decoded = bspi_bytes_decode_within(&m->ctx->budget, BSPSCENE_IMAGE_KTX, alone, &picture, &why);
	bool done = decoded ? add_turned(m, name, &picture, face->turn, index)
	                    : !m->ctx->budget.refused || bspi_fail_memory(m->ctx);
	bspi_pixels_give(&m->ctx->budget, &picture);
	return done;
}

static bool find_in_ktx(bspi_materials *m, const char *name, uint32_t box[6])
{
	uint32_t file, found[6];
	BSPI_TRY(bspi_try_image(m, name, &file));
	if (file == BSPSCENE_NO_INDEX || m->images[file].format != BSPSCENE_IMAGE_KTX || !m->images[file].data) return true;
	uint8_t *room = bspi_push(m->ctx, &m->ctx->scratch, uint8_t, m->images[file].size);
	BSPI_TRY(room);
	for (int i = 0; i < 6; i++) {
		found[i] = BSPSCENE_NO_INDEX;
		BSPI_TRY(find_ktx_face(m, file, &faces[i], room, &found[i]));
		if (found[i] != BSPSCENE_NO_INDEX) continue;
		return bspi_warn(m->ctx, BSPSCENE_WARNING_IMAGE_BAD, BSPI_LUMP("textures"),
		                 "%s does not have the six faces of a cube map", m->images[file].path);
	}
	memcpy(box, found, sizeof found);
	return true;
}

bool bspi_find_cube_map(bspi_materials *m, const char *name, uint32_t box[6])
{
	const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
	const char *plain =
		bspi_text_format(m->ctx, &m->ctx->scratch, "%.*s", (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name);
	const char *stem = plain ? bspi_text_format(m->ctx, &m->ctx->scratch, "%s_", plain) : NULL;
	box[0] = BSPSCENE_NO_INDEX;
	BSPI_TRY(stem && find_six(m, stem, true, box));
	if (box[0] == BSPSCENE_NO_INDEX) BSPI_TRY(find_six(m, stem, false, box));
	if (box[0] == BSPSCENE_NO_INDEX) BSPI_TRY(find_in_ktx(m, plain, box));
	if (box[0] != BSPSCENE_NO_INDEX) return true;
	BSPI_TRY(bspi_find_image(m, plain, "no cube map was found, as six images (_px or _rt and so on) or as one ktx",
	                         &box[0]));
	for (int i = 1; i < 6; i++) box[i] = box[0];
	return true;
}
