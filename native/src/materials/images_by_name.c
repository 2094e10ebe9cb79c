/* images_by_name.c - finds image files by name, and keeps each file once. Extensions are tried as in ioquake3
 * (tr_image.c R_LoadImage): first the name's own, then tga, jpg, jpeg, png, pcx, bmp. After these, dds, ktx and webp
 * are tried.
 *
 * Call of Duty's materials have complete names of .iwi files. Names in Source always have the extension vtf. Bloodlines
 * stores such a file in two parts, tth and ttz. Console versions add a prefix to the name. Replacement images may have
 * any of the extensions above. */
#include "materials/materials.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "images/images.h"
#include "io/io.h"
#include "materials/vtf/console_vtf.h"
#include "materials/vtf/tth.h"

static const struct { const char *ending; bspscene_image_format format; } kinds[] = {
	{ ".tga", BSPSCENE_IMAGE_TGA }, { ".jpg", BSPSCENE_IMAGE_JPEG }, { ".jpeg", BSPSCENE_IMAGE_JPEG },
	{ ".png", BSPSCENE_IMAGE_PNG }, { ".pcx", BSPSCENE_IMAGE_PCX }, { ".bmp", BSPSCENE_IMAGE_BMP },
	{ ".dds", BSPSCENE_IMAGE_DDS }, { ".ktx", BSPSCENE_IMAGE_KTX }, { ".webp", BSPSCENE_IMAGE_WEBP },
	{ ".iwi", BSPSCENE_IMAGE_IWI },
	{ ".vtf", BSPSCENE_IMAGE_VTF }, { ".tth", BSPSCENE_IMAGE_VTF }, { ".360.vtf", BSPSCENE_IMAGE_VTF },
	{ ".ps3.vtf", BSPSCENE_IMAGE_VTF },
};
#define KIND_COUNT (sizeof kinds / sizeof *kinds)
enum { KIND_IWI = 9, KIND_VTF = 10, KIND_TTH = 11 };
#define TRIED "tga, jpg, jpeg, png, pcx, bmp, dds, ktx, webp"

/* An entry of the cache of images, which is sorted by name. The name is that of an image, or the path of a file. A path
 * can be told from a name by its extension. */
struct bspi_image_name {
	const char *name;                  /* in lower case, with '/' */
	uint32_t image;                    /* NO_INDEX: there is no such file */
};

/* Returns the index of `name` in the sorted cache, or the index at which to insert it. */
static uint32_t place_of(const bspi_materials *m, const char *name, bool *found)
{
	uint32_t low = 0, high = m->image_name_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (strcmp(m->image_names[middle].name, name) < 0) low = middle + 1;
		else high = middle;
	}
	*found = low < m->image_name_count && !strcmp(m->image_names[low].name, name);
	return low;
}

static bool remember(bspi_materials *m, const char *name, uint32_t image)
{
	bool found;
	uint32_t at = place_of(m, name, &found);
	if (found) {
		m->image_names[at].image = image;
		return true;
	}
	const char *kept = bspi_text_format(m->ctx, &m->ctx->scratch, "%s", name);
	BSPI_TRY(kept);
	BSPI_TRY(bspi_reserve(m->ctx, (void **)&m->image_names, m->image_name_count, &m->image_name_capacity,
	                      sizeof *m->image_names));
	memmove(m->image_names + at + 1, m->image_names + at, (m->image_name_count - at) * sizeof *m->image_names);
	m->image_names[at] = (bspi_image_name){ kept, image };
	m->image_name_count++;
	return true;
}

bool bspi_add_image(bspi_materials *m, const bspscene_image *image, uint32_t *index)
{
	BSPI_TRY(bspi_reserve(m->ctx, (void **)&m->images, m->image_count, &m->image_capacity, sizeof *image));
	*index = m->image_count;
	m->images[m->image_count++] = *image;
	return true;
}

static bool warn_bad(bspi_ctx *ctx, const bspi_sibling *file, const char *why)
{
	const char *from = *file->archive ? file->archive : "in the map";
	return bspi_warn(ctx, BSPSCENE_WARNING_IMAGE_BAD, BSPI_LUMP("textures"), "%s (%s): %s", file->path, from, why);
}

/* True if the decoded pixels of an image take at most half of the memory limit. Hosts decode images and keep the
 * pixels, some with mipmaps. */
