/* output.h - writes files under temporary names and renames them when all are complete.
 * 
 * If the program ends before cli_output_commit, even by a signal, nothing is left behind. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/names_apart.h"
#include "cli/command_source.h"

typedef struct cli_output_file cli_output_file;

typedef struct cli_output {
	const cli_source *source;          /* the map that is read; its files are never replaced */
	char *directory;
	bool follow_links;                 /* true: symbolic links inside the directory are followed, and names are used
	                                    * unchanged */
	cli_output_file *current;          /* the file that is being written; NULL: none */
	char *swept;                       /* the last directory that was searched for leftover files, or NULL */
	uint32_t sweep_count;
	char *renamed;                     /* message with the first name that Windows does not allow and its replacement,
	                                    * or NULL */
	uint32_t renamed_count;
	bool keeps_apart;                  /* true: numbers are added to names that are the same on some systems, such as
	                                    * "A.tga" and "a.tga" */
	cli_names_apart names;
	char *numbered; uint32_t numbered_count; /* message about the first name to which a number was added, or NULL;
	                                          * number of such names */
	char *failure;                     /* the first error in words, or NULL */
	uint64_t limit, written;           /* largest size of all files together in bytes (0: only the writer's own limit
	                                    * applies); number of bytes written so far */
	char **inputs; size_t input_count; /* more files that are read and never replaced */
} cli_output;

/* Begins output into a directory, which is made if it does not exist. The names of files come from a map, so links
 * inside the directory are not followed. False after an error, which is printed. */
bool cli_output_open(cli_output *output, const cli_source *source, const char *directory);
/* Begins output to the file `path` and to further files next to it, in a directory that exists. *name becomes the
 * file's name there. Links are followed, because the user named them. False after an error, which is printed. */
bool cli_output_open_file(cli_output *output, const cli_source *source, const char *path, const char **name);

/* True if `path` does not exist; else prints an error. For commands that replace files only with --force. */
bool cli_output_is_free(const char *path);

/* Adds a file that is read and must not be replaced. */
void cli_output_add_input(cli_output *output, const char *path);

/* Implement the functions of a bspscene_output. A name may contain directories ("textures/sample/brick.tga"), which are
 * made. Names that lead out of the output directory are refused. Names from a map are made portable. */
bool cli_output_begin(void *user, const char *name);
bool cli_output_write(void *user, const void *data, size_t size);
bool cli_output_end(void *user);
/* Returns the three functions for the library. */
bspscene_output cli_output_functions(cli_output *output);

/* Suspends the open file, so that other files can be written before cli_output_resume continues it. */
cli_output_file *cli_output_suspend(cli_output *output);
void cli_output_resume(cli_output *output, cli_output_file *file);
/* Returns the temporary path of the open file, for other code to write to. NULL for a device or a pipe. The output owns
 * the string, which is valid until cli_output_close. */
const char *cli_output_path(const cli_output *output);

/* True if that many bytes more are within the limit. False sets the failure. */
bool cli_output_allows(cli_output *output, uint64_t size);

/* Renames all files, or none (system/file_set.h). False after an error, which is printed. */
bool cli_output_commit(cli_output *output);
/* Returns the errno of the first file that the system did not write, or 0. Errors about names that no file can have do
 * not count, because the map causes them. */
int cli_output_system_error(void);
/* Records the errno for a file that was written without an output. */
void cli_output_note_system_error(int error);
/* Removes what was not committed, and frees `output`. */
void cli_output_close(cli_output *output);
/* The type of bspscene_write. */
typedef bool cli_write_fn(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                          const bspscene_output *output, bspscene_error *error);
/* Runs a writer into `output` and commits. Prints errors. */
cli_exit cli_write(const bspscene_scene *scene, cli_write_fn *write, const char *writer,
                   bspscene_write_options *options, const cli_args *args, cli_output *output);
/* Prints why a writer that used `output` failed. Returns CLI_FAILED. */
cli_exit cli_output_report(const cli_output *output, const bspscene_error *error);

#endif
