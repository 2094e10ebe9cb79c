/* rules.h - rules that tell how games use entities. They are data for the stages that make nodes.
 * docs/formats/entities.md describes the rules, and names the compiler or the game's code from which each comes. */
#ifndef BSPI_RULES_H
#define BSPI_RULES_H

#include <bspscene/things.h>

/* The keys of a light entity that give its brightness and color. */
typedef enum bspi_light_power {
	BSPI_POWER_NUMBER,                 /* `light` or `_light` is a number; `_color` or `color` may have any scale */
	BSPI_POWER_COLOR,                  /* `_light` is "r g b brightness" of 0..255; a single number is gray */
	/* like BSPI_POWER_COLOR, but more keys have an effect: see stages/entities/attenuated_lights.c */
	BSPI_POWER_ATTENUATED
} bspi_light_power;

/* Which lights are spotlights, and which keys aim them. A light with a target is always a spotlight. Each value names
 * what else makes a light a spotlight. */
typedef enum bspi_light_aim {
	BSPI_AIM_TARGET,                   /* nothing else */
	BSPI_AIM_MANGLE,                   /* the key `mangle`, "yaw pitch roll"; positive pitch is up */
	BSPI_AIM_ANGLES,                   /* the class light_spot, which is aimed by its angles */
	/* the class light_spot, or light_environment, which is the sun: aimed by `pitch`, positive up, and by its angles */
	BSPI_AIM_PITCH
} bspi_light_aim;

/* The keys that give the width of a spotlight's cone. Defaults are in parentheses. */
typedef enum bspi_light_cone {
	BSPI_CONE_WHOLE,                   /* `angle` (40) is the whole angle of the cone; `_softangle` is that of its inner
	                                    * part */
	BSPI_CONE_HALF,                    /* `_cone` or `cone` (10) is half of the angle */
	BSPI_CONE_RADIUS,                  /* `radius` (64) is the cone's radius at the target; light fades over 16 more
	                                    * units */
	BSPI_CONE_TWO                      /* `_cone` (10) and `_cone2` are half of the angles of the inner and the outer
	                                    * cone */
} bspi_light_cone;

/* The keys of worldspawn that describe a sun, for one lighting variant. */
typedef struct bspi_world_sun {
	const char *angles_key;            /* pitch and yaw of the direction to the sun */
	const char *light_key, *color_key;
	float angles[2], light, color[3];  /* values if the keys are missing; angles are in degrees */
	const char *ambient_key; float ambient[3]; /* light on those parts of models that the sun does not reach */
} bspi_world_sun;

/* How a game's light compiler reads the keys of light entities. */
typedef struct bspi_light_rules {
	bspi_light_power power;
	bool scaled;                       /* the key `scale` multiplies the brightness */
	/* the compiler sums linear light and stores it with this exponent; 0: it sums light in display space
	 * (light_values.c, measure_linear) */
	float stored_power;
	bspscene_falloff falloff;          /* the default falloff of point lights */
	bool delays;                       /* the key `delay` selects another falloff, and the key `wait` divides the
	                                    * reach */
	uint32_t linear_flag;              /* spawnflag that makes the falloff linear; 0: there is none */
	bool linear_by_default;            /* linear_flag turns linear falloff off, instead of on */
	float reach;                       /* the distance, in units, at which linear light of brightness 1 ends */
	bool spots_square;                 /* spotlights fade with the square of the distance, even if point lights do
	                                    * not */
	bspi_light_aim aim;
	bspi_light_cone cone;
	const char *sun;                   /* a spotlight with this key is the sun; NULL: there is no such key */
	const bspi_world_sun *world_suns;  /* one for each lighting variant; NULL: worldspawn describes no sun */
	/* a light with this key is not a lamp, but describes the surfaces with a texture (light_surface of later GoldSrc
	 * compilers); NULL: there is no such key */
	const char *template_key;
	/* spawnflag of lights of the first lighting variant; lights without it shine only in later variants. 0: all lights
	 * shine in all variants */
	uint32_t first_set_flag;
} bspi_light_rules;

/* True if the game's compiler adds up light in linear space. */
static inline bool bspi_lights_are_linear(const bspi_light_rules *lights)
{
	return lights->stored_power > 0 || lights->power == BSPI_POWER_ATTENUATED;
}

/* Entities that are viewpoints. If `name` ends in '*', it is a prefix of names. */
typedef struct bspi_camera_rule {
	const char *name;
	bspscene_camera_kind kind;
	bool mangle;                       /* the camera looks along the key `mangle`, "pitch yaw roll" (Quake's
	                                    * info_intermission) */
} bspi_camera_rule;

