/* common.h - version, errors and warnings: what all of bspscene's headers use. */
#ifndef BSPSCENE_COMMON_H
#define BSPSCENE_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BSPSCENE_VERSION_MAJOR 0
#define BSPSCENE_VERSION_MINOR 9
#define BSPSCENE_VERSION_PATCH 0
#define BSPSCENE_VERSION_STRING "0.9.0"

#if defined(_WIN32) && defined(BSPSCENE_SHARED)
	#ifdef BSPSCENE_BUILDING
		#define BSPSCENE_API __declspec(dllexport)
	#else
		#define BSPSCENE_API __declspec(dllimport)
	#endif
#elif defined(__GNUC__)
	#define BSPSCENE_API __attribute__((visibility("default")))
#else
	#define BSPSCENE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* "No such thing": the absence of a mesh, material, page, leaf, parent, ... */
#define BSPSCENE_NO_INDEX 0xffffffffu

/* Where memory comes from: malloc and free, or an allocator of the caller. What a call takes by it goes back before
 * the call returns, and a scene's memory when bspscene_scene_free is called; both in the thread of that call, or, while
 * it works in several (`threads` of its options), in one of these at a time. A call to which it gave NULL once ends in
 * BSPSCENE_ERROR_OUT_OF_MEMORY.
 *
 * All that this library takes itself goes through it, and what libpng, zlib, liblzma and libbz2 take for it. These have
 * no such hook, and use malloc while they decode or encode one picture or document: TurboJPEG, stb_image, libzstd,
 * OpenEXR, jansson, libwebp, meshoptimizer; so do functions of the C library (qsort), and Embree while there is a
 * renderer. What bspscene_file_system, a place or the caller's open_file hold is theirs. Frozen. */
typedef struct bspscene_allocator {
	void *(*allocate)(void *user, size_t size); /* 1 byte or more, aligned as malloc does; NULL: there are none */
	void (*release)(void *user, void *data); /* what `allocate` gave; never NULL */
	void *user;
} bspscene_allocator;

/* Threads of a host that has its own, for calls that would start some: `threads` of their options says how many pieces
 * the work is cut into, 0 for one per processor. What comes out does not depend on them. Frozen. */
typedef void bspscene_work_fn(void *data, uint32_t number);
typedef struct bspscene_thread_pool {
	/* Calls work(data, 0) to work(data, count - 1) once each, in threads of its choice, at the same time or one after
	 * the other, and returns when all of them have returned. None waits for another one. */
	void (*run)(void *user, uint32_t count, bspscene_work_fn *work, void *data);
	void *user;
} bspscene_thread_pool;

/* ---- Errors and warnings ---------------------------------------------------------------------------------- */

typedef enum bspscene_status {
	BSPSCENE_OK = 0,
	BSPSCENE_ERROR_OUT_OF_MEMORY,      /* the system or the caller's allocator gave no memory */
	BSPSCENE_ERROR_LIMIT,              /* `allocation_limit` or a built-in bound was reached */
	BSPSCENE_ERROR_CANCELED,          /* the progress callback said so */
	BSPSCENE_ERROR_BAD_OPTIONS,        /* `struct_size` or a value of an options struct is not valid */
	BSPSCENE_ERROR_NOT_FOUND,          /* the named file does not exist */
	BSPSCENE_ERROR_IO,                 /* reading or writing failed (unreadable, a directory, disk full) */
	BSPSCENE_ERROR_UNKNOWN_FORMAT,     /* not a map, not an image, not an archive: the message says what was found */
	BSPSCENE_ERROR_UNSUPPORTED_FORMAT, /* recognised by name, but not read (Q3Test, Quake 64, ...) */
	BSPSCENE_ERROR_BAD_HEADER,         /* header or lump directory cut off or inconsistent */
	BSPSCENE_ERROR_BAD_LUMP,           /* a lump outside the file, or unusable as a whole */
	BSPSCENE_ERROR_BAD_DATA,           /* with `strict`: the first record that would have been repaired */
	BSPSCENE_ERROR_MEMORY_LIMIT,       /* `memory_limit` was reached: a larger one may do */
	BSPSCENE_ERROR_OUTPUT_LIMIT,       /* `output_limit` was reached: a larger one may do */
	BSPSCENE_ERROR_OTHER_MAP,          /* light that is to be written back is that of another map */
	BSPSCENE_ERROR_FORCE_32BIT = 0x7fffffff
} bspscene_status;

