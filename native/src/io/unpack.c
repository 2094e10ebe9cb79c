/* unpack.c - see unpack.h. All decoders have the same interface, so that one loop can drive them. */
#include "io/unpack.h"

#include <limits.h>
#include <zlib.h>
#ifdef BSPI_HAVE_BZIP2
	#include <bzlib.h>
#endif
#ifdef BSPI_HAVE_ZSTD
	#include <zstd.h>
#endif

#include "io/inflate.h"
#include "io/lzma.h"
#include "io/zstd_memory.h"

#define INPUT_SIZE 16384u
/* xz streams state the size of their dictionary, which is 64 MiB at the highest level. Larger ones are always refused,
 * even if the budget would allow them. */
#define LARGEST_XZ_MEMORY ((uint64_t)80 << 20)
/* The largest dictionary that packers of game files use with LZMA. Larger ones are always refused, even if the budget
 * would allow them. */
#define LARGEST_DICTIONARY ((uint64_t)32 << 20)

typedef enum step {
	STEP_ON,
	STEP_END,                          /* the packed stream has ended, and all of its data was returned */
	STEP_BAD
} step;

/* Tactical Intervention encrypts its maps by XOR with a key. In Source maps without encryption, directory entries of
 * unused lumps are zeros. So in encrypted maps, these bytes are the key (docs/formats/source.md, "Which version"). */
enum { KEY_SIZE = 32, KEY_AT = 384 };

/* The input that is left, and the room that is left for output. */
typedef struct window {
	const uint8_t *in;
	size_t in_size;
	uint8_t *out;
	size_t out_size;
} window;

typedef struct decoder {
	bool (*begin)(bspi_unpacker *unpacker); /* if this fails, `end` is called too */
	step (*run)(bspi_unpacker *unpacker, window *w); /* if w->in_size is 0, the input has ended */
	void (*end)(bspi_unpacker *unpacker);
	const char *name;
	uint8_t magic[6];
	uint8_t magic_size;                /* 0: the format has no magic, and no other stream may follow the first one */
} decoder;

struct bspi_unpacker {
	bspi_charge *charge;
	lzma_allocator lzma_memory;
	const decoder *decoder;
	bspscene_read_fn *read;
	void *user;
	uint64_t size;
	union {
		z_stream zlib;
		lzma_stream lzma;
#ifdef BSPI_HAVE_BZIP2
		bz_stream bzip2;
#endif
#ifdef BSPI_HAVE_ZSTD
		struct { ZSTD_DCtx *context; uint64_t charged; } zstd;
#endif
		struct { uint8_t bytes[KEY_SIZE]; size_t at; } key;
	} state;
	bool begun, ended, failed, input_ended;
	size_t in_at, in_size;             /* position of the unread bytes in `input`, and the end of the bytes there */
	uint8_t input[INPUT_SIZE];
};

/* Reads until there are `size` contiguous bytes of input, or until the input ends. False if reading failed. */
static bool gather(bspi_unpacker *u, size_t size)
{
	if (u->in_size - u->in_at >= size || u->input_ended) return true;
	u->in_size -= u->in_at;
	memmove(u->input, u->input + u->in_at, u->in_size);
	u->in_at = 0;
	while (u->in_size < size && !u->input_ended) {
		size_t room = sizeof u->input - u->in_size, got = u->read(u->user, u->input + u->in_size, room);
		if (got > room) return false;
		u->in_size += got;
		u->input_ended = !got;
	}
	return true;
}

/* Reads more input if none is left. False if reading failed. */
static bool fill(bspi_unpacker *u)
{
	return gather(u, 1);
}

