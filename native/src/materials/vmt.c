/* vmt.c - see vmt.h. What each value is, is decided when it is asked for: the material's own blocks for graphics cards like
 * ours count before its plain keys, patches before both (source.md 12.1). */
#include "materials/vmt.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "io/io.h"

/* ---- Files ------------------------------------------------------------------------------------------------ */

/* The first block of a file; what is in front of it (#include, stray words) is nothing to us. */
static bool take_layer(bspi_ctx *ctx, bspi_bytes text, bspi_vmt_layer *out)
{
	if (!bspi_kv_parse(&ctx->scratch, text, &out->tree)) return bspi_fail_memory(ctx);
	uint32_t i = out->tree.nodes[BSPI_KV_ROOT].first_child;
	while (i && out->tree.nodes[i].value) i = out->tree.nodes[i].next;
	out->root = i;
	return true;
}

static bool warn_bad(bspi_ctx *ctx, const char *path, const char *what)
{
	return bspi_warn(ctx, BSPSCENE_WARNING_SHADER_BAD, BSPI_LUMP("materials"), "%s: %s", path, what);
}

/* "materials/x.vmt", as it should be; often without the one, the other, or with backslashes. */
static void material_path(const char *name, char out[BSPI_PATH_SIZE])
{
	while (*name == '/' || *name == '\\') name++;
	bool rooted = bspi_text_starts(name, "materials/") || bspi_text_starts(name, "materials\\");
	int length = snprintf(out, BSPI_PATH_SIZE, "%s%.200s%s", rooted ? "" : "materials/", name, bspi_text_ends(name, ".vmt") ? "" : ".vmt");
	if (length < 0 || length >= BSPI_PATH_SIZE) out[0] = 0;
}

/* The file at *path and the files that it patches. *found: the first of them is there. */
static bool read_layers(bspi_ctx *ctx, const char *path, bspi_vmt *out, bool *found)
{
	char wanted[BSPI_PATH_SIZE];
	bspi_sibling file;
	*found = false;
	*out = (bspi_vmt){ .shader = "", .path = "", .text = BSPI_NO_BYTES };
	snprintf(wanted, sizeof wanted, "%s", path);
	for (;;) {
		bool there = bspi_open_sibling(ctx, &ctx->scratch, wanted, BSPSCENE_FILE_SHADER, &file);
		if (ctx->error.status) return false;
		if (!there && !*found) return true;
		out->path = there ? file.path : bspi_text_keep(ctx, wanted);
		BSPI_TRY(out->path);
		if (!there) return true;
		*found = true;
		bspi_vmt_layer *layer = &out->layers[out->patch_count];
		BSPI_TRY(take_layer(ctx, file.bytes, layer));
		if (!layer->root) return warn_bad(ctx, out->path, "there is no material in it");
		const char *shader = layer->tree.nodes[layer->root].key;
		out->text = file.bytes;
		if (!bspi_text_equal(shader, "patch")) {
			out->shader = shader;
			return true;
		}
		uint32_t include = bspi_kv_find(&layer->tree, layer->root, "include", false);
		if (!include) return warn_bad(ctx, out->path, "patches nothing: it has no include");
		if (++out->patch_count > BSPI_VMT_MOST_PATCHES) {
			out->patch_count--;
			return warn_bad(ctx, out->path, "too many patches include each other, or go round in a circle");
		}
		material_path(layer->tree.nodes[include].value, wanted);
	}
}

/* ---- Names that compilers make ---------------------------------------------------------------------------- */

static const char *skip_back_number(const char *start, const char *end)
{
	const char *p = end;
	while (p > start && p[-1] >= '0' && p[-1] <= '9') p--;
	if (p == end) return NULL;
	if (p > start && p[-1] == '-') p--;
	return p > start && p[-1] == '_' ? p - 1 : NULL;
}

/* Cuts one of "_wvt_patch", "_depth_7", "_-12_34_56" off the end. */
static bool strip_ending(char *name)
{
	static const char wvt[] = "_wvt_patch", depth[] = "_depth";
	size_t length = strlen(name);
	if (bspi_text_ends(name, wvt)) {
		name[length - strlen(wvt)] = 0;
		return true;
	}
	const char *at = skip_back_number(name, name + length);
	if (!at) return false;
	size_t stem = (size_t)(at - name);
	if (stem > strlen(depth) && !strncmp(at - strlen(depth), depth, strlen(depth))) {
		name[stem - strlen(depth)] = 0;
		return true;
	}
	for (int i = 0; at && i < 2; i++) at = skip_back_number(name, at);
	if (!at) return false;
	name[at - name] = 0;
	return true;
}

/* "maps/<map>/concrete/wall01_12_-34_56": the map's name is the one that it had when it was compiled. */
static bool strip_map(const char *name, char out[BSPI_PATH_SIZE])
{
	if (!bspi_text_starts(name, "maps/")) return false;
	const char *slash = strchr(name + strlen("maps/"), '/');
	if (!slash) return false;
	snprintf(out, BSPI_PATH_SIZE, "%.200s", slash + 1);
	return true;
}

bool bspi_open_vmt(bspi_ctx *ctx, const char *name, bspi_vmt *out, bool *found)
{
	char path[BSPI_PATH_SIZE], stem[BSPI_PATH_SIZE];
	material_path(name, path);
	BSPI_TRY(read_layers(ctx, path, out, found));
	if (*found || !strip_map(name, stem)) return true;
	while (!*found && strip_ending(stem)) {
		material_path(stem, path);
		BSPI_TRY(read_layers(ctx, path, out, found));
	}
	return true;
}

