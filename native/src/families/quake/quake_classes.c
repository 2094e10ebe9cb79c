/* quake_classes.c - the models that Quake's game code shows for the classes of entities: monsters, items, torches. The
 * files are those of id1; LibreQuake has all of them too. */
#include "map/rules.h"

#define MONSTER(name, model) { "monster_" name, "progs/" model ".mdl", .placing = BSPI_PLACED_EXACTLY }
#define ITEM(name, path) { name, path, .placing = BSPI_PLACED_AS_ITEM }
#define ITEM_WITH_FLAG(name, path, flag) \
	{ name, path, .placing = BSPI_PLACED_AS_ITEM, .mask = (flag), .value = (flag) }
/* Boxes of ammunition and health are maps (.bsp) that have a corner at their origin. */
#define BOX(name, path) { name, "maps/" path ".bsp", .placing = BSPI_PLACED_AS_ITEM, .from_corner = true }
#define BOX_WITH_FLAG(name, path, flag) \
	{ name, "maps/" path ".bsp", .placing = BSPI_PLACED_AS_ITEM, .from_corner = true, .mask = (flag), .value = (flag) }
#define SKINNED(name, path, number) { name, path, .placing = BSPI_PLACED_AS_ITEM, .skin = (number) }
#define LAMP(name, path, number) { name, path, .placing = BSPI_PLACED_EXACTLY, .frame = (number) }

const bspi_class_model bspi_quake_classes[] = {
	MONSTER("army", "soldier"), MONSTER("dog", "dog"), MONSTER("ogre", "ogre"), MONSTER("ogre_marksman", "ogre"),
	MONSTER("knight", "knight"), MONSTER("hell_knight", "hknight"), MONSTER("wizard", "wizard"),
	MONSTER("zombie", "zombie"), MONSTER("demon1", "demon"), MONSTER("shambler", "shambler"),
	MONSTER("enforcer", "enforcer"), MONSTER("fish", "fish"), MONSTER("shalrath", "shalrath"),
	MONSTER("tarbaby", "tarbaby"), MONSTER("oldone", "oldone"), MONSTER("boss", "boss"),

	BOX_WITH_FLAG("item_health", "b_bh10", 1), BOX_WITH_FLAG("item_health", "b_bh100", 2),
	BOX("item_health", "b_bh25"),
	BOX_WITH_FLAG("item_shells", "b_shell1", 1), BOX("item_shells", "b_shell0"),
	BOX_WITH_FLAG("item_spikes", "b_nail1", 1), BOX("item_spikes", "b_nail0"),
	BOX_WITH_FLAG("item_rockets", "b_rock1", 1), BOX("item_rockets", "b_rock0"),
	BOX_WITH_FLAG("item_cells", "b_batt1", 1), BOX("item_cells", "b_batt0"),
	SKINNED("item_armor1", "progs/armor.mdl", 0), SKINNED("item_armor2", "progs/armor.mdl", 1),
	SKINNED("item_armorInv", "progs/armor.mdl", 2),
	ITEM("weapon_supershotgun", "progs/g_shot.mdl"), ITEM("weapon_nailgun", "progs/g_nail.mdl"),
	ITEM("weapon_supernailgun", "progs/g_nail2.mdl"), ITEM("weapon_grenadelauncher", "progs/g_rock.mdl"),
	ITEM("weapon_rocketlauncher", "progs/g_rock2.mdl"), ITEM("weapon_lightning", "progs/g_light.mdl"),
	ITEM("item_key1", "progs/w_s_key.mdl"), ITEM("item_key2", "progs/w_g_key.mdl"),
	ITEM_WITH_FLAG("item_sigil", "progs/end1.mdl", 1), ITEM_WITH_FLAG("item_sigil", "progs/end2.mdl", 2),
	ITEM_WITH_FLAG("item_sigil", "progs/end3.mdl", 4), ITEM_WITH_FLAG("item_sigil", "progs/end4.mdl", 8),
	ITEM("item_artifact_super_damage", "progs/quaddama.mdl"),
	ITEM("item_artifact_invulnerability", "progs/invulner.mdl"), ITEM("item_artifact_envirosuit", "progs/suit.mdl"),
	ITEM("item_artifact_invisibility", "progs/invisibl.mdl"),
	BOX("misc_explobox", "b_explob"), BOX("misc_explobox2", "b_exbox2"),

	LAMP("light_torch_small_walltorch", "progs/flame.mdl", 0), LAMP("light_flame_large_yellow", "progs/flame2.mdl", 1),
	LAMP("light_flame_small_yellow", "progs/flame2.mdl", 0), LAMP("light_flame_small_white", "progs/flame2.mdl", 0),
	LAMP("light_globe", "progs/s_light.spr", 0), LAMP("viewthing", "progs/player.mdl", 0),
	{ .name = NULL },
};

/* Item rules of items.qc PlaceItem: an item is raised by 6 units, then drops by up to 256 units. Its box begins at the
 * origin. */
const bspi_item_rules bspi_quake_items = { .half_width = 16, .lift = 6, .farthest = 256 };
