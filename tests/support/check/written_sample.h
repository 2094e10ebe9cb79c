/* written_sample.h - what writers make of support/make/sample_scene.c: any file, and the materials of glTF's first
 * mesh. */
#ifndef BSPT_WRITTEN_SAMPLE_H
#define BSPT_WRITTEN_SAMPLE_H

#include "support/captured.h"
#include "support/make/sample_scene.h"

typedef struct bspt_written_sample {
	bspt_sample *sample;
	bspt_captured captured;
	bspt_gltf gltf;
} bspt_written_sample;

/* Fails the test unless the value differs from the expected one by less than 0.0001. */
void bspt_expect_near(double value, double want);
/* Converts a display value to linear light, both 0..1. */
double bspt_linear(double display);

/* Writes the sample and returns the file of that name, followed by a 0 byte. The caller frees `data`. */
bspt_bytes bspt_written_file(const bspt_sample *sample, const char *writer, bspscene_write_lighting lighting,
                             const char *file_name);

/* Makes the sample scene, writes it as glTF, and checks the container. */
void bspt_write_sample(bspt_written_sample *w, const char *writer, bspscene_write_lighting lighting);
/* Writes a sample that the test has made and changed, and checks it like bspt_write_sample. */
void bspt_write_sample_as(bspt_written_sample *w, const char *writer, bspscene_write_lighting lighting,
                          const char *file_name);
void bspt_release_sample(bspt_written_sample *w);

/* Return facts about a section of the first mesh: the accessor of an attribute, whether it has the attribute, its
 * material, or a value at a path in the material. */
uint32_t bspt_accessor_of(const bspt_written_sample *w, uint32_t section, const char *attribute);
bool bspt_has_attribute(const bspt_written_sample *w, uint32_t section, const char *attribute);
uint32_t bspt_material_of(const bspt_written_sample *w, uint32_t section);
json_t *bspt_material_at(const bspt_written_sample *w, uint32_t section, const char *path);
double bspt_material_number(const bspt_written_sample *w, uint32_t section, const char *path);
/* Returns the image that the texture at this path in a section's material uses. */
uint32_t bspt_image_of(const bspt_written_sample *w, uint32_t section, const char *path);

#endif
