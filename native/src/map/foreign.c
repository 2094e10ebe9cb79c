/* foreign.c - describes files that no family recognizes: maps of other games, and other files with the extension .bsp.
 * This code runs only after bspi_find_family, so supported formats need no row here. */
#include "map/family.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "io/unpack.h"

#define ANY_VERSION INT32_MIN

static const struct {
	char magic[5];
	int32_t version;                   /* second 32-bit number of the file */
	const char *name;
} other_maps[] = {
	{ "IBSP", 72, "UFO: Alien Invasion map (IBSP 72, of an early compiler)" },
	{ "IBSP", 41, "Daikatana or SiN map (IBSP 41)" },
	{ "IBSP", 43, "Quake III IHV test map (IBSP 43)" },
	{ "IBSP", 44, "Q3Test 1.03 map (IBSP 44)" },
	{ "IBSP", 45, "Q3Test 1.06 map (IBSP 45)" },
	{ "IBSP", 46, "Soldier of Fortune map (IBSP 46 with 22 lumps)" },
	{ "IBSP", ANY_VERSION, "IBSP map of an unknown version" },
	{ "RBSP", 1, "SiN map (RBSP 1 with 20 lumps)" },
	{ "RBSP", ANY_VERSION, "RBSP map of an unknown version" },
	{ "FBSP", ANY_VERSION, "FBSP map of an unknown version" },
	{ "FAKK", ANY_VERSION, "FAKK map of an unknown version" },
	{ "EF2!", ANY_VERSION, "Elite Force II map of an unknown version (EF2!)" },
	{ "2015", ANY_VERSION, "Medal of Honor map of an unknown version (2015)" },
	{ "EALA", ANY_VERSION, "Medal of Honor map of an unknown version (EALA)" },
	{ " 46Q", ANY_VERSION, "Quake 64 map ( 46Q)" },
	{ "VBSP", 29, "Titanfall map (VBSP 29)" },
	{ "VBSP", 42, "Desolation map (VBSP 42)" },
	{ "VBSP", 43, "Desolation map (VBSP 43)" },
	{ "VBSP", 100, "Counter-Strike Online 2 map (VBSP 100)" },
	{ "VBSP", ANY_VERSION, "Source map of an unknown version (VBSP)" },
	{ "rBSP", ANY_VERSION, "Titanfall or Apex Legends map of an unknown version (rBSP)" },
	{ "PSBV", ANY_VERSION, "big-endian Source map of another version (PSBV, Xbox 360 or PS3)" },
	{ "PSBI", ANY_VERSION, "big-endian console map (PSBI)" },
	{ "PSBR", ANY_VERSION, "big-endian console map (PSBR)" },
	{ "PSBr", ANY_VERSION, "big-endian console map (PSBr)" },
};

/* Maps without a magic begin with a small version number. The offset of lump 0 follows, which is the end of the
 * directory. Supported versions are listed too, because big-endian copies for consoles exist that are not supported. */
static const struct {
	int32_t version;
	uint32_t header_size;
	const char *name;
} numbered_maps[] = {
	{ 28, 124, "Quake pre-release map (version 28)" },
	{ 29, 124, "Quake map (version 29)" },
	{ 30, 124, "Half-Life map (version 30)" },
	{ 42, 148, "James Bond 007: Nightfire map (version 42)" },
};

static const struct {
	const char *start;
	size_t size;
	const char *name;
} other_files[] = {
	{ "IDP3", 4, "an MD3 model" },
	{ "IDP2", 4, "an MD2 model" },
	{ "IDPO", 4, "an MDL model" },
	{ "IDST", 4, "a Half-Life or Source model" },
	{ "IDSQ", 4, "a file of sequences that belongs to a GoldSrc model; convert the model itself" },
	{ "PK\3\4", 4, "a ZIP archive (pk3), which may hold maps" },
	{ "PK\5\6", 4, "an empty ZIP archive" },
	{ "PACK", 4, "a PAK archive, which may hold maps" },
	{ "WAD2", 4, "a WAD2 texture archive" },
	{ "WAD3", 4, "a WAD3 texture archive" },
	{ "\x34\x12\xAA\x55", 4, "a VPK archive, which may hold maps" },
	{ "7z\xBC\xAF\x27\x1C", 6, "a 7-Zip archive" },
	{ "Rar!", 4, "a RAR archive" },
	{ "\x1F\x8B", 2, "a gzip file" },
	{ "BZh", 3, "a bzip2 file (Source servers compress maps so)" },
	{ "\xFD" "7zXZ", 5, "an xz file" },
	{ "\x89PNG", 4, "a PNG image" },
	{ "\xFF\xD8\xFF", 3, "a JPEG image" },
	{ "glTF", 4, "a GLB scene" },
	{ "version https://git-lfs", 23, "a Git LFS pointer; fetch the file itself with git lfs pull" },
	{ "/annex/objects/", 15, "a git-annex pointer; fetch the file itself with git annex get" },
	{ "[InternetShortcut]", 18, "a saved link to a web page; download what it leads to" },
};

/* Beginnings of web pages, in upper or lower case. Servers send such a page when a file is missing. */
static const char *const pages[] = { "<!doctype", "<html", "<?xml", "<head", "<body", "<title" };

static bspi_foreign foreign(bool map, const char *text)
{
	bspi_foreign out = { .map = map };
	snprintf(out.text, sizeof out.text, "%s", text);
	return out;
}

