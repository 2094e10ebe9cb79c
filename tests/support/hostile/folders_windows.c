/* folders_windows.c - temporary folders for tests, with ASCII names. See bspt.h. */
#define WIN32_LEAN_AND_MEAN
#include "support/bspt.h"

#include <windows.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bspt_make_directory(char *path, size_t size)
{
	static unsigned number;
	char temporary[MAX_PATH + 1];
	DWORD length = GetTempPathA(sizeof temporary, temporary);
	if (!length || length > MAX_PATH) bspt_die("find", "the folder for temporary files");
	for (char *at = temporary; *at; at++) {
		if (*at == '\\') *at = '/';
	}
	snprintf(path, size, "%sbspt-%lu-%u", temporary, GetCurrentProcessId(), number++);
	bspt_make_folder(path);
}

void bspt_make_folder(const char *path)
{
	if (!CreateDirectoryA(path, NULL)) bspt_die("create", path);
}

/* Removes the files of a folder, and appends its folders to a list of strings. */
static char *empty_folder(const char *path, char *list, size_t *size)
{
	char name[1024];
	WIN32_FIND_DATAA found;
	snprintf(name, sizeof name, "%s/*", path);
	HANDLE search = FindFirstFileA(name, &found);
	if (search == INVALID_HANDLE_VALUE) bspt_die("read", path);
	do {
		if (!strcmp(found.cFileName, ".") || !strcmp(found.cFileName, "..")) continue;
		int length = snprintf(name, sizeof name, "%s/%s", path, found.cFileName);
		if (length < 0 || (size_t)length >= sizeof name) bspt_die("remove", path);
		if (!(found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)) {
			if (!DeleteFileA(name)) bspt_die("remove", name);
			continue;
		}
		char *longer = realloc(list, *size + (size_t)length + 1);
		if (!longer) bspt_die("remember", name);
		list = longer;
		memcpy(list + *size, name, (size_t)length + 1);
		*size += (size_t)length + 1;
	} while (FindNextFileA(search, &found));
	FindClose(search);
	return list;
}

/* Removes a folder with everything in it. The list grows while it is read. A folder comes before its subfolders, so
 * folders are removed in reverse order. */
void bspt_remove_directory(const char *path)
{
	size_t size = strlen(path) + 1;
	char *list = malloc(size);
	if (!list) bspt_die("remember", path);
	memcpy(list, path, size);
	for (size_t at = 0; at < size; at += strlen(list + at) + 1) {
		char folder[1024];
		snprintf(folder, sizeof folder, "%s", list + at);
		list = empty_folder(folder, list, &size);
	}
	for (size_t end = size; end;) {
		size_t start = end - 1;
		while (start && list[start - 1]) start--;
		if (!RemoveDirectoryA(list + start)) bspt_die("remove", list + start);
		end = start;
	}
	free(list);
}
