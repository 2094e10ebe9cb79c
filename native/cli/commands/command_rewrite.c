/* command_rewrite.c - bspscene rewrite: writes edited entities and corners of faces into a copy of the map. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/diff/entity_changes.h"
#include "cli/commands/commands.h"
#include "cli/host/platform.h"
#include "cli/inputs.h"
#include "cli/json.h"
#include "cli/names.h"
#include "cli/options/option_rows.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/command_source.h"

typedef struct own_options {
	const char *entities, *corners;
} own_options;

static const own_options *own_of(const cli_args *args) { return args->own; }

typedef struct job {
	const cli_args *args;
	cli_source source;
	bspscene_load_options load;
	bspscene_rewrite_options options;
	cli_progress progress;
} job;

static const char *output_of(const cli_args *args) { return args->operands[1]; }

static bool choose_form(const char *path, bspscene_rewrite_form *form)
{
	static const struct { const char *ending; bspscene_rewrite_form form; } forms[] = {
		{ ".bsp", BSPSCENE_REWRITE_FORM_MAP }, { ".ent", BSPSCENE_REWRITE_FORM_ENT },
		{ "_l_0.lmp", BSPSCENE_REWRITE_FORM_LUMP_PATCH },
	};
	size_t length = strlen(path);
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		size_t ending = strlen(forms[i].ending);
		if (length <= ending || strcmp(path + length - ending, forms[i].ending)) continue;
		*form = forms[i].form;
		return true;
	}
	return false;
}

/* ---- Messages --------------------------------------------------------------------------------------------- */

static cli_exit print_report(const job *work, const bspscene_rewrite_report *report)
{
	const cli_args *args = work->args;
	const bspscene_entity_changes *changes = report->changes;
	const char *out = output_of(args);
	bool dry = args->dry_run;
	for (uint32_t i = 0; i < changes->warning_count; i++) {
		const bspscene_warning *warning = changes->warnings[i];
		if (warning->count > 1) cli_warn(args, "%s (first of %u)", warning->message, warning->count);
		else cli_warn(args, "%s", warning->message);
	}
	if (args->json) return cli_json_print(cli_describe_entity_changes(changes));
	cli_print_entity_changes(changes, false);
	if (own_of(args)->corners) cli_print("%s: %u vertices of faces changed", args->source, report->corners_changed);
	if (report->identical) {
		cli_print("%s: no entity changed%s%s%s", args->source, dry ? "" : ": ", dry ? "" : out,
		          dry ? "" : work->options.form == BSPSCENE_REWRITE_FORM_MAP ? " is a copy" : " has its entities");
	} else {
		cli_print("%s: %u entities changed, %u added, %u removed; %s%s", args->source, changes->changed,
		          changes->added, changes->removed, dry ? "not written: " : "wrote ", out);
	}
	return cli_finish_stdout();
}

/* ---- The map ---------------------------------------------------------------------------------------------- */

static cli_exit write_map(job *work, const bspscene_edited_entities *entities, cli_output *output)
{
	bspscene_rewrite_report report;
	bspscene_output functions = cli_output_functions(output);
	bspscene_stream stream;
	bspscene_error error;
	bspscene_rewrite_report_init(&report);
	bspscene_stream_init(&stream);
	if (!bspscene_source_open_map(work->source.place, work->source.map, &stream, &error)) {
		return cli_fail_error("", &error);
	}
	bool ok = bspscene_rewrite(&stream, &work->load, entities, &work->options,
	                           work->args->dry_run ? NULL : &functions, &report, &error);
	cli_progress_end(&work->progress);
	cli_exit status = CLI_FAILED;
	if (!ok) status = cli_output_report(output, &error);
	else if (cli_output_commit(output)) status = print_report(work, &report);
	bspscene_entity_changes_free(report.changes);
	return status;
}

/* Reads a file (NULL: none is read). False after an error, which is printed. */
static bool read_input(const char *path, char **text, size_t *size)
{
	if (path) *text = cli_read_file(path, size);
	return !path || *text;
}

