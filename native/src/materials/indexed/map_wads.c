/* map_wads.c - see map_wads.h. */
#include "materials/indexed/map_wads.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { NAME_SIZE = 200, LIST_SIZE = 900 };

/* WADs of Half-Life and of its compilers that hold no textures of walls: they have decals, menus, or tool textures. */
static const char *const never_walls[] = {
	"decals.wad", "pldecal.wad", "tempdecal.wad", "spraypaint.wad", "cached.wad", "fonts.wad", "gfx.wad", "zhlt.wad",
	"sdhlt.wad", "hlt.wad"
};

static bool may_hold_walls(const char *name)
{
	for (size_t i = 0; i < sizeof never_walls / sizeof *never_walls; i++) {
		if (bspi_text_equal(name, never_walls[i])) return false;
	}
	return true;
}

static bool is_blank(char c)
{
	return (unsigned char)c <= ' ' || c == '"';
}

/* Returns the name of a WAD from an entry of the list. Adds the extension if the entry lacks it. Returns "" if the
 * entry is empty. */
static const char *wad_name(bspi_ctx *ctx, const char *text, size_t size)
{
	while (size && is_blank(text[size - 1])) size--;
	while (size && is_blank(*text)) text++, size--;
	if (size > NAME_SIZE) size = NAME_SIZE;
	char *name = bspi_push(ctx, &ctx->scratch, char, size + sizeof ".wad");
	if (!name || !size) return name;
	memcpy(name, text, size);
	if (!bspi_text_ends(name, ".wad")) strcpy(name + size, ".wad");
	return name;
}

/* True if the WAD was found in the list before. The same file may be listed with several paths. */
static bool is_known(const bspi_map_wads *wads, const char *path)
{
	for (uint32_t i = 0; i < wads->missing_count; i++) {
		if (bspi_text_equal(wads->missing[i], path)) return true;
	}
	for (uint32_t i = 0; i < wads->count; i++) {
		if (bspi_text_equal(wads->list[i].path, path)) return true;
	}
	return false;
}

bool bspi_open_map_wads(bspi_ctx *ctx, const char *value, bspi_map_wads *out)
{
	size_t end = strlen(value);
	while (end && out->count + out->missing_count < BSPI_MOST_WADS) {
		size_t start = end;
		while (start && value[start - 1] != ';') start--;
		size_t name = end;
		while (name > start && value[name - 1] != '/' && value[name - 1] != '\\') name--;
		const char *path = wad_name(ctx, value + name, end - name);
		end = start ? start - 1 : 0;
		BSPI_TRY(path);
		if (!*path || is_known(out, path)) continue;
		if (bspi_wad_open(ctx, path, &out->list[out->count])) out->count++;
		else if (ctx->error.status) return false;
		else out->missing[out->missing_count++] = path;
	}
	return true;
}

typedef struct name_list {
	char text[LIST_SIZE];
	size_t size;
	uint32_t left_out;
} name_list;

static void add_name(name_list *list, const char *name)
{
	size_t room = sizeof list->text - list->size;
	int size = snprintf(list->text + list->size, room, "%s%s", list->size ? ", " : "", name);
	if (size > 0 && (size_t)size < room) list->size += (size_t)size;
	else list->left_out++;
	list->text[list->size] = 0;
}

bool bspi_warn_of_missing_wads(bspi_ctx *ctx, const bspi_map_wads *wads, uint32_t unfound)
{
	name_list names = { .size = 0 };
	char more[32] = "", needed[96] = "no texture of a wall is missing";
	if (!wads->missing_count) return true;
	for (int walls = 1; walls >= 0; walls--) {
		for (uint32_t i = 0; i < wads->missing_count; i++) {
			if (may_hold_walls(wads->missing[i]) == walls) add_name(&names, wads->missing[i]);
		}
	}
	if (names.left_out) snprintf(more, sizeof more, " and %u more", names.left_out);
	if (unfound) {
		snprintf(needed, sizeof needed, "%u texture%s in no WAD that was found", unfound,
		         unfound == 1 ? " is" : "s are");
	}
	bool one = wads->missing_count == 1;
	const char *was = one ? "was" : "were", *them = one ? "it" : "them";
	return bspi_warn(ctx, BSPSCENE_WARNING_FILE_MISSING, BSPI_LUMP("wad"),
	                 "%s%s %s not found: put %s next to the map or into the game's directory (%s)", names.text, more,
	                 was, them, needed);
}
