/* gallery_database.c - see gallery_database.h. The same records and the same version of SQLite give the same
 * file.
 *
 * The database is written under a temporary name, and renamed when it is complete. So it needs no journal and only one
 * transaction. */
#include "archive/gallery/gallery_database.h"

#include <stdlib.h>
#include <string.h>

#include "cli/byte_buffer.h"
#include "archive/gallery/gallery_record.h"
#include "archive/catalog/members.h"
#include "cli/report.h"
#include "cli/text_set.h"

#ifdef CLI_HAVE_SQLITE

#include <sqlite3.h>

bool cli_has_database(void)
{
	return true;
}

/* File names have a table of their own, because many maps share them. The full-text tables are contentless: a search
 * returns only rowids. */
static const char tables[] =
	"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
	" PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536;"
	"BEGIN;"
	"CREATE TABLE maps (rowid INTEGER PRIMARY KEY, id TEXT, name TEXT, title TEXT, author TEXT, status TEXT,"
	" reason TEXT, message TEXT, family TEXT, variant TEXT, version INTEGER, size INTEGER, stored_size INTEGER,"
	" geometry TEXT, entities TEXT, modified TEXT, path TEXT, member TEXT, triangles INTEGER, faces INTEGER,"
	" entity_count INTEGER, lights INTEGER, lightmap_pages INTEGER, lightmap_width INTEGER,"
	" textures_found INTEGER, textures_missing INTEGER, made TEXT, modes TEXT);"
	"CREATE TABLE places (map INTEGER, name TEXT, path TEXT, member TEXT);"
	"CREATE TABLE resources (rowid INTEGER PRIMARY KEY, kind TEXT, name TEXT, UNIQUE (kind, name));"
	"CREATE TABLE needs (map INTEGER, resource INTEGER, found INTEGER, PRIMARY KEY (map, resource)) WITHOUT ROWID;"
	"CREATE TABLE classes (map INTEGER, class TEXT, count INTEGER, PRIMARY KEY (map, class)) WITHOUT ROWID;"
	"CREATE TABLE keys (map INTEGER, key TEXT, value TEXT);"
	"CREATE TABLE warnings (map INTEGER, code TEXT, lump TEXT, count INTEGER, message TEXT);"
	"CREATE VIRTUAL TABLE maps_text USING fts5(name, title, author, path, classes, keys, content = '');"
	"CREATE VIRTUAL TABLE resources_text USING fts5(name, content = '');"
	"CREATE VIEW missing AS SELECT maps.id, maps.name AS map, resources.kind, resources.name FROM needs"
	" JOIN maps ON maps.rowid = needs.map JOIN resources ON resources.rowid = needs.resource WHERE NOT found;"
	"CREATE VIEW duplicates AS SELECT geometry, count(*) AS count, group_concat(name, ', ') AS names FROM maps"
	" WHERE geometry <> '' GROUP BY geometry HAVING count(*) > 1;";

/* Indexes are built at the end, which is fastest. */
static const char indices[] =
	"CREATE UNIQUE INDEX maps_id ON maps (id); CREATE INDEX maps_geometry ON maps (geometry);"
	"CREATE INDEX maps_name ON maps (name); CREATE INDEX needs_resource ON needs (resource);"
	"CREATE INDEX classes_class ON classes (class); COMMIT;";

typedef enum statement {
	ADD_MAP,
	ADD_PLACE,
	ADD_RESOURCE,
	ADD_RESOURCE_TEXT,
	ADD_NEED,
	ADD_NEEDS,
	ADD_CLASS,
	ADD_CLASSES,
	ADD_KEY,
	ADD_WARNING,
	ADD_MAP_TEXT,
	STATEMENT_COUNT
} statement;

/* Number of rows that one INSERT statement adds. This takes half the time of inserting the rows one by one. */
enum { ROWS = 8 };
#define EIGHT_ROWS "(?,?,?),(?,?,?),(?,?,?),(?,?,?),(?,?,?),(?,?,?),(?,?,?),(?,?,?)"

