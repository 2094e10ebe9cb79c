/* roots.c - see roots.h. */
#include "archive/store/roots.h"

#include <stdlib.h>
#include <string.h>

#include "cli/byte_buffer.h"
#include "cli/host/platform.h"
#include "cli/json.h"
#include "cli/names.h"
#include "cli/report.h"

/* One --root "NAME=DIR". `length` is the length of DIR without separators at its end. */
typedef struct root {
	const char *name, *folder;
	size_t name_length, length;
} root;

/* All roots. Each is in the list as the user gave it, and again with symbolic links resolved, because paths of games
 * have no links. */
typedef struct root_list {
	root at[2 * CLI_MAX_ROOTS];
	char *real[CLI_MAX_ROOTS];
	uint32_t count;
} root_list;

static root root_of(const char *option, const char *folder)
{
	const char *equals = strchr(option, '=');
	if (!folder) folder = equals + 1;
	root one = { option, folder, (size_t)(equals - option), strlen(folder) };
	while (one.length > 1 && cli_is_separator(one.folder[one.length - 1])) one.length--;
	return one;
}

static root_list list_roots(const cli_args *args)
{
	root_list list = { .count = 0 };
	for (uint32_t i = 0; i < args->root_count; i++) {
		root given = root_of(args->roots[i], NULL);
		list.real[i] = cli_real_path(given.folder);
		list.at[list.count++] = given;
		if (list.real[i]) list.at[list.count++] = root_of(args->roots[i], list.real[i]);
	}
	return list;
}

static void free_roots(root_list *list)
{
	for (uint32_t i = 0; i < CLI_MAX_ROOTS; i++) free(list->real[i]);
}

/* True if the path is the root's folder or is in it. The folder's name must be followed by a separator, the end of the
 * text, or a character that ends a path in a message. */
static bool is_below(const root *one, const char *path)
{
	for (size_t i = 0; i < one->length; i++) {
		if (!cli_is_same_letter(path[i], one->folder[i])) return false;
	}
	char next = path[one->length];
	return !next || cli_is_separator(next) || strchr(":;,'\")]", next);
}

/* Returns the deepest root that contains the path, or NULL. */
static const root *find_root(const char *path, const root_list *list)
{
	const root *found = NULL;
	for (uint32_t i = 0; i < list->count; i++) {
		const root *one = &list->at[i];
		if (is_below(one, path) && (!found || one->length > found->length)) found = one;
	}
	return found;
}

void cli_set_published_path(json_t *line, const char *path, const cli_args *args)
{
	root_list list = list_roots(args);
	const root *found = find_root(path, &list);
	char *published = found ? cli_format("%.*s%s", (int)found->name_length, found->name, path + found->length)
	                        : cli_format("%s", path);
	for (char *at = published; found && *at; at++) {
		if (cli_is_separator(*at)) *at = '/';
	}
	json_object_set_new(line, "path", cli_json_text(published));
	if (found) json_object_set_new(line, "root", json_stringn(found->name, found->name_length));
	free(published);
	free_roots(&list);
}

char *cli_path_on_disk(const json_t *place, const cli_args *args)
{
	const char *path = json_string_value(json_object_get(place, "path"));
	const char *name = json_string_value(json_object_get(place, "root"));
	size_t length = name ? strlen(name) : 0;
	if (!name) return cli_format("%s", path ? path : "");
	for (uint32_t i = 0; i < args->root_count && path && !strncmp(path, name, length); i++) {
		root one = root_of(args->roots[i], NULL);
		if (one.name_length != length || memcmp(one.name, name, length) != 0) continue;
		return cli_format("%.*s%s", (int)one.length, one.folder, path + length);
	}
	return NULL;
}

static char *publish_text(const char *text, const root_list *list)
{
	cli_bytes out = { 0 };
	while (*text) {
		const root *found = find_root(text, list);
		if (found) {
			cli_bytes_add(&out, found->name, found->name_length);
			text += found->length;
		} else {
			cli_bytes_add(&out, text++, 1);
		}
	}
	cli_bytes_add(&out, "", 1);
	return out.at;
}

char *cli_publish_text(const char *text, const cli_args *args)
{
	root_list list = list_roots(args);
	char *published = publish_text(text, &list);
	free_roots(&list);
	return published;
}

static json_t *published(json_t *value, const root_list *list)
{
	char *text = publish_text(json_string_value(value), list);
	json_t *other = cli_json_text(text);
	free(text);
	return other;
}

/* Recursion is safe here, because the program's own values have only a few levels. */
void cli_publish_json(json_t *value, const cli_args *args)
{
	json_t *list = json_array();
	root_list roots = list_roots(args);
	if (args->root_count) json_array_append(list, value);
	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *at = json_array_get(list, i), *member;
		const char *name;
		for (size_t k = 0; k < json_array_size(at); k++) {
			member = json_array_get(at, k);
			if (json_is_string(member)) json_array_set_new(at, k, published(member, &roots));
			else if (json_is_object(member) || json_is_array(member)) json_array_append(list, member);
		}
		json_object_foreach(at, name, member)
		{
			if (json_is_string(member)) json_object_set_new(at, name, published(member, &roots));
			else if (json_is_object(member) || json_is_array(member)) json_array_append(list, member);
		}
	}
	json_decref(list);
	free_roots(&roots);
}

const char *cli_published_name(const char *path)
{
	const char *last = cli_last_separator(path);
	return cli_root_length(path) && last ? last + 1 : path;
}

char *cli_text_without(const char *text, const char *path)
{
	const char *name = cli_published_name(path), *at;
	cli_bytes out = { 0 };
	for (; name != path && (at = strstr(text, path)); text = at + strlen(path)) {
		cli_bytes_add(&out, text, (size_t)(at - text));
		cli_bytes_add(&out, name, strlen(name));
	}
	cli_bytes_add(&out, text, strlen(text) + 1);
	return out.at;
}
