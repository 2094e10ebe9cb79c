/* scene_text.h - the parts of a scene's text. All functions return false if writing fails, as bspi_put does. */
#ifndef BSPT_SCENE_TEXT_H
#define BSPT_SCENE_TEXT_H

#include "writers/writers.h"

/* Writes a scene as text, for golden files and hashes, like bspscene_write. */
bool bspt_write_text(const bspscene_scene *scene, const bspscene_write_options *options,
                     const bspscene_output *output, bspscene_error *error);

/* Write parts of the text, as complete lines. */
bool bspt_say_meshes(bspi_writer *writer);
bool bspt_say_faces(bspi_writer *writer);
bool bspt_say_materials(bspi_writer *writer);
bool bspt_say_images(bspi_writer *writer);
bool bspt_say_page_sets(bspi_writer *writer);
bool bspt_say_lights(bspi_writer *writer);
bool bspt_say_light_styles(bspi_writer *writer);

/* Prints "WORD 1 2 3". Rounding errors near 0 are printed as 0. */
bool bspt_say_floats(bspi_writer *writer, const char *word, const float *values, uint32_t count);
/* Prints the text in quotes, as one line. */
bool bspt_say_quoted(bspi_writer *writer, const char *text);
/* Prints " WORD 7", or nothing for BSPSCENE_NO_INDEX. */
bool bspt_say_index(bspi_writer *writer, const char *word, uint32_t index);
/* Prints " WORD", or nothing if `is_so` is false. */
bool bspt_say_word(bspi_writer *writer, const char *word, bool is_so);
/* Prints " 0 0 0 to 1 1 1", or " empty". */
bool bspt_say_bounds(bspi_writer *writer, const bspscene_bounds *bounds);
/* Prints " WORD HASH", or nothing if there is no array. */
bool bspt_say_hash(bspi_writer *writer, const char *word, const void *array, uint64_t hash);

#define BSPT_HASH_START 0xcbf29ce484222325u

#define BSPT_NORMAL_STEPS 1024         /* normals, weights and planes are rounded to multiples of 1/1024 */

uint64_t bspt_hash_integer(uint64_t hash, int64_t value);
/* Return a hash of values, rounded to multiples of 1 / `steps`. */
uint64_t bspt_hash_floats(const float *values, size_t count, double steps);
uint64_t bspt_hash_indices(const uint32_t *values, size_t count);

#endif
