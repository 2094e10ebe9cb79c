/* entity_fixture.h - the entities and nodes that a text gives under the rules of a game's lights. */
#ifndef BSPT_ENTITY_FIXTURE_H
#define BSPT_ENTITY_FIXTURE_H

#include "map/family.h"
#include "stages/stages.h"

/* Whose rules of lights are tried. */
typedef enum bspt_dialect { BSPT_QUAKE, BSPT_QUAKE2, BSPT_QUAKE3, BSPT_GOLDSRC, BSPT_SOURCE } bspt_dialect;

/* The entity text of the map. */
enum { BSPT_HDR_LIGHTS = 1, BSPT_ANGLE_IS_YAW = 2 };

typedef struct bspt_entity_fixture {
	bspi_ctx ctx;
	bspi_map map;
	bspscene_scene scene;
	bspi_scene_parts parts;
	bspi_entity_rules rules;
	bspi_build build;
	bspi_model models[4];
} bspt_entity_fixture;

void bspt_build_entities(bspt_entity_fixture *fixture, bspt_dialect whose, const char *text);
void bspt_build_entities_of(bspt_entity_fixture *fixture, bspt_dialect whose, int says, const char *text);
/* Nothing is left of the load's memory. */
void bspt_release_entities(bspt_entity_fixture *fixture);

#endif
