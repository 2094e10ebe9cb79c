/* writers.h - writes a finished scene to files. A writer is one file with a bspi_writer_format and one row in
 * writers.def. It knows the public scene, but not how it was made.
 *
 * Functions that can fail return false; writer->failure has the first reason. Numbers are written as text only by
 * bspi_put_number, because the floats of printf depend on the locale. */
#ifndef BSPI_WRITERS_H
#define BSPI_WRITERS_H

#include <bspscene/formats.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fraction.h"
#include "base/parallel/canceler.h"

#define BSPI_WRITER_BUFFER_SIZE 65536u

/* Sizes of the baked picture's longest side in texels. */
#define BSPI_LEAST_BAKED_SIZE 256u
#define BSPI_USUAL_BAKED_SIZE 4096u
#define BSPI_LARGEST_BAKED_SIZE 16384u

typedef struct bspi_writer {
	const bspscene_scene *scene;
	const bspscene_scene *loaded;      /* the scene that the caller gave; `scene` may be one with baked light instead */
	bspscene_write_options options;    /* complete: defaults filled in, except file_name */
	const bspscene_output *output;
	bspscene_error failure;            /* the first error */
	bspscene_bake_report report;       /* VERTEX: cost and error of the bake */
	bspi_budget budget;
	bspi_arena arena;                  /* freed when the writer ends */
	bspi_fraction fraction;            /* progress of the part that is being written */
	bspi_canceler canceler;            /* holds the caller's progress function */
	double work, work_done;            /* estimated cost of the format's `write`, and of the part that is done
	                                    * (writer_costs.h) */
	double triangle_cost;
	const char *main_name;             /* name of the main file, such as "atrium.gltf" */
	const char *stem;                  /* beginning of all file names, such as "atrium" */
	bool is_open;
	uint64_t file_size;                /* bytes of the open file so far */
	uint64_t output_limit, output_left;/* bytes that all files together may have, and those that are left */
	size_t buffered;
	uint8_t buffer[BSPI_WRITER_BUFFER_SIZE];
} bspi_writer;

/* Describes a file format. */
typedef struct bspi_writer_format {
	bspscene_writer about;
	bool (*write)(bspi_writer *writer);
	bool raw;                          /* it gets the scene as it was loaded, instead of the result of
	                                    * bspscene_bake_light */
	bool stops_at_white;               /* light in vertex colors is clamped to 1; glTF avoids that by brighter pictures
	                                    * (gltf_gain.c) */
	unsigned contents;                 /* what it encodes: BSPI_WRITES_ bits of writer_costs.h */
	double triangle_cost;              /* see base/costs.h */
	double load_share;                 /* share of loading in the whole progress; 0: the usual one */
} bspi_writer_format;

#define BSPI_WRITER(name) extern const bspi_writer_format bspi_writer_##name;
#include "writers/writers.def"
#undef BSPI_WRITER

/* Lightings of most formats. Baked pictures are not among them, because they are expensive. */
#define BSPI_USUAL_LIGHTINGS \
	(1u << BSPSCENE_WRITE_LIGHTING_LIGHTMAP | 1u << BSPSCENE_WRITE_LIGHTING_VERTEX | 1u << BSPSCENE_WRITE_LIGHTING_NONE)

/* Runs bspscene_write with a format that is not in writers.def. `output` must have all callbacks. */
bool bspi_write_by(const bspi_writer_format *format, const bspscene_scene *scene,
                   const bspscene_write_options *options, const bspscene_output *output, bspscene_error *error);

/* Sets the failure. Returns false. */
bool bspi_writer_fail(bspi_writer *writer, bspscene_status status, const char *format, ...) BSPI_PRINTF(3, 4);
/* Sets the failure to the reason why the last allocation was refused. Returns false. */
bool bspi_writer_fail_memory(bspi_writer *writer);
/* Charge memory outside of the arena to the budget, and release it. */
bool bspi_writer_take(bspi_writer *writer, uint64_t size);
void bspi_writer_give(bspi_writer *writer, uint64_t size);
/* Reports the share of the writing that is done. False if the caller wants to stop, or if writing has failed. */
bool bspi_writer_report(bspi_writer *writer, const char *stage, double done);
/* Reports that work of this cost (writer_costs.h) is done. False if the caller wants to stop. */
bool bspi_writer_worked(bspi_writer *writer, const char *stage, double cost);

/* True if images or vertices are compressed in this way. */
static inline bool bspi_compresses_by(const bspi_writer *writer, bspscene_compress way)
{
	return writer->options.compress == way;
}

/* Returns the threads that the caller allows. */
bspi_team bspi_writer_team(const bspi_writer *writer);
/* Runs a job in these threads. Its error becomes the writer's. */
bool bspi_run_writer_job(bspi_writer *writer, const bspi_job *job);
/* Runs a job in the calling thread only, for jobs that take less time than starting threads. */
bool bspi_run_short_writer_job(bspi_writer *writer, const bspi_job *job);

void *bspi_writer_push_zeroed(bspi_writer *writer, size_t count, size_t size);
/* Returns `count` zeroed elements that live as long as the writer; NULL if memory is out, with writer->failure set. */
#define bspi_writer_push(writer, type, count) ((type *)bspi_writer_push_zeroed((writer), (count), sizeof(type)))
/* Makes room for one more element. Returns the array or a larger copy of it; NULL if memory is out, with
 * writer->failure set. */
void *bspi_writer_grow(bspi_writer *writer, void *array, uint32_t count, uint32_t *capacity, size_t size);

/* Finds, for each bone of a rig, whether it is scaled at rest or in any frame. NULL if memory is out, with
 * writer->failure set. */
const bool *bspi_find_scaled_bones(bspi_writer *writer, const bspscene_rig *rig);

/* Writes files one after the other; the main file (writer->main_name) comes first. */
bool bspi_begin(bspi_writer *writer, const char *name);
bool bspi_put(bspi_writer *writer, const void *data, size_t size);
bool bspi_put_text(bspi_writer *writer, const char *text);
/* Writes text by printf with strings and integers only: no %f, %g, %e. */
bool bspi_put_format(bspi_writer *writer, const char *format, ...) BSPI_PRINTF(2, 3);
/* Writes a number with at most `digits` significant digits, as %g does in the C locale; -0 is written as 0. */
bool bspi_put_number(bspi_writer *writer, double value, int digits);
bool bspi_end(bspi_writer *writer);

/* A set of names, to make each unique. */
typedef struct bspi_names {
	uint64_t *hashes;                  /* hash table with open addressing; 0: free */
	size_t slot_count;                 /* size of the hash table, a power of two */
} bspi_names;

bool bspi_names_init(bspi_writer *writer, bspi_names *names, size_t largest_count);
/* Adds a name. Returns false if it is taken, or (once in 2^63) if another name has the same hash. */
bool bspi_names_take(bspi_names *names, const char *name);

/* Returns "<stem><suffix>" in the arena, for example with suffix ".bin". */
const char *bspi_sibling_name(bspi_writer *writer, const char *suffix);

#endif