static cli_exit rewrite(job *work)
{
	const cli_args *args = work->args;
	const own_options *own = own_of(args);
	cli_output output;
	bspscene_edited_entities entities;
	bspscene_edited_entities_init(&entities);
	if (!args->force && !args->dry_run && !cli_output_is_free(output_of(args))) return CLI_FAILED;
	char *text = NULL, *corners = NULL;
	bool read = read_input(own->entities, &text, &entities.text_size) &&
	            read_input(own->corners, &corners, &work->options.corner_text_size);
	cli_exit status = CLI_FAILED;
	if (read && cli_output_open_file(&output, &work->source, output_of(args), &work->options.file_name)) {
		entities.text = text;
		work->options.corner_text = corners;
		output.limit = (uint64_t)args->output_limit << 20;
		if (own->entities) cli_output_add_input(&output, own->entities);
		if (own->corners) cli_output_add_input(&output, own->corners);
		status = write_map(work, own->entities ? &entities : NULL, &output);
	}
	if (read) cli_output_close(&output);
	free(corners);
	free(text);
	return status;
}

static cli_exit run(const cli_args *args)
{
	job work = { .args = args };
	bspscene_rewrite_options_init(&work.options);
	if (!own_of(args)->entities && !own_of(args)->corners) {
		return cli_usage("rewrite: give --entities FILE or --corners FILE");
	}
	if (!choose_form(output_of(args), &work.options.form)) {
		return cli_usage("rewrite: %s: OUT needs the ending .bsp, .ent or _l_0.lmp", output_of(args));
	}
	cli_exit status = cli_source_open(&work.source, args, output_of(args));
	if (status == CLI_DONE) {
		cli_copy_options(&work.source, args, &work.load);
		work.load.progress = cli_progress_step;
		work.load.progress_user = &work.progress;
		cli_progress_begin(&work.progress, args, 0, 1);
		status = rewrite(&work);
		cli_progress_end(&work.progress);
	}
	cli_source_close(&work.source);
	return status;
}

static const cli_option_row own_rows[] = {
	{ "entities", "FILE",
	  "all entities for the new map, as \"bspscene entities\" prints them;\n"
	  "text or JSON; - is standard input",
	  .apply = cli_set_text, .member = offsetof(own_options, entities) },
	{ "corners", "FILE",
	  "other texture coordinates, normals or colors for corners of faces, as JSON",
	  .apply = cli_set_text, .member = offsetof(own_options, corners) },
	CLI_MIB_ROW("output-limit", output_limit, "total size of the written files (default: no limit)"),
	{ .name = NULL },
};

const cli_command cli_command_rewrite = {
	.name = "rewrite",
	.operands = "SOURCE OUT",
	.section = "Change maps",
	.summary = "write other entities into a copy of a map",
	.details =
		"Writes a copy of the map with the entities of a file: the text that engines read, or JSON, whose pairs are "
		"used. It prints the differences entity by entity and key by key. All else keeps its bytes, so the same "
		"entities give the same map, byte for byte. Brush models keep their numbers. A warning tells what engines "
		"are known to refuse.\n\n"
		"The ending of OUT chooses what is written: a map (.bsp), the entities alone (.ent, which later engines of "
		"Quake, Quake II and GoldSrc read next to the map), or a lump patch of Source (_l_0.lmp). The light stays as "
		"it was; \"bspscene relight\" changes it.\n\n"
		"--corners gives faces of Quake III maps and their relatives other texture coordinates, normals and colors; "
		"docs/rewrite.md has the format.",
	.examples =
		"  bspscene entities maps/a.bsp > a.ent    # then edit a.ent\n"
		"  bspscene rewrite maps/a.bsp --entities a.ent maps/a_new.bsp --dry-run\n"
		"  bspscene rewrite maps/a.bsp --entities a.ent maps/a_new.bsp\n",
	.options =
		"map entities corners json dry-run force memory-limit output-limit quiet version help",
	.own = own_rows, .own_size = sizeof(own_options),
	.operand_count = 2,
	.run = run,
};
