/* vtf.c - decodes one mipmap of one face of one frame of Valve's texture format, versions 7.0 to 7.6, to RGBA. Mipmaps
 * are stored from the smallest to the largest. Each mipmap has frames, each frame has faces, and each face has slices.
 * From 7.3 on, a dictionary lists the parts of the file. Strata's 7.6 may compress pictures. A separate part then
 * states the compressed sizes, one for all slices of a face (docs/formats/source-files.md, "VTF"). */
#include <inttypes.h>
#ifdef BSPI_HAVE_ZSTD
#include <zstd.h>

#include <bspscene/image.h>
#endif

#include "images/codecs.h"
#include "images/read/vtf_pixels.h"
#include "io/inflate.h"
#include "io/zstd_memory.h"

enum {
	LEAST_HEADER = 64, WIDTH_AT = 16, HEIGHT_AT = 18, FLAGS_AT = 20, FRAMES_AT = 24, FIRST_FRAME_AT = 26,
	FORMAT_AT = 52, LEVELS_AT = 56, THUMB_FORMAT_AT = 57, THUMB_WIDTH_AT = 61, THUMB_HEIGHT_AT = 62, DEPTH_AT = 63,
	PART_COUNT_AT = 68, PARTS_AT = 80, PART_SIZE = 8, MOST_PARTS = 32, MOST_LEVELS = 16
};
#define FLAG_ONE_BIT_ALPHA 0x1000u
#define FLAG_EIGHT_BIT_ALPHA 0x2000u
#define FLAG_ENVIRONMENT 0x4000u
#define NO_FIRST_FRAME 0xffffu
#define PART_IMAGE 0x30u
#define PART_SIZES 0x435841u           /* "AXC" */

/* Methods by which pictures are compressed, with the numbers that zip uses. */
typedef enum packing { NOT_PACKED = 0, DEFLATE = 8, ZSTD = 93 } packing;

typedef struct vtf {
	uint32_t minor, width, height, flags, frames, first_frame, faces, depth, levels, format_number;
	const bspi_vtf_format *format;     /* NULL: the format is unknown */
	uint64_t image, sizes;             /* offsets in the file: of the pictures, and of the table of compressed sizes; 0:
	                                    * there is none */
	uint32_t packing;                  /* a `packing`, or a number that is not supported */
} vtf;

static const bspi_wanted first = { .frame = 0 };

static uint32_t at_least_1(uint32_t value) { return value ? value : 1; }

/* ---- Offsets ---------------------------------------------------------------------------------------------- */

/* Returns a side of a mipmap. Level 0 is the largest mipmap. */
static uint32_t side_of_level(uint32_t side, uint32_t level) { return at_least_1(side >> level); }

static uint64_t size_in_level(const vtf *v, uint32_t level)
{
	return bspi_vtf_picture_size(v->format, side_of_level(v->width, level), side_of_level(v->height, level));
}

/* Computes the number of bytes of all mipmaps that are smaller than level `wanted`, or of all mipmaps if `wanted` is
 * -1. Returns false if the file has fewer bytes. */
static bool size_before_level(const vtf *v, int wanted, uint64_t file_size, uint64_t *size)
{
	uint64_t pictures = (uint64_t)v->frames * v->faces;
	*size = 0;
	if (pictures > file_size || pictures * v->depth > file_size) return false;
	for (int level = (int)v->levels - 1; level > wanted; level--) {
		*size += pictures * side_of_level(v->depth, (uint32_t)level) * size_in_level(v, (uint32_t)level);
		if (*size > file_size) return false;
	}
	return true;
}

/* Returns the first slice of a face, if pictures are uncompressed. The products cannot overflow, because each factor is
 * limited by the size of the file or to 16 bits. */
