/* scene_text.h - the parts of a scene's text, and what its lines are made of. All return false as bspi_put does. */
#ifndef BSPI_SCENE_TEXT_H
#define BSPI_SCENE_TEXT_H

#include "writers/writers.h"

/* Parts: whole lines. */
bool bspi_put_meshes(bspi_writer *writer);
bool bspi_put_faces(bspi_writer *writer);
bool bspi_put_materials(bspi_writer *writer);
bool bspi_put_images(bspi_writer *writer);
bool bspi_put_page_sets(bspi_writer *writer);
bool bspi_put_lights(bspi_writer *writer);
bool bspi_put_light_styles(bspi_writer *writer);

/* "WORD 1 2 3". What is not 0 but only by rounding errors is 0. */
bool bspi_put_floats(bspi_writer *writer, const char *word, const float *values, uint32_t count);
/* In quotes, and one line whatever is in it. */
bool bspi_put_quoted(bspi_writer *writer, const char *text);
/* " WORD 7", nothing when there is none (BSPSCENE_NO_INDEX). */
bool bspi_put_index(bspi_writer *writer, const char *word, uint32_t index);
/* " WORD" when it is so. */
bool bspi_put_word(bspi_writer *writer, const char *word, bool is_so);
/* " 0 0 0 to 1 1 1", or " empty". */
bool bspi_put_bounds(bspi_writer *writer, const bspscene_bounds *bounds);
/* " WORD HASH", nothing when there is no array. */
bool bspi_put_hash(bspi_writer *writer, const char *word, const void *array, uint64_t hash);

#define BSPI_HASH_START 0xcbf29ce484222325u

#define BSPI_NORMAL_STEPS 1024         /* of 1, for what is between -1 and 1 */

uint64_t bspi_hash_integer(uint64_t hash, int64_t value);
/* Of values in whole steps of 1 / `steps`. */
uint64_t bspi_hash_floats(const float *values, size_t count, double steps);
uint64_t bspi_hash_indices(const uint32_t *values, size_t count);

#endif
