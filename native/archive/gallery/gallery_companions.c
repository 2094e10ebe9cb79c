/* gallery_companions.c - see gallery_companions.h. */
#include "archive/gallery/gallery_companions.h"

#include <stdbool.h>
#include <string.h>

#include "archive/gallery/gallery_member.h"

/* Accepts only names that cli_shared_name makes, since they become part of a URL. */
static bool is_shared_name(const char *name)
{
	static const char digits[] = "0123456789abcdef";
	size_t hash = strspn(name, digits);
	return hash == 16 && name[hash] == '-' && name[hash + 1] && !name[hash + 1 + strspn(name + hash + 1, digits)];
}

static json_t *address_of(const char *pool, const char *name)
{
	return json_sprintf("%s/%.2s/%s", pool, name, name);
}

/* Returns { name, size, file } for the file that `from` describes, where `file` is its path in the store. Returns NULL
 * if the store does not have the file. */
static json_t *file_of(const json_t *from, const char *pool)
{
	const char *name = cli_record_text(from, "file");
	if (!is_shared_name(name)) return NULL;
	json_t *file = json_object();
	json_object_set_new(file, "name", json_string(cli_record_text(from, "name")));
	json_object_set_new(file, "size", json_integer(cli_record_number(from, "size")));
	json_object_set_new(file, "file", address_of(pool, name));
	return file;
}

static json_t *kept_of(const json_t *files)
{
	json_t *kept = json_array();
	for (size_t i = 0; i < json_array_size(files); i++) {
		const json_t *from = json_array_get(files, i);
		json_t *file = file_of(from, "files");
		if (!file) continue;
		json_object_set_new(file, "kind", json_string(cli_record_text(from, "kind")));
		const char *shown = cli_record_text(from, "shown");
		json_t *picture = is_shared_name(shown) ? address_of("files", shown) : json_string("");
		json_object_set_new(file, "shown", picture);
		json_object_set_new(file, "text", json_string(cli_record_text(from, "text")));
		json_object_set_new(file, "cut", json_boolean(json_is_true(json_object_get(from, "cut"))));
		json_array_append_new(kept, file);
	}
	return kept;
}

static json_t *modes_of(const json_t *from)
{
	json_t *modes = json_array();
	for (size_t i = 0; i < json_array_size(from); i++) {
		json_t *mode = json_array_get(from, i);
		if (json_is_string(mode)) json_array_append(modes, mode);
	}
	return modes;
}

static void set_unknown(json_t *record, const char *member, const json_t *companions)
{
	if (*cli_record_text(record, member)) return;
	json_object_set_new(record, member, json_string(cli_record_text(companions, member)));
}

void cli_set_companions_of_record(json_t *record, const json_t *companions, const json_t *original)
{
	json_t *file = original ? file_of(original, "originals") : NULL;
	set_unknown(record, "title", companions);
	set_unknown(record, "author", companions);
	json_object_set_new(record, "made", json_string(cli_record_text(companions, "date")));
	json_object_set_new(record, "modes", modes_of(json_object_get(companions, "modes")));
	json_object_set_new(record, "kept", kept_of(json_object_get(companions, "files")));
	json_object_set_new(record, "original", file ? file : json_object());
}