/* Limits a size to the type unsigned, which decoders use for sizes. */
static unsigned part(size_t size)
{
	return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

/* ---- zlib ------------------------------------------------------------------------------------------------- */

static bool begin_deflate(bspi_unpacker *u)
{
	u->state.zlib = bspi_zlib_stream(u->charge);
	return inflateInit2(&u->state.zlib, -MAX_WBITS) == Z_OK;
}

static bool begin_gzip(bspi_unpacker *u)
{
	u->state.zlib = bspi_zlib_stream(u->charge);
	return inflateInit2(&u->state.zlib, MAX_WBITS + 16) == Z_OK;
}

static step run_zlib(bspi_unpacker *u, window *w)
{
	z_stream *z = &u->state.zlib;
	unsigned in = part(w->in_size), out = part(w->out_size);
	/* zlib does not write there. Its pointer is not const unless zlib is configured so. */
	z->next_in = (Bytef *)(uintptr_t)w->in;
	z->avail_in = in;
	z->next_out = w->out;
	z->avail_out = out;
	int result = inflate(z, Z_NO_FLUSH);
	w->in_size -= in - z->avail_in;
	w->out_size -= out - z->avail_out;
	return result == Z_STREAM_END ? STEP_END : result == Z_OK || result == Z_BUF_ERROR ? STEP_ON : STEP_BAD;
}

static void end_zlib(bspi_unpacker *u)
{
	inflateEnd(&u->state.zlib);
}

/* ---- libbz2 ----------------------------------------------------------------------------------------------- */

#ifdef BSPI_HAVE_BZIP2
static void *bzip2_allocate(void *charge, int count, int size)
{
	return bspi_charged_take(charge, (size_t)count, (size_t)size);
}

static bool begin_bzip2(bspi_unpacker *u)
{
	u->state.bzip2 = (bz_stream){
		.bzalloc = bzip2_allocate, .bzfree = bspi_charged_give, .opaque = u->charge,
	};
	return BZ2_bzDecompressInit(&u->state.bzip2, 0, 0) == BZ_OK;
}

static step run_bzip2(bspi_unpacker *u, window *w)
{
	bz_stream *b = &u->state.bzip2;
	unsigned in = part(w->in_size), out = part(w->out_size);
	b->next_in = (char *)(uintptr_t)w->in;
	b->avail_in = in;
	b->next_out = (char *)w->out;
	b->avail_out = out;
	int result = BZ2_bzDecompress(b);
	w->in_size -= in - b->avail_in;
	w->out_size -= out - b->avail_out;
	return result == BZ_STREAM_END ? STEP_END : result == BZ_OK ? STEP_ON : STEP_BAD;
}

static void end_bzip2(bspi_unpacker *u)
{
	BZ2_bzDecompressEnd(&u->state.bzip2);
}
#endif

/* ---- liblzma ---------------------------------------------------------------------------------------------- */

/* Reads the version and the size of the properties (two bytes each), and the properties. The decoder's first input is a
 * header that is made here from them. */
static bool begin_lzma(bspi_unpacker *u)
{
	uint8_t head[4 + BSPI_LZMA_PROPERTIES];
	u->state.lzma = (lzma_stream)LZMA_STREAM_INIT;
	u->lzma_memory = bspi_lzma_allocator(u->charge);
	u->state.lzma.allocator = &u->lzma_memory;
	for (size_t done = 0, got; done < sizeof head; done += got) {
		got = u->read(u->user, head + done, sizeof head - done);
		if (!got || got > sizeof head - done) return false;
	}
	if (bspi_load_u16(head + 2) != BSPI_LZMA_PROPERTIES) return false;
	bspi_lzma_header(u->input, head + 4, u->size);
	u->in_size = BSPI_LZMA_HEADER;
	uint64_t dictionary = u->size < LARGEST_DICTIONARY ? u->size : LARGEST_DICTIONARY;
	return lzma_alone_decoder(&u->state.lzma, bspi_lzma_memory(dictionary)) == LZMA_OK;
}

static bool begin_lzma_alone(bspi_unpacker *u)
{
	u->state.lzma = (lzma_stream)LZMA_STREAM_INIT;
	u->lzma_memory = bspi_lzma_allocator(u->charge);
	u->state.lzma.allocator = &u->lzma_memory;
	return lzma_alone_decoder(&u->state.lzma, bspi_lzma_memory(LARGEST_DICTIONARY)) == LZMA_OK;
}

static step run_lzma(bspi_unpacker *u, window *w)
{
	lzma_stream *lzma = &u->state.lzma;
	lzma->next_in = w->in;
	lzma->avail_in = w->in_size;
	lzma->next_out = w->out;
	lzma->avail_out = w->out_size;
	lzma_ret result = lzma_code(lzma, LZMA_RUN);
	w->in_size = lzma->avail_in;
	w->out_size = lzma->avail_out;
	return result == LZMA_STREAM_END ? STEP_END : result == LZMA_OK || result == LZMA_BUF_ERROR ? STEP_ON : STEP_BAD;
}

static void end_lzma(bspi_unpacker *u)
{
	lzma_end(&u->state.lzma);
}

/* xz has frames of its own. Several of them may follow each other. */
static bool begin_xz(bspi_unpacker *u)
{
	u->state.lzma = (lzma_stream)LZMA_STREAM_INIT;
	u->lzma_memory = bspi_lzma_allocator(u->charge);
	u->state.lzma.allocator = &u->lzma_memory;
	return lzma_stream_decoder(&u->state.lzma, LARGEST_XZ_MEMORY, 0) == LZMA_OK;
}

/* ---- libzstd ---------------------------------------------------------------------------------------------- */

#ifdef BSPI_HAVE_ZSTD
/* Charges the memory for a frame. libzstd has no stable hooks, so this happens before the decoder sees the frame's
 * header. */
static bool charge_zstd(bspi_unpacker *u, uint64_t size)
{
	if (!bspi_charge_take(u->charge, size)) return false;
	u->state.zstd.charged += size;
	return true;
}

static bool begin_zstd(bspi_unpacker *u)
{
	u->state.zstd.context = NULL;
	u->state.zstd.charged = 0;
	BSPI_TRY(gather(u, BSPI_ZSTD_HEADER));
	const bspi_bytes header = bspi_bytes_of(u->input + u->in_at, u->in_size - u->in_at);
	BSPI_TRY(charge_zstd(u, BSPI_ZSTD_CONTEXT + bspi_zstd_memory(header)));
	u->state.zstd.context = ZSTD_createDCtx();
	return u->state.zstd.context != NULL;
}

static step run_zstd(bspi_unpacker *u, window *w)
{
	ZSTD_inBuffer in = { w->in, w->in_size, 0 };
	ZSTD_outBuffer out = { w->out, w->out_size, 0 };
	size_t result = ZSTD_decompressStream(u->state.zstd.context, &out, &in);
	w->in_size -= in.pos;
	w->out_size -= out.pos;
	/* A later version of libzstd may need more than was charged. */
	uint64_t held = ZSTD_sizeof_DCtx(u->state.zstd.context), charged = u->state.zstd.charged;
	if (held > charged && !charge_zstd(u, held - charged)) return STEP_BAD;
	return result == 0 ? STEP_END : ZSTD_isError(result) ? STEP_BAD : STEP_ON;
}

static void end_zstd(bspi_unpacker *u)
{
	ZSTD_freeDCtx(u->state.zstd.context);
	bspi_charge_give(u->charge, u->state.zstd.charged);
	u->state.zstd.context = NULL;
	u->state.zstd.charged = 0;
}
#endif

/* ---- Encrypted maps --------------------------------------------------------------------------------------- */

static bool begin_key(bspi_unpacker *u)
{
	while (u->in_size < KEY_AT + KEY_SIZE) {
		size_t most = KEY_AT + KEY_SIZE - u->in_size, got = u->read(u->user, u->input + u->in_size, most);
		if (!got || got > most) return false;
		u->in_size += got;
	}
	memcpy(u->state.key.bytes, u->input + KEY_AT, KEY_SIZE);
	u->state.key.at = 0;
	return true;
}

static step run_key(bspi_unpacker *u, window *w)
{
	if (!w->in_size) return STEP_END;
	for (; w->in_size && w->out_size; w->in_size--, w->out_size--) {
		*w->out++ = *w->in++ ^ u->state.key.bytes[u->state.key.at++ % KEY_SIZE];
	}
	return STEP_ON;
}

static void end_key(bspi_unpacker *u)
{
	memset(&u->state.key, 0, sizeof u->state.key);
}

static bool is_keyed(bspi_bytes head)
{
	static const uint8_t magic[4] = { 'V', 'B', 'S', 'P' };
	if (head.size < KEY_AT + KEY_SIZE || !memcmp(head.data, magic, sizeof magic)) return false;
	return (bspi_load_u32(head.data) ^ bspi_load_u32(head.data + KEY_AT)) == bspi_load_u32(magic);
}

/* ---- Main loop -------------------------------------------------------------------------------------------- */

static const decoder decoders[] = {
	[BSPI_PACKING_DEFLATE] = { begin_deflate, run_zlib, end_zlib, "deflate", { 0 }, 0 },
	[BSPI_PACKING_GZIP] = { begin_gzip, run_zlib, end_zlib, "gzip", { 0x1f, 0x8b }, 2 },
#ifdef BSPI_HAVE_BZIP2
	[BSPI_PACKING_BZIP2] = { begin_bzip2, run_bzip2, end_bzip2, "bzip2", { 'B', 'Z', 'h' }, 3 },
#else
	[BSPI_PACKING_BZIP2] = { NULL, NULL, NULL, "bzip2", { 'B', 'Z', 'h' }, 3 },
#endif
	[BSPI_PACKING_XZ] = { begin_xz, run_lzma, end_lzma, "xz", { 0xfd, '7', 'z', 'X', 'Z', 0 }, 6 },
#ifdef BSPI_HAVE_ZSTD
	[BSPI_PACKING_ZSTD] = { begin_zstd, run_zstd, end_zstd, "Zstandard", { 0x28, 0xb5, 0x2f, 0xfd }, 4 },
#else
	[BSPI_PACKING_ZSTD] = { NULL, NULL, NULL, "Zstandard", { 0x28, 0xb5, 0x2f, 0xfd }, 4 },
#endif
	[BSPI_PACKING_LZMA] = { begin_lzma_alone, run_lzma, end_lzma, "LZMA", { 0 }, 0 },
	[BSPI_PACKING_ZIP_LZMA] = { begin_lzma, run_lzma, end_lzma, "LZMA", { 0 }, 0 },
	[BSPI_PACKING_KEYED] = { begin_key, run_key, end_key, "Tactical Intervention's key", { 0 }, 0 },
};
enum { DECODER_COUNT = sizeof decoders / sizeof *decoders };

bspi_packing bspi_packing_of(bspi_bytes head)
{
	for (int i = 0; i < DECODER_COUNT; i++) {
		size_t size = decoders[i].magic_size;
		if (size && head.size >= size && !memcmp(head.data, decoders[i].magic, size)) return (bspi_packing)i;
	}
	return is_keyed(head) ? BSPI_PACKING_KEYED : BSPI_PACKING_NONE;
}

const char *bspi_packing_name(bspi_packing packing)
{
	return decoders[packing].name ? decoders[packing].name : "nothing";
}

bool bspi_packing_known(bspi_packing packing)
{
	return packing == BSPI_PACKING_NONE || decoders[packing].begin;
}

bspi_unpacker *bspi_unpacker_create(bspi_charge *charge, bspi_packing packing, uint64_t size, bspscene_read_fn *read,
                                    void *user)
{
	if (!decoders[packing].begin) return NULL;
	bspi_unpacker *u = bspi_charged_take(charge, 1, sizeof *u);
	if (!u) return NULL;
	u->charge = charge;
	u->decoder = &decoders[packing];
	u->read = read;
	u->user = user;
	u->size = size;
	u->begun = false;
	u->ended = u->failed = u->input_ended = false;
	u->in_at = u->in_size = 0;
	return u;
}

/* Begins the next stream in the file, if there is one. Parallel packers write several streams in a row. Other data
 * after a stream is ignored. */
static bool begin_next(bspi_unpacker *u)
{
	const decoder *d = u->decoder;
	u->ended = true;
	if (!d->magic_size) return true;
	if (!fill(u)) return false;
	size_t left = u->in_size - u->in_at, compared = left < d->magic_size ? left : d->magic_size;
	if (!left || memcmp(u->input + u->in_at, d->magic, compared) != 0) return true;
	d->end(u);
	u->ended = false;
	return d->begin(u);
}

/* Lets the decoder do a step. True if it consumed or produced something, or if it reached the end. */
static bool advance(bspi_unpacker *u, uint8_t **data, size_t *left)
{
	if (!fill(u)) return false;
	window w = { u->input + u->in_at, u->in_size - u->in_at, *data, *left };
	step result = u->decoder->run(u, &w);
	bool moved = w.out_size < *left || w.in_size < u->in_size - u->in_at;
	u->in_at = u->in_size - w.in_size;
	*data += *left - w.out_size;
	*left = w.out_size;
	if (result == STEP_END) return begin_next(u);
	return result == STEP_ON && moved;
}

size_t bspi_unpacker_read(bspi_unpacker *u, void *data, size_t size)
{
	uint8_t *out = data;
	size_t left = size;
	if (!u->begun) {
		u->begun = true;
		u->failed = !u->decoder->begin(u);
	}
	while (left && !u->ended && !u->failed) u->failed = !advance(u, &out, &left);
	return u->failed ? SIZE_MAX : size - left;
}

void bspi_unpacker_free(bspi_unpacker *u)
{
	if (!u) return;
	if (u->begun) u->decoder->end(u);
	bspi_charged_give(u->charge, u);
}

void bspi_close_unpacking(void *unpacking)
{
	bspi_unpacking *u = unpacking;
	u->close(u);
}

bspi_charge *bspi_charge_of_stream(const bspscene_stream *stream)
{
	return stream->close == bspi_close_unpacking ? &((bspi_unpacking *)stream->user)->charge : NULL;
}
