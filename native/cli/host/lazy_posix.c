/* lazy_posix.c - loads the renderer and Assimp when the first of their functions is called, because loading them takes
 * most of the time of a command that needs neither. This file defines functions with the names of the libraries' own,
 * so that callers do not notice. It is not compiled where the libraries are linked (Windows, macOS, self-contained
 * programs). A function that can fail reports a library that cannot be loaded. */
#include "cli/host/lazy.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <bspscene/bspscene.h>

static bspscene_error failure;

const char *cli_lazy_failure(void)
{
	return *failure.message ? failure.message : NULL;
}

/* Records the loader's message, unless it says that the library is not installed. A missing library is not an error,
 * because the program only lacks that feature. Only the message distinguishes the two cases. */
static void note_failure(const char *why)
{
	if (*failure.message || !why || strstr(why, strerror(ENOENT))) return;
	snprintf(failure.message, sizeof failure.message, "%s", why);
	bspscene_sanitize_text(failure.message);
}

/* Loads the library and returns the address of the function. Returns NULL and sets *error on failure. `error` may be
 * NULL. */
static void *find(const char *library, const char *name, bspscene_error *error)
{
	void *loaded = dlopen(library, RTLD_LAZY | RTLD_LOCAL), *found = loaded ? dlsym(loaded, name) : NULL;
	if (found) return found;
	const char *why = dlerror();
	note_failure(why);
	if (!error) return NULL;
	*error = (bspscene_error){ .status = BSPSCENE_ERROR_NOT_FOUND, .record = BSPSCENE_NO_INDEX, .offset = UINT64_MAX };
	snprintf(error->message, sizeof error->message, "%s", why ? why : library);
	bspscene_sanitize_text(error->message);
	return NULL;
}

/* Declares `known`: a pointer to the library's function, or NULL if it cannot be loaded. memcpy copies the address,
 * because C cannot convert the data pointer from dlsym to a function pointer. */
#define FIND(library, function, error) \
	void *address = find((library), #function, (error)); \
	__typeof__(&function) known = NULL; \
	if (address) memcpy(&known, &address, sizeof known)

#ifdef CLI_LAZY_RENDER

	#include <bspscene/render_binding.h>

bspscene_renderer *bspscene_renderer_create(const bspscene_scene *scene, const bspscene_render_options *options,
                                            bspscene_error *error)
{
	FIND(CLI_LAZY_RENDER, bspscene_renderer_create, error);
	return known ? known(scene, options, error) : NULL;
}

void bspscene_renderer_free(bspscene_renderer *renderer)
{
	if (!renderer) return;
	FIND(CLI_LAZY_RENDER, bspscene_renderer_free, NULL);
	if (known) known(renderer);
}

bool bspscene_render(const bspscene_renderer *renderer, const bspscene_view *view,
                     const bspscene_render_options *options, uint8_t *rgb, bspscene_error *error)
{
	FIND(CLI_LAZY_RENDER, bspscene_render, error);
	return known && known(renderer, view, options, rgb, error);
}

bool bspscene_render_distances(const bspscene_renderer *renderer, const bspscene_view *view,
                               const bspscene_render_options *options, float *distances, bspscene_error *error)
{
	FIND(CLI_LAZY_RENDER, bspscene_render_distances, error);
	return known && known(renderer, view, options, distances, error);
}

float bspscene_auto_expose(uint8_t *rgb, uint32_t width, uint32_t height, const float background[3], float factor)
{
	FIND(CLI_LAZY_RENDER, bspscene_auto_expose, NULL);
	return known ? known(rgb, width, height, background, factor) : 1;
}

bool bspscene_renderer_is_bare(const bspscene_renderer *renderer)
{
	FIND(CLI_LAZY_RENDER, bspscene_renderer_is_bare, NULL);
	return known && known(renderer);
}

bspscene_view bspscene_view_of_camera(const bspscene_scene *scene, uint32_t index)
{
	FIND(CLI_LAZY_RENDER, bspscene_view_of_camera, NULL);
	return known ? known(scene, index) : (bspscene_view){ .fov_degrees = 90 };
}

bool bspscene_view_of_entity(const bspscene_scene *scene, const char *classname, uint32_t number, bspscene_view *out)
{
	FIND(CLI_LAZY_RENDER, bspscene_view_of_entity, NULL);
	return known && known(scene, classname, number, out);
}

bspscene_view bspscene_view_overview(const bspscene_scene *scene, uint32_t width, uint32_t height)
{
	FIND(CLI_LAZY_RENDER, bspscene_view_overview, NULL);
	return known ? known(scene, width, height) : (bspscene_view){ .fov_degrees = 90 };
}

void bspscene_view_turn(const bspscene_scene *scene, uint32_t width, uint32_t height, uint32_t count,
                        bspscene_view *views)
{
	FIND(CLI_LAZY_RENDER, bspscene_view_turn, NULL);
	for (uint32_t i = 0; !known && i < count; i++) views[i] = (bspscene_view){ .fov_degrees = 90 };
	if (known) known(scene, width, height, count, views);
}

bspscene_view bspscene_view_plan(const bspscene_scene *scene, uint32_t width, uint32_t height, float *units_per_pixel)
{
	FIND(CLI_LAZY_RENDER, bspscene_view_plan, NULL);
	if (!known) *units_per_pixel = 1;
	return known ? known(scene, width, height, units_per_pixel) : (bspscene_view){ .fov_degrees = 90 };
}

#endif

#ifdef CLI_LAZY_ASSIMP

	#include <bspscene/assimp_export.h>

const char *bspscene_assimp_export_ending(uint32_t index)
{
	FIND(CLI_LAZY_ASSIMP, bspscene_assimp_export_ending, NULL);
	return known ? known(index) : NULL;
}

const char *bspscene_assimp_export_refusal(const char *ending)
{
	FIND(CLI_LAZY_ASSIMP, bspscene_assimp_export_refusal, NULL);
	return known ? known(ending) : NULL;
}

bool bspscene_assimp_export(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                            const bspscene_output *output, bspscene_error *error)
{
	FIND(CLI_LAZY_ASSIMP, bspscene_assimp_export, error);
	return known && known(scene, writer, options, output, error);
}

#endif