static bool slice_face(bspi_bytes bytes, const vtf *v, uint32_t level, bspi_wanted wanted, bspi_bytes *out)
{
	uint64_t before, picture = size_in_level(v, level), face_size = side_of_level(v->depth, level) * picture;
	uint64_t frame_size = v->faces * face_size;
	bspi_bytes all;
	bool there = wanted.frame < v->frames && wanted.face < v->faces;
	bool bounded = (!wanted.frame && !wanted.face) || frame_size <= bytes.size;
	return v->image <= bytes.size && bspi_slice(bytes, v->image, bytes.size - v->image, &all) &&
	       size_before_level(v, (int)level, bytes.size, &before) && there && bounded &&
	       bspi_slice(all, before + wanted.frame * frame_size + wanted.face * face_size, picture, out);
}

/* ---- Header ----------------------------------------------------------------------------------------------- */

/* Reads the dictionary. Returns false if the file has none, although its version can have one. */
static bool find_parts(bspi_bytes bytes, vtf *out)
{
	bspi_cursor at = bspi_cursor_at(bytes, PART_COUNT_AT);
	uint32_t count = bspi_take_u32(&at);
	for (uint32_t i = 0; i < count && i < MOST_PARTS; i++) {
		at = bspi_cursor_at(bytes, PARTS_AT + PART_SIZE * (uint64_t)i);
		uint32_t tag = bspi_take_u32(&at) & 0xffffff, offset = bspi_take_u32(&at);
		if (at.failed) break;
		if (tag == PART_IMAGE) out->image = offset;
		if (tag == PART_SIZES) out->sizes = offset;
	}
	return count;
}

/* Returns the method of compression. It is in the part with sizes, which begins with its own size, the strength of the
 * compression and the method. The stored size of each picture follows. */
static uint32_t read_packing(bspi_bytes bytes, uint64_t sizes)
{
	bspi_cursor at = bspi_cursor_at(bytes, sizes + 4);
	uint16_t strength = bspi_take_u16(&at), method = bspi_take_u16(&at);
	if (at.failed || !strength) return NOT_PACKED;
	return method && method <= INT16_MAX ? method : DEFLATE;
}

/* Returns the offset of the picture in files without a dictionary (up to 7.2). There it follows the header and the
 * thumbnail. */
static uint64_t image_behind_thumbnail(bspi_bytes bytes)
{
	uint64_t at = bspi_load_u32(bytes.data + 12);
	const bspi_vtf_format *format = bspi_vtf_find_format(bspi_load_u32(bytes.data + THUMB_FORMAT_AT));
	return format ? at + bspi_vtf_picture_size(format, bytes.data[THUMB_WIDTH_AT], bytes.data[THUMB_HEIGHT_AT]) : at;
}

/* Some format numbers have two meanings. Chooses the one that fits the size of the file. In compressed files this is
 * not possible. */
static const bspi_vtf_format *choose_format(bspi_bytes bytes, const vtf *v)
{
	vtf tried = *v;
	bspi_bytes picture;
	tried.format = bspi_vtf_find_format(v->format_number);
	if (!tried.format || v->levels > MOST_LEVELS || v->packing) return tried.format;
	for (const bspi_vtf_format *other; (other = bspi_vtf_other_format(tried.format)); tried.format = other) {
		if (slice_face(bytes, &tried, 0, first, &picture)) break;
	}
	return tried.format;
}

/* True if the mipmaps take exactly the rest of the file. */
static bool fills_file(bspi_bytes bytes, const vtf *v)
{
	uint64_t size;
	return v->format && v->levels <= MOST_LEVELS && v->image <= bytes.size &&
	       size_before_level(v, -1, bytes.size, &size) && size == bytes.size - v->image;
}

/* Counts the faces of environment maps. Early ones have a sphere map as a seventh face, unless the number of the first
 * frame says that there is none. Some programs do not set this number correctly (vtfpp, and those that write 7.0). If
 * the file size does not fit, the other number of faces is taken. */
static void count_faces(bspi_bytes bytes, vtf *v)
{
	const uint32_t sides = 6, last_minor_with_sphere = 4;
	if (!(v->flags & FLAG_ENVIRONMENT)) return;
	v->faces = sides;
	if (v->minor > last_minor_with_sphere) return;
	bool sphere = v->first_frame != NO_FIRST_FRAME;
	v->faces = sides + !sphere;
	if (!fills_file(bytes, v)) v->faces = sides + sphere;
}

