/* rules.h - the meaning of a game's entities, as data that a family points to and the node stages read.
 * docs/formats/entities.md describes it; the compilers and game code it comes from are named at each rule. */
#ifndef BSPI_RULES_H
#define BSPI_RULES_H

#include <bspscene/scene.h>

/* Where a light entity has its brightness and color. */
typedef enum bspi_light_power {
	BSPI_POWER_NUMBER,                 /* `light` or `_light`, a number; `_color` or `color` of any unit */
	BSPI_POWER_COLOR,                  /* `_light` "r g b brightness" of 0..255, one number is gray */
	BSPI_POWER_ATTENUATED              /* the same, and all else, as stages/entities/attenuated_lights.c says */
} bspi_light_power;

/* The key, besides its target, that makes it a spotlight. */
typedef enum bspi_light_aim {
	BSPI_AIM_TARGET,                   /* nothing */
	BSPI_AIM_MANGLE,                   /* `mangle` "yaw pitch roll", positive pitch up */
	BSPI_AIM_ANGLES,                   /* being a light_spot: as its angles say */
	BSPI_AIM_PITCH                     /* being a light_spot, or light_environment, which is the sun: `pitch`, positive
	                                    * up, and angles */
} bspi_light_aim;

/* How wide the cone of a spotlight is. */
typedef enum bspi_light_cone {
	BSPI_CONE_WHOLE,                   /* `angle` is all of it (40), `_softangle` its inner part */
	BSPI_CONE_HALF,                    /* `_cone` or `cone` is half of it (10) */
	BSPI_CONE_RADIUS,                  /* `radius` (64) at the target's distance, fading over 16 units more */
	BSPI_CONE_TWO                      /* `_cone` (10) and `_cone2` are half of its inner and outer part */
} bspi_light_cone;

/* A sun described by worldspawn, for each of the map's light sets. */
typedef struct bspi_world_sun {
	const char *angles_key;            /* pitch and yaw of the way to it */
	const char *light_key, *color_key;
	float angles[2], light, color[3];  /* without the keys */
	const char *ambient_key; float ambient[3]; /* light on models that the sun does not reach */
} bspi_world_sun;

/* The key/values of light entities, as a game's light compiler reads them. */
typedef struct bspi_light_rules {
	bspi_light_power power;
	bool scaled;                       /* `scale` multiplies the brightness */
	float stored_power;                /* of the linear light that the compiler adds up, what it stores; 0: it adds up
	                                    * what it stores, display light (lights.c, measure_linear) */
	bspscene_falloff falloff;          /* default of point lights */
	bool delays;                       /* `delay` chooses another falloff, `wait` divides the reach */
	uint32_t linear_flag;              /* of `spawnflags`: makes the falloff linear; 0: none */
	bool linear_by_default;            /* the flag turns linear falloff off instead of on */
	float reach;                       /* where linear light of brightness 1 ends, units */
	bool spots_square;                 /* spotlights fade with the square of the distance, whatever points do */
	bspi_light_aim aim;
	bspi_light_cone cone;
	const char *sun;                   /* key that makes a spotlight the sun; NULL: none */
	const bspi_world_sun *world_suns;  /* by light set; NULL: worldspawn has none */
	const char *template_key;          /* a light with it describes the surfaces of a texture and is no lamp
	                                    * (light_surface of GoldSrc's later compilers); NULL: none */
	uint32_t first_set_flag;           /* of `spawnflags`: lights without it shine in later light sets alone; 0: all
	                                    * shine in all */
} bspi_light_rules;

/* True if the game adds styles as linear light. */
static inline bool bspi_lights_are_linear(const bspi_light_rules *lights)
{
	return lights->stored_power > 0 || lights->power == BSPI_POWER_ATTENUATED;
}

/* Entities that stand for a view. `name` ending in '*' is a prefix. */
typedef struct bspi_camera_rule {
	const char *name;
	bspscene_camera_kind kind;
	bool mangle;                       /* looks along `mangle` "pitch yaw roll" (Quake's info_intermission) */
} bspi_camera_rule;

/* How a game shows a place where somebody starts, if not from his eyes: from above, looking the way he does. */
typedef struct bspi_view_above {
	float pitch;                       /* degrees, down */
	float distance, height;            /* to the point that is in the middle, and of that point over the place */
	float fov_degrees;
} bspi_view_above;

/* Where a brush entity stands before anything was triggered, when that is not where it was built. */
typedef enum bspi_mover_kind {
	BSPI_MOVER_TRAIN_BY_CORNER,        /* its least corner is put at its target */
	BSPI_MOVER_TRAIN_BY_CENTER,        /* its middle is */
	BSPI_MOVER_TRAIN_BY_ORIGIN,        /* its origin is */
	BSPI_MOVER_TRACK_TRAIN,            /* its origin is, `height` higher, and it looks along its track */
	BSPI_MOVER_DOOR,                   /* with spawnflags 1 it stands open */
	BSPI_MOVER_ROTATING_DOOR,
	BSPI_MOVER_PLATFORM                /* it was built raised and stands lowered */
} bspi_mover_kind;

typedef struct bspi_mover_rule {
	const char *name;
	bspi_mover_kind kind;
	float margin;                      /* by which the game's box is larger than the model's, on each side */
	float lip;                         /* what doors and platforms leave of their way unless they say so; degrees that
	                                    * a rotating door turns */
	bool named_stays;                  /* platforms: one with a name waits where it was built */
	bool looks_east;                   /* track trains: built looking along +X, not -X; spawnflags 16 keep angles */
} bspi_mover_rule;

/* A class that is not drawn while its spawnflags have these bits set, and none else of the mask. */
typedef struct bspi_hidden_rule {
	const char *name;
	uint32_t mask, value;
	bool named;                        /* only when others can call it by its targetname */
} bspi_hidden_rule;

