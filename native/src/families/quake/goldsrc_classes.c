/* goldsrc_classes.c - the models that Half-Life's game code shows for entities without a key `model`, by class (all
 * names are in its SDK). Dead bodies use the sequence that their key `pose` selects. */
#include "map/rules.h"

#define STANDING(name, path) { name, "models/" path ".mdl", .placing = BSPI_PLACED_EXACTLY }
#define MONSTER(name, path) STANDING("monster_" name, path)
#define ITEM(name, path) { name, "models/" path ".mdl", .placing = BSPI_PLACED_AS_ITEM }
#define WEAPON(name) ITEM("weapon_" name, "w_" name)

const bspi_class_model bspi_goldsrc_classes[] = {
	MONSTER("headcrab", "headcrab"), MONSTER("cockroach", "roach"), MONSTER("alien_slave", "islave"),
	MONSTER("scientist", "scientist"), MONSTER("human_grunt", "hgrunt"), MONSTER("barnacle", "barnacle"),
	MONSTER("houndeye", "houndeye"), MONSTER("barney", "barney"), MONSTER("leech", "leech"),
	MONSTER("bullchicken", "bullsquid"), MONSTER("zombie", "zombie"), MONSTER("sentry", "sentry"),
	MONSTER("turret", "turret"), MONSTER("miniturret", "miniturret"), MONSTER("gman", "gman"),
	MONSTER("human_assassin", "hassassin"), MONSTER("alien_grunt", "agrunt"),
	MONSTER("alien_controller", "controller"), MONSTER("ichthyosaur", "icky"), MONSTER("gargantua", "garg"),
	MONSTER("bigmomma", "big_mom"), MONSTER("nihilanth", "nihilanth"), MONSTER("tentacle", "tentacle2"),
	MONSTER("apache", "apache"), MONSTER("osprey", "osprey"), MONSTER("rat", "bigrat"),
	{ "monster_scientist_dead", "models/scientist.mdl", .sequence = "lying_on_back" },
	{ "monster_barney_dead", "models/barney.mdl", .sequence = "lying_on_back" },
	{ "monster_hgrunt_dead", "models/hgrunt.mdl", .sequence = "deadstomach" },
	{ "monster_hevsuit_dead", "models/player.mdl", .sequence = "deadback", .body = 1 },
	{ "monster_tripmine", "models/v_tripmine.mdl", .body = 3 },
	STANDING("xen_hair", "hair"), STANDING("xen_plantlight", "light"), STANDING("xen_tree", "tree"),
	STANDING("xen_spore_small", "fungus(small)"), STANDING("xen_spore_medium", "fungus"),
	STANDING("xen_spore_large", "fungus(large)"),
	ITEM("item_healthkit", "w_medkit"), ITEM("item_battery", "w_battery"), ITEM("item_suit", "w_suit"),
	ITEM("item_longjump", "w_longjump"), ITEM("item_antidote", "w_antidote"), ITEM("item_security", "w_security"),
	ITEM("ammo_9mmclip", "w_9mmclip"), ITEM("ammo_glockclip", "w_9mmclip"), ITEM("ammo_9mmAR", "w_9mmARclip"),
	ITEM("ammo_mp5clip", "w_9mmARclip"), ITEM("ammo_9mmbox", "w_chainammo"), ITEM("ammo_buckshot", "w_shotbox"),
	ITEM("ammo_357", "w_357ammobox"), ITEM("ammo_ARgrenades", "w_ARgrenade"), ITEM("ammo_mp5grenades", "w_ARgrenade"),
	ITEM("ammo_gaussclip", "w_gaussammo"), ITEM("ammo_egonclip", "w_gaussammo"),
	ITEM("ammo_crossbow", "w_crossbow_clip"), ITEM("ammo_rpgclip", "w_rpgammo"),
	WEAPON("9mmhandgun"), WEAPON("357"), WEAPON("9mmAR"), WEAPON("shotgun"), WEAPON("crossbow"), WEAPON("rpg"),
	WEAPON("gauss"), WEAPON("egon"), WEAPON("crowbar"), ITEM("weapon_handgrenade", "w_grenade"),
	ITEM("weapon_snark", "w_sqknest"), ITEM("weapon_satchel", "w_satchel"), ITEM("weapon_hornetgun", "w_hgun"),
	{ "weapon_tripmine", "models/v_tripmine.mdl", .placing = BSPI_PLACED_AS_ITEM, .body = 3, .sequence = "7" },
	{ .name = NULL },
};

/* Item rules of items.cpp CItem::Spawn. The item's box extends 16 units to each side of the origin, and its bottom is
 * at the origin. It drops by up to 256 units. */
const bspi_item_rules bspi_goldsrc_items = { .half_width = 16, .farthest = 256 };
