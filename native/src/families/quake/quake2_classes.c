/* quake2_classes.c - the models that Quake II's game code shows for the classes of entities (g_items.c, g_misc.c,
 * m_*.c). */
#include "map/rules.h"

#define ITEM(name, path) { name, "models/" path "/tris.md2", .placing = BSPI_PLACED_AS_ITEM }
#define WEAPON(name, path) ITEM("weapon_" name, "weapons/" path)
#define AMMO(name) ITEM("ammo_" name, "items/ammo/" name "/medium")
#define KEY(name) ITEM("key_" name, "items/keys/" name)
#define STANDING(name, path) { name, "models/" path "/tris.md2", .placing = BSPI_PLACED_EXACTLY }
#define MONSTER(name) STANDING("monster_" name, "monsters/" name)

const bspi_class_model bspi_quake2_classes[] = {
	WEAPON("shotgun", "g_shotg"), WEAPON("supershotgun", "g_shotg2"), WEAPON("machinegun", "g_machn"),
	WEAPON("chaingun", "g_chain"), WEAPON("grenadelauncher", "g_launch"), WEAPON("rocketlauncher", "g_rocket"),
	WEAPON("hyperblaster", "g_hyperb"), WEAPON("railgun", "g_rail"), WEAPON("bfg", "g_bfg"),
	AMMO("shells"), AMMO("bullets"), AMMO("cells"), AMMO("grenades"), AMMO("rockets"), AMMO("slugs"),
	ITEM("item_armor_body", "items/armor/body"), ITEM("item_armor_combat", "items/armor/combat"),
	ITEM("item_armor_jacket", "items/armor/jacket"), ITEM("item_armor_shard", "items/armor/shard"),
	ITEM("item_health", "items/healing/medium"), ITEM("item_health_small", "items/healing/stimpack"),
	ITEM("item_health_large", "items/healing/large"), ITEM("item_health_mega", "items/mega_h"),
	ITEM("item_quad", "items/quaddama"), ITEM("item_invulnerability", "items/invulner"),
	ITEM("item_silencer", "items/silencer"), ITEM("item_breather", "items/breather"),
	ITEM("item_enviro", "items/enviro"), ITEM("item_adrenaline", "items/adrenal"), ITEM("item_bandolier", "items/band"),
	ITEM("item_pack", "items/pack"),
	KEY("data_cd"), KEY("power_cube"), KEY("pyramid"), KEY("data_spinner"), KEY("pass"), KEY("blue_key"),
	KEY("red_key"), KEY("commander_head"), KEY("airstrike_target"),
	STANDING("misc_explobox", "objects/barrels"), STANDING("misc_deadsoldier", "deadbods/dude"),
	STANDING("misc_banner", "objects/banner"), STANDING("misc_satellite_dish", "objects/satellite"),
	STANDING("misc_strogg_ship", "ships/strogg1"), STANDING("misc_viper", "ships/viper"),
	MONSTER("berserk"), MONSTER("gladiator"), MONSTER("gunner"), MONSTER("infantry"), MONSTER("medic"),
	MONSTER("flipper"), MONSTER("mutant"), MONSTER("parasite"), MONSTER("flyer"), MONSTER("brain"),
	MONSTER("hover"), MONSTER("tank"), MONSTER("soldier"), STANDING("monster_soldier_light", "monsters/soldier"),
	STANDING("monster_soldier_ss", "monsters/soldier"), STANDING("monster_tank_commander", "monsters/tank"),
	STANDING("monster_floater", "monsters/float"), STANDING("monster_chick", "monsters/bitch"),
	STANDING("monster_supertank", "monsters/boss1"), STANDING("monster_boss2", "monsters/boss2"),
	STANDING("monster_jorg", "monsters/boss3/jorg"), STANDING("monster_makron", "monsters/boss3/rider"),
	{ .name = NULL },
};

/* Item rules of g_items.c droptofloor: a box that extends 15 units to each side drops by up to 128 units. `unturned`:
 * items spin, so their angles have no effect. */
const bspi_item_rules bspi_quake2_items = { .half_width = 15, .rests_at = 15, .farthest = 128, .unturned = true };
