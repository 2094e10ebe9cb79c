/* test_sha256.c - the test vectors of FIPS 180-4 and the long one of NIST's test suite, hashed at once and in pieces of
 * every size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/binding.h>

#include "base/sha256.h"

static void hash_in_pieces(const char *text, size_t size, size_t piece, char out[BSPI_SHA256_TEXT_SIZE])
{
	bspi_sha256 hash;
	bspi_sha256_begin(&hash);
	for (size_t at = 0; at < size; at += piece)
		bspi_sha256_add(&hash, text + at, piece < size - at ? piece : size - at);
	bspi_sha256_end_text(&hash, out);
}

static void the_standards_vectors(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
		{ "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
		  "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
		  "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
	};
	char text[BSPI_SHA256_TEXT_SIZE];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (size_t piece = 1; piece <= 130; piece++) {
			hash_in_pieces(cases[i].text, strlen(cases[i].text), piece, text);
			assert_string_equal(text, cases[i].want);
		}
		bspscene_hash_bytes(*cases[i].text ? cases[i].text : NULL, strlen(cases[i].text), text);
		assert_string_equal(text, cases[i].want);
	}
}

static void a_million_letters(void **state)
{
	char letters[1000], text[BSPI_SHA256_TEXT_SIZE];
	bspi_sha256 hash;
	(void)state;
	memset(letters, 'a', sizeof letters);
	bspi_sha256_begin(&hash);
	for (int i = 0; i < 1000; i++) bspi_sha256_add(&hash, letters, sizeof letters);
	bspi_sha256_end_text(&hash, text);
	assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* With sizes near that of a block, padding needs a further block. The hashes are from coreutils' sha256sum. */
static void sizes_around_a_block(void **state)
{
	static const struct {
		size_t size;
		const char *want;
	} cases[] = {
		{ 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
		{ 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a" },
		{ 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34" },
		{ 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
		{ 65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0" },
		{ 119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb" },
		{ 120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c" },
		{ 128, "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e" },
	};
	char letters[128], text[BSPI_SHA256_TEXT_SIZE];
	(void)state;
	memset(letters, 'a', sizeof letters);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		hash_in_pieces(letters, cases[i].size, 64, text);
		assert_string_equal(text, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_standards_vectors),
		cmocka_unit_test(a_million_letters),
		cmocka_unit_test(sizes_around_a_block),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
