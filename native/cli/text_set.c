/* text_set.c - a hash table of texts. See text_set.h. */
#include "cli/text_set.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

uint64_t cli_hash(const void *data, size_t size)
{
	return cli_hash_more(CLI_HASH_BEGIN, data, size);
}

uint64_t cli_hash_more(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* Returns the entry of the text, or the free entry where it would be inserted. */
static cli_text_entry *find(const cli_text_set *set, const char *text, uint64_t hash)
{
	for (size_t at = (size_t)hash & (set->room - 1);; at = (at + 1) & (set->room - 1)) {
		cli_text_entry *entry = &set->entries[at];
		if (!entry->text || (entry->hash == hash && !strcmp(entry->text, text))) return entry;
	}
}

static void grow(cli_text_set *set)
{
	cli_text_set larger = { .count = set->count, .room = set->room ? 2 * set->room : 1024 };
	larger.entries = cli_allocate(larger.room, sizeof *larger.entries);
	for (size_t i = 0; i < set->room; i++) {
		const cli_text_entry *entry = &set->entries[i];
		if (entry->text) *find(&larger, entry->text, entry->hash) = *entry;
	}
	free(set->entries);
	*set = larger;
}

size_t cli_text_set_add(cli_text_set *set, const char *text, bool *is_new)
{
	size_t size = strlen(text);
	uint64_t hash = cli_hash(text, size);
	if (2 * set->count >= set->room) grow(set);
	cli_text_entry *entry = find(set, text, hash);
	*is_new = !entry->text;
	if (*is_new) {
		char *copy = cli_allocate(size + 1, 1);
		memcpy(copy, text, size);
		*entry = (cli_text_entry) { .hash = hash, .text = copy, .number = ++set->count };
	}
	return entry->number;
}

void cli_text_set_free(cli_text_set *set)
{
	for (size_t i = 0; i < set->room; i++) free(set->entries[i].text);
	free(set->entries);
	*set = (cli_text_set) { 0 };
}
