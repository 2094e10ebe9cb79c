/* shader_condition.c - evaluates QFusion's "if a > 1 && ! b" from left to right without precedence, like its r_shader.c
 * Shader_ParseConditions. */
#include "materials/shader/shader.h"

typedef enum comparison { LESS, LESS_EQUAL, EQUAL, GREATER, GREATER_EQUAL, NOT_EQUAL } comparison;

/* Returns the value of a word: an engine feature, or a number as atoi reads it. We draw without light directions, so
 * deluxeMaps and deluxe have the value that they have in an engine without this feature. */
static int operand(const bspi_script *script)
{
	static const struct { const char *name; int value; } features[] = {
		{ "maxTextureSize", 16384 }, { "maxTextureCubemapSize", 16384 }, { "maxTextureUnits", 32 },
		{ "textureCubeMap", 1 }, { "GLSL", 1 }, { "portalMaps", 1 }, { "deluxeMaps", 0 }, { "deluxe", 0 },
		{ "true", 1 }, { "false", 0 },
	};
	const float largest = 1e6f;
	float value = 0;
	for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
		if (bspi_script_is(script, features[i].name)) return features[i].value;
	}
	bspi_text_number(script->word, &value);
	return value > -largest && value < largest ? (int)value : 0;
}

static bool find_word(const bspi_script *script, const char *const *words, size_t count, size_t *index)
{
	for (*index = 0; *index < count; ++*index) {
		if (!strcmp(script->word, words[*index])) return true;
	}
	return false;
}

static bool compare(int a, comparison how, int b)
{
	switch (how) {
	case LESS: return a < b;
	case LESS_EQUAL: return a <= b;
	case EQUAL: return a == b;
	case GREATER: return a > b;
	case GREATER_EQUAL: return a >= b;
	default: return a != b;
	}
}

/* Reads one comparison, such as "! ! a" or "a >= 2". Returns false if there is none. *more is true if another word
 * follows it, which is then the script's current word. */
static bool read_term(bspi_script *script, bool *value, bool *more)
{
	static const char *const signs[] = { "<", "<=", "==", ">", ">=", "!=" };
	bool negated = false;
	size_t sign;
	while (*more && !strcmp(script->word, "!")) {
		negated = !negated;
		*more = bspi_script_argument(script);
	}
	if (!*more) return false;
	int left = operand(script), right = 0;
	comparison how = NOT_EQUAL;
	*more = bspi_script_argument(script);
	if (*more && find_word(script, signs, sizeof signs / sizeof *signs, &sign)) {
		how = (comparison)sign;
		*more = bspi_script_argument(script);
		if (!*more) return false;
		right = operand(script);
		*more = bspi_script_argument(script);
	}
	*value = compare(left, how, right) != negated;
	return true;
}

bool bspi_read_condition(bspi_script *script)
{
	static const char *const joints[] = { "&&", "||" };
	bool more = bspi_script_argument(script), result, next;
	size_t joint;
	bool good = read_term(script, &result, &more);
	while (good && more) {
		good = find_word(script, joints, sizeof joints / sizeof *joints, &joint);
		more = good && bspi_script_argument(script);
		good = good && read_term(script, &next, &more);
		if (good) result = joint ? result || next : result && next;
	}
	bspi_script_skip_line(script);
	return good && result;
}
