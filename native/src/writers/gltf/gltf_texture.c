/* gltf_texture.c - makes textures, samplers and pictures. Only pictures that a material uses are made, all of them at
 * once in several threads. All missing images share one checkerboard, but pictures with just a fallback color keep the
 * name of their image. */
#include "writers/gltf/gltf_tone.h"

#include <stdio.h>
#include <string.h>

#include "writers/largest_first.h"

#define FILTER_LINEAR 9729
#define FILTER_TRILINEAR 9987
#define WRAP_CLAMP 33071
#define WRAP_REPEAT 10497

/* Each image has a list of pictures for each of its uses (bspi_picture_use). The pictures of a list differ in their
 * gains. */
#define SLOTS BSPI_PICTURE_USE_COUNT

static json_t *sampler_object(bspi_gltf *gltf, bspi_gltf_sampler kind)
{
	json_t *sampler = json_object();
	int wrap = kind == BSPI_GLTF_REPEAT ? WRAP_REPEAT : WRAP_CLAMP;
	/* Lightmap pages have no mipmaps, because mipmaps would mix neighboring rectangles. Skies have none, because
	 * mipmaps would mix colors at the edges. */
	bspi_gltf_set(gltf, sampler, "magFilter", json_integer(FILTER_LINEAR));
	bspi_gltf_set(gltf, sampler, "minFilter",
	              json_integer(kind == BSPI_GLTF_LIGHTMAP ? FILTER_LINEAR : FILTER_TRILINEAR));
	bspi_gltf_set(gltf, sampler, "wrapS", json_integer(wrap));
	bspi_gltf_set(gltf, sampler, "wrapT", json_integer(wrap));
	return sampler;
}

static uint32_t find_texture(bspi_gltf *gltf, uint32_t picture, bspi_gltf_sampler kind)
{
	uint32_t *number = &gltf->pictures[picture].textures[kind], *sampler = &gltf->sampler_numbers[kind];
	if (*number != BSPSCENE_NO_INDEX) return *number;
	if (*sampler == BSPSCENE_NO_INDEX) {
		*sampler = (uint32_t)json_array_size(gltf->samplers);
		bspi_gltf_append(gltf, gltf->samplers, sampler_object(gltf, kind));
	}
	json_t *texture = json_object();
	bspi_gltf_set(gltf, texture, "sampler", json_integer(*sampler));
	*number = (uint32_t)json_array_size(gltf->textures);
	bspi_gltf_append(gltf, gltf->textures, texture);
	return *number;
}

/* Makes a texture refer to its picture. The picture must be encoded, because its format matters. */
static void set_source(bspi_gltf *gltf, uint32_t picture, json_t *texture)
{
	if (strcmp(gltf->pictures[picture].picture.mime, "image/webp")) {
		bspi_gltf_set(gltf, texture, "source", json_integer(picture));
		return;
	}
	json_t *extension = json_object(), *extensions = json_object();
	bspi_gltf_set(gltf, extension, "source", json_integer(picture));
	bspi_gltf_set(gltf, extensions, "EXT_texture_webp", extension);
	bspi_gltf_set(gltf, texture, "extensions", extensions);
	gltf->extensions |= BSPI_GLTF_WEBP;
}

/* Allocates room for the largest possible number of pictures. */
static bool reserve(bspi_gltf *gltf)
{
	if (gltf->pictures) return true;
	const bspscene_scene *scene = gltf->scene;
	size_t count = (size_t)scene->image_count * SLOTS + scene->lightmap_page_count + 1;
	size_t made = BSPSCENE_CUBE_SIDES + 1;
	size_t brightened = (size_t)scene->material_count * (BSPI_GLTF_MOST_LEVELS - 1);
	gltf->pictures = bspi_writer_push(gltf->writer, bspi_gltf_image, count + brightened + made);
	gltf->image_numbers = bspi_writer_push(gltf->writer, uint32_t, count);
	BSPI_TRY(gltf->pictures && gltf->image_numbers);
	for (size_t i = 0; i < count; i++) gltf->image_numbers[i] = BSPSCENE_NO_INDEX;
	return true;
}

static void add_picture(bspi_gltf *gltf, const char *name, bspi_gltf_image image, uint32_t *number)
{
	image.next = BSPSCENE_NO_INDEX;
	for (int i = 0; i < BSPI_GLTF_SAMPLER_COUNT; i++) image.textures[i] = BSPSCENE_NO_INDEX;
	gltf->pictures[gltf->picture_count] = image;
	*number = gltf->picture_count++;

	json_t *object = json_object();
	bspi_gltf_set(gltf, object, "name", json_string(name));
	bspi_gltf_append(gltf, gltf->images, object);
}

