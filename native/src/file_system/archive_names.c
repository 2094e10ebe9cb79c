/* archive_names.c - see archive_names.h.
 *
 * Quake and Quake II number their paks, and files of later paks win. Quake III and related games sort archives by name,
 * ignoring case (FS_AddGameDirectory). They also treat .pk3dir directories as archives. */
#include "file_system/archive_names.h"

#include <string.h>

static const struct {
	const char *ending;
	bspi_archive_group group;
} endings[] = {
	{ "_dir.vpk", BSPI_GROUP_VPK },
	{ ".gma", BSPI_GROUP_VPK },        /* Garry's Mod */
	{ ".pak", BSPI_GROUP_PAK },
	{ ".pk3", BSPI_GROUP_PK3 },
	{ ".pk4", BSPI_GROUP_PK3 },
	{ ".iwd", BSPI_GROUP_PK3 },        /* Call of Duty 2 */
	{ ".pkz", BSPI_GROUP_PK3 },        /* Q2PRO */
	{ ".dpk", BSPI_GROUP_PK3 },        /* Unvanquished */
	{ ".kpf", BSPI_GROUP_PK3 },        /* the re-releases of Quake and Quake II */
	{ ".pk3dir/", BSPI_GROUP_PK3 },
	{ ".dpkdir/", BSPI_GROUP_PK3 },
};

/* Reads the number in a name like "pak12.pak". */
static bool pak_number(const char *name, uint32_t *number)
{
	const char *p = name + 3;
	*number = 0;
	if (!bspi_text_starts(name, "pak")) return false;
	for (; *p >= '0' && *p <= '9' && *number < 100000000u; p++) *number = *number * 10 + (uint32_t)(*p - '0');
	return p > name + 3 && bspi_text_equal(p, ".pak");
}

/* True for a name like Bloodlines' "pack000.vpk". */
static bool is_pack(const char *name)
{
	const char *p = name + strlen("pack");
	if (!bspi_text_starts(name, "pack")) return false;
	while (*p >= '0' && *p <= '9') p++;
	return p > name + strlen("pack") && bspi_text_equal(p, ".vpk");
}

bspi_archive_name bspi_classify_archive(const char *name)
{
	bspi_archive_name archive = { name, BSPI_GROUP_NONE, 0 };
	for (size_t i = 0; i < sizeof endings / sizeof *endings && archive.group == BSPI_GROUP_NONE; i++) {
		if (bspi_text_ends(name, endings[i].ending)) archive.group = endings[i].group;
	}
	if (is_pack(name)) archive.group = BSPI_GROUP_VPK;
	if (pak_number(name, &archive.number)) archive.group = BSPI_GROUP_NUMBERED_PAK;
	return archive;
}

int bspi_compare_archives(const void *a, const void *b)
{
	const bspi_archive_name *x = a, *y = b;
	if (x->group != y->group) return x->group < y->group ? -1 : 1;
	if (x->group == BSPI_GROUP_NUMBERED_PAK && x->number != y->number) return x->number < y->number ? -1 : 1;
	int order = bspi_text_compare(x->name, y->name);
	return order ? order : strcmp(x->name, y->name);
}

bool bspi_is_archive_part(const char *name)
{
	return bspi_text_ends(name, ".vpk") || bspi_classify_archive(name).group != BSPI_GROUP_NONE;
}
