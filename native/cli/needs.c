/* needs.c - lists what a map needs. See needs.h.
 *
 * Textures and models are those that the load searched. Sounds and WADs are searched here, because the scene does not
 * need them. */
#include "cli/needs.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/json.h"
#include "cli/report.h"

typedef struct need_list {
	json_t *array;
	json_t *seen; /* a JSON object whose keys are the texts "kind name" of all needs so far */
	bspscene_file_system *files;
} need_list;

/* Adds a need, unless it is listed already. If `path` is NULL, the file is listed as missing. */
static void add(need_list *list, const char *kind, const char *name, const char *path, const char *archive)
{
	char *text = cli_format("%s %s", kind, name);
	json_t *key = cli_json_text(text);
	free(text);
	bool known = json_object_get(list->seen, json_string_value(key)) != NULL;
	if (!known) json_object_set_new(list->seen, json_string_value(key), json_true());
	json_decref(key);
	if (known) return;
	json_t *need = json_object();
	json_object_set_new(need, "kind", json_string(kind));
	json_object_set_new(need, "name", cli_json_text(name));
	json_object_set_new(need, "found", json_boolean(path != NULL));
	if (path) json_object_set_new(need, "path", cli_json_text(path));
	if (path) json_object_set_new(need, "archive", cli_json_text(archive ? archive : ""));
	json_array_append_new(list->array, need);
}

/* Adds a file if the game has it. False if it does not. */
static bool add_file(need_list *list, const char *kind, const char *name, const char *path,
                     bspscene_file_kind file_kind)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!bspscene_file_system_open(list->files, &stream, path, file_kind)) return false;
	add(list, kind, name, path, stream.origin);
	if (stream.close) stream.close(stream.user);
	return true;
}

/* ---- Textures and skies ----------------------------------------------------------------------------------- */

static void mark_sky(const bspscene_scene *scene, const bspscene_sky *sky, bool *is_sky)
{
	for (int i = 0; i < 6; i++) {
		if (sky->box[i] < scene->image_count) is_sky[sky->box[i]] = true;
	}
	for (int i = 0; i < 2; i++) {
		if (sky->layers[i] < scene->image_count) is_sky[sky->layers[i]] = true;
	}
}

static void add_images(need_list *list, const bspscene_scene *scene)
{
	bool *is_sky = cli_allocate(scene->image_count, sizeof *is_sky);
	for (uint32_t i = 0; i < scene->material_count; i++) {
		if (scene->materials[i]->sky) mark_sky(scene, scene->materials[i]->sky, is_sky);
	}
	for (uint32_t i = 0; i < scene->image_count; i++) {
		const bspscene_image *image = scene->images[i];
		if (image->is_generated || image->frame || image->cube_face) continue;
		bool missing = image->format == BSPSCENE_IMAGE_MISSING;
		add(list, is_sky[i] ? "sky" : "texture", image->name, missing ? NULL : image->path, image->archive);
	}
	free(is_sky);
}

/* ---- Models ----------------------------------------------------------------------------------------------- */

static void add_models(need_list *list, const bspscene_scene *scene)
{
	for (uint32_t i = 0; i < scene->prop_count; i++) {
		const char *model = scene->props[i]->model;
		if (!*model || add_file(list, "model", model, model, BSPSCENE_FILE_MODEL)) continue;
		/* `files` does not have the model. If the prop is shown nevertheless, the load has found its model under this
		 * name. Otherwise the model is missing. */
		bool shown = scene->nodes[scene->props[i]->node]->mesh != BSPSCENE_NO_INDEX;
		add(list, "model", model, shown ? model : NULL, NULL);
	}
}

/* ---- Sounds ----------------------------------------------------------------------------------------------- */

static const char *const sound_endings[] = { ".wav", ".ogg", ".mp3", ".opus", ".flac" };
enum { ENDING_COUNT = sizeof sound_endings / sizeof *sound_endings };

