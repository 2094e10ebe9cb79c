/* pool_prune.c - see pool_prune.h. Pictures of GLBs in STORE/textures stay: no list says which GLB refers to them. */
#include "archive/shared/pool_prune.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "archive/store/store_ids.h"
#include "cli/host/platform.h"
#include "cli/json.h"
#include "cli/report.h"
#include "cli/text_set.h"

/* The pools of shared files. For each, the JSON file of a map that lists which files of the pool the map uses. */
static const struct {
	const char *list, *pool;
} lists[] = {
	{ "files.json", "files" },
	{ "companions.json", "files" },
	{ "original.json", "originals" },
};

typedef struct pruning {
	const char *store, *pool, *head;   /* the folder that is being searched is STORE/POOL/HEAD */
	bool dry, failed;
	uint32_t count;
	cli_text_set had;                  /* "POOL/NAME" of files that maps use */
} pruning;

static bool fail(pruning *p, const char *path, const char *why)
{
	p->failed = true;
	cli_fail("%s: %s; the files that several maps share stay where they are", path, why);
	return false;
}

/* ---- Files that maps use ----------------------------------------------------------------------------------- */

static void note(pruning *p, const char *pool, const json_t *file, const char *member)
{
	const char *name = json_string_value(json_object_get(file, member));
	bool is_new;
	char *key = cli_format("%s/%s", pool, name ? name : "");
	cli_text_set_add(&p->had, key, &is_new);
	free(key);
}

static bool note_list(pruning *p, const char *path, const char *pool)
{
	json_error_t error;
	if (cli_kind_of(path, false) == CLI_PATH_ABSENT) return true;
	json_t *list = cli_json_load(path, &error);
	if (!list) return fail(p, path, error.text);
	const json_t *files = json_object_get(list, "files");
	note(p, pool, list, "file");
	for (size_t i = 0; i < json_array_size(files); i++) {
		note(p, pool, json_array_get(files, i), "file");
		note(p, pool, json_array_get(files, i), "shown");
	}
	json_decref(list);
	return true;
}

/* Adds the files that all maps in `folder` use. The folder has the layout of a store. */
static bool note_maps(pruning *p, const char *folder)
{
	cli_ids ids = { 0 };
	cli_store store = { .path = folder };
	if (cli_kind_of(folder, false) == CLI_PATH_ABSENT) return true;
	bool ok = cli_store_ids(&ids, folder);
	for (size_t i = 0; ok && i < ids.count; i++) {
		for (size_t k = 0; ok && k < sizeof lists / sizeof *lists; k++) {
			char *path = cli_store_path(&store, ids.at[i], lists[k].list);
			ok = note_list(p, path, lists[k].pool);
			free(path);
		}
	}
	free(ids.at);
	return ok;
}

/* ---- Files of pools ---------------------------------------------------------------------------------------- */

static bool take_out(const pruning *p, const char *name)
{
	char *parts[] = { cli_format("%s/removed", p->store), cli_format("%s/removed/%s", p->store, p->pool),
		              cli_format("%s/removed/%s/%s", p->store, p->pool, p->head) };
	char *from = cli_format("%s/%s/%s/%s", p->store, p->pool, p->head, name), *to = cli_format("%s/%s", parts[2], name);
	bool ok = true;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		ok = ok && (cli_make_directory(parts[i]) || errno == EEXIST);
		free(parts[i]);
	}
	ok = ok && cli_rename(from, to);
	if (!ok) cli_fail("%s: cannot be moved to removed/: %s", from, strerror(errno));
	free(to);
	free(from);
	return ok;
}

/* Implements cli_entry_fn. */
static void look_at_file(const char *name, cli_path_kind kind, void *user)
{
	pruning *p = user;
	bool is_new;
	if (kind != CLI_PATH_FILE || p->failed || strncmp(name, p->head, 2) != 0) return;
	char *key = cli_format("%s/%s", p->pool, name);
	cli_text_set_add(&p->had, key, &is_new);
	free(key);
	if (!is_new) return;
	p->count++;
	p->failed = !p->dry && !take_out(p, name);
}

/* Implements cli_entry_fn for folders "ab". */
static void look_at_folder(const char *name, cli_path_kind kind, void *user)
{
	pruning *p = user;
	if (kind != CLI_PATH_DIRECTORY || strlen(name) != 2 || p->failed) return;
	char *folder = cli_format("%s/%s/%s", p->store, p->pool, name);
	p->head = name;
	cli_each_entry(folder, look_at_file, p);
	if (!p->dry) cli_remove_directory(folder); /* fails, as intended, if the folder is not empty */
	free(folder);
}

bool cli_prune_pools(const char *store, bool dry, uint32_t *count)
{
	static const char *const pools[] = { "files", "originals" };
	pruning p = { .store = store, .dry = dry };
	char *removed = cli_format("%s/removed", store);
	bool ok = note_maps(&p, store) && note_maps(&p, removed);
	for (size_t i = 0; ok && i < sizeof pools / sizeof *pools; i++) {
		char *folder = cli_format("%s/%s", store, pools[i]);
		p.pool = pools[i];
		if (cli_kind_of(folder, false) == CLI_PATH_DIRECTORY) cli_each_entry(folder, look_at_folder, &p);
		if (!dry) cli_remove_directory(folder);
		free(folder);
	}
	cli_text_set_free(&p.had);
	free(removed);
	*count = p.count;
	return ok && !p.failed;
}
