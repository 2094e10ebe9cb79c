/* prune.c - see prune.h. */
#include "archive/catalog/prune.h"

#include <stdlib.h>
#include <string.h>

#include "archive/catalog/members.h"
#include "archive/catalog/map_places.h"
#include "archive/shared/pool_prune.h"
#include "archive/store/process_options.h"
#include "archive/store/store_ids.h"
#include "cli/json.h"
#include "cli/report.h"

typedef struct pruning {
	const cli_args *args;
	cli_store store;
	json_t *found;                     /* a dictionary: key of each place in the catalog -> id of the map that is
	                                    * there */
	json_t *unread;                    /* paths that the catalog could not read */
	uint32_t gone, fewer;
	bool dry, failed;
} pruning;

static void list_places(pruning *p, const cli_catalog *catalog)
{
	p->found = json_object();
	p->unread = json_array();
	for (uint32_t i = 0; i < catalog->map_count; i++) {
		json_t *entries = cli_catalog_entries(&catalog->maps[i]);
		for (size_t k = 0; k < json_array_size(entries); k++) {
			char *key = cli_place_key(json_array_get(entries, k));
			json_object_set_new(p->found, key, json_string(catalog->maps[i].id));
			free(key);
		}
		json_decref(entries);
	}
	for (uint32_t i = 0; i < catalog->error_count; i++) {
		json_t *line = json_loads(catalog->errors[i], 0, NULL);
		json_array_append(p->unread, json_object_get(line, "path"));
		json_decref(line);
	}
}

/* True if the catalog could not read the place's file, or a folder that contains this file. */
static bool is_unread(const pruning *p, const json_t *place)
{
	const char *path = json_string_value(json_object_get(place, "path"));
	for (size_t i = 0; path && i < json_array_size(p->unread); i++) {
		const char *unread = json_string_value(json_array_get(p->unread, i));
		size_t length = unread ? strlen(unread) : 0;
		if (length && !strncmp(path, unread, length) && (!path[length] || path[length] == '/')) return true;
	}
	return false;
}

typedef enum place_end { STAYS, GONE, CHANGED } place_end;

static place_end end_of(const pruning *p, const char *id, const json_t *place)
{
	char *key = cli_place_key(place);
	const char *there = json_string_value(json_object_get(p->found, key));
	free(key);
	if (there) return strcmp(there, id) ? CHANGED : STAYS;
	return is_unread(p, place) ? STAYS : GONE;
}

static void say(const char *id, const json_t *place, place_end end, bool last)
{
	const char *path = json_string_value(json_object_get(place, "path"));
	const json_t *members = json_object_get(place, "members");
	const char *name = json_string_value(json_object_get(place, "name"));
	char *where = cli_join_members(path ? path : "", members, json_array_size(members), ": ");
	cli_print("%s %s (%.12s): %s%s", end == GONE ? "gone" : "changed", name ? name : "", id, where,
	          last ? "" : "; the map is still in another place");
	free(where);
}

/* If `stay` is empty, moves the map to STORE/removed. Otherwise changes its result so that it has only the places in
 * `stay`. Skips a map that another worker is processing. */
static bool take(pruning *p, const char *id, json_t *result, json_t *stay)
{
	uint32_t claim;
	if (cli_store_claim(&p->store, id, &claim) != CLI_CLAIMED) {
		cli_warn(p->args, "%s: not changed, because another run is processing it", id);
		return true;
	}
	bool ok;
	if (!json_array_size(stay)) {
		ok = cli_store_remove(&p->store, id);
	} else {
		bool same = cli_is_same_source(json_array_get(stay, 0), json_object_get(result, "catalog"));
		json_object_set(result, "catalog", json_array_get(stay, 0));
		json_object_set_new(result, "places", cli_places_but(stay, 0));
		/* The place from which the map was read is gone. So the next run makes all products again. */
		if (!same) json_object_set_new(result, "steps", json_array());
		ok = cli_store_put_result(&p->store, id, claim, result) && cli_store_replace_result(&p->store, id, claim);
	}
	cli_store_release(&p->store, id, claim);
	return ok;
}

static void prune_map(pruning *p, const char *id)
{
	json_t *result = cli_store_result(&p->store, id), *all = cli_places_merge(NULL, result), *stay = json_array();
	for (size_t i = 0; i < json_array_size(all); i++) {
		json_t *place = json_array_get(all, i);
		if (end_of(p, id, place) == STAYS) json_array_append(stay, place);
	}
	for (size_t i = 0; i < json_array_size(all); i++) {
		const json_t *place = json_array_get(all, i);
		place_end end = end_of(p, id, place);
		if (end != STAYS) say(id, place, end, !json_array_size(stay));
	}
	bool less = json_array_size(stay) < json_array_size(all);
	p->gone += less && !json_array_size(stay);
	p->fewer += less && json_array_size(stay);
	if (less && !p->dry) p->failed |= !take(p, id, result, stay);
	json_decref(stay);
	json_decref(all);
	json_decref(result);
}

/* Removes shared files that no remaining map uses. */
static void prune_pools(pruning *p)
{
	uint32_t count;
	p->failed = !cli_prune_pools(p->args->source, p->dry, &count);
	if (p->failed || !count || p->args->quiet) return;
	cli_print("%u file%s that no map uses any more, %s to removed/", count, count == 1 ? "" : "s",
	          p->dry ? "to be moved" : "moved");
}

cli_exit cli_prune_store(const cli_args *args, const cli_catalog *catalog)
{
	pruning p = { .args = args, .dry = cli_process_options_of(args)->dry_run };
	cli_ids ids = { 0 };
	if (!catalog->map_count) return cli_fail("the catalog has no maps: nothing is moved");
	if (!cli_store_ids(&ids, args->source)) return CLI_FAILED;
	if (!p.dry && !cli_store_open(&p.store, args->source)) {
		free(ids.at);
		return CLI_FAILED;
	}
	p.store.path = args->source;
	list_places(&p, catalog);
	for (size_t i = 0; i < ids.count && !p.failed; i++) prune_map(&p, ids.at[i]);
	if (!args->quiet) {
		cli_print("%zu maps: %u gone or changed%s, %u in fewer places", ids.count, p.gone,
		          !p.gone ? "" : p.dry ? ", to be moved to removed/" : ", moved to removed/", p.fewer);
	}
	bool idle = p.dry || cli_store_close(&p.store);
	if (!idle) {
		cli_warn(args, "%s: another run uses this store, so files that several maps share stay until the next --prune",
		         args->source);
	}
	if (idle && !p.failed) prune_pools(&p);
	json_decref(p.found);
	json_decref(p.unread);
	free(ids.at);
	return p.failed ? CLI_FAILED : cli_finish_stdout();
}
