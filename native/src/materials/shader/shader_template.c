/* shader_template.c - reads QFusion's "template NAME ARGUMENT ...". The rest of the shader is the definition NAME, in
 * which the arguments replace $1, $2 and so on (its r_shader.c Shader_Template). */
#include "materials/shader/script_index.h"
#include "materials/shader/shader.h"

/* Largest number of arguments in the engine; largest number of templates used in a shader, because templates may use
 * themselves; largest size of an expanded template in bytes. */
enum { MOST_ARGUMENTS = 12, MOST_TEMPLATES = 8, MOST_BYTES = 65536 };

typedef struct arguments {
	const char *words[MOST_ARGUMENTS];
	uint32_t count;
} arguments;

/* Reads the number after '$', which ends before any character except 1 to 9 (so even before 0). Returns the length of
 * '$' and the number together, at least 1. */
static size_t read_placeholder(bspi_bytes text, size_t at, uint32_t *number)
{
	size_t length = 1;
	*number = 0;
	for (; at + length < text.size; length++) {
		uint8_t digit = text.data[at + length];
		if (digit < '1' || digit > '9') break;
		if (*number <= MOST_ARGUMENTS) *number = *number * 10 + (uint32_t)(digit - '0');
	}
	return length;
}

/* Writes the text with its placeholders replaced to `out`, and returns the size. If `out` is NULL, only returns the
 * size. Stops once the size exceeds MOST_BYTES. */
static size_t expand(bspi_bytes text, const arguments *given, uint8_t *out)
{
	size_t size = 0;
	for (size_t at = 0, length; at < text.size && size <= MOST_BYTES; at += length) {
		const void *from = text.data + at;
		uint32_t number = 0;
		length = text.data[at] == '$' ? read_placeholder(text, at, &number) : 1;
		size_t count = length;
		if (number && number <= given->count) {
			from = given->words[number - 1];
			count = strlen(from);
		}
		if (out) memcpy(out + size, from, count);
		size += count;
	}
	return size;
}

static bool read_arguments(bspi_shader_parser *p, arguments *out)
{
	out->count = 0;
	while (out->count < MOST_ARGUMENTS && bspi_script_argument(p->script)) {
		const char *word = bspi_keep_word(p);
		if (!word) return false;
		out->words[out->count++] = word;
	}
	return true;
}

void bspi_read_template(bspi_shader_parser *p)
{
	const bspi_script_index *index = p->shader->templates;
	const bspi_definition *found = NULL;
	const bspi_script before = *p->script;
	arguments given;
	if (index && bspi_script_argument(p->script)) found = bspi_find_definition(index, p->script->word);
	if (!found || p->template_count++ == MOST_TEMPLATES) {
		*p->script = before;
		bspi_note_unknown(p);
		bspi_script_skip_line(p->script);
		return;
	}
	if (!read_arguments(p, &given)) return;
	bspi_bytes text = { index->files[found->file].text.data + found->body, found->end - found->body };
	size_t size = expand(text, &given, NULL);
	if (size > MOST_BYTES) return;
	uint8_t *expanded = bspi_push(p->ctx, &p->ctx->scratch, uint8_t, size);
	p->failed |= !expanded;
	if (!expanded) return;
	expand(text, &given, expanded);
	*p->script = (bspi_script){ .text = { expanded, size }, .line = found->body_line };
}
