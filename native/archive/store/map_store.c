/* map_store.c - what a store's folders are called, on all systems. See map_store.h. */
#include "archive/store/map_store.h"

#include <string.h>

#include "cli/report.h"

bool cli_is_id(const char *text)
{
	return text && strlen(text) == CLI_ID_LENGTH && strspn(text, "0123456789abcdef") == CLI_ID_LENGTH;
}

char *cli_store_path(const cli_store *store, const char *id, const char *name)
{
	return cli_format("%s/%.2s/%s%s%s", store->path, id, id, name ? "/" : "", name ? name : "");
}