static bool may_be_unpacked(const bspi_ctx *ctx, const bspscene_image *image)
{
	return bspscene_image_decode_size(image, BSPI_LARGEST_IMAGE) <= ctx->budget.limit / 2;
}

static bool warn_too_large(bspi_ctx *ctx, const bspi_sibling *file, const bspscene_image *image)
{
	char why[128];
	snprintf(why, sizeof why, "%" PRIu32 " x %" PRIu32 " pixels take more than half of the memory limit of %" PRIu64
	         " MiB", image->width, image->height, ctx->budget.limit >> 20);
	return warn_bad(ctx, file, why);
}

/* Fills in the image from the file's header. The format stays MISSING if the content is not an image, or is damaged.
 * Formats that we cannot decode are kept, because hosts may be able to decode them. */
static bool describe(bspi_ctx *ctx, const bspi_sibling *file, bspscene_image *image)
{
	bspi_image_info info;
	bspscene_error why = { 0 };
	if (!bspi_image_check(file->bytes, &info, &why) && why.status != BSPSCENE_ERROR_UNSUPPORTED_FORMAT) {
		return warn_bad(ctx, file, why.message);
	}
	if (!info.width || !info.height || info.width > BSPI_LARGEST_IMAGE || info.height > BSPI_LARGEST_IMAGE) {
		return warn_bad(ctx, file, "its size is not possible");
	}
	image->format = info.format;
	image->width = info.width;
	image->height = info.height;
	image->has_alpha = info.has_alpha;
	image->data = file->bytes.data;
	image->size = file->bytes.size;
	if (!may_be_unpacked(ctx, image)) {
		image->format = BSPSCENE_IMAGE_MISSING;
		return warn_too_large(ctx, file, image);
	}
	return !info.damaged || warn_bad(ctx, file, "the file ends early: the missing part is gray");
}

/* Adds the image of a file that was found. If the file is not an image, *index stays NO_INDEX. */
static bool take_file(bspi_materials *m, const char *name, size_t kind, const bspi_sibling *file, uint32_t *index)
{
	bspi_ctx *ctx = m->ctx;
	bspscene_image image = { .path = file->path, .archive = file->archive };
	bool known;
	char folded[BSPI_PATH_SIZE];
	if (!bspi_text_path(file->path, true, folded, sizeof folded)) return true;
	uint32_t at = place_of(m, folded, &known);
	if (known) {
		*index = m->image_names[at].image;
		return true;
	}
	if (ctx->options.textures == BSPSCENE_TEXTURES_NAMES) image.format = kinds[kind].format;
	else BSPI_TRY(describe(ctx, file, &image));
	if (image.format == BSPSCENE_IMAGE_MISSING) return true;
	image.name = bspi_text_keep(ctx, name);
	BSPI_TRY(image.name && bspi_add_image(m, &image, index));
	return remember(m, folded, *index);
}

/* Joins the two parts of a Bloodlines texture to a VTF. *whole tells if the parts fit together. */
static bool join_parts(bspi_ctx *ctx, const char *stem, bspi_sibling *head, bool *whole)
{
	bspi_sibling rest = { .bytes = BSPI_NO_BYTES };
	const char *path = bspi_text_format(ctx, &ctx->scratch, "%s.ttz", stem), *why = NULL;
	BSPI_TRY(path);
	if (!bspi_open_sibling(ctx, &ctx->scratch, path, BSPSCENE_FILE_TEXTURE, &rest) && ctx->error.status) return false;
	*whole = bspi_join_tth(ctx, head->bytes, rest.bytes, &head->bytes, &why);
	return !ctx->error.status && (*whole || warn_bad(ctx, head, why));
}

/* Copies the file's bytes to the result arena. */
static bool keep_bytes(bspi_ctx *ctx, bspi_sibling *file)
{
	uint8_t *copy = bspi_push_unset(ctx, &ctx->result, file->bytes.size, 1);
	BSPI_TRY(copy);
	if (file->bytes.size) memcpy(copy, file->bytes.data, file->bytes.size);
	file->bytes.data = copy;
	return true;
}

/* Converts a texture of a console to the PC's format. *whole tells if this succeeded. The content decides whether a
 * file is such a texture, because its extension does not tell. */
