/* vmt.c - see vmt.h. Blocks and patches are evaluated when a value is read. A key in the block for current graphics
 * cards overrides the same key outside of it. A patch has such blocks too: it changes a key in the block or outside
 * of it, as the key is placed in the patch (SDK: materialsystem/cmaterial.cpp). */
#include "materials/vmt/vmt.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "io/io.h"

/* ---- Files ------------------------------------------------------------------------------------------------ */

/* Parses a file and finds its first block. Text before it (#include, other words) is ignored. */
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

/* Makes the path "materials/x.vmt" of a name. Names may lack the folder or the extension, and may have backslashes. */
static void material_path(const char *name, char out[BSPI_PATH_SIZE])
{
	while (*name == '/' || *name == '\\') name++;
	bool rooted = bspi_text_starts(name, "materials/") || bspi_text_starts(name, "materials\\");
	const char *folder = rooted ? "" : "materials/", *ending = bspi_text_ends(name, ".vmt") ? "" : ".vmt";
	int length = snprintf(out, BSPI_PATH_SIZE, "%s%.200s%s", folder, name, ending);
	if (length < 0 || length >= BSPI_PATH_SIZE) out[0] = 0;
}

/* Reads the file at `path`. If it is a patch, reads the file that it patches, and so on. *found: the first file
 * exists. */
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
		if (!layer->root) return warn_bad(ctx, out->path, "it is not a material (VMT), or is damaged");
		const char *shader = layer->tree.nodes[layer->root].key;
		out->text = file.bytes;
		if (!bspi_text_equal(shader, "patch")) {
			out->shader = shader;
			return true;
		}
		uint32_t include = bspi_kv_find(&layer->tree, layer->root, "include", false);
		if (!include) return warn_bad(ctx, out->path, "is a patch without an include, so there is nothing to patch");
		if (++out->patch_count > BSPI_VMT_MOST_PATCHES) {
			out->patch_count--;
			return warn_bad(ctx, out->path, "its patches include each other in a circle, or are nested too deep");
		}
		material_path(layer->tree.nodes[include].value, wanted);
	}
}

/* ---- Names made by the compiler --------------------------------------------------------------------------- */

static const char *skip_back_number(const char *start, const char *end)
{
	const char *p = end;
	while (p > start && p[-1] >= '0' && p[-1] <= '9') p--;
	if (p == end) return NULL;
	if (p > start && p[-1] == '-') p--;
	return p > start && p[-1] == '_' ? p - 1 : NULL;
}

/* Removes a suffix of the form "_wvt_patch", "_depth_7" or "_-12_34_56". False if there is none. */
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
	if (stem > strlen(depth) && bspi_text_starts(at - strlen(depth), depth)) {
		name[stem - strlen(depth)] = 0;
		return true;
	}
	for (int i = 0; at && i < 2; i++) at = skip_back_number(name, at);
	if (!at) return false;
	name[at - name] = 0;
	return true;
}

/* Removes "maps/<map>/" from a name such as "maps/<map>/concrete/wall01_12_-34_56", which the map's compiler made.
 * <map> is the map's name when it was compiled. */
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

/* Returns a key without its condition ("hdr?$envmap"). NULL if the condition does not hold on a PC without HDR. */
static const char *key_behind_condition(const char *key)
{
	const char *mark = strchr(key, '?');
	if (!mark) return key;
	static const char *const met[] = {
		"ldr?", "srgb?", "!hdr?", "!lowfill?", "!360?", "!x360?", "!ps3?", "!sonyps3?", "!gameconsole?", "gpu>",
	};
	for (size_t i = 0; i < sizeof met / sizeof *met; i++) {
		if (bspi_text_starts(key, met[i])) return mark + 1;
	}
	return NULL;
}

/* Returns a key's value: that of the last pair with a condition that holds, otherwise that of the first pair without a
 * condition (CMaterial::ParseMaterialVars). */
static const char *value_in_block(const bspi_kv_tree *tree, uint32_t block, const char *key)
{
	const char *value = NULL;
	for (uint32_t i = tree->nodes[block].first_child; i; i = tree->nodes[i].next) {
		const bspi_kv *node = &tree->nodes[i];
		const char *own = node->value ? key_behind_condition(node->key) : NULL;
		if (own && bspi_text_equal(own, key) && (!value || own != node->key)) value = node->value;
	}
	return value;
}

