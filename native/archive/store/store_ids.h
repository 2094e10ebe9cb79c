/* store_ids.h - which maps a store has. */
#ifndef CLI_STORE_IDS_H
#define CLI_STORE_IDS_H

#include "archive/store/map_store.h"

typedef struct cli_ids {
	char (*at)[CLI_ID_LENGTH + 1];     /* sorted; free it */
	size_t count, room;
} cli_ids;

/* False: the error is printed. */
bool cli_store_ids(cli_ids *ids, const char *store);

#endif
