/* output.h - files under temporary names that get their own name when all of them are complete.
 *
 * Whatever ends the program before cli_output_commit, a signal included, leaves nothing behind. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/names_apart.h"
#include "cli/command_source.h"

typedef struct cli_output_file cli_output_file;

typedef struct cli_output {
	const cli_source *source;          /* nothing it reads from is replaced */
	char *directory;
	bool follow_links;                 /* that stand inside of the directory */
	cli_output_file *current;          /* open between begin and end */
	char *swept;                       /* the target whose directory was cleared of left-over files last, or NULL */
	uint32_t sweep_count;
	char *renamed;                     /* the first name that no Windows has and what it became, or NULL */
	uint32_t renamed_count;
	bool keeps_apart;                  /* no file of this output replaces another one, on no system */
	cli_names_apart names;
	char *numbered; uint32_t numbered_count; /* the same of names that got a number for it */
	char *failure;                     /* the first error in words, or NULL */
	uint64_t limit, written;           /* bytes of all files; limit 0: none of its own, the writer has one */
	char **inputs; size_t input_count; /* files that are read from besides */
} cli_output;

/* Output into a directory, which is made with its parents when it does not exist. The names of what comes are a map's,
 * so links inside of it are not followed. False: the error is printed. */
bool cli_output_open(cli_output *output, const cli_source *source, const char *directory);
/* Output to the file `path`, and to others beside it, in a directory that exists. *name is the file's in there. Links
 * are followed: the user named them. False: the error is printed. */
bool cli_output_open_file(cli_output *output, const cli_source *source, const char *path, const char **name);

/* For commands that replace nothing unasked: false, with the error printed, when there is a file at `path`. */
bool cli_output_is_free(const char *path);

/* One more file that is read from, and so never replaced. */
void cli_output_add_input(cli_output *output, const char *path);

/* The functions of a bspscene_output. A name may have directories in it ("textures/sample/brick.tga"); they are made.
 * Names that could leave the directory are refused; those that are a map's are made portable. */
bool cli_output_begin(void *user, const char *name);
bool cli_output_write(void *user, const void *data, size_t size);
bool cli_output_end(void *user);
/* All three of them, for the library. */
bspscene_output cli_output_functions(cli_output *output);

/* Sets the open file aside, so that others can be written before it goes on and ends. */
cli_output_file *cli_output_suspend(cli_output *output);
void cli_output_resume(cli_output *output, cli_output_file *file);
/* Where the open file lies until it gets its name, for somebody else to write it; NULL for a device or a pipe, where
 * that cannot be. It stays the output's and is there until the output is closed. */
const char *cli_output_path(const cli_output *output);

/* Is there room for as many bytes more? False: the failure is set. */
bool cli_output_allows(cli_output *output, uint64_t size);

/* Gives all files their names, or none (system/file_set.h). False: the error is printed. */
bool cli_output_commit(cli_output *output);
/* The errno of the first file of this process that the system would not have written, 0: there was none. Names that no
 * file can have are the map's fault. */
int cli_output_system_error(void);
/* The same of a file that was written past an output. */
void cli_output_note_system_error(int error);
/* Removes what was not committed and frees `output`. */
void cli_output_close(cli_output *output);
/* bspscene_write, or a function like it. */
typedef bool cli_write_fn(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                          const bspscene_output *output, bspscene_error *error);
/* Runs a writer into `output` and commits. Errors are printed. */
cli_exit cli_write(const bspscene_scene *scene, cli_write_fn *write, const char *writer,
                   bspscene_write_options *options, const cli_args *args, cli_output *output);
/* Prints why a writer that used `output` failed. Returns CLI_FAILED. */
cli_exit cli_output_report(const cli_output *output, const bspscene_error *error);

#endif
