/* quake3_classes.c - models that Quake III's game code shows for items (bg_misc.c bg_itemlist; all files are in
 * OpenArena). */
#include "map/rules.h"

#define ITEM(name, path) { name, "models/" path ".md3", .placing = BSPI_PLACED_AS_ITEM }
#define WEAPON(name, path) { name, "models/" path ".md3", .placing = BSPI_PLACED_ENLARGED }
#define HEALTH(name, path) \
	{ name, "models/powerups/health/" path "_cross.md3", .placing = BSPI_PLACED_AS_ITEM, \
	  .with_it = "models/powerups/health/" path "_sphere.md3" }
/* Powerups have a ring around them (cg_ents.c CG_Item). */
#define POWERUP(name, path) \
	{ name, "models/powerups/instant/" path ".md3", .placing = BSPI_PLACED_AS_ITEM, \
	  .with_it = "models/powerups/instant/" path "_ring.md3", .above = 12 }

const bspi_class_model bspi_quake3_classes[] = {
	ITEM("item_armor_shard", "powerups/armor/shard"), ITEM("item_armor_combat", "powerups/armor/armor_yel"),
	ITEM("item_armor_body", "powerups/armor/armor_red"),
	HEALTH("item_health_small", "small"), HEALTH("item_health", "medium"), HEALTH("item_health_large", "large"),
	HEALTH("item_health_mega", "mega"),
	WEAPON("weapon_gauntlet", "weapons2/gauntlet/gauntlet"), WEAPON("weapon_shotgun", "weapons2/shotgun/shotgun"),
	WEAPON("weapon_machinegun", "weapons2/machinegun/machinegun"),
	WEAPON("weapon_grenadelauncher", "weapons2/grenadel/grenadel"),
	WEAPON("weapon_rocketlauncher", "weapons2/rocketl/rocketl"),
	WEAPON("weapon_lightning", "weapons2/lightning/lightning"), WEAPON("weapon_railgun", "weapons2/railgun/railgun"),
	WEAPON("weapon_plasmagun", "weapons2/plasma/plasma"), WEAPON("weapon_bfg", "weapons2/bfg/bfg"),
	WEAPON("weapon_grapplinghook", "weapons2/grapple/grapple"), WEAPON("weapon_nailgun", "weapons/nailgun/nailgun"),
	WEAPON("weapon_prox_launcher", "weapons/proxmine/proxmine"), WEAPON("weapon_chaingun", "weapons/vulcan/vulcan"),
	ITEM("ammo_shells", "powerups/ammo/shotgunam"), ITEM("ammo_bullets", "powerups/ammo/machinegunam"),
	ITEM("ammo_grenades", "powerups/ammo/grenadeam"), ITEM("ammo_cells", "powerups/ammo/plasmaam"),
	ITEM("ammo_lightning", "powerups/ammo/lightningam"), ITEM("ammo_rockets", "powerups/ammo/rocketam"),
	ITEM("ammo_slugs", "powerups/ammo/railgunam"), ITEM("ammo_bfg", "powerups/ammo/bfgam"),
	ITEM("ammo_nails", "powerups/ammo/nailgunam"), ITEM("ammo_mines", "powerups/ammo/proxmineam"),
	ITEM("ammo_belt", "powerups/ammo/chaingunam"),
	ITEM("holdable_teleporter", "powerups/holdable/teleporter"), ITEM("holdable_medkit", "powerups/holdable/medkit"),
	ITEM("holdable_kamikaze", "powerups/kamikazi"), ITEM("holdable_portal", "powerups/holdable/porter"),
	ITEM("holdable_invulnerability", "powerups/holdable/invulnerability"),
	POWERUP("item_quad", "quad"), POWERUP("item_enviro", "enviro"), POWERUP("item_haste", "haste"),
	POWERUP("item_regen", "regen"), POWERUP("item_flight", "flight"), ITEM("item_invis", "powerups/instant/invis"),
	ITEM("item_scout", "powerups/scout"), ITEM("item_guard", "powerups/guard"),
	ITEM("item_doubler", "powerups/doubler"), ITEM("item_ammoregen", "powerups/ammo"),
	ITEM("team_CTF_redflag", "flags/r_flag"), ITEM("team_CTF_blueflag", "flags/b_flag"),
	ITEM("team_CTF_neutralflag", "flags/n_flag"),
	ITEM("item_redcube", "powerups/orb/r_orb"), ITEM("item_bluecube", "powerups/orb/b_orb"),
	{ .name = NULL },
};

/* Item rules of Quake III, in game units. A box that extends 15 to each side drops by up to 4096 (g_items.c
 * FinishSpawningItem). Items hover 4 higher and bob by 4. Weapons hover 8 higher and are scaled by 1.5 (cg_ents.c
 * CG_Item). */
const bspi_item_rules bspi_quake3_items = {
	.half_width = 15, .rests_at = 15, .farthest = 4096, .hover = 4, .enlargement = 1.5f, .enlarged_hover = 8,
	.can_hang = true, .unturned = true,
};