/* The camera at a player's start, for games that are seen from above. It looks in the player's direction. */
typedef struct bspi_view_above {
	float pitch;                       /* angle downward, in degrees */
	float distance, height;            /* distance to the point in the middle of the view; height of this point above
	                                    * the player's start */
	float fov_degrees;
} bspi_view_above;

/* Some brush entities are not where they were built when the map starts. This tells where they are. */
typedef enum bspi_mover_kind {
	BSPI_MOVER_TRAIN_BY_CORNER,        /* its lowest corner is at the position of its target */
	BSPI_MOVER_TRAIN_BY_CENTER,        /* its center is at the position of its target */
	BSPI_MOVER_TRAIN_BY_ORIGIN,        /* its origin is at the position of its target */
	BSPI_MOVER_TRACK_TRAIN,            /* its origin is `height` above its track, and it faces along the track */
	BSPI_MOVER_DOOR,                   /* open if its spawnflag 1 is set */
	BSPI_MOVER_ROTATING_DOOR,
	BSPI_MOVER_PLATFORM                /* it was built in its raised position, but starts lowered */
} bspi_mover_kind;

typedef struct bspi_mover_rule {
	const char *name;
	bspi_mover_kind kind;
	float margin;                      /* the game enlarges the model's box by this on each side */
	/* default of the key `lip`: the distance that a door or platform moves is its size minus this. For rotating doors,
	 * this is in degrees */
	float lip;
	bool named_stays;                  /* platforms with a targetname stay where they were built */
	bool looks_east;                   /* track trains: the train was built facing +X instead of -X; with spawnflag 16
	                                    * its angles are kept */
} bspi_mover_rule;

/* A class that is hidden while (spawnflags & mask) == value. */
typedef struct bspi_hidden_rule {
	const char *name;
	uint32_t mask, value;
	bool named;                        /* it is hidden only if it also has a targetname */
} bspi_hidden_rule;

/* Where the game shows an entity that has no `model` key. */
typedef enum bspi_class_placing {
	BSPI_PLACED_EXACTLY,               /* at the entity's origin */
	BSPI_PLACED_AS_ITEM,               /* placed by bspi_item_rules */
	BSPI_PLACED_ENLARGED               /* placed like BSPI_PLACED_AS_ITEM, and enlarged about its center */
} bspi_class_placing;

/* A class whose model is named only in the game's code. Several rows may have the same name. The first one whose flags
 * match counts. */
typedef struct bspi_class_model {
	const char *name, *model;
	bspi_class_placing placing;
	const char *with_it; float above;  /* a second model that is shown too, `above` units higher; NULL: none */
	uint32_t skin, frame, body;
	const char *sequence;
	uint32_t mask, value;              /* the row counts only if (spawnflags & mask) == value; mask 0: always */
	float scale;                       /* scale of the model; 0: unchanged */
	bool from_corner;                  /* in x and y, the entity's origin is the lowest corner of the box that
	                                    * bspi_item_rules describes; false: it is the box's center */
} bspi_class_model;

/* How the game moves items to the place where it shows them. */
typedef struct bspi_item_rules {
	/* the game drops a box around the item to the floor: half the width of the box; the height of the item's origin
	 * above the floor after that; the largest distance of the drop. All are in game units */
	float half_width, rests_at, farthest;
	float lift;                        /* the item is raised by this before it drops, in game units */
	float hover;                       /* the item is raised by this after it has dropped, in game units; if it bobs,
	                                    * this is its mean height */
	float enlargement, enlarged_hover; /* scale of weapons, and their additional height */
	float enlarged_forward;            /* enlarged weapons are moved forward by this, in the model's units before the
	                                    * enlargement; 0: their center is moved to the origin */
	bool can_hang;                     /* an item with spawnflag 1 does not drop */
	bool unturned;                     /* items spin, so their angles have no effect */
	float turn_degrees_per_second;
	/* bobbing: its amplitude in game units; its angular speed for entity 0; the amount by which the speed grows with
	 * each entity number. When the map starts, items have bobbed for one second already */
	float bob_height, bob_radians_per_second, bob_step;
} bspi_item_rules;

/* The limits of an engine for entity text; 0: no limit. Later engines often have larger limits, so exceeding these is
 * only a warning. */
typedef struct bspi_entity_limits {
	const char *engine;
	uint32_t text, key, value;         /* number of bytes, without the NUL */
	uint32_t pairs, pair_text;         /* limits for one entity; pair_text includes a NUL for each key and each value */
} bspi_entity_limits;