bool bspi_gltf_image_texture(bspi_gltf *gltf, uint32_t image, bspi_picture_use use, const float gains[3], bool clamp,
                             uint32_t *out)
{
	const bspscene_scene *scene = gltf->scene;
	const bspscene_image *source = scene->images[image];
	bool missing = source->format == BSPSCENE_IMAGE_MISSING, shared = missing && source->is_checkerboard;
	*out = BSPSCENE_NO_INDEX;
	if (!missing && !source->data) return true;
	BSPI_TRY(reserve(gltf));

	static const float as_it_is[3] = { 1, 1, 1 };
	const float *factors = gains ? gains : as_it_is;
	use = bspi_picture_use_of(source, use);
	size_t slot =
		shared ? (size_t)scene->image_count * SLOTS + scene->lightmap_page_count : (size_t)image * SLOTS + use;
	uint32_t *number = &gltf->image_numbers[slot];
	while (*number != BSPSCENE_NO_INDEX && memcmp(gltf->pictures[*number].gains, factors, sizeof as_it_is)) {
		number = &gltf->pictures[*number].next;
	}
	if (*number == BSPSCENE_NO_INDEX) {
		bspi_gltf_image made = { .image = image, .page = BSPSCENE_NO_INDEX, .use = use, .peak = 1 };
		memcpy(made.gains, factors, sizeof as_it_is);
		made.changed = gains != NULL;
		add_picture(gltf, shared ? "missing" : source->name, made, number);
	}
	*out = find_texture(gltf, *number, clamp ? BSPI_GLTF_CLAMP : BSPI_GLTF_REPEAT);
	return true;
}

bool bspi_gltf_page_texture(bspi_gltf *gltf, uint32_t page, uint32_t *out, float *peak)
{
	const bspscene_scene *scene = gltf->scene;
	BSPI_TRY(reserve(gltf));
	uint32_t *number = &gltf->image_numbers[(size_t)scene->image_count * SLOTS + page];
	if (*number == BSPSCENE_NO_INDEX) {
		char name[32];
		bspi_gltf_image made = { .image = BSPSCENE_NO_INDEX, .page = page };
		made.peak = bspi_peak_of_page(&scene->lightmap_sets[0].pages[page]);
		snprintf(name, sizeof name, "lightmap_%u", page);
		add_picture(gltf, name, made, number);
	}
	*out = find_texture(gltf, *number, BSPI_GLTF_LIGHTMAP);
	*peak = gltf->pictures[*number].peak;
	return true;
}

bool bspi_gltf_made_texture(bspi_gltf *gltf, const char *name, const bspi_picture *picture, bspi_gltf_sampler sampler,
                            uint32_t *out)
{
	uint32_t number;
	BSPI_TRY(reserve(gltf));
	bspi_gltf_image made = { .image = BSPSCENE_NO_INDEX, .page = BSPSCENE_NO_INDEX, .picture = *picture, .peak = 1 };
	add_picture(gltf, name, made, &number);
	*out = find_texture(gltf, number, sampler);
	return true;
}

/* Converts a file name to a URI (RFC 3986): all but unreserved characters become %XX. These names have no
 * directories. */
json_t *bspi_gltf_uri(bspi_gltf *gltf, const char *name)
{
	char *text = bspi_writer_push(gltf->writer, char, 3 * strlen(name) + 1), *out = text;
	if (!text) return NULL;
	for (const char *p = name; *p; p++) {
		unsigned char c = (unsigned char)*p;
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-._~", c);
		if (plain) *out++ = *p;
		else out += snprintf(out, 4, "%%%02X", c);
	}
	return json_string(text);
}

static void place_in_binary(bspi_gltf *gltf, bspi_gltf_image *image, json_t *object)
{
	json_t *view = json_object();
	bspi_gltf_set(gltf, view, "buffer", json_integer(0));
	bspi_gltf_set(gltf, view, "byteOffset", json_integer((json_int_t)gltf->binary_size));
	bspi_gltf_set(gltf, view, "byteLength", json_integer((json_int_t)image->picture.size));
	bspi_gltf_set(gltf, object, "bufferView", json_integer((json_int_t)json_array_size(gltf->buffer_views)));
	bspi_gltf_set(gltf, object, "mimeType", json_string(image->picture.mime));
	bspi_gltf_append(gltf, gltf->buffer_views, view);
	gltf->binary_size += bspi_gltf_align(image->picture.size);
}

