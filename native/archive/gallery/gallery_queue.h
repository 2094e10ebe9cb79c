/* gallery_queue.h - adds records to the database in a thread of its own, while others are read. */
#ifndef CLI_GALLERY_QUEUE_H
#define CLI_GALLERY_QUEUE_H

#include "archive/gallery/gallery_database.h"

typedef struct cli_queue cli_queue;

/* Begins a queue. From now on it owns all jansson values and, until its end, `database` (NULL: records are dropped). */
cli_queue *cli_queue_begin(cli_database *database);
/* Adds a record. The record and every jansson value made before it must not be used any more. NULL only gives up the
 * values. Records are added in order. False if an earlier record could not be added; the error is printed. */
bool cli_queue_add(cli_queue *queue, const json_t *record);
/* Ends the queue. False if a record could not be added; the error is printed. */
bool cli_queue_end(cli_queue *queue);

#endif
