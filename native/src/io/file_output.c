/* file_output.c - see file_output.h. */
#include "io/file_output.h"

#include <errno.h>
#include <string.h>

#include "io/system.h"

enum { ENDING_SIZE = sizeof ".999.part", MOST_TRIES = 1000 };

struct bspi_made_file {
	bspi_made_file *next;
	char *path;                        /* in the same block, without the ending */
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

/* "OUT.part"; where somebody has a file of that name, "OUT.1.part" and so on. */
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

bool bspi_file_finish(bspi_file_output *output, bool well)
{
	if (output->file) fclose(output->file);
	for (bspi_made_file *made = output->made, *next; made; made = next) {
		next = made->next;
		bool named = well && (bspi_system_rename(made->temporary, made->path) ||
		                      fail(output, made->path, "cannot be given its name"));
		if (!named) bspi_system_remove(made->temporary);
		well = well && named;
		bspi_heap_give(&output->heap, made);
	}
	return well;
}