/* Describes a file by its content: quotes the beginning of a text, or lists the first bytes of other files. */
static bspi_foreign describe_contents(bspi_bytes head)
{
	enum { SHOWN = 32 };
	size_t size = head.size < SHOWN ? head.size : SHOWN, printable = 0, start = 0, line;
	for (; printable < size; printable++) {
		uint8_t c = head.data[printable];
		if (c >= 0x7F || (c < 0x20 && c != '\t' && c != '\r' && c != '\n')) break;
	}
	bspi_foreign out = { .map = false };
	if (printable == size) {
		while (start < size && head.data[start] <= ' ') start++;
		for (line = start; line < size && head.data[line] >= 0x20; ) line++;
		if (start == size) return foreign(false, "a text without letters");
		snprintf(out.text, sizeof out.text, "text beginning with \"%.*s\"", (int)(line - start),
		         (const char *)head.data + start);
		return out;
	}
	size_t at = (size_t)snprintf(out.text, sizeof out.text, "unknown data beginning with");
	for (size_t i = 0; i < size && i < 8; i++) {
		at += (size_t)snprintf(out.text + at, sizeof out.text - at, " %02x", head.data[i]);
	}
	return out;
}

/* True for a POSIX tar. Its magic comes after the name and the numbers of its first member. */
static bool is_tar(bspi_bytes head)
{
	bspi_bytes magic;
	return bspi_slice(head, 257, 5, &magic) && !memcmp(magic.data, "ustar", 5);
}

static uint32_t swapped(uint32_t v)
{
	return v >> 24 | (v >> 8 & 0xFF00u) | (v << 8 & 0xFF0000u) | v << 24;
}

/* True if the file lacks the first byte of a map, so that it begins with "BSP" instead of "IBSP" or "VBSP". */
static bool lacks_first_byte(bspi_bytes head)
{
	enum { LARGEST_VERSION = 255 };
	for (size_t i = 0; i < sizeof other_maps / sizeof *other_maps && head.size >= 7; i++) {
		if (!memcmp(head.data, other_maps[i].magic + 1, 3)) return bspi_load_u32(head.data + 3) <= LARGEST_VERSION;
	}
	return false;
}

/* True if the file is a map of Quake or Half-Life without its first byte, which holds the version. The directory of 15
 * lumps must then be plausible. */
static bool lacks_first_digit(bspi_bytes head)
{
	enum { LUMPS = 15, HEADER = 4 + 8 * LUMPS, PLANES = 1, PLANE = 20, EDGES = 12, EDGE = 4, MODELS = 14, MODEL = 64 };
	static const uint8_t record[LUMPS] = { [PLANES] = PLANE, [EDGES] = EDGE, [MODELS] = MODEL };
	uint32_t filled = 0;
	if (head.size < HEADER - 1 || head.data[0] || head.data[1] || head.data[2]) return false;
	for (uint32_t i = 0; i < LUMPS; i++) {
		uint32_t offset = bspi_load_u32(head.data + 3 + 8 * i), size = bspi_load_u32(head.data + 7 + 8 * i);
		if (!size) continue;
		if (offset < HEADER || offset > INT32_MAX || size > INT32_MAX || (record[i] && size % record[i])) return false;
		filled++;
	}
	return filled > LUMPS / 2;
}

/* True if the file is HTML or XML, in upper or lower case. A byte order mark and blanks may come first. */
static bool is_page(bspi_bytes head)
{
	size_t at = head.size >= 3 && !memcmp(head.data, "\xEF\xBB\xBF", 3) ? 3 : 0;
	while (at < head.size && head.data[at] <= ' ') at++;
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
		const char *begin = (const char *)head.data + at;
		size_t size = strlen(pages[i]);
		if (head.size - at >= size && !bspi_text_compare_parts(begin, size, pages[i], size)) return true;
	}
	return false;
}

bspi_foreign bspi_describe_foreign(bspi_bytes head)
{
	if (!head.size) return foreign(false, "an empty file");
	for (size_t i = 0; i < sizeof other_files / sizeof *other_files; i++) {
		if (head.size >= other_files[i].size && !memcmp(head.data, other_files[i].start, other_files[i].size)) {
			return foreign(false, other_files[i].name);
		}
	}
	if (is_tar(head)) return foreign(false, "a tar archive");
	if (is_page(head)) {
		return foreign(false, "an HTML page, perhaps the error page of a download; download the file again");
	}
	if (lacks_first_byte(head) || lacks_first_digit(head)) {
		return foreign(false, "a map whose first byte is missing; get the file again");
	}
	for (size_t i = 0; i < sizeof other_maps / sizeof *other_maps && head.size >= 4 && head.size < 8; i++) {
		if (!memcmp(head.data, other_maps[i].magic, 4))
			return foreign(false, "a map that is cut off after its first bytes; get the file again");
	}
	if (head.size < 8) return describe_contents(head);
	uint32_t first = bspi_load_u32(head.data), second = bspi_load_u32(head.data + 4);
	for (size_t i = 0; i < sizeof other_maps / sizeof *other_maps; i++) {
		if (memcmp(head.data, other_maps[i].magic, 4)) continue;
		if (other_maps[i].version == ANY_VERSION || (uint32_t)other_maps[i].version == second) {
			return foreign(true, other_maps[i].name);
		}
	}
	for (size_t i = 0; i < sizeof numbered_maps / sizeof *numbered_maps; i++) {
		uint32_t version = (uint32_t)numbered_maps[i].version, lump = second;
		bool big_endian = first == swapped(version);
		if (big_endian) lump = swapped(second);
		if ((first != version && !big_endian) || lump < numbered_maps[i].header_size || lump > INT32_MAX) continue;
		bspi_foreign out = { .map = true };
		snprintf(out.text, sizeof out.text, "%s%s", big_endian ? "big-endian " : "", numbered_maps[i].name);
		return out;
	}
	bool keyed = bspi_packing_of(head) == BSPI_PACKING_KEYED;
	if (keyed) return foreign(true, "Tactical Intervention map (VBSP with a key over it)");
	return describe_contents(head);
}
