/* zip_overlaps.c - finds entries of a zip that share bytes of the archive, and makes them unreadable. Otherwise an
 * attacker could give ten thousand names to the same few kilobytes. These would be unpacked ten thousand times (Fifield
 * 2019, A better zip bomb). */
#include "file_system/zip_overlaps.h"

#include <stdlib.h>
#include <string.h>

/* Sorts by offset in the archive. */
static int compare_offsets(const void *a, const void *b)
{
	const bspi_entry *x = *(const bspi_entry *const *)a, *y = *(const bspi_entry *const *)b;
	if (x->spans[0].offset != y->spans[0].offset) return x->spans[0].offset < y->spans[0].offset ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* True if both records have the same name and the same bytes. The directory then lists a file twice, which is
 * allowed. */
static bool is_same_file(const bspi_entry *a, const bspi_entry *b)
{
	return a && a->spans[0].offset == b->spans[0].offset && a->spans[0].size == b->spans[0].size &&
	       !strcmp(a->key, b->key);
}

bool bspi_zip_refuse_overlaps(bspi_mount *mount, uint64_t header_size, bspscene_error *error)
{
	bspi_entry **entries = bspi_arena_alloc(&mount->arena, mount->entry_count, sizeof *entries);
	if (!entries) return !mount->entry_count || bspi_mount_fail_memory(mount, error);
	uint32_t count = 0;
	for (uint32_t i = 0; i < mount->entry_count; i++) {
		const bspi_span *span = &mount->entries[i].spans[0];
		/* Entries outside of the archive are ignored, because they are never read. Empty entries share nothing. */
		bool inside = span->offset <= mount->size && span->size <= mount->size - span->offset;
		if (inside && span->size) entries[count++] = &mount->entries[i];
	}
	qsort(entries, count, sizeof *entries, compare_offsets);
	const bspi_entry *last = NULL;
	uint64_t end = 0;
	for (uint32_t i = 0; i < count; i++) {
		const bspi_span *span = &entries[i]->spans[0];
		if (is_same_file(last, entries[i])) continue;
		if (span->offset < end) {
			entries[i]->unreadable = "shares its bytes with another file: the archive is damaged";
			continue;
		}
		last = entries[i];
		end = span->offset + header_size + span->size;
	}
	return true;
}
