/* scene_facts.h - facts about the game and the map for which formats have no properties. They are JSON objects, for
 * glTF's extras and for user properties of other formats. A node's facts are the keys and values of its entity, one
 * member for each key, in the order of the file. If a key is repeated, its member is an array. All other facts are in a
 * member "bspscene". */
#ifndef BSPI_SCENE_FACTS_H
#define BSPI_SCENE_FACTS_H

#include "writers/light/drawn.h"
#include "writers/json_build.h"

/* These functions return JSON objects that the caller frees. If memory is out, writer->failure is set; see
 * json_build.h. */
json_t *bspi_asset_facts(bspi_writer *writer);
json_t *bspi_scene_facts(bspi_writer *writer); /* NULL if there are none */
json_t *bspi_node_facts(bspi_writer *writer, uint32_t node);
json_t *bspi_light_facts(bspi_writer *writer, const bspscene_light *light);
json_t *bspi_material_facts(bspi_writer *writer, const bspi_look *look);
/* Returns NULL if there are no facts, that is, if the section is visible in the game and in no fog volume. */
json_t *bspi_section_facts(bspi_writer *writer, const bspscene_section *section);

#endif
