/* gallery_queue.h - records to the database in a thread of its own, while others are read. */
#ifndef CLI_GALLERY_QUEUE_H
#define CLI_GALLERY_QUEUE_H

#include "archive/gallery/gallery_database.h"

typedef struct cli_queue cli_queue;

/* From now on values of jansson are the queue's. `database` is the queue's until its end. NULL: records are
 * forgotten. */
cli_queue *cli_queue_begin(cli_database *database);
/* The record and every value that was made before it must not be used any more. NULL: there is none, only other values.
 * They go to the database in their order. False: an earlier one could not be added; the error is printed. */
bool cli_queue_add(cli_queue *queue, const json_t *record);
/* False: as above. */
bool cli_queue_end(cli_queue *queue);

#endif
