/* rules.h - rules of how games use entities, as data for the stages that make nodes. docs/formats/entities.md describes
 * them and names the compiler or game code that each comes from. */
#ifndef BSPI_RULES_H
#define BSPI_RULES_H

#include <bspscene/things.h>

/* The keys with the brightness and color of a light entity. */
typedef enum bspi_light_power {
	BSPI_POWER_NUMBER,                 /* `light` or `_light`, a number; `_color` or `color` in any scale */
	BSPI_POWER_COLOR,                  /* `_light` "r g b brightness" of 0..255; one number is gray */
	BSPI_POWER_ATTENUATED /* like BSPI_POWER_COLOR, with all other keys of stages/entities/attenuated_lights.c */
} bspi_light_power;

/* Which lights are spotlights and which keys aim them. A light with a target always is one. Each value names the
 * further ones. */
typedef enum bspi_light_aim {
	BSPI_AIM_TARGET,                   /* only a target */
	BSPI_AIM_MANGLE,                   /* `mangle` "yaw pitch roll", positive pitch up */
	BSPI_AIM_ANGLES,                   /* class light_spot: by its angles */
	BSPI_AIM_PITCH /* class light_spot, or light_environment, which is the sun: `pitch`, positive up, and angles */
} bspi_light_aim;

/* How wide a spotlight's cone is. */
typedef enum bspi_light_cone {
	BSPI_CONE_WHOLE,                   /* `angle` is the whole cone (40), `_softangle` its inner part */
	BSPI_CONE_HALF,                    /* `_cone` or `cone` is half of it (10) */
	BSPI_CONE_RADIUS,                  /* `radius` (64) at the target's distance; fades over 16 more units */
	BSPI_CONE_TWO                      /* `_cone` (10) and `_cone2` are half of the inner and outer cone */
} bspi_light_cone;

/* The keys of worldspawn for a sun, in one lighting variant. */
typedef struct bspi_world_sun {
	const char *angles_key;            /* pitch and yaw of the direction to it */
	const char *light_key, *color_key;
	float angles[2], light, color[3];  /* values if the keys are missing */
	const char *ambient_key; float ambient[3]; /* light on models that the sun does not reach */
} bspi_world_sun;

/* Keys of light entities as a game's light compiler reads them. */
typedef struct bspi_light_rules {
	bspi_light_power power;
	bool scaled;                       /* `scale` multiplies the brightness */
	/* exponent with which the compiler stores its sum of linear light; 0: it sums display light (light_values.c,
	 * measure_linear) */
	float stored_power;
	bspscene_falloff falloff;          /* falloff of point lights by default */
	bool delays;                       /* `delay` selects another falloff, `wait` divides the reach */
	uint32_t linear_flag;              /* spawnflag that makes the falloff linear; 0: none */
	bool linear_by_default;            /* the flag turns linear falloff off instead of on */
	float reach;                       /* distance in units where linear light of brightness 1 ends */
	bool spots_square;                 /* spotlights fade with the squared distance, whatever point lights do */
	bspi_light_aim aim;
	bspi_light_cone cone;
	const char *sun;                   /* key that makes a spotlight the sun; NULL: none */
	const bspi_world_sun *world_suns;  /* per lighting variant; NULL: worldspawn has none */
	/* a light with this key describes the surfaces of a texture and is no lamp (light_surface of later GoldSrc
	 * compilers); NULL: none */
	const char *template_key;
	/* spawnflag of lights in the first variant; lights without it shine only in later ones; 0: all shine in all */
	uint32_t first_set_flag;
} bspi_light_rules;

/* True if the game's compiler sums linear light. */
static inline bool bspi_lights_are_linear(const bspi_light_rules *lights)
{
	return lights->stored_power > 0 || lights->power == BSPI_POWER_ATTENUATED;
}

/* Entities that are viewpoints. `name` ending in '*' is a prefix. */
typedef struct bspi_camera_rule {
	const char *name;
	bspscene_camera_kind kind;
	bool mangle;                       /* looks along `mangle` "pitch yaw roll" (Quake's info_intermission) */
} bspi_camera_rule;

