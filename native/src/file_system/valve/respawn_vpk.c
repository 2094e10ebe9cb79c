/* respawn_vpk.c - reads entries of Respawn's VPK (2.3: Titanfall, Titanfall 2, Apex Legends). An entry is a list of
 * parts with 64-bit offsets; each part is stored or compressed by LZHAM (docs/formats/source-files.md, "Respawn's
 * VPK"). No packaged library decodes LZHAM. So files with a compressed part are listed as unreadable. */
#include "file_system/valve/vpk.h"

#include <string.h>

enum { LIST_END = 0xffff };

/* Extends a span by a part. This is possible if the part is not compressed and continues the span in the same volume.
 * Returns NULL, or the reason why the file cannot be read. */
static const char *add_part(bspi_span *span, const bspi_span *part, uint64_t unpacked_size)
{
	if (part->size != unpacked_size) return "is packed by LZHAM, which is not supported";
	if (!span->size) *span = *part;
	else if (span->volume == part->volume && part->offset - span->offset == span->size) span->size += part->size;
	else return "is stored in several parts, which is not supported";
	return NULL;
}

bool bspi_vpk_read_respawn_entry(bspi_mount *mount, bspi_cursor *tree, uint64_t header_size, const char *name,
                                 bspscene_error *error)
{
	bspi_span span = { 0 };
	const char *unreadable = NULL;
	bspi_take(tree, 4);                /* checksum */
	uint16_t preload = bspi_take_u16(tree);
	uint64_t size = 0;
	for (uint16_t volume; (volume = bspi_take_u16(tree)) != LIST_END && !tree->failed;) {
		bspi_take(tree, 4 + 2);        /* flags for loading */
		bspi_span part = { bspi_take_u64(tree), bspi_take_u64(tree), volume + 1u };
		uint64_t unpacked = bspi_take_u64(tree);
		if (part.offset > INT64_MAX || unpacked > INT64_MAX - size) tree->failed = true;
		const char *why = add_part(&span, &part, unpacked);
		if (!unreadable) unreadable = why;
		size += unpacked;
	}
	uint64_t preload_offset = header_size + tree->at;
	bspi_take(tree, preload);
	if (tree->failed) return false;
	bspi_entry *entry;
	BSPI_TRY(bspi_mount_add(mount, name, mount->entry_count, &entry, error));
	if (!entry) return true;
	entry->unreadable = unreadable;
	entry->unpacked_size = size;
	entry->spans[0] = (bspi_span){ preload_offset, preload, 0 };
	entry->spans[1] = span;
	return true;
}

/* Returns the file name without its language. For example, "englishclient_mp_x.bsp.pak000_dir.vpk" has its data in
 * "client_mp_x.bsp.pak000_000.vpk". */
const char *bspi_vpk_skip_language(const char *file_name)
{
	static const char *const languages[] = {
		"english", "french", "german", "italian", "japanese", "korean", "polish", "portuguese", "russian", "spanish",
		"tchinese",
	};
	for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
		if (bspi_text_starts(file_name, languages[i])) return file_name + strlen(languages[i]);
	}
	return file_name;
}
