/* scene_facts.h - what the game and the file know and formats have no words for, as JSON objects: glTF's extras, and
 * the user properties of other formats.
 *
 * A node's facts are its entity's key/values, as hosts show them best: one member per key in file order, an array
 * where a key is repeated. Everything else is ours and stays in one member, "bspscene". */
#ifndef BSPI_SCENE_FACTS_H
#define BSPI_SCENE_FACTS_H

#include "writers/light/drawn.h"
#include "writers/json_build.h"

/* All are the caller's to free. What could not be made is in writer->failure, see json_build.h. */
json_t *bspi_asset_facts(bspi_writer *writer);
json_t *bspi_scene_facts(bspi_writer *writer); /* NULL when there is nothing to say */
json_t *bspi_node_facts(bspi_writer *writer, uint32_t node);
json_t *bspi_light_facts(bspi_writer *writer, const bspscene_light *light);
json_t *bspi_material_facts(bspi_writer *writer, const bspi_look *look);
json_t *bspi_section_facts(bspi_writer *writer, const bspscene_section *section); /* NULL for a plain visible section */

#endif
