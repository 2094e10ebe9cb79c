/* entity_fixture.h - makes entities and nodes from an entity text, by the rules that one game has for lights. */
#ifndef BSPT_ENTITY_FIXTURE_H
#define BSPT_ENTITY_FIXTURE_H

#include "map/family.h"
#include "stages/stages.h"

/* Names the game whose rules for lights apply. */
typedef enum bspt_dialect { BSPT_QUAKE, BSPT_QUAKE2, BSPT_QUAKE3, BSPT_GOLDSRC, BSPT_SOURCE } bspt_dialect;

/* Flags of the map: BSPT_HDR_LIGHTS if it has HDR lights, BSPT_ANGLE_IS_YAW if `angle` means the yaw. */
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
/* Ends the load, and checks that all its memory was freed. */
void bspt_release_entities(bspt_entity_fixture *fixture);

#endif
