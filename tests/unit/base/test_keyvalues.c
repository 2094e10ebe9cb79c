/* test_keyvalues.c - KeyValues text becomes the tree that Valve's parser makes of it, errors included. Memory is
 * proportional to the text, and depth is limited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/keyvalues.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct printer {
	const bspi_kv_tree *tree;
	char text[512];
	size_t size;
} printer;

static void print(printer *out, uint32_t parent)
{
	for (uint32_t i = out->tree->nodes[parent].first_child; i; i = out->tree->nodes[i].next) {
		const bspi_kv *node = &out->tree->nodes[i];
		bool is_next = out->size && out->text[out->size - 1] != '{';
		int size = snprintf(out->text + out->size, sizeof out->text - out->size, "%s%s%s%s", is_next ? " " : "",
		                    node->key, node->value ? "=" : "{", node->value ? node->value : "");
		out->size += (size_t)size;
		if (node->value) continue;
		print(out, i);
		out->size += (size_t)snprintf(out->text + out->size, sizeof out->text - out->size, "}");
	}
}

static void text_and_tree(void **state)
{
	(void)state;
	static const struct { const char *text, *want; } cases[] = {
		{ "", "" },
		{ "a b", "a=b" },
		{ "\"a b\" \"c d\"", "a b=c d" },
		{ "\xef\xbb\xbf" "a b", "a=b" },
		{ "Shader\n{\n\t$key value\n}\n", "Shader{$key=value}" },
		{ "Shader{\"$key\"\"value\"}", "Shader{$key=value}" },
		{ "S{a{b{c d}}e f}g h", "S{a{b{c=d}} e=f} g=h" },
		{ "a // b\nc", "a=c" },
		{ "a /* b\n d */ c", "a=c" },
		{ "a b/c//d", "a=b/c//d" },
		{ "a \"b\\c\\\"", "a=b\\c\\" },
		{ "a \"b // c\"", "a=b // c" },
		/* The end of a line ends a quoted string. */
		{ "S { a \"b\nc d }", "S{a=b c=d}" },
		/* The end of the text ends all blocks. */
		{ "S { a { b c", "S{a{b=c}}" },
		{ "} } a b }", "a=b" },
		{ "S { a }", "S{}" },
		{ "S { a", "S{}" },
		{ "{ a b }", "{a=b}" },
		{ "S { \"\" x a \"\" }", "S{=x a=}" },
		{ "S { $color [1 .5 0] b c }", "S{$color=[1 .5 0] b=c}" },
		{ "S { $color \"{255 0 0}\" }", "S{$color={255 0 0}}" },
		{ "#include \"x.vmt\" S { }", "#include=x.vmt S{}" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspi_budget budget = { .limit = 1 << 20 };
		bspi_arena arena;
		bspi_kv_tree tree;
		bspi_arena_init(&arena, &budget);
		/* Uses a copy of exactly this size, so that reads past the end are detected. */
		size_t size = strlen(cases[i].text);
		char *text = malloc(size ? size : 1);
		memcpy(text, cases[i].text, size);
		assert_true(bspi_kv_parse(&arena, bspi_bytes_of(text, size), &tree));
		printer out = { .tree = &tree };
		print(&out, BSPI_KV_ROOT);
		const char *want = cases[i].want;
		if (strcmp(out.text, want)) fail_msg("%s: \"%s\" instead of \"%s\"", cases[i].text, out.text, want);
		bspi_arena_reset(&arena);
		free(text);
	}
}

static void conditions(void **state)
{
	(void)state;
	static const struct { const char *condition; bool met; } cases[] = {
		{ "", true }, { "[$WIN32]", true }, { "[!$X360]", true }, { "[$X360]", false }, { "[!$WIN32]", false },
		{ "[$win32]", true }, { "[$X360||$WIN32]", true }, { "[$X360 || $PS3]", false },
		{ "[!$X360&&!$PS3]", true }, { "[$WIN32 && $X360]", false }, { "[$GAMECONSOLE]", false }, { "[!]", false },
		{ "[ $X360 ]", false }, { "[ !$X360 ]", true }, { "[ $PS3 || $WIN32 ]", true }, { "[$X360", false },
	};
	static const char *const texts[] = { "S { a b %s\n c d }", "S { a %s\n { b c } c d }" };
	for (size_t i = 0; i < COUNT(cases); i++) {
		for (size_t k = 0; k < COUNT(texts); k++) {
			char text[64];
			bspi_budget budget = { .limit = 1 << 20 };
			bspi_arena arena;
			bspi_kv_tree tree;
			bspi_arena_init(&arena, &budget);
			snprintf(text, sizeof text, texts[k], cases[i].condition);
			assert_true(bspi_kv_parse(&arena, bspi_bytes_of(text, strlen(text)), &tree));
			uint32_t block = bspi_kv_find(&tree, BSPI_KV_ROOT, "s", true);
			bool there = bspi_kv_find(&tree, block, "A", k == 1);
			if (there != cases[i].met) fail_msg("%s in \"%s\"", cases[i].condition, texts[k]);
			/* Text after a block that is too deep is still read. */
			assert_true(bspi_kv_find(&tree, block, "c", false));
			bspi_arena_reset(&arena);
		}
	}
}

