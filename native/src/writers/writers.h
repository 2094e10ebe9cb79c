/* writers.h - writes a finished scene to files. Each writer has a bspi_writer_format and a row in writers.def. It knows
 * the public scene, but not how the scene was made.
 *
 * Functions that can fail return false, and writer->failure has the first reason. Numbers become text only by
 * bspi_put_number, because printf's text of floats depends on the locale. */
#ifndef BSPI_WRITERS_H
#define BSPI_WRITERS_H

#include <bspscene/formats.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fraction.h"
#include "base/parallel/canceler.h"

#define BSPI_WRITER_BUFFER_SIZE 65536u

/* Limits and default for the longest side of the baked picture, in texels. */
#define BSPI_LEAST_BAKED_SIZE 256u
#define BSPI_USUAL_BAKED_SIZE 4096u
#define BSPI_LARGEST_BAKED_SIZE 16384u

typedef struct bspi_writer {
	const bspscene_scene *scene;
	const bspscene_scene *loaded;      /* the scene that the caller gave; `scene` may be another one, with baked
	                                    * light */
	bspscene_write_options options;    /* the caller's options with all defaults filled in, except for file_name */
	const bspscene_output *output;
	bspscene_error failure;            /* the first failure */
	bspscene_bake_report report;       /* with LIGHTING_VERTEX: cost and error of the bake */
	bspi_budget budget;
	bspi_arena arena;                  /* memory that is freed when the writer ends */
	bspi_fraction fraction;            /* progress of the part that is being written */
	bspi_canceler canceler;            /* calls the caller's progress function */
	double work, work_done;            /* estimated cost of the format's `write`, and of what is done of it
	                                    * (writer_costs.h) */
	double triangle_cost;
	const char *main_name;             /* name of the main file, such as "atrium.gltf" */
	const char *stem;                  /* beginning of all file names, such as "atrium" */
	bool is_open;
	uint64_t file_size;                /* bytes written to the open file so far */
	uint64_t output_limit, output_left;/* number of bytes that all files together may have, and how many of these are
	                                    * left */
	size_t buffered;
	uint8_t buffer[BSPI_WRITER_BUFFER_SIZE];
} bspi_writer;

/* Describes a file format. */
typedef struct bspi_writer_format {
	bspscene_writer about;
	bool (*write)(bspi_writer *writer);
	bool raw;                          /* the format gets the scene as it was loaded, instead of the result of
	                                    * bspscene_bake_light */
	bool stops_at_white;               /* true: light in vertex colors is clamped to 1; false for glTF, which makes
	                                    * pictures brighter instead (gltf_gain.c) */
	unsigned contents;                 /* BSPI_WRITES_ bits of writer_costs.h: what the format encodes */
	double triangle_cost;              /* cost of writing a triangle, see base/costs.h */
	double load_share;                 /* share of loading in the progress of load and write together; 0: the usual
	                                    * share */
} bspi_writer_format;

#define BSPI_WRITER(name) extern const bspi_writer_format bspi_writer_##name;
#include "writers/writers.def"
#undef BSPI_WRITER

/* The lightings of most formats. The baked picture is not among them, because it is expensive. */
#define BSPI_USUAL_LIGHTINGS \
	(1u << BSPSCENE_WRITE_LIGHTING_LIGHTMAP | 1u << BSPSCENE_WRITE_LIGHTING_VERTEX | 1u << BSPSCENE_WRITE_LIGHTING_NONE)

/* Does the same as bspscene_write, with a format that is not in writers.def. `output` must have all callbacks. */
bool bspi_write_by(const bspi_writer_format *format, const bspscene_scene *scene,
                   const bspscene_write_options *options, const bspscene_output *output, bspscene_error *error);

/* Sets the failure to this status and text. Returns false. */
bool bspi_writer_fail(bspi_writer *writer, bspscene_status status, const char *format, ...) BSPI_PRINTF(3, 4);
/* Sets the failure to the reason why the last allocation was refused. Returns false. */
bool bspi_writer_fail_memory(bspi_writer *writer);
/* bspi_writer_take charges memory outside of the arena to the budget, and bspi_writer_give releases it. */
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
/* Runs a job in the threads of bspi_writer_team. The error of the job becomes the failure of the writer. */
bool bspi_run_writer_job(bspi_writer *writer, const bspi_job *job);
/* Runs a job in the calling thread only, for jobs that take less time than starting threads. */
bool bspi_run_short_writer_job(bspi_writer *writer, const bspi_job *job);

void *bspi_writer_push_zeroed(bspi_writer *writer, size_t count, size_t size);
/* Returns `count` zeroed elements that live as long as the writer. Returns NULL with writer->failure set if memory is
 * out. */
#define bspi_writer_push(writer, type, count) ((type *)bspi_writer_push_zeroed((writer), (count), sizeof(type)))
/* Makes room for one more element. Returns the array, or a larger copy of it. Returns NULL with writer->failure set if
 * memory is out. */
void *bspi_writer_grow(bspi_writer *writer, void *array, uint32_t count, uint32_t *capacity, size_t size);

/* Finds, for each bone of a rig, whether it is scaled at rest or in any frame. Returns NULL with writer->failure set if
 * memory is out. */
const bool *bspi_find_scaled_bones(bspi_writer *writer, const bspscene_rig *rig);

/* Files are written one after the other: bspi_begin, bspi_put and so on, bspi_end. The main file (writer->main_name)
 * comes first. */
bool bspi_begin(bspi_writer *writer, const char *name);
bool bspi_put(bspi_writer *writer, const void *data, size_t size);
bool bspi_put_text(bspi_writer *writer, const char *text);
/* Writes text by printf with strings and integers only: no %f, %g, %e. */
bool bspi_put_format(bspi_writer *writer, const char *format, ...) BSPI_PRINTF(2, 3);
/* Writes a number with at most `digits` significant digits, like %g in the C locale. -0 is written as 0. */
bool bspi_put_number(bspi_writer *writer, double value, int digits);
bool bspi_end(bspi_writer *writer);

/* A set of names that are taken, which is used to make each name unique. */
typedef struct bspi_names {
	uint64_t *hashes;                  /* hash table of the names' hashes, with open addressing; 0: the slot is free */
	size_t slot_count;                 /* size of the hash table, a power of two */
} bspi_names;

bool bspi_names_init(bspi_writer *writer, bspi_names *names, size_t largest_count);
/* Adds a name. Returns false if the name is taken. (Once in 2^63 it returns false because another name has the same
 * hash.) */
bool bspi_names_take(bspi_names *names, const char *name);

/* Returns "<stem><suffix>" in the arena, for example with suffix ".bin". */
const char *bspi_sibling_name(bspi_writer *writer, const char *suffix);

#endif