/* Finds the block whose keys override those outside of it on current graphics cards. The engine tries several names in
 * this order, alone or after the shader's name (CMaterial's FindBuiltinFallbackBlock). The last names are from older
 * engines. NULL if there is none. */
static const char *find_fallback(const bspi_vmt *vmt)
{
	static const char *const names[] = { ">=dx90_20b", ">=dx90", ">dx90", "hdr_dx9", "hdr", "ldr", "srgb", "dx9",
	                                     "dx9_hdr", ">=dx80", ">dx80", ">=dx70", ">dx70", "!ps3", "!x360" };
	char behind_shader[128];
	const bspi_vmt_layer *own = &vmt->layers[vmt->patch_count];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(behind_shader, sizeof behind_shader, "%.100s_%s", vmt->shader, names[i]);
		if (bspi_kv_find(&own->tree, own->root, names[i], true)) return names[i];
		uint32_t found = bspi_kv_find(&own->tree, own->root, behind_shader, true);
		if (found) return own->tree.nodes[found].key;
	}
	return NULL;
}

/* Returns the value in the block named `block` inside `parent`, or in `parent` itself if `block` is NULL. */
static const char *nested_value(const bspi_kv_tree *tree, uint32_t parent, const char *block, const char *key)
{
	uint32_t i = block && parent ? bspi_kv_find(tree, parent, block, true) : parent;
	return i ? value_in_block(tree, i, key) : NULL;
}

static const char *patch_value(const bspi_vmt_layer *patch, const char *way, const char *block, const char *key)
{
	return nested_value(&patch->tree, bspi_kv_find(&patch->tree, patch->root, way, true), block, key);
}

/* Returns a value after all patches: a key in `insert` is added or replaced, a key in `replace` only replaces an
 * existing one (ApplyPatchKeyValues). */
static const char *patched_value(const bspi_vmt *vmt, const char *block, const char *key)
{
	const bspi_vmt_layer *own = &vmt->layers[vmt->patch_count];
	const char *value = *vmt->shader ? nested_value(&own->tree, own->root, block, key) : NULL;
	for (uint32_t i = vmt->patch_count; i--; ) {
		const char *inserted = patch_value(&vmt->layers[i], "insert", block, key);
		if (inserted) value = inserted;
		const char *replaced = value ? patch_value(&vmt->layers[i], "replace", block, key) : NULL;
		if (replaced) value = replaced;
	}
	return value;
}

const char *bspi_vmt_value(const bspi_vmt *vmt, const char *key)
{
	const char *fallback = *vmt->shader ? find_fallback(vmt) : NULL;
	const char *value = fallback ? patched_value(vmt, fallback, key) : NULL;
	return value ? value : patched_value(vmt, NULL, key);
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

/* Returns the value of a key in the proxies that a block of a file lists, or NULL if no such proxy has the key. */
static const char *value_in_proxies(const bspi_kv_tree *tree, uint32_t parent, const bspi_vmt_proxy *proxy,
                                    const char *key)
{
	uint32_t proxies = bspi_kv_find(tree, parent, "proxies", true);
	for (uint32_t i = proxies ? tree->nodes[proxies].first_child : 0; i; i = tree->nodes[i].next) {
		if (tree->nodes[i].value || !bspi_text_equal(tree->nodes[i].key, proxy->name)) continue;
		const char *changed = value_in_block(tree, i, proxy->key);
		const char *value = changed && bspi_text_equal(changed, proxy->variable) ? value_in_block(tree, i, key) : NULL;
		if (value) return value;
	}
	return NULL;
}

const char *bspi_vmt_proxy_value(const bspi_vmt *vmt, const bspi_vmt_proxy *proxy, const char *key)
{
	for (uint32_t i = 0; i <= vmt->patch_count; i++) {
		const bspi_vmt_layer *layer = &vmt->layers[i];
		uint32_t parent = layer->root;
		if (i == vmt->patch_count && !*vmt->shader) return NULL;
		if (i < vmt->patch_count) parent = bspi_kv_find(&layer->tree, layer->root, "insert", true);
		const char *value = parent ? value_in_proxies(&layer->tree, parent, proxy, key) : NULL;
		if (value) return value;
	}
	return NULL;
}

float bspi_vmt_proxy_number(const bspi_vmt *vmt, const bspi_vmt_proxy *proxy, const char *key, float otherwise)
{
	const char *value = bspi_vmt_proxy_value(vmt, proxy, key);
	float number;
	return value && bspi_text_numbers(value, &number, 1) ? number : otherwise;
}
