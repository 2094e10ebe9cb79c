/* store_ids.h - lists the maps of a store. */
#ifndef CLI_STORE_IDS_H
#define CLI_STORE_IDS_H

#include "archive/store/map_store.h"

typedef struct cli_ids {
	char (*at)[CLI_ID_LENGTH + 1];     /* sorted; free it */
	size_t count, room;
} cli_ids;

/* False after an error, which is printed. */
bool cli_store_ids(cli_ids *ids, const char *store);

#endif
