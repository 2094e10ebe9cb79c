/* store_ids.h - lists the maps of a store. */
#ifndef CLI_STORE_IDS_H
#define CLI_STORE_IDS_H

#include "archive/store/map_store.h"

typedef struct cli_ids {
	char (*at)[CLI_ID_LENGTH + 1];     /* ids, sorted; freed by the caller */
	size_t count, room;
} cli_ids;

/* Lists the ids of all maps. False after an error, which is printed. */
bool cli_store_ids(cli_ids *ids, const char *store);

#endif
