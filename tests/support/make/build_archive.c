/* build_archive.c - see build_archive.h. */
#include "support/make/build_archive.h"

#ifdef BSPI_HAVE_BZIP2
	#include <bzlib.h>
#endif
#ifdef BSPI_HAVE_ZSTD
	#include <zstd.h>
#endif
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct writer {
	uint8_t *data;
	size_t size, capacity;
} writer;

static void put(writer *w, const void *data, size_t size)
{
	if (size > w->capacity - w->size) {
		w->capacity = (w->size + size) * 2 + 64;
		w->data = realloc(w->data, w->capacity);
		if (!w->data) bspt_die("allocate", "an archive");
	}
	if (size) memcpy(w->data + w->size, data, size);
	w->size += size;
}

static void put_number(writer *w, uint64_t value, unsigned size)
{
	uint8_t bytes[8];
	for (unsigned i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> 8 * i);
	put(w, bytes, size);
}

static void put_text(writer *w, const char *text)
{
	put(w, text, strlen(text) + 1);
}

static void set_u32(writer *w, size_t at, uint64_t value)
{
	for (unsigned i = 0; i < 4; i++) w->data[at + i] = (uint8_t)(value >> 8 * i);
}

static bspt_bytes finish(const writer *w)
{
	return (bspt_bytes){ w->data, w->size };
}

bspt_bytes bspt_deflate(const void *data, size_t size)
{
	z_stream stream = { 0 };
	if (deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) bspt_die("start", "deflate");
	bspt_bytes out = { malloc(deflateBound(&stream, (uLong)size) + 64), 0 };
	if (!out.data) bspt_die("allocate", "deflate");
	stream.next_in = (Bytef *)(uintptr_t)data;
	stream.avail_in = (uInt)size;
	stream.next_out = out.data;
	stream.avail_out = (uInt)(deflateBound(&stream, (uLong)size) + 64);
	if (deflate(&stream, Z_FINISH) != Z_STREAM_END) bspt_die("finish", "deflate");
	out.size = stream.total_out;
	deflateEnd(&stream);
	return out;
}

bspt_bytes bspt_gzip(const void *data, size_t size)
{
	writer w = { 0 };
	bspt_bytes deflated = bspt_deflate(data, size);
	put(&w, "\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
	put(&w, deflated.data, deflated.size);
	put_number(&w, crc32(0, data, (uInt)size), 4);
	put_number(&w, size, 4);
	free(deflated.data);
	return finish(&w);
}

bspt_bytes bspt_bzip2(const void *data, size_t size)
{
	bspt_bytes out = { NULL, 0 };
#ifdef BSPI_HAVE_BZIP2
	unsigned packed = (unsigned)(size + size / 100 + 600);
	out.data = malloc(packed);
	char *in = (char *)(uintptr_t)data;
	if (!out.data || BZ2_bzBuffToBuffCompress((char *)out.data, &packed, in, (unsigned)size, 9, 0, 0) != BZ_OK)
		bspt_die("pack", "bzip2");
	out.size = packed;
#else
	(void)data;
	(void)size;
	bspt_die("pack", "bzip2");
#endif
	return out;
}

bspt_bytes bspt_xz(const void *data, size_t size)
{
	bspt_bytes out = { malloc(lzma_stream_buffer_bound(size)), 0 };
	if (!out.data || lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, data, size, out.data, &out.size,
	                                         lzma_stream_buffer_bound(size)) != LZMA_OK)
		bspt_die("pack", "xz");
	return out;
}

bspt_bytes bspt_zstd(const void *data, size_t size)
{
	bspt_bytes out = { NULL, 0 };
#ifdef BSPI_HAVE_ZSTD
	size_t room = ZSTD_compressBound(size);
	out.data = malloc(room);
	out.size = out.data ? ZSTD_compress(out.data, room, data, size, 1) : 0;
	if (!out.data || ZSTD_isError(out.size)) bspt_die("pack", "zstd");
#else
	(void)data;
	(void)size;
	bspt_die("pack", "zstd");
#endif
	return out;
}

