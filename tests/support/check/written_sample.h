/* written_sample.h - what writers make of support/make/sample_scene.c: any file, and glTF's mesh of sections with
 * materials. */
#ifndef BSPT_WRITTEN_SAMPLE_H
#define BSPT_WRITTEN_SAMPLE_H

#include "support/captured.h"
#include "support/make/sample_scene.h"

typedef struct bspt_written_sample {
	bspt_sample *sample;
	bspt_captured captured;
	bspt_gltf gltf;
} bspt_written_sample;

/* Fails the test unless the value is the wanted one up to a ten thousandth. */
void bspt_expect_near(double value, double want);
/* Linear light of a channel as it is displayed, both 0..1. */
double bspt_linear(double display);

/* Writes the sample and returns its file of that name with a 0 byte after its last one; the caller frees `data`. */
bspt_bytes bspt_written_file(const bspt_sample *sample, const char *writer, bspscene_write_lighting lighting,
                             const char *file_name);

/* Makes the sample scene, writes it, and checks the promises of the container. */
void bspt_write_sample(bspt_written_sample *w, const char *writer, bspscene_write_lighting lighting);
/* The same for a sample that was made, and changed, before. */
void bspt_write_sample_as(bspt_written_sample *w, const char *writer, bspscene_write_lighting lighting,
                          const char *file_name);
void bspt_release_sample(bspt_written_sample *w);

/* Finds for a section of the first mesh: an attribute's accessor, its material, and a value in its material. */
uint32_t bspt_accessor_of(const bspt_written_sample *w, uint32_t section, const char *attribute);
bool bspt_has_attribute(const bspt_written_sample *w, uint32_t section, const char *attribute);
uint32_t bspt_material_of(const bspt_written_sample *w, uint32_t section);
json_t *bspt_material_at(const bspt_written_sample *w, uint32_t section, const char *path);
double bspt_material_number(const bspt_written_sample *w, uint32_t section, const char *path);
/* Picture that a texture of a section's material shows. */
uint32_t bspt_image_of(const bspt_written_sample *w, uint32_t section, const char *path);

#endif
