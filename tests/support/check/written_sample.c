/* written_sample.c - see written_sample.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check/written_sample.h"

void bspt_expect_near(double value, double want)
{
	if (!(fabs(value - want) <= 1e-4 * (1 + fabs(want)))) fail_msg("%.9g instead of %.9g", value, want);
}

double bspt_linear(double display)
{
	return display <= 0.04045 ? display / 12.92 : pow((display + 0.055) / 1.055, 2.4);
}

/* Writes the sample. Fails the test if writing fails. */
static void capture_sample(bspt_captured *captured, const bspt_sample *sample, const char *writer,
                           bspscene_write_lighting lighting, const char *file_name)
{
	bspscene_write_options options;
	bspscene_error error;
	bspscene_write_options_init(&options);
	options.lighting = lighting;
	options.file_name = file_name;
	bspscene_output output = bspt_capture(captured);
	if (!bspscene_write(&sample->scene, writer, &options, &output, &error)) fail_msg("%s", error.message);
}

bspt_bytes bspt_written_file(const bspt_sample *sample, const char *writer, bspscene_write_lighting lighting,
                             const char *file_name)
{
	bspt_captured captured;
	capture_sample(&captured, sample, writer, lighting, NULL);
	const bspt_bytes *file = bspt_captured_file(&captured, file_name);
	assert_non_null(file);
	bspt_bytes out = { calloc(file->size + 1, 1), file->size };
	assert_non_null(out.data);
	memcpy(out.data, file->data, file->size);
	bspt_captured_free(&captured);
	return out;
}

void bspt_write_sample_as(bspt_written_sample *w, const char *writer, bspscene_write_lighting lighting,
                          const char *file_name)
{
	bspt_report report = { 0 };
	capture_sample(&w->captured, w->sample, writer, lighting, file_name);
	w->gltf = bspt_gltf_open(&w->captured, &report);
	bspt_assert_clean(&report);
}

void bspt_write_sample(bspt_written_sample *w, const char *writer, bspscene_write_lighting lighting)
{
	w->sample = bspt_sample_make();
	bspt_write_sample_as(w, writer, lighting, NULL);
}

void bspt_release_sample(bspt_written_sample *w)
{
	bspt_gltf_close(&w->gltf);
	bspt_captured_free(&w->captured);
	bspt_sample_free(w->sample);
}

uint32_t bspt_accessor_of(const bspt_written_sample *w, uint32_t section, const char *attribute)
{
	return (uint32_t)bspt_gltf_number(&w->gltf, "meshes/0/primitives/%u/attributes/%s", section, attribute);
}

uint32_t bspt_material_of(const bspt_written_sample *w, uint32_t section)
{
	return (uint32_t)bspt_gltf_number(&w->gltf, "meshes/0/primitives/%u/material", section);
}

json_t *bspt_material_at(const bspt_written_sample *w, uint32_t section, const char *path)
{
	return bspt_gltf_at(&w->gltf, "materials/%u/%s", bspt_material_of(w, section), path);
}

double bspt_material_number(const bspt_written_sample *w, uint32_t section, const char *path)
{
	return bspt_gltf_number(&w->gltf, "materials/%u/%s", bspt_material_of(w, section), path);
}

bool bspt_has_attribute(const bspt_written_sample *w, uint32_t section, const char *attribute)
{
	return bspt_gltf_at(&w->gltf, "meshes/0/primitives/%u/attributes/%s", section, attribute) != NULL;
}

uint32_t bspt_image_of(const bspt_written_sample *w, uint32_t section, const char *path)
{
	return (uint32_t)bspt_gltf_number(&w->gltf, "textures/%u/source", (uint32_t)bspt_material_number(w, section, path));
}