bspt_bytes bspt_lzma(const void *data, size_t size, bool end_mark)
{
	lzma_options_lzma options = { 0 };
	uint8_t packed[4096], properties[5];
	size_t packed_size = 0;
	writer w = { 0 };
	if (lzma_lzma_preset(&options, 6)) bspt_die("choose", "LZMA options");
	options.dict_size = 1 << 16;
	options.ext_size_low = (uint32_t)size;
	lzma_vli id = end_mark ? LZMA_FILTER_LZMA1 : LZMA_FILTER_LZMA1EXT;
	lzma_filter filters[] = { { id, &options }, { LZMA_VLI_UNKNOWN, NULL } };
	if (lzma_raw_buffer_encode(filters, NULL, data, size, packed, &packed_size, sizeof packed) != LZMA_OK ||
	    lzma_properties_encode(&(lzma_filter){ LZMA_FILTER_LZMA1, &options }, properties) != LZMA_OK)
		bspt_die("pack", "LZMA");
	put(&w, "\x09\x14", 2);            /* the packer's version, which is ignored */
	put_number(&w, sizeof properties, 2);
	put(&w, properties, sizeof properties);
	put(&w, packed, packed_size);
	return finish(&w);
}

typedef struct packed_member {
	bspt_bytes bytes;
	bool own;
	uint32_t size, crc;
} packed_member;

static packed_member pack(const bspt_member *m)
{
	packed_member p = { m->packed, false, (uint32_t)m->packed.size, 0 };
	if (m->text) {
		size_t size = strlen(m->text);
		p.own = m->method == 8 || m->method == 12 || m->method == 14;
		p.size = (uint32_t)size;
		p.bytes = m->method == 8    ? bspt_deflate(m->text, size)
		          : m->method == 12 ? bspt_bzip2(m->text, size)
		          : m->method == 14 ? bspt_lzma(m->text, size, m->flags & 2)
		                            : (bspt_bytes){ (uint8_t *)(uintptr_t)m->text, size };
		p.crc = (uint32_t)crc32(0, (const Bytef *)m->text, (uInt)size);
	}
	if (m->bad_checksum) p.crc ^= 1;
	if (m->claims) p.size = m->claimed_size;
	return p;
}

static void release(packed_member *p)
{
	if (p->own) free(p->bytes.data);
}

/* Writes the fields that the local header and the record in the central directory have in common. */
static void put_zip_common(writer *w, const bspt_member *m, const packed_member *p)
{
	put_number(w, m->method == 14 ? 63 : 20, 2);
	put_number(w, m->flags, 2);
	put_number(w, m->method, 2);
	put_number(w, 0x58210000, 4);      /* the date 2024-01-01 */
	put_number(w, p->crc, 4);
	put_number(w, p->bytes.size, 4);
	put_number(w, p->size, 4);
	put_number(w, strlen(m->name), 2);
	put_number(w, 0, 2);
}

/* Writes the extra field for numbers that do not fit into the record's own fields. */
static void put_zip64_extra(writer *w, const packed_member *p, uint64_t offset)
{
	put_number(w, 1, 2);
	put_number(w, 24, 2);
	put_number(w, p->size, 8);
	put_number(w, p->bytes.size, 8);
	put_number(w, offset, 8);
}

static void put_zip_record(writer *w, const bspt_member *m, const packed_member *p, size_t offset, bool zip64)
{
	size_t at = w->size;
	put(w, "PK\1\2\x14\0", 6);
	put_zip_common(w, m, p);
	put_number(w, 0, 6);               /* no comment, disk 0, no internal attributes */
	put_number(w, 0, 4);
	put_number(w, zip64 ? UINT32_MAX : offset, 4);
	put(w, m->name, strlen(m->name));
	if (!zip64) return;
	put_zip64_extra(w, p, offset);
	set_u32(w, at + 20, UINT32_MAX);
	set_u32(w, at + 24, UINT32_MAX);
	w->data[at + 30] = 28;
}

static void put_zip64_end(writer *w, size_t count, size_t size, size_t offset)
{
	size_t at = w->size;
	put(w, "PK\6\6", 4);
	put_number(w, 44, 8);
	put_number(w, 45 | 45 << 16, 4);
	put_number(w, 0, 8);
	put_number(w, count, 8);
	put_number(w, count, 8);
	put_number(w, size, 8);
	put_number(w, offset, 8);
	put(w, "PK\6\7\0\0\0\0", 8);
	put_number(w, at, 8);
	put_number(w, 1, 4);
}

