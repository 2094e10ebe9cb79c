/* command_relight.c - bspscene relight: writes an edited atlas of lightmaps into a copy of the map. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/options/option_rows.h"
#include "cli/inputs.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/host/platform.h"
#include "cli/progress.h"
#include "cli/read_stream.h"
#include "cli/report.h"
#include "cli/shares.h"
#include "cli/command_source.h"

typedef struct own_options {
	bool any_light, no_lit;
} own_options;

static const own_options *own_of(const cli_args *args) { return args->own; }

typedef struct job {
	const cli_args *args;
	cli_source source;
	bspscene_load_options load;
	cli_progress progress;
	cli_output *output;
	bool wrote_lit;
} job;

static const char *atlas_of(const cli_args *args) { return args->operands[1]; }
static const char *output_of(const cli_args *args) { return args->operands[2]; }

/* ---- The atlas -------------------------------------------------------------------------------------------- */

static bspscene_edited_light *read_atlas(job *work, const bspscene_file_system *files)
{
	bspscene_stream stream;
	bspscene_error error;
	bspscene_stream_init(&stream);
	if (!bspscene_file_system_open((void *)(uintptr_t)files, &stream, "atlas.json", BSPSCENE_FILE_LIGHTMAP)) {
		cli_fail("%s: has no atlas.json; name a directory that bake has written", atlas_of(work->args));
		return NULL;
	}
	size_t size;
	char *text = cli_read_stream(&stream, CLI_LARGEST_INPUT, &size);
	if (!text) {
		cli_fail("%s: atlas.json cannot be read", atlas_of(work->args));
		return NULL;
	}
	bspscene_load_options load = work->load;
	load.name = atlas_of(work->args);
	load.open_file = bspscene_file_system_open;
	load.file_user = (void *)(uintptr_t)files;
	bspscene_edited_light *light = bspscene_read_atlas(text, size, &load, &error);
	free(text);
	if (!light) cli_fail_error("", &error);
	return light;
}

static bspscene_edited_light *open_atlas(job *work)
{
	bspscene_error error;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (!files) cli_end_without_memory();
	bspscene_edited_light *light = NULL;
	if (bspscene_file_system_mount(files, atlas_of(work->args), &error)) light = read_atlas(work, files);
	else cli_fail("%s", error.message);
	bspscene_file_system_free(files);
	return light;
}

/* ---- Input files ------------------------------------------------------------------------------------------ */

/* Implements bspscene_open_file_fn. If the file has light of the map, adds it to the inputs. So the output never
 * replaces it, even if OUT.bsp is in the directory of the light files. */
static bool open_noted(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const job *work = user;
	bspscene_file_system *files = bspscene_source_file_system(work->source.place);
	const char *searched;
	if (!bspscene_file_system_open(files, stream, path, kind)) return false;
	for (uint32_t i = 0; kind == BSPSCENE_FILE_LIGHTMAP && (searched = bspscene_file_system_search_path(files, i));
	     i++) {
		char *read = cli_format("%s/%s", searched, path);
		if (cli_kind_of(read, true) == CLI_PATH_FILE) cli_output_add_input(work->output, read);
		free(read);
	}
	return true;
}

static void list_files(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                       void *found_user)
{
	const job *work = user;
	bspscene_file_system_list(bspscene_source_file_system(work->source.place), prefix, suffix, found, found_user);
}

/* ---- Files next to the new map ---------------------------------------------------------------------------- */

/* Returns "maps/new.lit" for "maps/new.bsp" and "lit", in new memory. */
static char *beside(const char *map, const char *ending)
{
	return cli_format("%.*s%s", (int)(cli_ending(map) - map), map, ending);
}

/* Implements `begin` of bspscene_output. */
static bool begin_file(void *user, const char *name)
{
	job *work = user;
	work->wrote_lit |= !strcmp(cli_ending(name), "lit");
	return cli_output_begin(work->output, name);
}

static bool write_part(void *user, const void *data, size_t size)
{
	return cli_output_write(((job *)user)->output, data, size);
}

static bool end_file(void *user)
{
	return cli_output_end(((job *)user)->output);
}

/* Without --force, refuses to replace a map or a .lit file that exists. */
static cli_exit check_target(const cli_args *args)
{
	const char *out = output_of(args);
	if (args->force || args->dry_run) return CLI_DONE;
	if (!cli_output_is_free(out)) return CLI_FAILED;
	char *lit = beside(out, "lit");
	bool stale = cli_kind_of(lit, true) == CLI_PATH_FILE;
	if (stale) {
		cli_fail(
			"%s: exists already and may hold the light of another bake; --force replaces it, or removes it if it is "
			"not needed",
			lit);
	}
	free(lit);
	return stale ? CLI_FAILED : CLI_DONE;
}

