/* map_names.c - see map_names.h. */
#include "archive/catalog/map_names.h"

#include <string.h>
#include <strings.h>

#include "cli/names.h"
#include "cli/report.h"

static bool ends_with(const char *name, const char *ending)
{
	size_t length = strlen(name), end = strlen(ending);
	return length > end && !strcasecmp(name + length - end, ending);
}

bool cli_is_map_name(const char *name)
{
	static const char *const endings[] = { ".bsp", ".bsp.gz", ".bsp.bz2", ".bsp.xz", ".bsp.zst" };
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		if (ends_with(name, endings[i])) return true;
	}
	return false;
}

bool cli_is_archive_name(const char *name)
{
	static const char *const endings[] = {
		".zip", ".pk3", ".pk4", ".iwd", ".pkz", ".dpk", ".kpf", ".gma", "_legacy.bin", ".pak", ".sin", ".vpk",
	};
	size_t length = strlen(name);
	if (ends_with(name, ".vpk") && length > 8 && name[length - 8] == '_' &&
	    strspn(name + length - 7, "0123456789") == 3)
		return false;
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		if (ends_with(name, endings[i])) return true;
	}
	return false;
}

const char *cli_other_archive_kind(const char *name)
{
	static const struct {
		const char *ending, *kind;
	} kinds[] = {
		{ ".rar", "RAR" },     { ".7z", "7z" },     { ".tar", "tar" },  { ".tar.gz", "tar" }, { ".tgz", "tar" },
		{ ".tar.bz2", "tar" }, { ".tbz", "tar" },   { ".tbz2", "tar" }, { ".tar.xz", "tar" }, { ".txz", "tar" },
		{ ".tar.zst", "tar" }, { ".tzst", "tar" },  { ".lzh", "LHA" },  { ".lha", "LHA" },    { ".arj", "ARJ" },
		{ ".ace", "ACE" },     { ".zipx", "zipx" },
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (ends_with(name, kinds[i].ending)) return kinds[i].kind;
	}
	return NULL;
}

bool cli_catalog_takes(const char *name)
{
	return cli_is_map_name(name) || cli_is_archive_name(name) || cli_other_archive_kind(name);
}

char *cli_map_name(const char *path)
{
	const char *slash = cli_last_separator(path);
	const char *name = slash ? slash + 1 : path;
	size_t length = strlen(name);
	for (size_t i = 0; i + 4 <= length; i++) {
		if (!strncasecmp(name + i, ".bsp", 4) && (!name[i + 4] || name[i + 4] == '.')) length = i;
	}
	return cli_format("%.*s", (int)length, name);
}