/* The camera at a player's start in a game that is seen from above. It looks in the player's direction. */
typedef struct bspi_view_above {
	float pitch;                       /* degrees, down */
	float distance, height;            /* distance to the point in the middle of the view; height of that point above
	                                    * the start */
	float fov_degrees;
} bspi_view_above;

/* Where a brush entity is when the map starts, if that is not where it was built. */
typedef enum bspi_mover_kind {
	BSPI_MOVER_TRAIN_BY_CORNER,        /* its lowest corner is at its target */
	BSPI_MOVER_TRAIN_BY_CENTER,        /* its center is at its target */
	BSPI_MOVER_TRAIN_BY_ORIGIN,        /* its origin is at its target */
	BSPI_MOVER_TRACK_TRAIN,            /* its origin is `height` above its track, and it faces along the track */
	BSPI_MOVER_DOOR,                   /* open with spawnflag 1 */
	BSPI_MOVER_ROTATING_DOOR,
	BSPI_MOVER_PLATFORM                /* built raised, but starts lowered */
} bspi_mover_kind;

typedef struct bspi_mover_rule {
	const char *name;
	bspi_mover_kind kind;
	float margin;                      /* by which the game enlarges the model's box on each side */
	/* default of the key `lip`: how much less than their size doors and platforms move; for rotating doors, degrees */
	float lip;
	bool named_stays;                  /* platforms with a targetname stay where they were built */
	bool looks_east;                   /* track trains: built facing +X, not -X; spawnflag 16 keeps angles */
} bspi_mover_rule;

/* A class that is hidden while its spawnflags, masked, have this value. */
typedef struct bspi_hidden_rule {
	const char *name;
	uint32_t mask, value;
	bool named;                        /* only if it has a targetname */
} bspi_hidden_rule;

/* How an entity without a `model` key is shown. */
typedef enum bspi_class_placing {
	BSPI_PLACED_EXACTLY,               /* at the entity's origin */
	BSPI_PLACED_AS_ITEM,               /* by bspi_item_rules */
	BSPI_PLACED_ENLARGED               /* as BSPI_PLACED_AS_ITEM, and enlarged about its center */
} bspi_class_placing;

/* A class whose model is only named in the game's code. Among rows with the same name the first whose flags match
 * counts. */
typedef struct bspi_class_model {
	const char *name, *model;
	bspi_class_placing placing;
	const char *with_it; float above;  /* a second model, this much higher; NULL: none */
	uint32_t skin, frame, body;
	const char *sequence;
	uint32_t mask, value;              /* its spawnflags, masked, must have this value; mask 0: any */
	float scale;                       /* scale; 0: unchanged */
	bool from_corner;                  /* the box that drops begins at the entity's origin; else the origin is its
	                                    * center */
} bspi_class_model;

/* How items are moved to where the game shows them. */
typedef struct bspi_item_rules {
	/* the box that drops: half its width; height of the origin above the floor at rest; largest distance */
	float half_width, rests_at, farthest;
	float lift;                        /* raised by this before the drop */
	float hover;                       /* mean height at which it bobs */
	float enlargement, enlarged_hover; /* scale of weapons, and their additional height */
	float enlarged_forward;            /* distance in their own units that enlarged weapons are moved forward; 0: they
	                                    * are centered */
	bool can_hang;                     /* spawnflag 1: it is not dropped */
	bool unturned;                     /* items spin, so their angles do not matter */
	float turn_degrees_per_second;
	/* bobbing: height; angular speed of entity 0, and its increase with each entity. Its clock is one second ahead. */
	float bob_height, bob_radians_per_second, bob_step;
} bspi_item_rules;

/* Limits of an engine for entity text; 0: none. Later engines often have larger ones, so exceeding them is only a
 * warning. */
typedef struct bspi_entity_limits {
	const char *engine;
	uint32_t text, key, value;         /* bytes, without NUL */
	uint32_t pairs, pair_text;         /* of one entity; pair_text includes a NUL for each key and value */
} bspi_entity_limits;

