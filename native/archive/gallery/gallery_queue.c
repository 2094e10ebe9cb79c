/* gallery_queue.c - see gallery_queue.h. One batch of records is filled while a thread adds the other to the database.
 * Each batch has its own JSON values, so the threads share no mutable data. */
#include "archive/gallery/gallery_queue.h"

#include <pthread.h>
#include <stdlib.h>

#include "archive/process/json_arena.h"
#include "cli/report.h"

/* A batch is full when it has this many records, or values of this many bytes. */
enum { MOST_RECORDS = 256 };
#define MOST_BYTES ((size_t)8 << 20)

typedef struct batch {
	cli_database *database;
	cli_json_arena arena;
	const json_t *records[MOST_RECORDS];
	size_t count;
	bool failed;
} batch;

struct cli_queue {
	batch batches[2];
	int filled;      /* index of the batch that is being filled; meanwhile the thread adds the other batch to the
	                  * database */
	pthread_t thread;
	bool running;
};

/* Adds the records of a batch to the database. Runs in the thread. */
static void *add_batch(void *user)
{
	batch *added = user;
	for (size_t i = 0; i < added->count && !added->failed && added->database; i++) {
		added->failed = !cli_database_add(added->database, added->records[i]);
	}
	return NULL;
}

/* Waits for the thread to end. The caller may then use both batches. */
static bool wait_for_thread(cli_queue *queue)
{
	if (queue->running) pthread_join(queue->thread, NULL);
	queue->running = false;
	return !queue->batches[0].failed && !queue->batches[1].failed;
}

/* Starts a thread that adds the filled batch. If that fails, adds the batch in this thread. */
static bool hand_over(cli_queue *queue)
{
	batch *full = &queue->batches[queue->filled], *next = &queue->batches[!queue->filled];
	if (!wait_for_thread(queue)) return false;
	queue->running = pthread_create(&queue->thread, NULL, add_batch, full) == 0;
	if (!queue->running) add_batch(full);
	queue->filled = !queue->filled;
	next->count = 0;
	cli_json_arena_reset(&next->arena);
	cli_json_arena_use(&next->arena);
	return true;
}

cli_queue *cli_queue_begin(cli_database *database)
{
	cli_queue *queue = cli_allocate(1, sizeof *queue);
	for (int i = 0; i < 2; i++) queue->batches[i].database = database;
	cli_json_arena_use(&queue->batches[0].arena);
	return queue;
}

bool cli_queue_add(cli_queue *queue, const json_t *record)
{
	batch *to = &queue->batches[queue->filled];
	if (record) to->records[to->count++] = record;
	return (to->count < MOST_RECORDS && to->arena.size < MOST_BYTES) || hand_over(queue);
}

bool cli_queue_end(cli_queue *queue)
{
	bool ok = hand_over(queue) && wait_for_thread(queue);
	cli_json_arena_end();
	for (int i = 0; i < 2; i++) cli_json_arena_free(&queue->batches[i].arena);
	free(queue);
	return ok;
}
