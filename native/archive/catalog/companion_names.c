/* companion_names.c - see companion_names.h. */
#include "archive/catalog/companion_names.h"

#include <string.h>
#include <strings.h>

#include "cli/names.h"

static const struct {
	const char *ending;                /* ending without its dot */
	cli_companion_kind kind;
} rows[] = {
	{ "txt", CLI_COMPANION_TEXT },     { "md", CLI_COMPANION_TEXT },      { "nfo", CLI_COMPANION_TEXT },
	{ "diz", CLI_COMPANION_TEXT },     { "1st", CLI_COMPANION_TEXT },     { "me", CLI_COMPANION_TEXT },
	{ "doc", CLI_COMPANION_DOCUMENT }, { "docx", CLI_COMPANION_DOCUMENT }, { "rtf", CLI_COMPANION_DOCUMENT },
	{ "htm", CLI_COMPANION_DOCUMENT }, { "html", CLI_COMPANION_DOCUMENT }, { "pdf", CLI_COMPANION_DOCUMENT },
	{ "arena", CLI_COMPANION_SCRIPT }, { "mapinfo", CLI_COMPANION_SCRIPT }, { "defi", CLI_COMPANION_SCRIPT },
	{ "shader", CLI_COMPANION_SCRIPT }, { "ent", CLI_COMPANION_SCRIPT },  { "rad", CLI_COMPANION_SCRIPT },
	{ "res", CLI_COMPANION_SCRIPT },   { "loc", CLI_COMPANION_SCRIPT },   { "jpg", CLI_COMPANION_PICTURE },
	{ "jpeg", CLI_COMPANION_PICTURE }, { "png", CLI_COMPANION_PICTURE },  { "tga", CLI_COMPANION_PICTURE },
	{ "lit", CLI_COMPANION_LIGHT },    { "lux", CLI_COMPANION_LIGHT },    { "wad", CLI_COMPANION_WAD },
};

const char *cli_file_name(const char *path)
{
	const char *slash = cli_last_separator(path);
	return slash ? slash + 1 : path;
}

size_t cli_stem_length(const char *file_name)
{
	const char *dot = strrchr(file_name, '.');
	return dot ? (size_t)(dot - file_name) : strlen(file_name);
}

cli_companion_kind cli_companion_kind_of(const char *path)
{
	const char *name = cli_file_name(path), *ending = cli_ending(name);
	/* External lightmaps of Quake III are named maps/NAME/lm_0000.tga. */
	if (!strncasecmp(name, "lm_", 3)) return CLI_COMPANION_LIGHT;
	if (!*ending && !strncasecmp(name, "read", 4)) return CLI_COMPANION_TEXT;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!strcasecmp(ending, rows[i].ending)) return rows[i].kind;
	}
	return CLI_COMPANION_OTHER;
}

const char *cli_companion_word(cli_companion_kind kind)
{
	static const char *const words[] = {
		[CLI_COMPANION_OTHER] = "other",     [CLI_COMPANION_TEXT] = "text",       [CLI_COMPANION_DOCUMENT] = "document",
		[CLI_COMPANION_SCRIPT] = "script",   [CLI_COMPANION_PICTURE] = "picture", [CLI_COMPANION_LIGHT] = "light",
		[CLI_COMPANION_WAD] = "wad",
	};
	return words[kind];
}

bool cli_is_called_by(const char *path, const char *stem)
{
	const char *name = cli_file_name(path);
	size_t length = strlen(stem);
	if (!length || strncasecmp(name, stem, length) != 0) return false;
	char next = name[length];
	return !(next >= '0' && next <= '9') && !(next >= 'a' && next <= 'z') && !(next >= 'A' && next <= 'Z');
}