/* Filled by every call that takes one (which may be NULL). `message` is one line without a newline:
 * "atrium.bsp: faces: record 812: plane 9041 of 512 (offset 0x1f3a8)". Frozen. */
typedef struct bspscene_error {
	bspscene_status status;
	uint32_t record;                   /* record in the lump, or BSPSCENE_NO_INDEX */
	uint64_t offset;                   /* byte offset in the file, or UINT64_MAX */
	char lump[32];                     /* "" when no lump is to blame */
	char message[480];
} bspscene_error;

typedef enum bspscene_warning_code {
	BSPSCENE_WARNING_LUMP_TAIL,        /* a lump's size is no multiple of its record: the tail was dropped */
	BSPSCENE_WARNING_LUMP_BAD,         /* an optional lump (vis, light grid, BSPX, ...) was inconsistent and left out */
	BSPSCENE_WARNING_FACE_DROPPED,     /* a face with indices, counts or positions out of range */
	BSPSCENE_WARNING_TRIANGLE_DROPPED, /* triangles that name vertices their face does not have */
	BSPSCENE_WARNING_REFERENCE,        /* an index out of range that has a neutral replacement */
	BSPSCENE_WARNING_LIGHTMAP,         /* light data out of range: the face is shown unlit */
	BSPSCENE_WARNING_TEXT,             /* text that was not UTF-8, or entity text that does not close */
	BSPSCENE_WARNING_TREE,             /* nodes or leafs that do not form a tree */
	BSPSCENE_WARNING_FILE_MISSING,     /* a sibling file (external lightmap, WAD, palette, ...) was not found */
	BSPSCENE_WARNING_FILE_STALE,       /* a sibling file does not belong to this build of the map */
	BSPSCENE_WARNING_TEXTURE_MISSING,  /* no image: a stand-in is shown */
	BSPSCENE_WARNING_IMAGE_BAD,        /* an image that could not be decoded */
	BSPSCENE_WARNING_SHADER_BAD,       /* a material script that could not be read to its end */
	BSPSCENE_WARNING_NAME_UNSAFE,      /* a path with "..", a drive or a root: not opened */
	BSPSCENE_WARNING_LIMIT,            /* something optional was cut down to a bound (patch level, page size, ...) */
	BSPSCENE_WARNING_MODEL_BAD,        /* a model that could not be read, or only in part */
	BSPSCENE_WARNING_UNSUPPORTED,      /* a feature of the file that is not read; the message names it */
	BSPSCENE_WARNING_CODE_COUNT,
	BSPSCENE_WARNING_FORCE_32BIT = 0x7fffffff
} bspscene_warning_code;

/* Once that it happened; what is not known is BSPSCENE_NO_INDEX or UINT64_MAX. */
typedef struct bspscene_occurrence {
	const char *message;               /* one line: "faces: record 812: plane 9041 of 512 (offset 0x1f3a8)" */
	uint64_t offset;                   /* byte offset in the file */
	uint32_t record;                   /* record in the lump */
	uint32_t entity;                   /* number in the file's entity text, which is that in the scene */
	uint32_t face;                     /* number in the file's face lump: bspscene_face.source */
} bspscene_occurrence;

/* One per code and lump. */
typedef struct bspscene_warning {
	bspscene_warning_code code;
	uint32_t count;                    /* how often it happened */
	const char *lump;                  /* "faces", or a kind of file ("textures"); "" when none is to blame */
	const char *message;               /* of the first time: occurrences[0].message */
	const bspscene_occurrence *const *occurrences; /* the first ones in order, 1 or more of them; a load keeps up to
	                                         * BSPSCENE_MAX_OCCURRENCES beside the first of each warning */
	uint32_t occurrence_count;
} bspscene_warning;

#define BSPSCENE_MAX_OCCURRENCES 1024

/* "face-dropped" and so on; "unknown" for a value out of range. */
BSPSCENE_API const char *bspscene_warning_name(bspscene_warning_code code);
BSPSCENE_API const char *bspscene_status_name(bspscene_status status);

/* Makes text of a map, or a file's name, one line of UTF-8 that a terminal shows and does not obey, in place and never
 * longer: each byte that is no UTF-8, each control (C0, DEL, C1), line separator and mark that turns the direction of
 * writing becomes '?'. Messages of errors and warnings are so already. */
BSPSCENE_API void bspscene_sanitize_text(char *text);

#ifdef __cplusplus
}
#endif
#endif