static const char *const statements[STATEMENT_COUNT] = {
	[ADD_MAP] = "INSERT INTO maps VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
	[ADD_PLACE] = "INSERT INTO places VALUES (?,?,?,?)",
	[ADD_RESOURCE] = "INSERT INTO resources VALUES (?,?,?)",
	[ADD_RESOURCE_TEXT] = "INSERT INTO resources_text (rowid, name) VALUES (?,?)",
	[ADD_NEED] = "INSERT OR IGNORE INTO needs VALUES (?,?,?)",
	[ADD_NEEDS] = ("INSERT OR IGNORE INTO needs VALUES " EIGHT_ROWS),
	[ADD_CLASS] = "INSERT OR IGNORE INTO classes VALUES (?,?,?)",
	[ADD_CLASSES] = ("INSERT OR IGNORE INTO classes VALUES " EIGHT_ROWS),
	[ADD_KEY] = "INSERT INTO keys VALUES (?,?,?)",
	[ADD_WARNING] = "INSERT INTO warnings VALUES (?,?,?,?,?)",
	[ADD_MAP_TEXT] = "INSERT INTO maps_text (rowid, name, title, author, path, classes, keys) VALUES (?,?,?,?,?,?,?)",
};

typedef struct need {
	sqlite3_int64 resource;
	bool found;
} need;

struct cli_database {
	sqlite3 *file;
	sqlite3_stmt *statements[STATEMENT_COUNT];
	sqlite3_int64 maps;                /* rows added so far; rowid of the last one */
	cli_bytes key;                     /* buffer for the text "kind\nname" of a resource that is being added */
	cli_text_set resources;            /* from "kind\nname" to rowids; a query of SQLite would take five times as
	                                    * long */
	need *needs;                       /* resources that the map being added needs */
	size_t need_room;
	bool failed;                       /* an error occurred; further calls do nothing */
};

static bool fail(cli_database *database)
{
	if (!database->failed) cli_fail("manifest.sqlite: SQLite: %s", sqlite3_errmsg(database->file));
	database->failed = true;
	return false;
}

/* ---- Statements ------------------------------------------------------------------------------------------- */

/* A prepared statement and the number of its arguments that were bound so far. */
typedef struct binding {
	cli_database *database;
	sqlite3_stmt *statement;
	int count;
} binding;

static binding begin(cli_database *database, statement which)
{
	return (binding) { .database = database, .statement = database->statements[which] };
}

static void bind_text(binding *to, const char *text)
{
	if (sqlite3_bind_text(to->statement, ++to->count, text, -1, SQLITE_STATIC) != SQLITE_OK) fail(to->database);
}

static void bind_number(binding *to, sqlite3_int64 number)
{
	if (sqlite3_bind_int64(to->statement, ++to->count, number) != SQLITE_OK) fail(to->database);
}

static void run(binding *to)
{
	if (to->database->failed) return;
	if (sqlite3_step(to->statement) != SQLITE_DONE) fail(to->database);
	sqlite3_reset(to->statement);
}

/* ---- Records ---------------------------------------------------------------------------------------------- */

static const char *text_at(const json_t *array, size_t index)
{
	const char *text = json_string_value(json_array_get(array, index));
	return text ? text : "";
}

/* Returns "inner.pk3: maps/a.bsp", in new memory. */
static char *join_members(const json_t *place)
{
	const json_t *members = json_object_get(place, "members");
	return cli_join_members(NULL, members, json_array_size(members), ": ");
}

static void add_map(cli_database *database, const json_t *record, const char *member)
{
	static const char *const texts[] = { "id", "name", "title", "author", "status", "reason", "message", "family",
		                                 "variant" };
	static const char *const numbers[] = { "version", "size", "stored_size" };
	static const char *const counts[] = { "triangles", "faces", "entities", "lights" };
	static const char *const textures[] = { "textures_found", "textures_missing" };
	const json_t *counted = json_object_get(record, "counts"), *lightmaps = json_object_get(record, "lightmaps");
	binding to = begin(database, ADD_MAP);
	bind_number(&to, database->maps);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) bind_text(&to, cli_record_text(record, texts[i]));
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		bind_number(&to, cli_record_number(record, numbers[i]));
	}
	bind_text(&to, cli_record_text(record, "geometry"));
	bind_text(&to, cli_record_text(record, "entities"));
	bind_text(&to, cli_record_text(record, "modified"));
	bind_text(&to, cli_record_text(record, "path"));
	bind_text(&to, member);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) bind_number(&to, cli_record_number(counted, counts[i]));
	bind_number(&to, cli_record_number(lightmaps, "pages"));
	bind_number(&to, cli_record_number(lightmaps, "width"));
	for (size_t i = 0; i < sizeof textures / sizeof *textures; i++) {
		bind_number(&to, cli_record_number(counted, textures[i]));
	}
	const json_t *modes = json_object_get(record, "modes");
	char *played = cli_join_members(NULL, modes, json_array_size(modes), ", ");
	bind_text(&to, cli_record_text(record, "made"));
	bind_text(&to, played);
	run(&to);
	free(played);
}