static bool read_header(bspi_bytes bytes, vtf *out)
{
	const uint32_t major = 7, last_minor = 6, first_with_parts = 3, first_with_depth = 2;
	const uint8_t *p = bytes.data;
	if (bytes.size < LEAST_HEADER || memcmp(p, "VTF", 4)) return false;
	if (bspi_load_u32(p + 4) != major || bspi_load_u32(p + 8) > last_minor) return false;
	*out = (vtf){
		.minor = bspi_load_u32(p + 8), .width = bspi_load_u16(p + WIDTH_AT), .height = bspi_load_u16(p + HEIGHT_AT),
		.flags = bspi_load_u32(p + FLAGS_AT), .frames = at_least_1(bspi_load_u16(p + FRAMES_AT)),
		.first_frame = bspi_load_u16(p + FIRST_FRAME_AT), .faces = 1, .depth = 1, .levels = at_least_1(p[LEVELS_AT]),
		.format_number = bspi_load_u32(p + FORMAT_AT),
	};
	bool deep = out->minor >= first_with_depth && bytes.size > DEPTH_AT + 1;
	if (deep) out->depth = at_least_1(bspi_load_u16(p + DEPTH_AT));
	bool in_parts = out->minor >= first_with_parts && find_parts(bytes, out);
	if (!in_parts) out->image = image_behind_thumbnail(bytes);
	if (out->sizes) out->packing = read_packing(bytes, out->sizes);
	out->format = choose_format(bytes, out);
	count_faces(bytes, out);
	return true;
}

static bool has_alpha(const vtf *v)
{
	bool flagged = v->flags & (FLAG_ONE_BIT_ALPHA | FLAG_EIGHT_BIT_ALPHA);
	return v->format && bspi_vtf_format_has_alpha(v->format) && (flagged || !bspi_vtf_alpha_is_optional(v->format));
}

static bool probe(bspi_bytes bytes, bspi_image_info *info)
{
	vtf v;
	if (bytes.size < LEAST_HEADER || memcmp(bytes.data, "VTF", 4)) return false;
	info->width = bspi_load_u16(bytes.data + WIDTH_AT);
	info->height = bspi_load_u16(bytes.data + HEIGHT_AT);
	info->has_alpha = read_header(bytes, &v) && has_alpha(&v);
	return true;
}

/* ---- Compressed pictures ---------------------------------------------------------------------------------- */

static bool fail_early(const vtf *v, bspi_wanted wanted, bspscene_error *error)
{
	if (wanted.frame) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "frame %" PRIu32 " of %" PRIu32 " is not in the file",
		                      wanted.frame, v->frames);
	}
	if (wanted.face) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "face %" PRIu32 " of %" PRIu32 " is not in the file",
		                      wanted.face, v->faces);
	}
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "the file ends before its largest mip level");
}

static bool find_packed(bspi_bytes bytes, const vtf *v, uint32_t level, bspi_wanted wanted, bspi_bytes *out)
{
	const uint32_t head_size = 8;
	bspi_cursor sizes = bspi_cursor_at(bytes, v->sizes + head_size);
	uint64_t pictures = (uint64_t)v->frames * v->faces, offset = v->image;
	uint64_t before = pictures * (v->levels - 1 - level) + (uint64_t)wanted.frame * v->faces + wanted.face;
	for (uint64_t i = 0; i < before && !sizes.failed; i++) offset += bspi_take_u32(&sizes);
	uint32_t size = bspi_take_u32(&sizes);
	bool there = wanted.frame < v->frames && wanted.face < v->faces;
	return there && !sizes.failed && bspi_slice(bytes, offset, size, out);
}

static bool find_picture(bspi_bytes bytes, const vtf *v, uint32_t level, bspi_wanted wanted, bspi_bytes *out,
                         bspscene_error *error)
{
	bool there = v->packing ? find_packed(bytes, v, level, wanted, out) : slice_face(bytes, v, level, wanted, out);
	return there || fail_early(v, wanted, error);
}

