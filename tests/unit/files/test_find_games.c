/* Promise: games are found in Steam's libraries, in both forms of Steam's library list, and below the usual folders,
 * each once. Broken lists and folders are ignored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/system.h"
#include "sources/find_games.h"
#include "support/mounted.h"

/* Makes an empty file and the folders of its path. */
static void put(const bspt_mounted *p, const char *path)
{
	char part[256];
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
		if (bspi_system_kind(bspt_mounted_at(p, part)) == BSPI_PATH_ABSENT) bspt_mounted_folder(p, part);
	}
	bspt_mounted_text(p, path, "");
}

typedef struct result {
	const bspt_mounted *mounted;
	char text[2000];
} result;

static void note(void *user, const char *path)
{
	result *r = user;
	size_t root = strlen(r->mounted->root), at = strlen(r->text);
	assert_memory_equal(path, r->mounted->root, root);
	snprintf(r->text + at, sizeof r->text - at, "%s\n", path + root + 1);
}

/* Searches <root>/Steam and <root>/Games, and compares what is found. */
static void expect(const bspt_mounted *p, const char *want)
{
	char steam_folder[300], usual_folder[300];
	snprintf(steam_folder, sizeof steam_folder, "%s/Steam", p->root);
	snprintf(usual_folder, sizeof usual_folder, "%s/Games", p->root);
	const char *const steam[] = { steam_folder, "$BSPSCENE_NO_SUCH_VARIABLE/Steam", NULL };
	const char *const usual[] = { usual_folder, usual_folder, "/nowhere/at/all", NULL };
	result r = { .mounted = p };
	assert_true(bspi_find_games(&(bspi_game_places) { steam, usual }, note, &r));
	assert_string_equal(r.text, want);
}

static void list_libraries(const bspt_mounted *p, const char *form)
{
	char text[1000];
	put(p, "Steam/steamapps/libraryfolders.vdf");
	snprintf(text, sizeof text, form, p->root);
	bspt_mounted_text(p, "Steam/steamapps/libraryfolders.vdf", text);
}

static void in_steams_libraries(void **state)
{
	const bspt_mounted *p = *state;
	list_libraries(p, "\"libraryfolders\"\n{\n\t\"0\"\n\t{\n\t\t\"path\"\t\t\"%s/disk \\\\two\"\n\t\t\"apps\"\n\t\t{\n"
	                  "\t\t\t\"220\"\t\t\"123\"\n\t\t}\n\t}\n}\n");
	put(p, "disk \\two/steamapps/common/Half-Life 2/hl2/gameinfo.txt");
	put(p, "disk \\two/steamapps/common/Half-Life 2/bin/engine.so");
	put(p, "disk \\two/steamapps/common/Half-Life/valve/liblist.gam");
	put(p, "disk \\two/steamapps/common/Quake/Id1/PAK0.PAK");
	put(p, "disk \\two/steamapps/common/Jedi Academy/GameData/base/assets0.pk3");
	put(p, "disk \\two/steamapps/common/Chess/data.pak");
	put(p, "Steam/steamapps/common/Quake 2/baseq2/pak0.pak");
	expect(p, "Steam/steamapps/common/Quake 2/baseq2\n"
	          "disk \\two/steamapps/common/Half-Life/valve\n"
	          "disk \\two/steamapps/common/Half-Life 2/hl2\n"
	          "disk \\two/steamapps/common/Quake/Id1\n"
	          "disk \\two/steamapps/common/Jedi Academy/GameData/base\n");
}

static void in_lists_from_before_2021(void **state)
{
	const bspt_mounted *p = *state;
	list_libraries(p, "\"LibraryFolders\"\n{\n\t\"TimeNextStatsReport\"\t\"1\"\n\t\"1\"\t\t\"%s/old\"\n}\n");
	put(p, "old/steamapps/common/Black Mesa/bms/gameinfo.txt");
	expect(p, "old/steamapps/common/Black Mesa/bms\n");
}

static void what_is_odd(void **state)
{
	const bspt_mounted *p = *state;
	list_libraries(p, "\"a\" { \"1\" \"relative/%.0s\" \"2\" { \"path\" \"\" } \"path\" { } } }{ \"1\" \"/x");
	put(p, "Games/a/b/c/d/e/pak0.pak");
	put(p, "Games/.hidden/id1/pak0.pak");
	put(p, "Games/openarena/baseoa/pak0.pk3");
	put(p, "Games/openarena/baseoa/inner/pak0.pk3");
	expect(p, "Games/openarena/baseoa\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(in_steams_libraries, bspt_mounted_begin, bspt_mounted_end),
		cmocka_unit_test_setup_teardown(in_lists_from_before_2021, bspt_mounted_begin, bspt_mounted_end),
		cmocka_unit_test_setup_teardown(what_is_odd, bspt_mounted_begin, bspt_mounted_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