static void add_places(cli_database *database, const json_t *places)
{
	for (size_t i = 0; i < json_array_size(places); i++) {
		const json_t *place = json_array_get(places, i);
		char *member = join_members(place);
		binding to = begin(database, ADD_PLACE);
		bind_number(&to, database->maps);
		bind_text(&to, cli_record_text(place, "name"));
		bind_text(&to, cli_record_text(place, "path"));
		bind_text(&to, member);
		run(&to);
		free(member);
	}
}

static sqlite3_int64 add_resource(cli_database *database, const char *kind, const char *name)
{
	bool is_new;
	cli_bytes *key = &database->key;
	key->size = 0;
	cli_bytes_add(key, kind, strlen(kind));
	cli_bytes_add(key, "\n", 1);
	cli_bytes_add(key, name, strlen(name));
	sqlite3_int64 resource = (sqlite3_int64)cli_text_set_add(&database->resources, key->at, &is_new);
	if (!is_new) return resource;
	binding to = begin(database, ADD_RESOURCE);
	bind_number(&to, resource);
	bind_text(&to, kind);
	bind_text(&to, name);
	run(&to);
	binding text = begin(database, ADD_RESOURCE_TEXT);
	bind_number(&text, resource);
	bind_text(&text, name);
	run(&text);
	return resource;
}

static int compare_needs(const void *a, const void *b)
{
	const need *one = a, *other = b;
	int order = (one->resource > other->resource) - (one->resource < other->resource);
	return order ? order : one->found - other->found; /* of two needs for one resource, a missing one comes first */
}

/* Inserts the rows in the order of their primary key, so that SQLite only appends. */
static void add_needs(cli_database *database, const json_t *needs)
{
	size_t count = json_array_size(needs);
	if (count > database->need_room) {
		database->need_room = 2 * count;
		database->needs = cli_resize(database->needs, database->need_room, sizeof *database->needs);
	}
	for (size_t i = 0; i < count; i++) {
		const json_t *from = json_array_get(needs, i);
		database->needs[i] = (need) {
			.resource = add_resource(database, cli_record_text(from, "kind"), cli_record_text(from, "name")),
			.found = json_is_true(json_object_get(from, "found")),
		};
	}
	if (count) qsort(database->needs, count, sizeof *database->needs, compare_needs);
	for (size_t i = 0, rows; i < count; i += rows) {
		rows = count - i < ROWS ? 1 : ROWS;
		binding to = begin(database, rows == 1 ? ADD_NEED : ADD_NEEDS);
		for (size_t k = i; k < i + rows; k++) {
			bind_number(&to, database->maps);
			bind_number(&to, database->needs[k].resource);
			bind_number(&to, database->needs[k].found);
		}
		run(&to);
	}
}

static void add_classes(cli_database *database, const json_t *classes)
{
	size_t count = json_array_size(classes);
	for (size_t i = 0, rows; i < count; i += rows) {
		rows = count - i < ROWS ? 1 : ROWS;
		binding to = begin(database, rows == 1 ? ADD_CLASS : ADD_CLASSES);
		for (size_t k = i; k < i + rows; k++) {
			const json_t *class = json_array_get(classes, k);
			bind_number(&to, database->maps);
			bind_text(&to, text_at(class, 0));
			bind_number(&to, json_integer_value(json_array_get(class, 1)));
		}
		run(&to);
	}
}

static void add_keys(cli_database *database, const json_t *worldspawn)
{
	for (size_t i = 0; i < json_array_size(worldspawn); i++) {
		const json_t *pair = json_array_get(worldspawn, i);
		binding to = begin(database, ADD_KEY);
		bind_number(&to, database->maps);
		bind_text(&to, text_at(pair, 0));
		bind_text(&to, text_at(pair, 1));
		run(&to);
	}
}

