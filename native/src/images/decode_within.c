/* decode_within.c - decodes pictures within a memory budget. The budget is charged before memory is allocated. */
#include "images/codecs.h"

/* Bytes of the checkerboard, which is the fallback of some images. */
#define MISSING_SIZE ((uint64_t)64 * 64 * 4)

typedef struct picture_cost {
	uint64_t pixels, working;          /* bytes of the decoded pixels, and of the decoder's own memory */
} picture_cost;

/* Returns how many bytes of memory are needed to decode a picture, or zeros if it cannot be decoded. */
static picture_cost cost_of_bytes(bspscene_image_format format, bspi_bytes bytes, uint32_t side)
{
	bspi_image_info info = { .format = format };
	picture_cost cost = { 0, 0 };
	bspscene_error why;
	const bspi_codec *codec = bspi_find_codec(format);
	bool good = codec && codec->probe(bytes, &info) && codec->check(bytes, &info, &why);
	if (!good) return cost;
	if (codec->working_size) cost.working = codec->working_size(bytes, side, &info);
	cost.pixels = (uint64_t)info.width * info.height * 4;
	return cost;
}

static picture_cost cost_of_image(const bspscene_image *image, uint32_t side)
{
	if (image->format == BSPSCENE_IMAGE_MISSING) return (picture_cost){ MISSING_SIZE, 0 };
	if (!image->data) return (picture_cost){ 0, 0 };
	if (image->format == BSPSCENE_IMAGE_RGBA) {
		return (picture_cost){ (uint64_t)image->width * image->height * 4, 0 };
	}
	return cost_of_bytes(image->format, bspi_bytes_of(image->data, image->size), side);
}

static bool refuse(const bspi_budget *budget, bspscene_error *error)
{
	char why[BSPI_REFUSAL_SIZE];
	bspscene_status status = bspi_describe_refusal(budget, why);
	return bspi_error_set(error, status, "%s", why);
}

/* Releases the memory that was charged, except that of the decoded pixels. */
static void keep_pixels(bspi_budget *budget, picture_cost cost, const bspscene_pixels *pixels)
{
	bspi_budget_give(budget, cost.working + cost.pixels - (uint64_t)pixels->width * pixels->height * 4);
}

bool bspi_bytes_decode_within(bspi_budget *budget, bspscene_image_format format, bspi_bytes bytes,
                              bspscene_pixels *out, bspscene_error *error)
{
	picture_cost cost = cost_of_bytes(format, bytes, BSPI_LARGEST_IMAGE);
	*out = (bspscene_pixels){ 0 };
	if (!bspi_budget_decode(budget, cost.pixels, cost.working)) return refuse(budget, error);
	bool decoded = bspi_image_decode(&budget->heap, format, bytes, out, error);
	keep_pixels(budget, cost, out);
	return decoded;
}

bool bspi_image_decode_within(bspi_budget *budget, const bspscene_image *image, bspscene_pixels *out,
                              bspscene_error *error)
{
	picture_cost cost = cost_of_image(image, BSPI_LARGEST_IMAGE);
	*out = (bspscene_pixels){ 0 };
	if (!bspi_budget_decode(budget, cost.pixels, cost.working)) return refuse(budget, error);
	bool decoded = bspi_scene_image_decode(&budget->heap, image, BSPI_LARGEST_IMAGE, out, error);
	keep_pixels(budget, cost, out);
	return decoded;
}

void bspi_pixels_give(bspi_budget *budget, bspscene_pixels *pixels)
{
	bspi_budget_give(budget, (uint64_t)pixels->width * pixels->height * 4);
	bspi_pixels_free(&budget->heap, pixels);
}

uint64_t bspscene_image_decode_size(const bspscene_image *image, uint32_t side)
{
	picture_cost cost = cost_of_image(image, side);
	return cost.pixels + cost.working;
}
