/* wad.c - see wad.h. A WAD has a magic, i32 count, and i32 offset of the entries. An entry has 32 bytes: i32 offset,
 * i32 size on disk, i32 size; u8 type, u8 compression, 2 unused bytes; name[16]. See docs/formats/goldsrc.md,
 * "Textures". */
#include "materials/indexed/wad.h"

#include "base/text.h"
#include "io/io.h"

enum { HEADER = 12, ENTRY = 32, ENTRY_TYPE = 12, ENTRY_NAME = 16, NAME = 16 };
enum { TYPE_QUAKE_MIPTEX = 0x44, TYPE_GOLDSRC_MIPTEX = 0x43 };

bool bspi_wad_open(bspi_ctx *ctx, const char *name, bspi_wad *out)
{
	bspi_sibling file;
	if (!bspi_open_sibling(ctx, &ctx->scratch, name, BSPSCENE_FILE_WAD, &file)) return false;
	bspi_cursor cursor = bspi_cursor_at(file.bytes, 0);
	const uint8_t *magic = bspi_take(&cursor, 4);
	uint32_t count = bspi_take_u32(&cursor), offset = bspi_take_u32(&cursor);
	bool known = !cursor.failed && !memcmp(magic, "WAD", 3) && (magic[3] == '2' || magic[3] == '3');
	bspi_bytes entries;
	if (!known || !bspi_slice(file.bytes, offset, (uint64_t)count * ENTRY, &entries)) {
		*out = (bspi_wad){ file.path, file.bytes, 0, 0 };
		return bspi_warn(ctx, BSPSCENE_WARNING_FILE_STALE, BSPI_LUMP("wad"),
		                 "%s is not a WAD2 or WAD3 archive, or is cut off", file.path);
	}
	*out = (bspi_wad){ file.path, file.bytes, count, offset };
	return true;
}

static bool name_is(const uint8_t *field, const char *name)
{
	size_t i = 0;
	for (; i < NAME && field[i]; i++) {
		if (bspi_lower((char)field[i]) != bspi_lower(name[i])) return false;
	}
	return i > 0 && !name[i];
}

bspi_bytes bspi_wad_find(const bspi_wad *wad, const char *name)
{
	bspi_bytes found = BSPI_NO_BYTES;
	for (uint32_t i = 0; i < wad->entry_count; i++) {
		const uint8_t *entry = wad->bytes.data + wad->directory + (size_t)i * ENTRY;
		uint32_t offset = bspi_load_u32(entry);
		bool miptex = entry[ENTRY_TYPE] == TYPE_QUAKE_MIPTEX || entry[ENTRY_TYPE] == TYPE_GOLDSRC_MIPTEX;
		if (!miptex || !name_is(entry + ENTRY_NAME, name) || offset >= wad->bytes.size) continue;
		bspi_slice(wad->bytes, offset, wad->bytes.size - offset, &found);
		break;
	}
	return found;
}