/* Before memory is allocated, refuses a picture that is larger than its compressed data can expand to. Deflate expands
 * at most 1032 times (258 bytes in 2 bits). zstd expands 4 bytes to at most 128 KiB (an RLE block). */
static bool check_packed(const vtf *v, bspi_bytes packed, bspscene_error *error)
{
	uint64_t largest_ratio = v->packing == ZSTD ? (128u << 10) / 4 : 1032;
	uint64_t size = bspi_vtf_picture_size(v->format, v->width, v->height);
	return bspi_check_size(v->width, v->height, packed, size / largest_ratio, error);
}

static bool check_packing(const vtf *v, bspscene_error *error)
{
	if (v->packing == NOT_PACKED || v->packing == DEFLATE) return true;
	if (v->packing != ZSTD) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		                      "compression method %" PRIu32 " is not supported", v->packing);
	}
#ifdef BSPI_HAVE_ZSTD
	return true;
#else
	return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
	                      "it is compressed with Zstandard, which this build cannot unpack (it lacks libzstd)");
#endif
}

static bool check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error)
{
	vtf v;
	bspi_bytes picture;
	(void)info;
	if (!read_header(bytes, &v)) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		                      "version %" PRIu32 ".%" PRIu32 " is not supported (7.0 to 7.6 are)",
		                      bspi_load_u32(bytes.data + 4), bspi_load_u32(bytes.data + 8));
	}
	if (!v.format || !bspi_vtf_format_is_read(v.format)) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "pixel format %" PRIu32 "%s%s is not supported",
		                      v.format_number, v.format ? ", " : "", v.format ? bspi_vtf_format_name(v.format) : "");
	}
	BSPI_TRY(bspi_check_size(v.width, v.height, bytes, 0, error));
	if (!v.image) return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "it has no picture in it");
	if (v.levels > MOST_LEVELS) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER,
		                      "its header claims %" PRIu32 " mip levels for %" PRIu32 " x %" PRIu32 " pixels", v.levels,
		                      v.width, v.height);
	}
	BSPI_TRY(check_packing(&v, error));
	return find_picture(bytes, &v, 0, first, &picture, error) && (!v.packing || check_packed(&v, picture, error));
}

uint32_t bspi_vtf_count_frames(bspi_bytes bytes, uint32_t most, uint32_t *claimed)
{
	vtf v;
	bspi_bytes picture;
	bspi_image_info info;
	uint32_t count = 0;
	*claimed = 0;
	if (!check(bytes, &info, NULL) || !read_header(bytes, &v)) return 0;
	*claimed = v.frames;
	for (; count < v.frames && count < most; count++) {
		const bspi_wanted wanted = { .frame = count };
		if (!find_picture(bytes, &v, 0, wanted, &picture, NULL)) break;
		if (v.packing && !check_packed(&v, picture, NULL)) break;
	}
	return count;
}

bool bspi_vtf_is_cube(bspi_bytes bytes)
{
	vtf v;
	bspi_bytes picture;
	bspi_image_info info;
	if (!check(bytes, &info, NULL) || !read_header(bytes, &v) || v.faces < BSPSCENE_CUBE_SIDES) return false;
	for (uint32_t face = 0; face < BSPSCENE_CUBE_SIDES; face++) {
		if (!find_picture(bytes, &v, 0, (bspi_wanted){ .face = face }, &picture, NULL)) return false;
		if (v.packing && !check_packed(&v, picture, NULL)) return false;
	}
	return v.width == v.height;
}

/* Inflates the first slice. If `goes_on`, the data of other slices may follow. */
static bool inflate_picture(const bspi_heap *heap, bspi_bytes packed, bool goes_on, uint8_t *out, size_t size)
{
	bool ended;
	return bspi_inflate(heap, packed, out, size, &ended) && (ended || goes_on);
}