typedef struct bspi_entity_rules {
	const bspi_light_rules *lights;
	const bspi_camera_rule *cameras;   /* ends with a NULL name */
	const bspi_view_above *view_above; /* NULL: cameras are at the player's eyes */
	const char *const *hidden;         /* class names (or prefixes*) the game never draws; ends with NULL */
	const bspi_hidden_rule *hidden_by_flags; /* ends with a NULL name; NULL: none */
	const bspi_mover_rule *movers;     /* ends with a NULL name; NULL: all stay where they were built */
	bool parents;                      /* `parentname` names the entity that moves it */
	bool alpha_key;                    /* `alpha` of a brush model is its opacity (FitzQuake and its descendants) */
	/* classes that spawnflag 1 makes translucent (Hexen II); ends with NULL; NULL: none */
	const char *const *translucent;
	bool render_modes;                 /* rendermode, renderamt and rendercolor (GoldSrc, Source) */
	int32_t first_switchable_style;    /* light styles from this number on are switched by entities (usually 32); 0:
	                                    * none */
	uint32_t starts_off;               /* spawnflag of a light whose style is off at first; 0: none */
	bool brush_angles; /* `angles` rotate brush models (Source); elsewhere they are a direction of movement */
	bool sprite_materials;             /* sprites are materials, even if named .spr (Source) */
	bool prop_keys;                    /* modelscale, uniformscale and rendercolor of models (Source) */
	bool styles_to_z;                  /* 'z' of a light style's pattern is its full brightness, not 'm' (Raven) */
	const bspi_class_model *class_models; /* ends with a NULL name; NULL: unknown */
	/* searched before class_models: for a game that shares the others with related games */
	const bspi_class_model *own_class_models;
	const bspi_item_rules *items;      /* NULL: items are not moved */
	/* classes (or prefixes*) that compilers merge into the world; ends with NULL; NULL: none */
	const char *const *merged_models;
	const char *const *moving_models;  /* the same for classes whose `model` moves or is created while the game runs */
	const char *model_folder;          /* prefix of model paths that do not begin with it; NULL: paths are complete */
	bool models_by_name; /* any `model` names one in that folder: paths have no extensions (Call of Duty) */
	/* spawnflags bits for the levels at which an entity is shown, from bit 0 on; none set: all. 0: no levels */
	uint32_t level_flags;
	bool angle_is_yaw;                 /* `angle` of standing entities is always yaw; elsewhere -1 is up, -2 down */
	bool model_pitch_up;               /* positive pitch turns a model's nose up (Quake, GoldSrc) */
	const char *sky_camera;            /* class of the 3D skybox's camera; NULL: no skyboxes */
	const char *decal; /* class of decals, which stick to faces around them; NULL: none, or not supported */
	uint32_t no_decal_flags;           /* surfaces with any of these flags take no decals */
} bspi_entity_rules;

/* Rules for worldspawn's fog, whose value is density, red, green and blue; in some games also opacity, start and end
 * distance. */
typedef struct bspi_map_fog_rules {
	const char *keys[3];               /* the first key that worldspawn has counts; ends with NULL */
	float density, power, end;         /* density: factor for the map's number; end: default distance */
	float sky;                         /* share of fog on the sky, unless worldspawn has one of the following keys */
	const char *sky_keys[3];           /* keys for that share; ends with NULL */
	float gray; /* default color; then only the four first numbers count. 0: all four must be given */
	bool along_view, over_lightmaps;
} bspi_map_fog_rules;

/* Models that game code shows for classes, and item rules. Defined in families/. */
extern const bspi_class_model bspi_quake_classes[], bspi_quake2_classes[], bspi_quake3_classes[],
	bspi_qfusion_classes[], bspi_goldsrc_classes[], bspi_afterburner_classes[];
extern const bspi_item_rules bspi_quake_items, bspi_quake2_items, bspi_quake3_items, bspi_goldsrc_items,
	bspi_qfusion_items;

/* The format of materials. NONE: plain materials with the textures' names. materials/ implements them. */
typedef enum bspi_material_format {
	BSPI_MATERIALS_NONE,
#define BSPI_MATERIALS(word, name) BSPI_MATERIALS_##word,
#include "map/material_formats.def"
#undef BSPI_MATERIALS
} bspi_material_format;

#endif