static void the_first_of_a_kind_is_found(void **state)
{
	(void)state;
	static const char text[] = "a { x 1 } A 2 a 3 A { x 4 }";
	bspi_budget budget = { .limit = 1 << 20 };
	bspi_arena arena;
	bspi_kv_tree tree;
	bspi_arena_init(&arena, &budget);
	assert_true(bspi_kv_parse(&arena, bspi_bytes_of(text, strlen(text)), &tree));
	uint32_t pair = bspi_kv_find(&tree, BSPI_KV_ROOT, "a", false), block = bspi_kv_find(&tree, BSPI_KV_ROOT, "a", true);
	assert_string_equal(tree.nodes[pair].value, "2");
	assert_string_equal(tree.nodes[bspi_kv_find(&tree, block, "X", false)].value, "1");
	assert_int_equal(bspi_kv_find(&tree, block, "y", false), 0);
	bspi_arena_reset(&arena);
}

/* Each text repeats one part up to 300 KB. The memory of its tree must be proportional to the length of the text. */
static void absurd_texts_stay_small(void **state)
{
	(void)state;
	static const char *const parts[] = {
		"{", "}", "a{", "\"", "\"\"", "a", "a b ", "[a]", "[", "a\"\"", "a[!$", "/*", "//", "{}", "\n",
	};
	enum { SIZE = 300000 };
	char *text = malloc(SIZE);
	for (size_t i = 0; i < COUNT(parts); i++) {
		bspi_budget budget = { .limit = 64u << 20 };
		bspi_arena arena;
		bspi_kv_tree tree;
		bspi_arena_init(&arena, &budget);
		for (size_t at = 0; at < SIZE; at++) text[at] = parts[i][at % strlen(parts[i])];
		assert_true(bspi_kv_parse(&arena, bspi_bytes_of(text, SIZE), &tree));
		bspi_arena_reset(&arena);
	}
	free(text);
}

static void blocks_too_deep_are_left_out(void **state)
{
	(void)state;
	char text[4 * (BSPI_KV_MOST_DEPTH + 40)] = "";
	bspi_budget budget = { .limit = 1 << 20 };
	bspi_arena arena;
	bspi_kv_tree tree;
	bspi_arena_init(&arena, &budget);
	for (size_t i = 0; i < BSPI_KV_MOST_DEPTH + 20; i++) strcat(text, "a{");
	for (size_t i = 0; i < BSPI_KV_MOST_DEPTH + 20; i++) strcat(text, "}");
	strcat(text, "b c");
	assert_true(bspi_kv_parse(&arena, bspi_bytes_of(text, strlen(text)), &tree));
	uint32_t depth = 0;
	for (uint32_t i = BSPI_KV_ROOT; (i = bspi_kv_find(&tree, i, "a", true)); ) depth++;
	assert_int_equal(depth, BSPI_KV_MOST_DEPTH);
	assert_true(bspi_kv_find(&tree, BSPI_KV_ROOT, "b", false));
	bspi_arena_reset(&arena);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	enum { PAIRS = 8000 };             /* so many pairs that their memory needs several chunks of an arena */
	static char text[4 * PAIRS];
	uint64_t limit = 1;
	for (size_t i = 0; i < PAIRS; i++) memcpy(text + 4 * i, "a b ", 4);
	for (bool done = false; !done; limit++) {
		bspi_budget budget = { .limit = 1 << 20, .allocation_limit = limit };
		bspi_arena arena;
		bspi_kv_tree tree;
		bspi_arena_init(&arena, &budget);
		done = bspi_kv_parse(&arena, bspi_bytes_of(text, sizeof text), &tree);
		bspi_arena_reset(&arena);
	}
	assert_true(limit > 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_and_tree),
		cmocka_unit_test(conditions),
		cmocka_unit_test(the_first_of_a_kind_is_found),
		cmocka_unit_test(absurd_texts_stay_small),
		cmocka_unit_test(blocks_too_deep_are_left_out),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