/* Removes the .lit file of an earlier map with the output's name, because engines would apply it to this map. */
static void remove_stale_lit(const job *work)
{
	char *lit = beside(output_of(work->args), "lit");
	if (!work->wrote_lit && cli_kind_of(lit, true) == CLI_PATH_FILE) {
		cli_remove_file(lit);
		cli_warn(work->args, "%s: removed, because the new map has its light inside", lit);
	}
	free(lit);
}

/* Warns of files that games find by the map's name. If the output has another name, the user must copy these files to
 * that name too. */
static void warn_of_siblings(const job *work)
{
	static const char *const endings[] = { "aas", "ent", "nav", "loc", "way", "arena" };
	const char *out = output_of(work->args);
	const char *old = bspscene_source_map_name(work->source.place, work->source.map), *slash = strrchr(old, '/');
	const char *last = cli_last_separator(out);
	char *base = cli_format("%.*s", (int)strcspn(slash ? slash + 1 : old, "."), slash ? slash + 1 : old);
	char *name = cli_format("%.*s", (int)strcspn(last ? last + 1 : out, "."), last ? last + 1 : out), *missed = NULL;
	for (size_t i = 0; strcmp(base, name) != 0 && i < sizeof endings / sizeof *endings; i++) {
		const char *folder = strcmp(endings[i], "arena") ? "maps" : "scripts";
		char *path = cli_format("%s/%s.%s", folder, base, endings[i]), *new = beside(out, endings[i]);
		char *loose = beside(work->args->source, endings[i]);
		bspscene_stream stream;
		bspscene_stream_init(&stream);
		bool packed = bspscene_file_system_open(bspscene_source_file_system(work->source.place), &stream, path,
		                                        BSPSCENE_FILE_OTHER);
		if (packed && stream.close) stream.close(stream.user);
		bool there = packed || cli_kind_of(loose, true) == CLI_PATH_FILE;
		if (there && cli_kind_of(new, true) == CLI_PATH_ABSENT) cli_append(&missed, path);
		free(loose);
		free(new);
		free(path);
	}
	if (missed)
		cli_warn(work->args, "the game finds these files by the map's name; copy them to the name %s: %s",
		         name, missed);
	free(missed);
	free(name);
	free(base);
}

/* ---- The map ---------------------------------------------------------------------------------------------- */

static void print_report(const cli_args *args, const bspscene_relight_report *report)
{
	const char *out = output_of(args);
	if (report->identical) {
		cli_print("%s: nothing changed: %s is a copy", args->source, args->dry_run ? "the output" : out);
	} else {
		cli_print("%s: %" PRIu64 " luxels changed on %u faces, of %" PRIu64 " on pages; %" PRIu64 " too bright, "
		          "%" PRIu64 " are the mean of faces that share them; %s%s", args->source, report->changed,
		          report->faces_changed, report->luxels, report->clamped, report->conflicts,
		          args->dry_run ? "not written: " : "wrote ", out);
	}
	if (report->points_changed) {
		cli_print("%" PRIu64 " vertices and points of the light grid have new light", report->points_changed);
	}
	if (report->clamped) {
		cli_print("the brightest light is %.2f times what the map can store", (double)report->clamp_factor);
	}
	if (report->repaired) {
		cli_print("%" PRIu64 " luxels were negative or not finite and were corrected", report->repaired);
	}
	if (report->not_stored) {
		cli_print("%" PRIu64 " luxels are of light styles that their faces do not have: left out", report->not_stored);
	}
	if (report->outside) cli_print("%" PRIu64 " luxels are not on the pages and keep their light", report->outside);
}

static cli_exit write_map(job *work, const bspscene_edited_light *light, cli_output *output, const char *name)
{
	const cli_args *args = work->args;
	bspscene_relight_options options;
	bspscene_relight_report report;
	bspscene_output functions;
	bspscene_stream stream;
	bspscene_error error;
	bspscene_relight_options_init(&options);
	bspscene_relight_report_init(&report);
	bspscene_output_init(&functions);
	bspscene_stream_init(&stream);
	options.file_name = name;
	options.light_range = args->light;
	options.accept_other_light = own_of(args)->any_light;
	options.convert_to_gray = own_of(args)->no_lit;
	functions.user = work;
	functions.begin = begin_file;
	functions.write = write_part;
	functions.end = end_file;
	const bspscene_output *written = args->dry_run ? NULL : &functions;
	if (!bspscene_source_open_map(work->source.place, work->source.map, &stream, &error)) {
		return cli_fail_error("", &error);
	}
	work->output = output;
	work->load.open_file = open_noted;
	work->load.list_files = list_files;
	work->load.file_user = work;
	bool ok = bspscene_relight(&stream, &work->load, light, &options, written, &report, &error);
	cli_progress_end(&work->progress);
	if (!ok) return cli_output_report(output, &error);
	if (!cli_output_commit(output)) return CLI_FAILED;
	if (written) remove_stale_lit(work);
	print_report(args, &report);
	warn_of_siblings(work);
	return cli_finish_stdout();
}

