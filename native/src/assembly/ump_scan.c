/* ump_scan.c - splits rules of assemblies into words, and recognizes such texts. */
#include "assembly/ump.h"

static bool is_at(const bspi_ump_scan *scan, const char *two)
{
	return scan->text.size - scan->at >= 2 && !memcmp(scan->text.data + scan->at, two, 2);
}

static void skip_blanks(bspi_ump_scan *scan)
{
	const uint8_t *p = scan->text.data;
	size_t size = scan->text.size;
	while (scan->at < size) {
		if (p[scan->at] <= ' ') {
			scan->at++;
		} else if (is_at(scan, "//")) {
			while (scan->at < size && p[scan->at] != '\n') scan->at++;
		} else if (is_at(scan, "/*")) {
			scan->at += 2;
			while (scan->at < size && !is_at(scan, "*/")) scan->at++;
			scan->at = size - scan->at < 2 ? size : scan->at + 2;
		} else {
			return;
		}
	}
}

static bool is_brace(uint8_t c)
{
	return c == '{' || c == '}';
}

bool bspi_ump_word(bspi_ump_scan *scan, bspi_bytes *out)
{
	skip_blanks(scan);
	const uint8_t *p = scan->text.data;
	size_t size = scan->text.size;
	*out = BSPI_NO_BYTES;
	if (scan->at == size) return false;
	scan->quoted = p[scan->at] == '"';
	size_t first = scan->at += scan->quoted;
	if (scan->quoted) {
		while (scan->at < size && p[scan->at] != '"') scan->at++;
	} else if (is_brace(p[scan->at])) {
		scan->at++;
	} else {
		while (scan->at < size && p[scan->at] > ' ' && p[scan->at] != '"' && !is_brace(p[scan->at])) scan->at++;
	}
	*out = bspi_bytes_of(p + first, scan->at - first);
	if (scan->quoted && scan->at < size) scan->at++;
	return true;
}

bool bspi_ump_is(const bspi_ump_scan *scan, bspi_bytes word, const char *wanted)
{
	return !scan->quoted && word.size == strlen(wanted) && !memcmp(word.data, wanted, word.size);
}

void bspi_ump_skip_block(bspi_ump_scan *scan)
{
	bspi_bytes word;
	for (size_t depth = 1; depth && bspi_ump_word(scan, &word);) {
		if (bspi_ump_is(scan, word, "{")) depth++;
		if (bspi_ump_is(scan, word, "}")) depth--;
	}
}

/* True if the word begins a top-level statement. *has_block is set if a block follows its name. */
static bool is_statement(const bspi_ump_scan *scan, bspi_bytes word, bool *has_block)
{
	static const char *const plain[] = { "base", "extends", "line" }, *const blocks[] = { "tile", "tileset",
	                                                                                    "assembly" };
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
		*has_block = false;
		if (bspi_ump_is(scan, word, plain[i])) return true;
	}
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		*has_block = true;
		if (bspi_ump_is(scan, word, blocks[i])) return true;
	}
	return false;
}

bool bspi_is_assembly_text(bspi_bytes head)
{
	bspi_ump_scan scan = { .text = head };
	bspi_bytes word, name;
	bool has_block = false;
	if (!head.size || memchr(head.data, 0, head.size)) return false;
	/* Only the first statements are checked; `head` may be cut anywhere. */
	uint32_t known = 0;
	for (; bspi_ump_word(&scan, &word); known++) {
		if (!is_statement(&scan, word, &has_block)) return known && scan.at == head.size;
		if (!bspi_ump_word(&scan, &name)) break;
		if (!has_block) continue;
		if (!bspi_ump_word(&scan, &word)) break;
		if (!bspi_ump_is(&scan, word, "{")) return false;
		bspi_ump_skip_block(&scan);
	}
	return known > 0;
}

bool bspi_refuse_assembly(bspi_ctx *ctx, bspi_bytes file)
{
	BSPI_CHECK(ctx, !bspi_is_assembly_text(file), BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_NOWHERE,
	           "an assembly, which only names tiles, cannot be written; write the maps of its tiles instead");
	return true;
}

bool bspi_next_assembly(bspi_bytes text, size_t *at, bspi_bytes *name)
{
	bspi_ump_scan scan = { .text = text, .at = *at };
	bspi_bytes word;
	while (bspi_ump_word(&scan, &word)) {
		if (bspi_ump_is(&scan, word, "assembly") && bspi_ump_word(&scan, name)) {
			bool opened = bspi_ump_word(&scan, &word) && bspi_ump_is(&scan, word, "{");
			if (opened) bspi_ump_skip_block(&scan);
			*at = scan.at;
			if (opened && name->size) return true;
		} else if (bspi_ump_is(&scan, word, "{")) {
			bspi_ump_skip_block(&scan);
		}
	}
	*at = scan.at;
	return false;
}