/* How an entity without a `model` key is shown. */
typedef enum bspi_class_placing {
	BSPI_PLACED_EXACTLY,               /* where the entity is */
	BSPI_PLACED_AS_ITEM,               /* as bspi_item_rules say */
	BSPI_PLACED_ENLARGED               /* so too, about its middle */
} bspi_class_placing;

/* A class whose model only the game's code names. Of rows with one name the first whose flags fit counts. */
typedef struct bspi_class_model {
	const char *name, *model;
	bspi_class_placing placing;
	const char *with_it; float above;  /* drawn together with it, this much higher; NULL: nothing */
	uint32_t skin, frame, body;
	const char *sequence;
	uint32_t mask, value;              /* of the spawnflags; mask 0: any */
	float scale;                       /* drawn larger by this factor; 0: unchanged */
	bool from_corner;                  /* the box that falls begins at its origin, which is elsewhere its middle */
} bspi_class_model;

/* Changes to items before they are shown. */
typedef struct bspi_item_rules {
	float half_width, rests_at, farthest; /* half width of the falling box; height of its origin above the floor;
	                                       * distance it may fall */
	float lift;                        /* by which it is raised before */
	float hover;                       /* the mean height at which it bobs */
	float enlargement, enlarged_hover; /* of weapons */
	float enlarged_forward;            /* distance that these stand in front, in their own units; 0: their center is in
	                                    * place */
	bool can_hang;                     /* spawnflag 1: it does not fall */
	bool unturned;                     /* they turn about themselves, whatever their angles */
} bspi_item_rules;

/* Limits of an engine for entity text; 0: none. Later engines often have larger ones, so warnings are cautious. */
typedef struct bspi_entity_limits {
	const char *engine;
	uint32_t text, key, value;         /* bytes, without NUL */
	uint32_t pairs, pair_text;         /* of one entity; pair_text counts a NUL for each key and value */
} bspi_entity_limits;

typedef struct bspi_entity_rules {
	const bspi_light_rules *lights;
	const bspi_camera_rule *cameras;   /* ends with a NULL name */
	const bspi_view_above *view_above; /* of who stands; NULL: cameras are at his eyes */
	const char *const *hidden;         /* class names (or prefixes*) the game never draws; ends with NULL */
	const bspi_hidden_rule *hidden_by_flags; /* ends with a NULL name; NULL: none */
	const bspi_mover_rule *movers;     /* ends with a NULL name; NULL: all stand where they were built */
	bool parents;                      /* `parentname` names what an entity moves with */
	bool alpha_key;                    /* `alpha` of a brush model is its opacity (FitzQuake and its descendants) */
	const char *const *translucent;    /* classes that spawnflag 1 makes see-through (Hexen II); ends with NULL; NULL:
	                                    * none */
	bool render_modes;                 /* rendermode, renderamt and rendercolor (GoldSrc, Source) */
	int32_t first_switchable_style;    /* styles from here on are switched by an entity; 0: none (12.5; 32) */
	uint32_t starts_off;               /* spawnflag of a light whose style is off when the map starts; 0: none */
	bool brush_angles;                 /* `angles` turn brush models (Source); elsewhere they are a direction of
	                                    * movement */
	bool sprite_materials;             /* sprites are materials, also those that are called .spr (Source) */
	bool prop_keys;                    /* modelscale, uniformscale and rendercolor of models (Source) */
	const bspi_class_model *class_models; /* ends with a NULL name; NULL: none are known */
	const bspi_class_model *own_class_models; /* the same, looked at before, of a game among others that share theirs */
	const bspi_item_rules *items;      /* NULL: they stay where they are */
	const char *const *merged_models;  /* classes (or prefixes*) that compilers make part of the world; ends with NULL;
	                                    * NULL: none */
	const char *const *moving_models;  /* classes (or prefixes*) whose `model` moves, or is made, while the game runs;
	                                    * the same */
	const char *model_folder;          /* where models are whose path does not begin with it; NULL: paths are whole */
	bool models_by_name;               /* whatever `model` says is one there: paths have no endings (Call of Duty) */
	uint32_t level_flags;              /* bits of `spawnflags` that are the levels at which an entity is shown, from bit
	                                    * 0 on; none of them: at all. 0: levels are unknown */
	bool angle_is_yaw;                 /* `angle` of who stands is yaw whatever it is; elsewhere -1 is up, -2 down */
	bool model_pitch_up;               /* positive pitch of a model's angles is nose up (Quake, GoldSrc) */
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
	float sky;                         /* share of the sky's fog that is drawn, */
	const char *sky_keys[3];           /* unless worldspawn says so by one of these; ends with NULL */
	float gray;                        /* colors that are not said; 0: all four numbers must be. With it they are all
	                                    * that counts */
	bool along_view, over_lightmaps;
} bspi_map_fog_rules;

/* Models that game code shows for classes, and the placing of items. Defined in families/, which know the games. */
extern const bspi_class_model bspi_quake_classes[], bspi_quake2_classes[], bspi_quake3_classes[],
	bspi_qfusion_classes[], bspi_goldsrc_classes[], bspi_afterburner_classes[];
extern const bspi_item_rules bspi_quake_items, bspi_quake2_items, bspi_quake3_items, bspi_goldsrc_items,
	bspi_qfusion_items;

/* How names and flags become materials. NONE: plain ones of their names. materials/, above, knows the formats. */
typedef enum bspi_material_format {
	BSPI_MATERIALS_NONE,
#define BSPI_MATERIALS(word, name) BSPI_MATERIALS_##word,
#include "map/material_formats.def"
#undef BSPI_MATERIALS
} bspi_material_format;

#endif