/* ---- Values ----------------------------------------------------------------------------------------------- */

/* "hdr?$envmap": what a PC with the light of ordinary displays is. NULL: the condition is not met. */
static const char *key_behind_condition(const char *key)
{
	const char *mark = strchr(key, '?');
	if (!mark) return key;
	static const char *const met[] = { "ldr?", "srgb?", "!hdr?", "!lowfill?", "!360?", "!x360?", "!ps3?", "!sonyps3?", "!gameconsole?", "gpu>" };
	for (size_t i = 0; i < sizeof met / sizeof *met; i++) {
		if (bspi_text_starts(key, met[i])) return mark + 1;
	}
	return NULL;
}

/* ">=dx90", "LightmappedGeneric_HDR_DX9": blocks whose keys replace those around them on a card of today. */
static bool is_for_us(const char *block, const char *shader)
{
	static const char *const conditions[] = { ">=dx9", ">=dx8", ">=dx7", ">dx9", ">dx8", ">dx7", "!ps3", "!x360" };
	static const char *const endings[] = { "_dx9", "_hdr_dx9", "_dx9_hdr", "_hdr" };
	for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
		if (bspi_text_starts(block, conditions[i])) return true;
	}
	size_t length = strlen(shader);
	for (size_t i = 0; length && bspi_text_starts(block, shader) && i < sizeof endings / sizeof *endings; i++) {
		if (bspi_text_equal(block + length, endings[i])) return true;
	}
	return false;
}

static const char *value_in_block(const bspi_kv_tree *tree, uint32_t block, const char *key)
{
	for (uint32_t i = tree->nodes[block].first_child; i; i = tree->nodes[i].next) {
		const char *own = tree->nodes[i].value ? key_behind_condition(tree->nodes[i].key) : NULL;
		if (own && bspi_text_equal(own, key)) return tree->nodes[i].value;
	}
	return NULL;
}

static const char *own_value(const bspi_vmt *vmt, const char *key)
{
	const bspi_vmt_layer *layer = &vmt->layers[vmt->patch_count];
	if (!*vmt->shader) return NULL;
	for (uint32_t i = layer->tree.nodes[layer->root].first_child; i; i = layer->tree.nodes[i].next) {
		const bspi_kv *node = &layer->tree.nodes[i];
		const char *value = !node->value && is_for_us(node->key, vmt->shader) ? value_in_block(&layer->tree, i, key) : NULL;
		if (value) return value;
	}
	return value_in_block(&layer->tree, layer->root, key);
}

static const char *patch_value(const bspi_vmt_layer *patch, const char *block, const char *key)
{
	uint32_t i = bspi_kv_find(&patch->tree, patch->root, block, true);
	return i ? value_in_block(&patch->tree, i, key) : NULL;
}

/* `replace` changes what is there, `insert` whatever there is. */
const char *bspi_vmt_value(const bspi_vmt *vmt, const char *key)
{
	const char *value = own_value(vmt, key);
	for (uint32_t i = vmt->patch_count; i--; ) {
		const char *replaced = value ? patch_value(&vmt->layers[i], "replace", key) : NULL;
		const char *inserted = patch_value(&vmt->layers[i], "insert", key);
		if (replaced) value = replaced;
		if (inserted) value = inserted;
	}
	return value;
}

float bspi_vmt_number(const bspi_vmt *vmt, const char *key, float otherwise)
{
	const char *value = bspi_vmt_value(vmt, key);
	float number;
	return value && bspi_text_numbers(value, &number, 1) ? number : otherwise;
}

bool bspi_vmt_is_set(const bspi_vmt *vmt, const char *key)
{
	return bspi_vmt_number(vmt, key, 0) != 0;
}

bool bspi_vmt_color(const bspi_vmt *vmt, const char *key, float out[3])
{
	const char *value = bspi_vmt_value(vmt, key);
	float numbers[3];
	uint32_t count = value ? bspi_text_numbers(value, numbers, 3) : 0;
	if (!count) return false;
	float scale = strchr(value, '{') ? 1 / 255.0f : 1;
	for (uint32_t k = 0; k < 3; k++) out[k] = fmaxf(numbers[count == 3 ? k : 0] * scale, 0);
	return true;
}

static uint32_t find_proxy(const bspi_vmt_layer *layer, uint32_t parent, const char *proxy)
{
	uint32_t proxies = bspi_kv_find(&layer->tree, parent, "proxies", true);
	return proxies ? bspi_kv_find(&layer->tree, proxies, proxy, true) : 0;
}

const char *bspi_vmt_proxy_value(const bspi_vmt *vmt, const char *proxy, const char *key)
{
	for (uint32_t i = 0; i <= vmt->patch_count; i++) {
		const bspi_vmt_layer *layer = &vmt->layers[i];
		uint32_t parent = layer->root;
		if (i == vmt->patch_count && !*vmt->shader) return NULL;
		if (i < vmt->patch_count) parent = bspi_kv_find(&layer->tree, layer->root, "insert", true);
		uint32_t found = parent ? find_proxy(layer, parent, proxy) : 0;
		const char *value = found ? value_in_block(&layer->tree, found, key) : NULL;
		if (value) return value;
	}
	return NULL;
}
