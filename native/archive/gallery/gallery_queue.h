/* gallery_queue.h - adds records to the database in a thread, while the caller reads further records. */
#ifndef CLI_GALLERY_QUEUE_H
#define CLI_GALLERY_QUEUE_H

#include "archive/gallery/gallery_database.h"

typedef struct cli_queue cli_queue;

/* Begins a queue. It owns all jansson values that are made from now on. Until its end, it also owns `database` (NULL:
 * records are dropped). */
cli_queue *cli_queue_begin(cli_database *database);
/* Adds a record; records are added in the order of the calls. After the call, the caller must not use the record or any
 * jansson value that was made before. If `record` is NULL, nothing is added, but the same rule holds. Returns false if
 * an earlier record could not be added; the error is printed. */
bool cli_queue_add(cli_queue *queue, const json_t *record);
/* Ends the queue. False if a record could not be added; the error is printed. */
bool cli_queue_end(cli_queue *queue);

#endif
