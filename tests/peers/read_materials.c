/* read_materials.c - reads material files for test_materials.py: read_materials DIRECTORY NAME... Keys are on standard
 * input, one on a line ("proxy.key" for a key of a proxy). For each material, prints "NAME<tab>shader", then
 * "key<tab>value" for each of these keys that the material has. */
#include <stdio.h>
#include <string.h>

#include "materials/vmt/vmt.h"
#include "support/bspt.h"
#include "support/make/made_game.h"

enum { MOST_KEYS = 64, KEY_SIZE = 64 };
static char keys[MOST_KEYS][KEY_SIZE];
static uint32_t key_count;

static void read_keys(void)
{
	while (key_count < MOST_KEYS && fgets(keys[key_count], KEY_SIZE, stdin)) {
		keys[key_count][strcspn(keys[key_count], "\r\n")] = 0;
		key_count++;
	}
}

static const char *value_of(const bspi_vmt *vmt, const char *key)
{
	char name[KEY_SIZE];
	const char *dot = strchr(key, '.');
	if (!dot) return bspi_vmt_value(vmt, key);
	snprintf(name, sizeof name, "%.*s", (int)(dot - key), key);
	const bspi_vmt_proxy scroll = { name, "texturescrollvar", "$basetexturetransform" };
	const bspi_vmt_proxy sine = { name, "resultvar", "$alpha" };
	return bspi_vmt_proxy_value(vmt, strcmp(name, "Sine") ? &scroll : &sine, dot + 1);
}

static void print_material(bspt_game *g, const char *name)
{
	bspi_vmt vmt;
	bool found;
	if (!bspi_open_vmt(&g->ctx, name, &vmt, &found) || !found) bspt_die(name, "cannot be read");
	printf("%s\t%s\n", name, vmt.shader);
	for (uint32_t i = 0; i < key_count; i++) {
		const char *value = value_of(&vmt, keys[i]);
		if (value) printf("%s\t%s\n", keys[i], value);
	}
}

int main(int argc, char **argv)
{
	bspt_game g;
	bspscene_error error;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (argc < 3 || !files) bspt_die("usage", "read_materials DIRECTORY NAME...");
	if (!bspscene_file_system_mount(files, argv[1], &error)) bspt_die(argv[1], error.message);
	bspt_game_start(&g);
	g.ctx.options.open_file = bspscene_file_system_open;
	g.ctx.options.file_user = files;
	read_keys();
	for (int i = 2; i < argc; i++) print_material(&g, argv[i]);
	bspt_game_end(&g);
	bspscene_file_system_free(files);
	return 0;
}
