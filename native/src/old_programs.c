/* old_programs.c - what programs call that were compiled with the header of 0.1, when they meet this library in spite
 * of its soname (dlopen, static archives, systems without sonames). Their structs have another layout: nothing of them
 * is read or written but the error, which is the same in all layouts, and they are told so by their first load. */
#include <bspscene/common.h>

#include "base/caller_struct.h"

/* The old header's functions, under names that today's headers define inline. */
BSPSCENE_API void bspscene_load_options_init(void *options);
BSPSCENE_API void bspscene_write_options_init(void *options);
BSPSCENE_API void *bspscene_load_file(const char *path, const void *options, bspscene_error *error);
BSPSCENE_API void *bspscene_load_memory(const void *data, size_t size, const void *options, bspscene_error *error);
BSPSCENE_API void *bspscene_load_stream(const void *stream, const void *options, bspscene_error *error);
BSPSCENE_API const char *bspscene_probe(const void *head, size_t size);

#define OLD_LAYOUT 1

void bspscene_load_options_init(void *options)
{
	(void)options;
}

void bspscene_write_options_init(void *options)
{
	(void)options;
}

static void *refuse(bspscene_error *error)
{
	bspi_check_layout(OLD_LAYOUT, error);
	return NULL;
}

void *bspscene_load_file(const char *path, const void *options, bspscene_error *error)
{
	(void)path;
	(void)options;
	return refuse(error);
}

void *bspscene_load_memory(const void *data, size_t size, const void *options, bspscene_error *error)
{
	(void)data;
	(void)size;
	(void)options;
	return refuse(error);
}

/* The stream is not closed, as its struct is not known either. */
void *bspscene_load_stream(const void *stream, const void *options, bspscene_error *error)
{
	(void)stream;
	(void)options;
	return refuse(error);
}

/* The answer had no struct, so this one could be given; but a program that goes on by it fails later. */
const char *bspscene_probe(const void *head, size_t size)
{
	(void)head;
	(void)size;
	return NULL;
}
