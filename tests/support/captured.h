/* captured.h - the output of a writer in memory, and a small glTF reader. */
#ifndef BSPT_CAPTURED_H
#define BSPT_CAPTURED_H

#include <jansson.h>

#include "support/bspt.h"

#define BSPT_MAX_FILES 64

typedef struct bspt_captured {
	struct { char name[256]; bspt_bytes bytes; size_t capacity; bool closed; } files[BSPT_MAX_FILES];
	uint32_t file_count;
	uint32_t calls;                    /* number of calls of begin, write and end */
	uint32_t fail_at_call;             /* number of the call that fails, 0 for none */
	bool called_after_failure;
} bspt_captured;

/* Empties `captured`, and returns an output that fills it. */
bspscene_output bspt_capture(bspt_captured *captured);
void bspt_captured_free(bspt_captured *captured);
/* Returns the file of that name, or NULL. */
const bspt_bytes *bspt_captured_file(const bspt_captured *captured, const char *name);
/* Saves the files as "<directory>/<name>". */
void bspt_captured_save(const bspt_captured *captured, const char *directory);

/* A written glTF, with its document and the bytes of its buffer. */
typedef struct bspt_gltf {
	json_t *document;
	const uint8_t *binary; size_t binary_size;
} bspt_gltf;

/* Opens a GLB, or a .gltf with its .bin, and checks the container: magic, sizes, alignment, padding. */
bspt_gltf bspt_gltf_open(const bspt_captured *captured, bspt_report *report);
void bspt_gltf_close(bspt_gltf *gltf);
/* Returns the value at a path like "materials/3/extensions/MOZ_lightmap", or NULL. */
json_t *bspt_gltf_at(const bspt_gltf *gltf, const char *format, ...) BSPT_PRINTF(2, 3);
/* Return the number or text at a path. Fail the test if there is none. */
double bspt_gltf_number(const bspt_gltf *gltf, const char *format, ...) BSPT_PRINTF(2, 3);
const char *bspt_gltf_text(const bspt_gltf *gltf, const char *format, ...) BSPT_PRINTF(2, 3);
/* Returns a component of an accessor's element: floats unchanged, normalized integers as 0..1, others as numbers. */
double bspt_gltf_element(const bspt_gltf *gltf, uint32_t accessor, uint32_t element, uint32_t component);
/* Returns the bytes of an image in the file. */
bspt_bytes bspt_gltf_image(const bspt_gltf *gltf, uint32_t image);

#endif
