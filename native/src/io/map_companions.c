/* map_companions.c - see map_companions.h. */
#include "io/map_companions.h"

#include <string.h>

#include "base/text.h"

enum { MOST_COMPANIONS = 256 };

/* Kinds of companions, by what follows the map's name: it begins with `start` and ends with `end`. Between them is a
 * checksum after "@", a number after "_l_", and otherwise nothing. `unused` is the reason to report for a file that
 * nothing opened. The first match counts. */
static const struct { const char *start, *end, *unused; } known[] = {
	{ "@", ".ent", "for another version of the map: its name has another checksum" },
	{ "", ".ent", "not read by engines of this format, from a base game, or older than the map (Xash3D)" },
	{ "_l_", ".lmp", "a patch with a lower number is missing" },
	{ "", ".lit", "light was not loaded, or this format has none next to the map" },
	{ "", ".lux", "light was not loaded, or the .lit file is missing" },
	{ "", ".vis", "never read: visibility comes from the map itself" },
	{ "", ".rtlights", "never read: real-time lights of DarkPlaces and FTE" },
	{ "", ".dlit", "never read: light directions in a format of FTE" },
	{ "_detail", ".txt", "never read: names of detail textures" },
};

static const char *const map_folder = "maps/";

/* Returns what follows "maps/NAME" in a path, where NAME is the map's. NULL if the path belongs to another map. */
static const char *after_name(const bspi_ctx *ctx, const char *path)
{
	size_t folder = strlen(map_folder);
	if (!bspi_text_starts(path, map_folder) || !bspi_text_starts(path + folder, ctx->name)) return NULL;
	return path + folder + strlen(ctx->name);
}

static const char *why_unused(const bspi_ctx *ctx, const char *rest)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const char *start = known[i].start, *end = known[i].end;
		size_t size = strlen(rest), fixed = strlen(start) + strlen(end);
		bool any_middle = !strcmp(start, "@") || !strcmp(start, "_l_");
		bool fits = any_middle ? size > fixed : size == fixed;
		if (!fits || !bspi_text_starts(rest, start) || !bspi_text_ends(rest, end)) continue;
		bool entities = !strcmp(end, ".ent"), patch = !strcmp(end, ".lmp");
		if ((entities || patch) && ctx->options.entity_source == BSPSCENE_ENTITY_SOURCE_MAP) {
			return "--entities beside takes the entities of files next to the map";
		}
		if (entities && ctx->entity_file && !*start) return "another entity file takes precedence";
		return known[i].unused;
	}
	return NULL;
}

static bspi_companion *find(bspi_ctx *ctx, const char *path)
{
	bspi_companion *companion = ctx->companions;
	while (companion && !bspi_text_equal(companion->public.path, path)) companion = companion->next;
	return companion;
}

static bool add(bspi_ctx *ctx, const char *path, const char *archive, const char *unused)
{
	if (ctx->companion_count >= MOST_COMPANIONS || find(ctx, path)) return true;
	bspi_companion *companion = bspi_push(ctx, &ctx->result, bspi_companion, 1);
	BSPI_TRY(companion);
	companion->public = (bspscene_companion_file){ path, archive, unused };
	if (ctx->last_companion) ctx->last_companion->next = companion;
	else ctx->companions = companion;
	ctx->last_companion = companion;
	ctx->companion_count++;
	return true;
}

bool bspi_use_companion(bspi_ctx *ctx, bspscene_file_kind kind, const char *path, const char *archive)
{
	const char *rest = ctx->name ? after_name(ctx, path) : NULL;
	bool ours = kind == BSPSCENE_FILE_WAD || (rest && (kind == BSPSCENE_FILE_ENTITIES || kind == BSPSCENE_FILE_LIGHT));
	return !ours || add(ctx, path, archive, NULL);
}

void bspi_reject_companion(bspi_ctx *ctx, const char *path, const char *why)
{
	bspi_companion *companion = find(ctx, path);
	if (companion) companion->public.unused = why;
}

typedef struct listing {
	bspi_ctx *ctx;
	bool failed;
} listing;

static void add_unopened(void *user, const char *path)
{
	listing *l = user;
	bspi_ctx *ctx = l->ctx;
	char safe[BSPI_PATH_SIZE];
	if (l->failed || !path || !bspi_text_path(path, false, safe, sizeof safe)) return;
	const char *rest = after_name(ctx, safe), *unused = rest ? why_unused(ctx, rest) : NULL;
	if (!unused || find(ctx, safe)) return;
	const char *kept = bspi_text_keep(ctx, safe);
	l->failed = !kept || !add(ctx, kept, "", unused);
}

bool bspi_list_companions(bspi_ctx *ctx, bspscene_scene *scene)
{
	char prefix[BSPI_PATH_SIZE];
	listing l = { .ctx = ctx };
	size_t size = strlen(map_folder), name = strlen(ctx->name);
	bool listed = ctx->options.list_files && !ctx->only_entities && size + name < sizeof prefix;
	if (listed) {
		memcpy(prefix, map_folder, size);
		memcpy(prefix + size, ctx->name, name + 1);
		ctx->options.list_files(ctx->options.file_user, prefix, "", add_unopened, &l);
	}
	if (l.failed) return false;
	const bspscene_companion_file **table = bspi_push(ctx, &ctx->result, const bspscene_companion_file *,
	                                                  ctx->companion_count);
	BSPI_TRY(table);
	uint32_t count = 0;
	for (const bspi_companion *c = ctx->companions; c; c = c->next) table[count++] = &c->public;
	scene->companion_files = table;
	scene->companion_file_count = count;
	return true;
}
