/* rules.h - how a game's entities are meant, as data that a family points to and the node stages read.
 * Sources: id-tech.md 12 of the format notes; the compilers and game code named at each rule. */
#ifndef BSPI_RULES_H
#define BSPI_RULES_H

#include <bspscene/bspscene.h>

/* The key/values of light entities come in five dialects. */
typedef enum bspi_light_dialect {
	BSPI_LIGHTS_QUAKE,                 /* light, _color 0..255, wait and delay, angle is the cone, mangle "yaw pitch
	                                    * roll" */
	BSPI_LIGHTS_QUAKE2,                /* light, _color 0..1, _cone */
	BSPI_LIGHTS_QUAKE3,                /* light * scale, _color 0..1, radius at the target, _sun */
	BSPI_LIGHTS_GOLDSRC,               /* _light "r g b i", _cone and _cone2, pitch with up positive */
	BSPI_LIGHTS_SOURCE                 /* the same with _lightHDR, _inner_cone and _cone, attenuation by three
	                                    * factors */
} bspi_light_dialect;

/* Entities that stand for a view. `name` ending in '*' is a prefix. */
typedef struct bspi_camera_rule {
	const char *name;
	bspscene_camera_kind kind;
	bool mangle;                       /* looks along `mangle` "pitch yaw roll" (Quake's info_intermission) */
} bspi_camera_rule;

typedef struct bspi_entity_rules {
	bspi_light_dialect lights;
	bool linear_by_default;            /* spawnflags 1 switches linear falloff off, not on (RTCW, ET: q3map2
	                                    * light.cpp) */
	const bspi_camera_rule *cameras;   /* ends with a NULL name */
	const char *const *hidden;         /* class names (or prefixes*) the game never draws; ends with NULL */
	bool render_modes;                 /* rendermode, renderamt and rendercolor (GoldSrc, Source) */
	int32_t first_switchable_style;    /* styles from here on are switched by an entity; 0: none (12.5; 32) */
	uint32_t starts_off;               /* spawnflag of a light whose style is off when the map starts; 0: none */
	bool brush_angles;                 /* `angles` turn brush models (Source); elsewhere they are a direction of
	                                    * movement */
	bool prop_keys;                    /* modelscale, uniformscale and rendercolor of models (Source) */
	const char *sky_camera;            /* class of what looks around in the 3D skybox; NULL: the games have none */
	const char *decal;                 /* class of a picture that sticks to the faces around it; NULL: none, or not
	                                    * read */
	uint32_t no_decal_flags;           /* surfaces with any of these take none */
} bspi_entity_rules;

/* Worldspawn's fog: density, red, green and blue, and in some games opacity and the distances where it begins and
 * ends. */
typedef struct bspi_map_fog_rules {
	const char *keys[3];               /* the first that worldspawn has counts; ends with NULL */
	float density, power, end;         /* the density is this many times the map's number; `end` without a distance */
	float sky;                         /* share of the sky's fog that is drawn */
	bool along_view;
} bspi_map_fog_rules;

/* How names and flags become materials: defined in materials/, which knows their formats. */
struct bspi_material_rules;
extern const struct bspi_material_rules bspi_material_rules_quake;  /* and Hexen II */
extern const struct bspi_material_rules bspi_material_rules_goldsrc;
extern const struct bspi_material_rules bspi_material_rules_afterburner; /* GoldSrc's, but all pictures are files */
extern const struct bspi_material_rules bspi_material_rules_quake2; /* and Kingpin, Heretic II */
extern const struct bspi_material_rules bspi_material_rules_quake3; /* and RTCW, ET, Quake Live, Elite Force, QFusion */
extern const struct bspi_material_rules bspi_material_rules_darkplaces; /* Quake III's texts, drawn in one pass */
extern const struct bspi_material_rules bspi_material_rules_raven;  /* Jedi Academy, Soldier of Fortune II: other flag
                                                                     * bits */
extern const struct bspi_material_rules bspi_material_rules_nightfire;
extern const struct bspi_material_rules bspi_material_rules_source; /* VMT and VTF */

#endif
