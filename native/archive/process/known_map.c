/* known_map.c - see known_map.h. */
#include "archive/process/known_map.h"

#include "archive/catalog/map_places.h"
#include "archive/process/process_map.h"

cli_known_map cli_know_map(const cli_store *store, const cli_catalog_map *map, const cli_args *args)
{
	json_t *entries = cli_catalog_entries(map);
	cli_known_map known = { .result = cli_store_result(store, map->id) };
	known.places = cli_places_merge(entries, known.result);
	const json_t *read = json_object_get(known.result, "catalog"), *first = json_array_get(known.places, 0);
	known.suffices = known.result && cli_result_suffices(known.result, args);
	known.same_source = known.suffices && cli_is_same_source(first, read);
	if (known.same_source) {
		json_t *others = cli_places_but(known.places, 0);
		known.complete = json_equal(first, read) && json_equal(others, json_object_get(known.result, "places"));
		json_decref(others);
	}
	json_decref(entries);
	return known;
}

void cli_forget_map(cli_known_map *known)
{
	json_decref(known->result);
	json_decref(known->places);
}
