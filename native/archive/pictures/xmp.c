/* xmp.c - see xmp.h. Writes RDF/XML as "XMP Specification Part 1", section 7, describes it. In RDF/XML, a text that may
 * be translated is a list of alternatives. */
#include "archive/pictures/xmp.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

static const char *escape_of(char letter)
{
	switch (letter) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	default: return NULL;
	}
}

/* Returns the length of a character that XML 1.0 does not allow, or 0 if the character at `at` is allowed. XML allows
 * only three control characters, and neither U+FFFE nor U+FFFF. */
static size_t length_of_unfit(const char *at)
{
	unsigned char letter = (unsigned char)*at;
	if (letter < ' ' && letter != '\n' && letter != '\t') return 1;
	return !strncmp(at, "\xef\xbf\xbe", 3) || !strncmp(at, "\xef\xbf\xbf", 3) ? 3 : 0;
}

/* Returns the text with XML escapes. The caller frees it. */
static char *escape(const char *text)
{
	enum { LONGEST = 5 };
	char *out = cli_allocate(strlen(text) + 1, LONGEST), *end = out;
	while (*text) {
		size_t unfit = length_of_unfit(text);
		const char *escaped = unfit ? " " : escape_of(*text);
		size_t length = escaped ? strlen(escaped) : 1;
		memcpy(end, escaped ? escaped : text, length);
		end += length;
		text += unfit ? unfit : 1;
	}
	*end = 0;
	return out;
}

static char *format_fact(const cli_picture_fact *fact)
{
	static const struct { const char *keyword, *element; bool translated; } known[] = {
		{ "Title", "dc:title", true },
		{ "Description", "dc:description", true },
		{ "Software", "xmp:CreatorTool", false },
	};
	char *text = escape(fact->text), *element = cli_format("bspscene:%s", fact->keyword);
	bool translated = false;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (strcmp(known[i].keyword, fact->keyword) != 0) continue;
		free(element);
		element = cli_format("%s", known[i].element);
		translated = known[i].translated;
	}
	const char *open = translated ? "<rdf:Alt><rdf:li xml:lang=\"x-default\">" : "",
	           *close = translated ? "</rdf:li></rdf:Alt>" : "";
	char *line = cli_format("<%s>%s%s%s</%s>\n", element, open, text, close, element);
	free(text);
	free(element);
	return line;
}

char *cli_xmp(const cli_picture_fact *facts, uint32_t count)
{
	char *lines = cli_format("%s", "");
	for (uint32_t i = 0; i < count; i++) {
		char *before = lines, *line = format_fact(&facts[i]);
		lines = cli_format("%s%s", before, line);
		free(before);
		free(line);
	}
	char *packet = cli_format("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
	                          "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
	                          "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"\n"
	                          "\txmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmlns:bspscene=\"urn:bspscene:picture:\">\n"
	                          "%s</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n", lines);
	free(lines);
	return packet;
}