static void add_warnings(cli_database *database, const json_t *warnings)
{
	for (size_t i = 0; i < json_array_size(warnings); i++) {
		const json_t *warning = json_array_get(warnings, i);
		binding to = begin(database, ADD_WARNING);
		bind_number(&to, database->maps);
		bind_text(&to, cli_record_text(warning, "code"));
		bind_text(&to, cli_record_text(warning, "lump"));
		bind_number(&to, cli_record_number(warning, "count"));
		bind_text(&to, cli_record_text(warning, "message"));
		run(&to);
	}
}

/* ---- Full text -------------------------------------------------------------------------------------------- */

/* Takes element number `index` of each array in `arrays`, and joins these texts, each followed by a line break. */
static char *join_texts(const json_t *arrays, size_t index)
{
	size_t size = 1, at = 0;
	for (size_t i = 0; i < json_array_size(arrays); i++) size += strlen(text_at(json_array_get(arrays, i), index)) + 1;
	char *joined = cli_allocate(size, 1);
	for (size_t i = 0; i < json_array_size(arrays); i++) {
		const char *text = text_at(json_array_get(arrays, i), index);
		memcpy(joined + at, text, strlen(text));
		at += strlen(text);
		joined[at++] = '\n';
	}
	return joined;
}

static void add_text(cli_database *database, const json_t *record, const char *member)
{
	char *path = cli_format("%s\n%s", cli_record_text(record, "path"), member);
	char *classes = join_texts(json_object_get(record, "classes"), 0);
	char *keys = join_texts(json_object_get(record, "worldspawn"), 1);
	binding to = begin(database, ADD_MAP_TEXT);
	bind_number(&to, database->maps);
	bind_text(&to, cli_record_text(record, "name"));
	bind_text(&to, cli_record_text(record, "title"));
	bind_text(&to, cli_record_text(record, "author"));
	bind_text(&to, path);
	bind_text(&to, classes);
	bind_text(&to, keys);
	run(&to);
	free(keys);
	free(classes);
	free(path);
}

bool cli_database_add(cli_database *database, const json_t *record)
{
	char *member = join_members(record);
	database->maps++;
	add_map(database, record, member);
	add_places(database, json_object_get(record, "places"));
	add_needs(database, json_object_get(record, "needs"));
	add_classes(database, json_object_get(record, "classes"));
	add_keys(database, json_object_get(record, "worldspawn"));
	add_warnings(database, json_object_get(record, "warnings"));
	add_text(database, record, member);
	free(member);
	return !database->failed;
}

/* ---- The file --------------------------------------------------------------------------------------------- */

cli_database *cli_database_open(const char *path)
{
	cli_database *database = cli_allocate(1, sizeof *database);
	(void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* disables memory statistics */
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX; /* only one thread at a time uses it */
	bool ok = sqlite3_open_v2(path, &database->file, flags, NULL) == SQLITE_OK &&
	          sqlite3_exec(database->file, tables, NULL, NULL, NULL) == SQLITE_OK;
	for (int i = 0; i < STATEMENT_COUNT && ok; i++) {
		ok = sqlite3_prepare_v2(database->file, statements[i], -1, &database->statements[i], NULL) == SQLITE_OK;
	}
	if (ok) return database;
	fail(database);
	cli_database_close(database, false);
	return NULL;
}

bool cli_database_close(cli_database *database, bool keep)
{
	if (!database) return true;
	for (int i = 0; i < STATEMENT_COUNT; i++) sqlite3_finalize(database->statements[i]);
	if (keep && !database->failed && sqlite3_exec(database->file, indices, NULL, NULL, NULL) != SQLITE_OK) {
		fail(database);
	}
	if (sqlite3_close(database->file) != SQLITE_OK) fail(database);
	bool ok = !database->failed;
	cli_text_set_free(&database->resources);
	free(database->needs);
	free(database->key.at);
	free(database);
	return ok;
}

#else

bool cli_has_database(void)
{
	return false;
}

cli_database *cli_database_open(const char *path)
{
	(void)path;
	cli_fail("manifest.sqlite: this build lacks SQLite");
	return NULL;
}

bool cli_database_add(cli_database *database, const json_t *record)
{
	(void)database;
	(void)record;
	return false;
}

bool cli_database_close(cli_database *database, bool keep)
{
	(void)keep;
	return !database;
}

#endif
