/* bspt.c - reports, files and fixtures for all tests. See bspt.h. */
#include "support/bspt.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bspt_context(bspt_report *report, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(report->context, sizeof report->context, format, arguments);
	va_end(arguments);
}

void bspt_fail(bspt_report *report, const char *file, int line, const char *format, ...)
{
	if (report->failures++) return;
	char what[400];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	const char *name = strrchr(file, '/');
	snprintf(report->first, sizeof report->first, "%s%s%s (%s:%d)", report->context, report->context[0] ? ": " : "",
	         what, name ? name + 1 : file, line);
}

void bspt_assert_clean(const bspt_report *report)
{
	if (!report->failures) return;
	fprintf(stderr, "%u broken promises, the first: %s\n", report->failures, report->first);
	abort();
}

void bspt_die(const char *what, const char *path)
{
	fprintf(stderr, "cannot %s %s\n", what, path);
	abort();
}

bspt_bytes bspt_read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (!file || fseek(file, 0, SEEK_END)) bspt_die("read", path);
	long size = ftell(file);
	if (size < 0) bspt_die("read", path);
	rewind(file);
	bspt_bytes bytes = { malloc((size_t)size + 1), (size_t)size };
	if (!bytes.data || fread(bytes.data, 1, bytes.size, file) != bytes.size) bspt_die("read", path);
	fclose(file);
	return bytes;
}

void bspt_write_file(const char *path, const void *data, size_t size)
{
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file)) bspt_die("write", path);
}

const char *bspt_fixture_path(const char *name)
{
	static char paths[2][1024];
	static unsigned turn;
	char *path = paths[turn++ % 2];
	snprintf(path, sizeof paths[0], "%s/%s", BSPT_FIXTURES, name);
	return path;
}

bspt_bytes bspt_read_fixture(const char *name)
{
	return bspt_read_file(bspt_fixture_path(name));
}

void bspt_empty_parts(bspscene_scene *scene)
{
	static const bspscene_counts counts = { .models = 0 };
	static const bspscene_light_grid light_grid = { .counts = { 0 } };
	static const bspscene_map_fog map_fog = { .density = 0 };
	static const bspscene_tree tree = { .node_count = 0 };
	static const bspscene_vis vis = { .cluster_count = 0 };
	scene->counts = &counts;
	scene->light_grid = &light_grid;
	scene->map_fog = &map_fog;
	scene->tree = &tree;
	scene->vis = &vis;
}