static bool turn_console(bspi_ctx *ctx, size_t kind, bspi_sibling *file, bool *whole)
{
	const char *why;
	if (!bspi_is_console_vtf(file->bytes)) return kind <= KIND_TTH || keep_bytes(ctx, file);
	*whole = bspi_turn_console_vtf(ctx, file->bytes, &file->bytes, &why);
	return !ctx->error.status && (*whole || !why || warn_bad(ctx, file, why));
}

/* Tries a name with one extension. `stem` is the name without any known extension. */
static bool try_kind(bspi_materials *m, const char *stem, size_t kind, uint32_t *index)
{
	bspi_ctx *ctx = m->ctx;
	bspi_sibling file;
	bool names_only = ctx->options.textures == BSPSCENE_TEXTURES_NAMES, whole = true;
	const char *path = bspi_text_format(ctx, &ctx->scratch, "%s%s", stem, kinds[kind].ending);
	BSPI_TRY(path);
	/* files of these kinds are converted, so the originals are needed only for a short time */
	bspi_arena *arena = kind >= KIND_TTH ? &ctx->scratch : &ctx->result;
	bool found = names_only ? bspi_find_sibling(ctx, path, BSPSCENE_FILE_TEXTURE, &file)
	                        : bspi_open_sibling(ctx, arena, path, BSPSCENE_FILE_TEXTURE, &file);
	if (ctx->error.status) return false;
	if (found && kind == KIND_TTH && !names_only) BSPI_TRY(join_parts(ctx, stem, &file, &whole));
	if (found && kind >= KIND_VTF && whole && !names_only) BSPI_TRY(turn_console(ctx, kind, &file, &whole));
	return !found || !whole || take_file(m, stem, kind, &file, index);
}

static bool look_up(bspi_materials *m, const char *name, uint32_t *index)
{
	size_t first = KIND_COUNT;
	char stem[BSPI_PATH_SIZE];
	if (!bspi_text_path(name, false, stem, sizeof stem)) {
		return bspi_warn(m->ctx, BSPSCENE_WARNING_NAME_UNSAFE, BSPI_LUMP("textures"),
		                 "\"%.100s\" is not a path inside the game: the texture is left out", name);
	}
	for (size_t i = 0; i < KIND_COUNT && first == KIND_COUNT; i++) {
		if (bspi_text_ends(stem, kinds[i].ending)) first = i;
	}
	if (first < KIND_COUNT) {
		stem[strlen(stem) - strlen(kinds[first].ending)] = 0;
		BSPI_TRY(try_kind(m, stem, first, index));
	}
	for (size_t i = KIND_TTH; first == KIND_VTF && i < KIND_COUNT && *index == BSPSCENE_NO_INDEX; i++) {
		BSPI_TRY(try_kind(m, stem, i, index));
	}
	for (size_t i = 0; i < KIND_IWI && *index == BSPSCENE_NO_INDEX; i++) {
		if (i != first) BSPI_TRY(try_kind(m, stem, i, index));
	}
	return true;
}

bool bspi_try_image(bspi_materials *m, const char *name, uint32_t *index)
{
	char folded[BSPI_PATH_SIZE];
	bool known = false;
	*index = BSPSCENE_NO_INDEX;
	if (m->ctx->options.textures == BSPSCENE_TEXTURES_NONE || !m->ctx->options.open_file) return true;
	bool safe = bspi_text_path(name, true, folded, sizeof folded);
	uint32_t at = safe ? place_of(m, folded, &known) : 0;
	if (known) {
		*index = m->image_names[at].image;
		return true;
	}
	if (m->image_name_count >= BSPI_MAX_IMAGES) {
		return bspi_warn(m->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("textures"),
		                 "the map uses more than %u images: the others are left out", BSPI_MAX_IMAGES);
	}
	BSPI_TRY(look_up(m, name, index));
	return !safe || remember(m, folded, *index);
}

bool bspi_try_normal_map(bspi_materials *m, const char *name, uint32_t *index)
{
	*index = BSPSCENE_NO_INDEX;
	return m->ctx->options.skip_normal_maps || bspi_try_image(m, name, index);
}

/* Finds another frame or face in the file of an image. Frames and faces are cached too, under names that cannot be
 * paths. */