static bspt_bytes make_zip(const bspt_member *members, size_t count, bool zip64)
{
	writer w = { 0 }, central = { 0 };
	for (size_t i = 0; i < count; i++) {
		const bspt_member *m = &members[i];
		packed_member p = pack(m);
		put_zip_record(&central, m, &p, w.size, zip64);
		put(&w, "PK\3\4", 4);
		put_zip_common(&w, m, &p);
		put(&w, m->name, strlen(m->name));
		put(&w, p.bytes.data, p.bytes.size);
		release(&p);
	}
	size_t offset = w.size;
	put(&w, central.data, central.size);
	if (zip64) put_zip64_end(&w, count, central.size, offset);
	put(&w, "PK\5\6\0\0\0\0", 8);
	put_number(&w, zip64 ? UINT16_MAX : count, 2);
	put_number(&w, zip64 ? UINT16_MAX : count, 2);
	put_number(&w, zip64 ? UINT32_MAX : central.size, 4);
	put_number(&w, zip64 ? UINT32_MAX : offset, 4);
	put_number(&w, 0, 2);
	free(central.data);
	return finish(&w);
}

bspt_bytes bspt_zip(const bspt_member *members, size_t count)
{
	return make_zip(members, count, false);
}

bspt_bytes bspt_zip64(const bspt_member *members, size_t count)
{
	return make_zip(members, count, true);
}

bspt_bytes bspt_pak(const bspt_member *members, size_t count, size_t name_size)
{
	writer w = { 0 }, directory = { 0 };
	put(&w, name_size == 56 ? "PACK" : "SPAK", 4);
	put_number(&w, 0, 8);
	for (size_t i = 0; i < count; i++) {
		packed_member p = pack(&members[i]);
		char name[128] = { 0 };
		strncpy(name, members[i].name, name_size);
		put(&directory, name, name_size);
		put_number(&directory, members[i].offset ? members[i].offset : w.size, 4);
		put_number(&directory, p.size, 4);
		put(&w, p.bytes.data, p.bytes.size);
		release(&p);
	}
	set_u32(&w, 4, w.size);
	set_u32(&w, 8, directory.size);
	put(&w, directory.data, directory.size);
	free(directory.data);
	return finish(&w);
}

/* Writes "materials/stone/wall.vmt" in the order of the tree: extension, folder, stem. An empty part is written as a
 * space. */
static void put_vpk_name(writer *tree, const char *name)
{
	const char *slash = strrchr(name, '/'), *stem = slash ? slash + 1 : name, *dot = strrchr(stem, '.');
	put_text(tree, dot ? dot + 1 : " ");
	put(tree, slash ? name : " ", slash ? (size_t)(slash - name) : 1);
	put_number(tree, 0, 1);
	put(tree, stem, dot ? (size_t)(dot - stem) : strlen(stem));
	put_number(tree, 0, 1);
}

bspt_bytes bspt_vpk(const bspt_member *members, size_t count, uint32_t version)
{
	writer w = { 0 }, tree = { 0 }, data = { 0 };
	for (size_t i = 0; i < count; i++) {
		const bspt_member *m = &members[i];
		packed_member p = pack(m);
		put_vpk_name(&tree, m->name);
		put_number(&tree, p.crc, 4);
		put_number(&tree, m->preload, 2);
		put_number(&tree, m->archive ? m->archive - 1u : 0x7fffu, 2);
		put_number(&tree, m->archive ? m->offset : data.size, 4);
		put_number(&tree, p.size - m->preload, 4);
		put_number(&tree, 0xffff, 2);
		put(&tree, p.bytes.data, m->preload);
		put(&tree, "\0", 2);           /* ends the lists of names and of folders */
		if (!m->archive) put(&data, p.bytes.data + m->preload, p.bytes.size - m->preload);
		release(&p);
	}
	put_number(&tree, 0, 1);
	put_number(&w, 0x55aa1234, 4);
	put_number(&w, version, 4);
	put_number(&w, tree.size, 4);
	if (version == 2) {
		put_number(&w, data.size, 4);
		put_number(&w, 0, 8);
		put_number(&w, 0, 4);
	}
	put(&w, tree.data, tree.size);
	put(&w, data.data, data.size);
	free(tree.data);
	free(data.data);
	return finish(&w);
}

bspt_bytes bspt_troika(const bspt_member *members, size_t count)
{
	writer w = { 0 }, list = { 0 };
	for (size_t i = 0; i < count; i++) {
		packed_member p = pack(&members[i]);
		put_number(&list, (uint32_t)strlen(members[i].name), 4);
		put(&list, members[i].name, strlen(members[i].name));
		put_number(&list, w.size, 4);
		put_number(&list, p.size, 4);
		put(&w, p.bytes.data, p.bytes.size);
		release(&p);
	}
	size_t list_offset = w.size;
	put(&w, list.data, list.size);
	put_number(&w, (uint32_t)count, 4);
	put_number(&w, (uint32_t)list_offset, 4);
	put_number(&w, 0, 1);
	free(list.data);
	return finish(&w);
}
