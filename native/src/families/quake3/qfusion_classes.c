/* qfusion_classes.c - models that Warsow's and Warfork's code shows for items (gameshared/gs_items.c, gs_ref.h; all
 * files are in Warfork's data). */
#include "map/rules.h"

/* The game shows these items smaller (cgame/cg_ents.c CG_AddItemEnt, DOWNSCALE_ITEMS). */
#define ARMOR_SCALE 0.85f
#define BOX_SCALE 0.9f

#define ITEM(name, path) { name, "models/" path ".md3", .placing = BSPI_PLACED_AS_ITEM }
#define ARMOR(name) \
	{ "item_armor_" name, "models/items/armor/" name "/" name ".md3", .placing = BSPI_PLACED_AS_ITEM, \
	  .scale = ARMOR_SCALE }
#define AMMO(name) \
	{ "ammo_" name, "models/items/ammo/ammobox/ammobox.md3", .placing = BSPI_PLACED_AS_ITEM, .scale = BOX_SCALE }
#define WEAPON(name, folder) \
	{ "weapon_" name, "models/weapons/" folder "/" folder ".md3", .placing = BSPI_PLACED_ENLARGED }
#define POWERUP(name, path, more) \
	{ name, "models/powerups/instant/" path ".md3", .placing = BSPI_PLACED_AS_ITEM, \
	  .with_it = "models/powerups/instant/" more ".md3" }

const bspi_class_model bspi_qfusion_classes[] = {
	WEAPON("gunblade", "gunblade"), WEAPON("machinegun", "machinegun"), WEAPON("riotgun", "riotgun"),
	WEAPON("grenadelauncher", "glauncher"), WEAPON("rocketlauncher", "rlauncher"), WEAPON("plasmagun", "plasmagun"),
	WEAPON("lasergun", "lasergun"), WEAPON("electrobolt", "electrobolt"), WEAPON("instagun", "instagun"),
	WEAPON("shockwave", "shockwave"),
	AMMO("gunblade"), AMMO("machinegun"), AMMO("riotgun"), AMMO("grenadelauncher"), AMMO("rocketlauncher"),
	AMMO("plasmagun"), AMMO("lasergun"), AMMO("electrobolt"), AMMO("instagun"), AMMO("shockwave"),
	ARMOR("ga"), ARMOR("ya"), ARMOR("ra"), ARMOR("shard"),
	{ "item_health_small", "models/items/health/small/small_health.md3", .placing = BSPI_PLACED_AS_ITEM,
	  .scale = ARMOR_SCALE },
	ITEM("item_health_medium", "items/health/medium/medium_health"),
	ITEM("item_health_large", "items/health/large/large_health"),
	ITEM("item_health_mega", "items/health/mega/mega_health"),
	ITEM("item_health_ultra", "items/health/ultra/ultra_health"),
	POWERUP("item_quad", "quad", "quad_light"), POWERUP("item_warshell", "warshell_belt", "warshell_sphere"),
	ITEM("item_regen", "powerups/instant/regen"),
	ITEM("item_ammopack", "items/ammo/pack/pack"), ITEM("item_ammopack_weak", "items/ammo/pack/pack"),
	ITEM("item_ammopack_strong", "items/ammo/pack/pack"),
	{ .name = NULL },
};

/* Item rules of Warsow and Warfork, in game units. A box that extends 16 to each side drops by up to 4096
 * (game/g_items.c Finish_SpawningItem). Items hover 4 higher and bob by 4. Weapons are moved back by 14 units, then
 * scaled by 1.4 (cg_ents.c CG_EntAddBobEffect, CG_AddItemEnt, cgs.weaponItemTag). All items turn by 0.1 degrees each
 * millisecond (cg.autorotateAxis). In the engine, the phase of bobbing depends on an item's entity number; here it
 * depends on the entity's index. */
const bspi_item_rules bspi_qfusion_items = {
	.half_width = 16, .rests_at = 16, .farthest = 4096, .hover = 4, .enlargement = 1.4f, .enlarged_forward = -14,
	.can_hang = true, .unturned = true, .turn_degrees_per_second = 100, .bob_height = 4, .bob_radians_per_second = 5,
	.bob_step = 0.01f,
};