/* True if the writer generated the picture: a side of the sky, or the baked picture. */
static bool is_made(const bspi_gltf_image *image)
{
	return image->page == BSPSCENE_NO_INDEX && image->image == BSPSCENE_NO_INDEX;
}

static double cost_of(const bspi_gltf *gltf, const bspi_gltf_image *image)
{
	bool is_page = image->page != BSPSCENE_NO_INDEX;
	if (is_made(image)) return 0;
	return is_page ? bspi_cost_of_page(gltf->writer, &gltf->scene->lightmap_sets[0].pages[image->page])
	               : bspi_cost_of_picture(gltf->writer, gltf->scene->images[image->image], image->changed);
}

static bool make_picture(void *user, bspi_task *task)
{
	bspi_gltf *gltf = user;
	bspi_gltf_image *image = &gltf->pictures[task->index];
	if (is_made(image)) return true;
	if (image->page != BSPSCENE_NO_INDEX) {
		const bspscene_lightmap_page *page = &gltf->scene->lightmap_sets[0].pages[image->page];
		return bspi_picture_make_page(gltf->writer, page, image->peak, &image->picture, &task->error);
	}
	return bspi_picture_make(gltf->writer, gltf->scene->images[image->image], image->use,
	                         image->changed ? image->gains : NULL, &image->picture, &task->error);
}

static bool report_picture(void *user, bspi_task *task)
{
	const bspi_gltf *gltf = user;
	return bspi_writer_worked(gltf->writer, "textures", cost_of(gltf, &gltf->pictures[task->index]));
}

static void drop_picture(void *user, bspi_task *task)
{
	bspi_picture_free(&((bspi_gltf *)user)->pictures[task->index].picture);
}

static bool make_all(bspi_gltf *gltf)
{
	double *costs = bspi_writer_push(gltf->writer, double, gltf->picture_count);
	BSPI_TRY(costs);
	for (uint32_t i = 0; i < gltf->picture_count; i++) costs[i] = cost_of(gltf, &gltf->pictures[i]);
	const bspi_job job = { .count = gltf->picture_count, .work = make_picture, .finish = report_picture,
	                       .drop = drop_picture, .user = gltf,
	                       .order = bspi_largest_first(gltf->writer, costs, gltf->picture_count) };
	return job.order && bspi_run_writer_job(gltf->writer, &job);
}

static bool make_pictures(bspi_gltf *gltf)
{
	BSPI_TRY(make_all(gltf));
	for (uint32_t i = 0; i < gltf->picture_count; i++) {
		for (int k = 0; k < BSPI_GLTF_SAMPLER_COUNT; k++) {
			uint32_t texture = gltf->pictures[i].textures[k];
			if (texture != BSPSCENE_NO_INDEX) set_source(gltf, i, json_array_get(gltf->textures, texture));
		}
	}
	return true;
}

bool bspi_gltf_place_pictures(bspi_gltf *gltf)
{
	bspi_names names;
	BSPI_TRY(make_pictures(gltf) && bspi_names_init(gltf->writer, &names, gltf->picture_count));
	for (uint32_t i = 0; i < gltf->picture_count; i++) {
		bspi_gltf_image *image = &gltf->pictures[i];
		json_t *object = json_array_get(gltf->images, i);
		if (gltf->binary) {
			place_in_binary(gltf, image, object);
			continue;
		}
		const char *words = json_string_value(json_object_get(object, "name"));
		image->file_name = bspi_picture_file_name(gltf->writer, &names, words ? words : "", i,
		                                          image->picture.extension);
		BSPI_TRY(image->file_name);
		bspi_gltf_set(gltf, object, "uri", bspi_gltf_uri(gltf, image->file_name));
	}
	return !gltf->writer->failure.status;
}

bool bspi_gltf_put_pictures(bspi_gltf *gltf)
{
	for (uint32_t i = 0; i < gltf->picture_count; i++) {
		const bspi_gltf_image *image = &gltf->pictures[i];
		if (!gltf->binary) BSPI_TRY(bspi_begin(gltf->writer, image->file_name));
		BSPI_TRY(bspi_put(gltf->writer, image->picture.data, image->picture.size));
		BSPI_TRY(gltf->binary ? bspi_gltf_put_padding(gltf, image->picture.size) : bspi_end(gltf->writer));
	}
	return true;
}

void bspi_gltf_free_pictures(bspi_gltf *gltf)
{
	for (uint32_t i = 0; i < gltf->picture_count; i++) bspi_picture_free(&gltf->pictures[i].picture);
}