#ifdef BSPI_HAVE_ZSTD
/* Returns the binary logarithm of the largest window to accept. The window has the decoded size, but at least 8 MiB,
 * as RFC 8878 (3.1.1.1.2) recommends, and at most 128 MiB. */
static int zstd_window(uint64_t size)
{
	const int least = 23, most = 27;
	int bits = least;
	while (bits < most && UINT64_C(1) << bits < size) bits++;
	return bits;
}

static bool unzstd_picture(bspi_bytes packed, uint64_t whole_size, uint8_t *out, size_t size)
{
	ZSTD_inBuffer from = { packed.data, packed.size, 0 };
	ZSTD_outBuffer to = { out, size, 0 };
	ZSTD_DCtx *decoder = ZSTD_createDCtx();
	bool ok = decoder && !ZSTD_isError(ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, zstd_window(whole_size)));
	while (ok && to.pos < to.size) {
		size_t done = from.pos + to.pos;
		ok = !ZSTD_isError(ZSTD_decompressStream(decoder, &to, &from)) && from.pos + to.pos > done;
	}
	ZSTD_freeDCtx(decoder);
	return ok;
}
#endif

static bool unpack(const bspi_heap *heap, const vtf *v, uint32_t level, bspi_bytes packed, uint8_t **out,
                   bspscene_error *error)
{
	size_t size = (size_t)size_in_level(v, level);
	bool whole;
	*out = bspi_heap_take(heap, size);
	if (!*out) return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
#ifdef BSPI_HAVE_ZSTD
	whole = v->packing == ZSTD ? unzstd_picture(packed, (uint64_t)v->depth * size, *out, size)
	                           : inflate_picture(heap, packed, v->depth > 1, *out, size);
#else
	whole = inflate_picture(heap, packed, v->depth > 1, *out, size);
#endif
	if (whole) return true;
	bspi_heap_give(heap, *out);
	*out = NULL;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "its compressed data is damaged");
}

static uint32_t choose_level(const vtf *v, uint32_t side)
{
	uint32_t level = 0, largest = v->width > v->height ? v->width : v->height;
	while (level + 1 < v->levels && side_of_level(largest, level) > side) level++;
	return level;
}

static bool decode(const bspi_heap *heap, bspi_bytes bytes, bspi_wanted wanted, bspscene_pixels *out,
                   bspscene_error *error)
{
	vtf v;
	bspi_bytes picture;
	uint8_t *unpacked = NULL;
	BSPI_TRY(read_header(bytes, &v));
	uint32_t level = choose_level(&v, wanted.side);
	BSPI_TRY(find_picture(bytes, &v, level, wanted, &picture, error));
	if (v.packing) BSPI_TRY(unpack(heap, &v, level, picture, &unpacked, error));
	bool ok = bspi_pixels_create(heap, side_of_level(v.width, level), side_of_level(v.height, level), out, error);
	if (ok) bspi_vtf_decode_pixels(v.format, unpacked ? unpacked : picture.data, has_alpha(&v), out);
	bspi_heap_give(heap, unpacked);
	return ok;
}

/* Returns the memory for unpacking a compressed picture, including the window of the decoder. */
static uint64_t working_size(bspi_bytes bytes, uint32_t side, bspi_image_info *info)
{
	vtf v;
	if (!read_header(bytes, &v)) return 0;
	uint32_t level = choose_level(&v, side);
	info->width = side_of_level(v.width, level);
	info->height = side_of_level(v.height, level);
	if (!v.packing) return 0;
	uint64_t size = size_in_level(&v, level);
#ifdef BSPI_HAVE_ZSTD
	if (v.packing == ZSTD) {
		return size + BSPI_ZSTD_CONTEXT + bspi_zstd_buffers(UINT64_C(1) << zstd_window((uint64_t)v.depth * size));
	}
#endif
	return size + BSPI_INFLATE_MEMORY;
}

const bspi_codec bspi_vtf_codec = { BSPSCENE_IMAGE_VTF, "VTF", probe, check, decode, working_size };
