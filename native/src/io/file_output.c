/* file_output.c - see file_output.h. */
#include "io/file_output.h"

#include <errno.h>
#include <string.h>

#include "io/system.h"
#include "system/file_set.h"

enum { ENDING_SIZE = sizeof ".999.part", MOST_TRIES = 1000 };

struct bspi_made_file {
	bspi_made_file *next;
	char *path;                        /* the final name, without the temporary suffix; stored behind `temporary`, in
	                                    * the memory of this struct */
	char temporary[];
};

const char *bspi_file_name_of(const char *path)
{
	const char *name = path;
	for (const char *p = path; *p; p++) {
		bool separates = *p == '/';
#ifdef _WIN32
		separates = separates || *p == '\\' || *p == ':';
#endif
		if (separates) name = p + 1;
	}
	return name;
}

static bool fail(bspi_file_output *output, const char *path, const char *what)
{
	if (!output->failed) bspi_error_set(output->error, BSPSCENE_ERROR_IO, "%s: %s: %s", path, what, strerror(errno));
	output->failed = true;
	return false;
}

/* Creates "OUT.part" or, if that exists, "OUT.1.part" and so on. */
static FILE *create(bspi_made_file *made)
{
	size_t size = strlen(made->path);
	FILE *file = NULL;
	memcpy(made->temporary, made->path, size);
	for (int number = 0; !file && number < MOST_TRIES; number++) {
		if (number) snprintf(made->temporary + size, ENDING_SIZE, ".%d.part", number);
		else memcpy(made->temporary + size, ".part", sizeof ".part");
		file = bspi_system_create(made->temporary);
		if (!file && errno != EEXIST) return NULL;
	}
	return file;
}

bool bspi_file_begin(void *user, const char *name)
{
	bspi_file_output *output = user;
	size_t folder = (size_t)(bspi_file_name_of(output->path) - output->path), size = folder + strlen(name);
	bspi_made_file *made = bspi_heap_take(&output->heap, sizeof *made + size + ENDING_SIZE + size + 1);
	if (!made) {
		errno = ENOMEM;
		return fail(output, name, "cannot be written");
	}
	made->path = made->temporary + size + ENDING_SIZE;
	memcpy(made->path, output->path, folder);
	memcpy(made->path + folder, name, size - folder + 1);
	output->file = create(made);
	if (!output->file) {
		fail(output, made->path, "cannot be written");
		bspi_heap_give(&output->heap, made);
		return false;
	}
	made->next = output->made;
	output->made = made;
	return true;
}

bool bspi_file_write(void *user, const void *data, size_t size)
{
	bspi_file_output *output = user;
	return fwrite(data, 1, size, output->file) == size || fail(output, output->made->path, "cannot be written");
}

bool bspi_file_end(void *user)
{
	bspi_file_output *output = user;
	bool closed = fclose(output->file) == 0;
	output->file = NULL;
	return closed || fail(output, output->made->path, "cannot be written");
}

/* Returns the path of the folder of all files, with its final separator, from the heap. NULL if memory is out. */
static char *folder_of(const bspi_file_output *output)
{
	size_t length = (size_t)(bspi_file_name_of(output->path) - output->path);
	char *folder = bspi_heap_take(&output->heap, length + 1);
	if (!folder) return NULL;
	memcpy(folder, output->path, length);
	folder[length] = 0;
	return folder;
}

static bool name_all(bspi_file_output *output, bspi_file_set *set)
{
	if (!bspi_file_set_begin(set)) {
		bspi_error_set(output->error, BSPSCENE_ERROR_IO,
		               "%s: not written: another program keeps its folder locked; try again later", output->path);
		output->failed = true;
		return false;
	}
	return bspi_file_set_finish(set) || fail(output, set->failed, "the finished file cannot be renamed to this name");
}

/* Gives the files their final names, the newest file first. So the main file, which refers to the others, appears
 * last. */
static bool name_files(bspi_file_output *output)
{
	size_t count = 0;
	for (const bspi_made_file *made = output->made; made; made = made->next) count++;
	char *folder = folder_of(output);
	bspi_set_file *files = bspi_heap_take(&output->heap, (count + 1) * sizeof *files);
	bool ok = folder && files;
	errno = ENOMEM;
	if (!ok) fail(output, output->path, "cannot be written");
	if (ok) {
		bspi_file_set set = { .folder = folder, .files = files };
		for (const bspi_made_file *made = output->made; made; made = made->next) {
			files[set.count++] = (bspi_set_file) { .temporary = made->temporary, .target = made->path };
		}
		ok = name_all(output, &set);
	}
	bspi_heap_give(&output->heap, files);
	bspi_heap_give(&output->heap, folder);
	return ok;
}

bool bspi_file_finish(bspi_file_output *output, bool well)
{
	if (output->file) fclose(output->file);
	bool named = well && name_files(output);
	for (bspi_made_file *made = output->made, *next; made; made = next) {
		next = made->next;
		if (!named) bspi_system_remove(made->temporary);
		bspi_heap_give(&output->heap, made);
	}
	return named;
}
