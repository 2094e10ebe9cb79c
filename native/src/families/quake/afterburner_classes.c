/* afterburner_classes.c - the models that Afterburner's game code shows for some classes in Nightfire's maps
 * (Nightfire-Open, game_shared/weapons). Some of these classes are weapons that Afterburner replaces by others. Models
 * of all other classes are Half-Life's. */
#include "map/rules.h"

#define ITEM(name, path) { name, "models/" path ".mdl", .placing = BSPI_PLACED_AS_ITEM }
#define WEAPON(name, weapon) ITEM("weapon_" name, "weapon_" weapon "/w_" weapon)
#define AMMO(name, weapon) ITEM("ammo_" name, "weapon_" weapon "/w_ammo_" weapon)

const bspi_class_model bspi_afterburner_classes[] = {
	WEAPON("p99", "p99"), WEAPON("pp9", "p99"), WEAPON("kowloon", "p99"), AMMO("p99", "p99"), AMMO("kowloon", "p99"),
	WEAPON("frinesi", "frinesi"), WEAPON("commando", "frinesi"), WEAPON("minigun", "frinesi"),
	ITEM("ammo_frinesi", "weapon_frinesi/w_ammo_shotgun"), ITEM("ammo_shotgun", "weapon_frinesi/w_ammo_shotgun"),
	ITEM("ammo_commando", "weapon_frinesi/w_ammo_shotgun"), ITEM("ammo_mini", "weapon_frinesi/w_ammo_shotgun"),
	WEAPON("raptor", "raptor"), WEAPON("pdw90", "raptor"), AMMO("raptor", "raptor"), AMMO("pdw90", "raptor"),
	WEAPON("mp9", "mp9"), AMMO("mp9", "mp9"),
	WEAPON("l96a1", "l96a1"), AMMO("l96a1", "l96a1"), AMMO("sniper", "l96a1"),
	WEAPON("grenadelauncher", "grenadelauncher"), WEAPON("rocketlauncher", "grenadelauncher"),
	AMMO("grenadelauncher", "grenadelauncher"), AMMO("rocketlauncher", "grenadelauncher"),
	WEAPON("frag_grenade", "frag_grenade"), WEAPON("fraggrenade", "frag_grenade"),
	AMMO("frag_grenade", "frag_grenade"), AMMO("fraggrenade", "frag_grenade"),
	WEAPON("ronin", "ronin"), AMMO("ronin", "ronin"),
	ITEM("item_armor_vest", "w_medkit"), ITEM("item_armor_plate", "w_battery"),
	{ .name = NULL },
};
