/* store_ids.c - see store_ids.h. */
#include "archive/store/store_ids.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/host/platform.h"
#include "cli/report.h"

typedef struct listing {
	cli_ids *ids;
	const char *head;                  /* the two-digit folder that is being read; ids in it begin with these digits */
	bool heads[256];                   /* true for each folder "00" to "ff" that exists */
} listing;

/* Implements cli_entry_fn. Marks a folder whose name is two hexadecimal digits, such as "ab". */
static void add_folder(const char *name, cli_path_kind kind, void *user)
{
	listing *found = user;
	bool hex = strlen(name) == 2 && strspn(name, "0123456789abcdef") == 2;
	if (hex && kind == CLI_PATH_DIRECTORY) found->heads[strtoul(name, NULL, 16)] = true;
}

/* Implements cli_entry_fn. Adds a folder if its name is an id of 64 digits that begins with found->head. */
static void add_id(const char *name, cli_path_kind kind, void *user)
{
	const listing *found = user;
	cli_ids *ids = found->ids;
	if (!cli_is_id(name) || strncmp(name, found->head, 2) != 0 || kind != CLI_PATH_DIRECTORY) return;
	if (ids->count == ids->room) {
		ids->room = ids->room ? 2 * ids->room : 256;
		ids->at = cli_resize(ids->at, ids->room, sizeof *ids->at);
	}
	memcpy(ids->at[ids->count++], name, CLI_ID_LENGTH + 1);
}

static int compare_ids(const void *a, const void *b)
{
	return strcmp(a, b);
}

bool cli_store_ids(cli_ids *ids, const char *store)
{
	listing found = { .ids = ids };
	*ids = (cli_ids) { 0 };
	bool ok = cli_each_entry(store, add_folder, &found);
	if (!ok) cli_fail("%s: %s", store, strerror(errno));
	for (unsigned i = 0; i < 256 && ok; i++) {
		char head[3] = { "0123456789abcdef"[i / 16], "0123456789abcdef"[i % 16], 0 };
		char *folder = cli_format("%s/%s", store, head);
		found.head = head;
		ok = !found.heads[i] || cli_each_entry(folder, add_id, &found);
		if (!ok) cli_fail("%s: %s", folder, strerror(errno));
		free(folder);
	}
	if (ids->count) qsort(ids->at, ids->count, sizeof *ids->at, compare_ids);
	return ok;
}