typedef struct bspi_entity_rules {
	const bspi_light_rules *lights;
	const bspi_camera_rule *cameras;   /* ends with a row whose name is NULL */
	const bspi_view_above *view_above; /* NULL: cameras are at the eyes of the player */
	const char *const *hidden;         /* names of classes (or prefixes*) that the game never draws; ends with NULL */
	const bspi_hidden_rule *hidden_by_flags; /* ends with a row whose name is NULL; NULL: none */
	const bspi_mover_rule *movers;     /* ends with a row whose name is NULL; NULL: all entities stay where they were
	                                    * built */
	bool parents;                      /* the key `parentname` names another entity that moves this one */
	bool alpha_key;                    /* the key `alpha` of a brush model is its opacity (FitzQuake and its
	                                    * descendants) */
	/* classes that are translucent if spawnflag 1 is set (Hexen II); ends with NULL. NULL: none */
	const char *const *translucent;
	bool render_modes;                 /* the keys rendermode, renderamt and rendercolor count (GoldSrc, Source) */
	int32_t first_switchable_style;    /* entities switch light styles from this number on (usually 32); 0: they switch
	                                    * none */
	uint32_t starts_off;               /* spawnflag of a light that is off when the map starts; 0: there is none */
	/* the key `angles` rotates brush models (Source); false: it is the direction in which they move */
	bool brush_angles;
	bool sprite_materials;             /* sprites are materials, even if their names end in .spr (Source) */
	bool prop_keys;                    /* the keys modelscale, uniformscale and rendercolor of models count (Source) */
	bool styles_to_z;                  /* in the pattern of a light style, 'z' is full brightness (Raven); false: 'm'
	                                    * is */
	const bspi_class_model *class_models; /* ends with a row whose name is NULL; NULL: unknown */
	/* rows that are searched before class_models, for a game that shares class_models with related games */
	const bspi_class_model *own_class_models;
	const bspi_item_rules *items;      /* NULL: items are not moved */
	/* classes (or prefixes*) whose models compilers merge into the world; ends with NULL. NULL: none */
	const char *const *merged_models;
	const char *const *moving_models;  /* classes (or prefixes*) whose `model` moves, or is created while the game runs;
	                                    * ends with NULL. NULL: none */
	const char *model_folder;          /* folder that is added to paths of models which do not begin with it; NULL:
	                                    * paths are complete */
	bool models_by_name; /* any `model` is a file in model_folder, and has no extension (Call of Duty) */
	/* the bits of spawnflags that select the levels at which an entity is shown, beginning with bit 0. If none is set,
	 * it is shown at all levels. 0: the game has no levels */
	uint32_t level_flags;
	bool angle_is_yaw;                 /* the key `angle` of entities that do not move is always yaw; false: -1 means
	                                    * up and -2 means down */
	bool model_pitch_up;               /* with positive pitch, a model's nose points up (Quake, GoldSrc) */
	const char *sky_camera;            /* class of the camera in the 3D skybox; NULL: the game has no such skyboxes */
	/* class of decals, which stick to the faces around them; NULL: there is none, or it is not supported */
	const char *decal;
	uint32_t no_decal_flags;           /* surfaces with any of these flags get no decals */
} bspi_entity_rules;

/* Rules for the fog that a key of worldspawn describes. Its value has density, red, green and blue. In some games,
 * opacity, start distance and end distance follow. */
typedef struct bspi_map_fog_rules {
	const char *keys[3];               /* keys that may describe the fog; ends with NULL. The game uses the first one
	                                    * that worldspawn has */
	float density, power, end;         /* density: factor for the density in the map; power: exponent of density *
	                                    * distance; end: default end distance in game units */
	float sky;                         /* share of fog in the sky's color, 0..1, unless worldspawn has one of
	                                    * sky_keys */
	const char *sky_keys[3];           /* keys of worldspawn that replace `sky`; ends with NULL */
	float gray; /* used for red, green or blue if the key lacks them; the game then reads at most four numbers. 0: the
	            * key must have at least four */
	bool along_view, over_lightmaps;
} bspi_map_fog_rules;

/* The models that games' code shows for classes, and the rules for items. They are defined in families/. */
extern const bspi_class_model bspi_quake_classes[], bspi_quake2_classes[], bspi_quake3_classes[],
	bspi_qfusion_classes[], bspi_goldsrc_classes[], bspi_afterburner_classes[];
extern const bspi_item_rules bspi_quake_items, bspi_quake2_items, bspi_quake3_items, bspi_goldsrc_items,
	bspi_qfusion_items;

/* The format of a game's materials. BSPI_MATERIALS_NONE: materials only have the names of textures. materials/
 * implements the formats. */
typedef enum bspi_material_format {
	BSPI_MATERIALS_NONE,
#define BSPI_MATERIALS(word, name) BSPI_MATERIALS_##word,
#include "map/material_formats.def"
#undef BSPI_MATERIALS
} bspi_material_format;

#endif
