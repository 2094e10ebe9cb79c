/* place_file.c - see place_file.h. */
#include "archive/catalog/place_file.h"

#include <stdlib.h>

#include "archive/store/roots.h"

json_t *cli_companion_place(const json_t *line, size_t index)
{
	json_t *file = json_array_get(json_object_get(line, "companions"), index), *place = json_object();
	json_t *members = json_deep_copy(json_object_get(line, "members")), *root = json_object_get(line, "root");
	bool is_member = json_array_size(members) > 0;
	if (is_member) json_array_set(members, json_array_size(members) - 1, file);
	json_object_set(place, "path", is_member ? json_object_get(line, "path") : file);
	if (root) json_object_set(place, "root", root);
	json_object_set_new(place, "members", members ? members : json_array());
	return place;
}

void *cli_read_place_file(cli_place_reader *reader, const json_t *place, const cli_args *args, size_t *size,
                          bspscene_error *error)
{
	const json_t *members = json_object_get(place, "members");
	char *path = cli_path_on_disk(place, args);
	size_t count = json_array_size(members);
	void *data = cli_place_read(reader, path ? path : "", members, count, CLI_LARGEST_COMPANION, size, error);
	free(path);
	return data;
}