static bool find_other(bspi_materials *m, uint32_t image, const char *what, bspi_wanted wanted, uint32_t *index)
{
	char key[48];
	bool known;
	uint32_t number = wanted.face ? wanted.face : wanted.frame;
	*index = image;
	if (!number) return true;
	snprintf(key, sizeof key, "\2%" PRIu32 " %s%" PRIu32, image, what, number);
	uint32_t at = place_of(m, key, &known);
	if (known) {
		*index = m->image_names[at].image;
		return true;
	}
	if (m->image_name_count >= BSPI_MAX_IMAGES) {
		return bspi_warn(m->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("textures"),
		                 "the map uses more than %u images: the others are left out", BSPI_MAX_IMAGES);
	}
	bspscene_image other = m->images[image];
	other.frame = wanted.frame;
	other.cube_face = wanted.face;
	other.name = bspi_text_format(m->ctx, &m->ctx->result, "%s_%s%" PRIu32, m->images[image].name, what, number);
	return other.name && bspi_add_image(m, &other, index) && remember(m, key, *index);
}

bool bspi_find_frame(bspi_materials *m, uint32_t image, uint32_t frame, uint32_t *index)
{
	return find_other(m, image, "frame", (bspi_wanted){ .frame = frame }, index);
}

bool bspi_add_cube(bspi_materials *m, uint32_t image, uint32_t *first_frame)
{
	const bspscene_image *file = &m->images[image];
	*first_frame = BSPSCENE_NO_INDEX;
	if (file->format != BSPSCENE_IMAGE_VTF || !file->data) return true;
	if (!bspi_vtf_is_cube(bspi_bytes_of(file->data, file->size))) {
		return bspi_warn(m->ctx, BSPSCENE_WARNING_IMAGE_BAD, BSPI_LUMP("textures"),
		                 "%s does not have the six faces of a cube map", file->path);
	}
	uint32_t at = m->frame_count;
	for (uint32_t face = 0; face < BSPSCENE_CUBE_SIDES; face++) {
		uint32_t index;
		BSPI_TRY(find_other(m, image, "face", (bspi_wanted){ .face = face }, &index) && bspi_add_frame(m, index));
	}
	*first_frame = at;
	return true;
}

/* True if the image exists as a CRN file. Unvanquished has most textures in this format. No packaged library decodes
 * it. */
static bool is_crn(bspi_materials *m, const char *name)
{
	char stem[BSPI_PATH_SIZE];
	bspi_sibling file;
	if (!m->ctx->options.open_file || !bspi_text_path(name, true, stem, sizeof stem)) return false;
	for (size_t i = 0; i < KIND_COUNT; i++) {
		if (bspi_text_ends(stem, kinds[i].ending)) stem[strlen(stem) - strlen(kinds[i].ending)] = 0;
	}
	const char *path = bspi_text_format(m->ctx, &m->ctx->scratch, "%s.crn", stem);
	return path && bspi_find_sibling(m->ctx, path, BSPSCENE_FILE_TEXTURE, &file);
}

/* Adds an image with the format MISSING for each name, to keep the name. When there are too many images, all further
 * names share one image. */
static bool add_missing(bspi_materials *m, const char *name, const char *what, uint32_t *index)
{
	char key[BSPI_PATH_SIZE + 1] = "\1"; /* paths have no control characters */
	bool known, full = m->image_name_count >= BSPI_MAX_IMAGES;
	if (!full) bspi_text_path(name, true, key + 1, BSPI_PATH_SIZE);
	uint32_t at = place_of(m, key, &known);
	if (known) {
		*index = m->image_names[at].image;
		return true;
	}
	bspscene_image image = { .name = bspi_text_keep(m->ctx, name), .path = "", .archive = "" };
	BSPI_TRY(image.name && bspi_add_image(m, &image, index) && remember(m, key, *index));
	const char *tried = bspi_text_ends(name, kinds[KIND_VTF].ending) ? "tried vtf, tth, " TRIED : "tried " TRIED;
	if (!m->ctx->options.open_file) tried = "there are no game files to search";
	if (is_crn(m, name)) tried = "it exists only as crn, which is not supported";
	BSPI_TRY(!m->ctx->error.status);
	return bspi_warn(m->ctx, BSPSCENE_WARNING_TEXTURE_MISSING, BSPI_LUMP("textures"), "%.100s: %s (%s)", name, what,
	                 tried);
}

bool bspi_find_image(bspi_materials *m, const char *name, const char *what, uint32_t *index)
{
	BSPI_TRY(bspi_try_image(m, name, index));
	if (*index != BSPSCENE_NO_INDEX || m->ctx->options.textures == BSPSCENE_TEXTURES_NONE) return true;
	return add_missing(m, name, what, index);
}