/* Returns the length of the name without a sound's ending; 0 if it is not a sound. */
static size_t sound_stem(const char *value)
{
	size_t length = strlen(value);
	for (int i = 0; i < ENDING_COUNT; i++) {
		size_t ending = strlen(sound_endings[i]);
		if (length > ending && !strcasecmp(value + length - ending, sound_endings[i])) return length - ending;
	}
	return 0;
}

/* Finds a sound file and adds it. Names are relative to the game's root (Quake III) or to sound/. Like engines, tries
 * other formats if the named one is missing. */
static bool find_sound(need_list *list, const char *name, size_t stem)
{
	static const char *const folders[] = { "", "sound/" };
	for (int f = 0; f < 2; f++) {
		char *named = cli_format("%s%s", folders[f], name);
		bool found = add_file(list, "sound", name, named, BSPSCENE_FILE_OTHER);
		free(named);
		for (int i = 0; i < ENDING_COUNT && !found; i++) {
			char *other = cli_format("%s%.*s%s", folders[f], (int)stem, name, sound_endings[i]);
			found = add_file(list, "sound", name, other, BSPSCENE_FILE_OTHER);
			free(other);
		}
		if (found) return true;
	}
	return false;
}

/* Adds the sounds that values of entities name. In Source, marks before a name tell how to play it. '*' marks a sound
 * that differs for each player model, so it is not a file. */
static void add_sounds(need_list *list, const bspscene_scene *scene)
{
	for (uint32_t i = 0; i < scene->pair_count; i++) {
		const char *name = scene->pairs[i].value;
		if (*name == '*') continue;
		name += strspn(name, "#@>^)(<}$!?&~`+%");
		size_t stem = sound_stem(name);
		if (stem && !find_sound(list, name, stem)) add(list, "sound", name, NULL, NULL);
	}
}

/* ---- WADs ------------------------------------------------------------------------------------------------- */

/* True if the games of this family read textures from WADs. Quake's maps name WADs too, but only editors read them. */
static bool reads_wads(const char *name)
{
	const bspscene_family *const *family = bspscene_families();
	while (*family && strcmp((*family)->name, name) != 0) family++;
	return *family && (*family)->reads_wads;
}

/* Returns the name of a WAD without surrounding blanks, and with the extension that some editors omit, as the library
 * searches for it. */
static char *wad_name(const char *text, size_t size)
{
	while (size && ((unsigned char)text[size - 1] <= ' ' || text[size - 1] == '"')) size--;
	while (size && ((unsigned char)*text <= ' ' || *text == '"')) text++, size--;
	bool whole = !size || (size > 4 && !strncasecmp(text + size - 4, ".wad", 4));
	return cli_format("%.*s%s", (int)size, text, whole ? "" : ".wad");
}

/* Adds the WADs that the map names. Only the file names are used, because the folders are those of the machine that
 * compiled the map. */
static void add_wads(need_list *list, const bspscene_scene *scene)
{
	const char *value = scene->entity_count ? bspscene_entity_value(scene, 0, "wad") : NULL;
	if (!value || !reads_wads(scene->family)) return;
	while (*value) {
		size_t length = strcspn(value, ";"), from = length;
		while (from && value[from - 1] != '/' && value[from - 1] != '\\') from--;
		char *name = wad_name(value + from, length - from);
		if (*name && !add_file(list, "wad", name, name, BSPSCENE_FILE_WAD)) add(list, "wad", name, NULL, NULL);
		free(name);
		value += length + (value[length] == ';');
	}
}

json_t *cli_describe_needs(const bspscene_scene *scene, bspscene_file_system *files)
{
	need_list list = { json_array(), json_object(), files };
	add_images(&list, scene);
	add_models(&list, scene);
	add_sounds(&list, scene);
	add_wads(&list, scene);
	json_decref(list.seen);
	return list.array;
}
