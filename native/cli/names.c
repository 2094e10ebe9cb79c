/* names.c - see names.h. */
#include "cli/names.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/report.h"
#include "cli/host/platform.h"

#ifdef CLI_HAVE_ASSIMP
	#include <bspscene/assimp_export.h>
#endif

const char *cli_last_separator(const char *path)
{
	const char *last = NULL;
	for (const char *c = path; *c; c++) {
		if (cli_is_separator(*c)) last = c;
	}
	return last;
}

const char *cli_ending(const char *path)
{
	const char *separator = cli_last_separator(path);
	const char *dot = strrchr(separator ? separator : path, '.');
	return dot ? dot + 1 : "";
}

/* Returns extension number `index` of the formats that can be written. NULL after the last one. */
static const char *written_ending(uint32_t index, bool with_assimp)
{
	for (const bspscene_writer *const *writer = bspscene_writers(); *writer; writer++) {
		if ((*writer)->chosen_by_extension && !index--) return (*writer)->extension;
	}
	if (!index--) return "html";       /* the viewer's page, which is not made by a writer */
#ifdef CLI_HAVE_ASSIMP
	if (with_assimp) return bspscene_assimp_export_ending(index);
#else
	(void)with_assimp;
#endif
	return NULL;
}

char *cli_written_endings(bool with_assimp)
{
	char *list = NULL;
	const char *ending;
	for (uint32_t i = 0; (ending = written_ending(i, with_assimp)); i++) {
		const char *between = !list ? "" : written_ending(i + 1, with_assimp) ? ", " : " or ";
		char *longer = cli_format("%s%s.%s", list ? list : "", between, ending);
		free(list);
		list = longer;
	}
	return list;
}

bool cli_is_name_safe(const char *name)
{
	for (const char *part = name;; part++) {
		size_t length = strcspn(part, "/");
		if (length == 0 || (length == 1 && part[0] == '.') || (length == 2 && !strncmp(part, "..", 2))) return false;
		for (size_t i = 0; i < length; i++) {
			if ((unsigned char)part[i] < 0x20 || part[i] == '\\' || part[i] == 0x7f) return false;
		}
		part += length;
		if (!*part) return true;
	}
}

/* If the part begins with a Windows device name, such as "con" or "com1", returns the length of that name, else 0.
 * "con" is a device with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). The digits of "com" and
 * "lpt" ports may be superscripts. */
static size_t device_length(const char *part, size_t length)
{
	static const char *const devices[] = { "con", "prn", "aux", "nul", "conin$", "conout$" };
	static const char *const digits[] = { "\xc2\xb9", "\xc2\xb2", "\xc2\xb3" };
	size_t stem = 0;
	while (stem < length && part[stem] != '.') stem++;
	while (stem && part[stem - 1] == ' ') stem--;
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
		if (strlen(devices[i]) == stem && !strncasecmp(part, devices[i], stem)) return stem;
	}
	if (stem < 4 || (strncasecmp(part, "com", 3) != 0 && strncasecmp(part, "lpt", 3) != 0)) return 0;
	bool port = stem == 4 && part[3] >= '0' && part[3] <= '9';
	for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
		port |= stem == 5 && !strncmp(part + 3, digits[i], 2);
	}
	return port ? stem : 0;
}

static char portable_letter(char c, bool last)
{
	if (c == '*') return '#';
	if (strchr("<>:\"|?", c)) return '_';
	return last && (c == '.' || c == ' ') ? '_' : c;
}

/* Writes one part of a path in its portable form and returns its length. The form is at most one character longer. */
static size_t put_portable(char *out, const char *part, size_t length)
{
	size_t device = device_length(part, length), at = 0;
	for (size_t i = 0; i < length; i++) {
		if (device && i == device) out[at++] = '_';
		out[at++] = portable_letter(part[i], i + 1 == length);
	}
	if (device && device == length) out[at++] = '_';
	return at;
}

char *cli_portable_name(const char *name)
{
	char *out = cli_allocate(2 * strlen(name) + 2, 1);
	size_t at = 0;
	for (const char *part = name;; part++) {
		size_t length = strcspn(part, "/");
		at += put_portable(out + at, part, length);
		part += length;
		if (!*part) return out;
		out[at++] = '/';
	}
}