static cli_exit relight(job *work)
{
	const cli_args *args = work->args;
	cli_output output;
	const char *name;
	cli_progress_begin(&work->progress, args, 0, CLI_RELIGHT_READ);
	bspscene_edited_light *light = open_atlas(work);
	cli_progress_part(&work->progress, CLI_RELIGHT_READ, 1);
	cli_exit status = CLI_FAILED;
	if (light && cli_output_open_file(&output, &work->source, output_of(args), &name)) {
		output.limit = (uint64_t)args->output_limit << 20;
		status = write_map(work, light, &output, name);
	}
	if (light) cli_output_close(&output);
	cli_progress_end(&work->progress);
	bspscene_edited_light_free(light);
	return status;
}

static cli_exit run(const cli_args *args)
{
	job work = { .args = args };
	if (strcmp(cli_ending(output_of(args)), "bsp")) {
		return cli_usage("relight: %s: OUT needs the ending .bsp", output_of(args));
	}
	cli_exit status = cli_source_open(&work.source, args, output_of(args));
	if (status == CLI_DONE) status = check_target(args);
	if (status == CLI_DONE) {
		cli_copy_options(&work.source, args, &work.load);
		work.load.engine = args->engine;
		work.load.threads = args->threads;
		work.load.progress = cli_progress_step;
		work.load.progress_user = &work.progress;
		status = relight(&work);
	}
	cli_source_close(&work.source);
	return status;
}

static const cli_option_row own_rows[] = {
	{ "any-light", NULL,
	  "accept an atlas that was baked before the map's light changed",
	  .apply = cli_set_switch, .member = offsetof(own_options, any_light), .group = CLI_GROUP_LIGHT },
	{ "no-lit", NULL,
	  "Quake: write no .lit file for a map with gray light; colors become gray",
	  .apply = cli_set_switch, .member = offsetof(own_options, no_lit), .group = CLI_GROUP_LIGHT },
	{ "light", "KIND",
	  "which light to change if the map has light for HDR displays as well\n"
	  "ldr: the light for ordinary displays\n"
	  "hdr: the light for HDR displays\n"
	  "auto: both (default)",
	  .apply = cli_set_word, .member = offsetof(cli_args, light), .words = cli_light_words,
	  .group = CLI_GROUP_LIGHT, .in_args = true },
	CLI_MIB_ROW("output-limit", output_limit, "total size of the written files (default: no limit)"),
	{ .name = NULL },
};

const cli_command cli_command_relight = {
	.name = "relight",
	.operands = "SOURCE ATLAS OUT.bsp",
	.section = "Change maps",
	.summary = "write new light from an atlas into a copy of a map",
	.details =
		"Reads pages that bake --every-style wrote and that were painted, denoised or baked anew, and writes their "
		"luxels into a copy of the map. A luxel that nobody changed keeps its bytes, so an unchanged atlas gives the "
		"same map, byte for byte.\n\n"
		"A changed luxel is written in every form that the map stores: gray and colored, for ordinary and for HDR "
		"displays. A .lit file, or pictures that hold the light, are written next to OUT.bsp. Pages of another map "
		"are refused.\n\n"
		"Paint on display pages; bake new light to hdr pages. Pages may be enlarged 2, 3, ... or 16 times. "
		"docs/relight.md tells how engines show the new light.",
	.examples =
		"  bspscene bake maps/a.bsp atlas --every-style --lightmap-encoding hdr\n"
		"  bspscene relight maps/a.bsp atlas maps/a_new.bsp --dry-run\n"
		"  bspscene relight maps/a.bsp atlas maps/a_new.bsp\n",
	.options =
		"map game light dry-run any-light no-lit force engine memory-limit output-limit quiet threads "
		"version help",
	.first = "map game dry-run force",
	.own = own_rows, .own_size = sizeof(own_options),
	.operand_count = 3,
	.run = run,
};
