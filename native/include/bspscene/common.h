/* common.h - Version, errors, warnings, allocators and thread pools. */
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

/** The index of nothing: no mesh, no material, no page, no leaf, no parent. */
#define BSPSCENE_NO_INDEX 0xffffffffu

/* ---- Memory and threads ----------------------------------------------------------------------------------- */

/** A source of memory, in place of malloc and free. Frozen.
 *
 * - Calls run in the thread of the function that got the allocator. A function that starts threads (its `threads`
 *   option) may call from any of them, one at a time.
 * - A function returns all its memory before it ends. The memory of a scene is returned by bspscene_scene_free.
 * - If `allocate` fails once, the function fails with BSPSCENE_ERROR_OUT_OF_MEMORY.
 *
 * libpng, zlib, liblzma, libbz2 and stb_image_write use the allocator too. TurboJPEG, stb_image, libzstd, OpenEXR,
 * jansson, libwebp, meshoptimizer and qsort have no hook and use malloc while they run. Embree uses malloc for the life
 * of a renderer. */
typedef struct bspscene_allocator {
	void *(*allocate)(void *user, size_t size); /**< Returns `size` bytes (1 or more), aligned as malloc does, or
	                                    * NULL. */
	void (*release)(void *user, void *data); /**< Frees what `allocate` returned. `data` is never NULL. */
	void *user;                        /**< Passed to both functions. */
} bspscene_allocator;

/** One piece of work, with its number. */
typedef void bspscene_work_fn(void *data, uint32_t number);

/** Threads of the host, in place of the library's own. Results do not depend on the pool. Frozen. */
typedef struct bspscene_thread_pool {
	/** Calls work(data, 0) to work(data, count - 1) once each, in any order and in any threads, and returns when all
	 * calls have returned. No call waits for another. */
	void (*run)(void *user, uint32_t count, bspscene_work_fn *work, void *data);
	void *user;                        /**< Passed to `run`. */
} bspscene_thread_pool;

/* ---- Errors and warnings ---------------------------------------------------------------------------------- */

/** Why a call failed. */
typedef enum bspscene_status {
	BSPSCENE_OK = 0,
	BSPSCENE_ERROR_OUT_OF_MEMORY,      /**< The system or the allocator had no memory left. */
	BSPSCENE_ERROR_LIMIT,              /**< `allocation_limit` or a built-in limit was reached. */
	BSPSCENE_ERROR_CANCELED,           /**< The progress callback canceled the call. */
	BSPSCENE_ERROR_BAD_OPTIONS,        /**< `struct_size` or a field of an options struct is not valid. */
	BSPSCENE_ERROR_NOT_FOUND,          /**< The file does not exist. */
	BSPSCENE_ERROR_IO,                 /**< Reading or writing failed: no permission, a directory, a full disk. */
	BSPSCENE_ERROR_UNKNOWN_FORMAT,     /**< The file is not a map, image or archive. The message says what was found. */
	BSPSCENE_ERROR_UNSUPPORTED_FORMAT, /**< The format is known but cannot be read (Q3Test, Quake 64). */
	BSPSCENE_ERROR_BAD_HEADER,         /**< The header or the lump directory is truncated or inconsistent. */
	BSPSCENE_ERROR_BAD_LUMP,           /**< A lump lies outside the file or cannot be used at all. */
	BSPSCENE_ERROR_BAD_DATA,           /**< An image is damaged, edited light or entities are not valid, or, with
	                                    * `strict`, a record needs a repair. */
	BSPSCENE_ERROR_MEMORY_LIMIT,       /**< `memory_limit` was reached. A larger limit may help. */
	BSPSCENE_ERROR_OUTPUT_LIMIT,       /**< `output_limit` was reached. A larger limit may help. */
	BSPSCENE_ERROR_OTHER_MAP,          /**< The edited light or entities belong to another map. */
	BSPSCENE_ERROR_FORCE_32BIT = 0x7fffffff
} bspscene_status;

/** The reason of a failure, filled by every call that takes one. Frozen. */
typedef struct bspscene_error {
	bspscene_status status;            /**< What failed. */
	uint32_t record;                   /**< Number of the record in its lump, or BSPSCENE_NO_INDEX. */
	uint64_t offset;                   /**< Byte offset in the file, or UINT64_MAX. */
	char lump[32];                     /**< Name of the lump, or "". */
	char message[480];                 /**< One line without a newline, such as
	                                    * "a.bsp: face 812: it uses plane 9041, but there are 512 (offset 0x1f3a8)". */
} bspscene_error;

/** What was repaired or left out. */
typedef enum bspscene_warning_code {
	BSPSCENE_WARNING_LUMP_TAIL,        /**< A lump is not a multiple of its record size. The tail was dropped. */
	BSPSCENE_WARNING_LUMP_BAD,         /**< An optional lump (vis, light grid, BSPX) was inconsistent and left out. */
	BSPSCENE_WARNING_FACE_DROPPED,     /**< A face had indices, counts or positions out of range. */
	BSPSCENE_WARNING_TRIANGLE_DROPPED, /**< A triangle named vertices that its face does not have. */
	BSPSCENE_WARNING_REFERENCE,        /**< An index out of range was replaced by a neutral one. */
	BSPSCENE_WARNING_LIGHTMAP,         /**< Light data was out of range or inconsistent. The message says what is
	                                    * shown instead. */
	BSPSCENE_WARNING_TEXT,             /**< Text was not UTF-8, or the entity text does not end properly. */
	BSPSCENE_WARNING_TREE,             /**< Nodes or leaves do not form a tree. */
	BSPSCENE_WARNING_FILE_MISSING,     /**< A sibling file (lightmap, WAD, palette) was not found. */
	BSPSCENE_WARNING_FILE_STALE,       /**< A sibling file belongs to another build of the map. */
	BSPSCENE_WARNING_TEXTURE_MISSING,  /**< A texture was not found. A fallback is shown. */
	BSPSCENE_WARNING_IMAGE_BAD,        /**< An image could not be decoded. */
	BSPSCENE_WARNING_SHADER_BAD,       /**< A material script could not be read to its end. */
	BSPSCENE_WARNING_NAME_UNSAFE,      /**< A path had "..", a drive or a root and was not opened. */
	BSPSCENE_WARNING_LIMIT,            /**< Something optional was cut to a limit (patch level, page size). */
	BSPSCENE_WARNING_MODEL_BAD,        /**< A model could not be read, or only in part. */
	BSPSCENE_WARNING_UNSUPPORTED,      /**< The file has a feature that is not read. The message names it. */
	BSPSCENE_WARNING_FORCE_32BIT = 0x7fffffff
} bspscene_warning_code;

/** One occurrence of a warning. Unknown numbers are BSPSCENE_NO_INDEX or UINT64_MAX. */
typedef struct bspscene_occurrence {
	const char *message;               /**< One line, such as "face 812: it uses plane 9041, but there are 512". */
	uint64_t offset;                   /**< Byte offset in the file. */
	uint32_t record;                   /**< Number of the record in the lump. */
	uint32_t entity;                   /**< Index of the entity, in the file and in the scene. */
	uint32_t face;                     /**< Number of the face in the file, as bspscene_face.record. */
} bspscene_occurrence;

/** All occurrences of one warning code in one lump. */
typedef struct bspscene_warning {
	bspscene_warning_code code;        /**< What was repaired. */
	uint32_t count;                    /**< Number of occurrences. */
	const char *lump;                  /**< "faces", or a kind of file ("textures"), or "". */
	const char *message;               /**< Message of the first occurrence. */
	const bspscene_occurrence *const *occurrences; /**< The first occurrences in order, at least one. All warnings of
	                                    * a load together keep BSPSCENE_MAX_OCCURRENCES, not counting the first of
	                                    * each. */
	uint32_t occurrence_count;         /**< Entries of `occurrences`. */
} bspscene_warning;

/** Number of occurrences that a load keeps, in addition to the first one of each warning. */
#define BSPSCENE_MAX_OCCURRENCES 1024

/** Returns the name of a warning code, such as "face-dropped", or "unknown". The string is static. */
BSPSCENE_API const char *bspscene_warning_name(bspscene_warning_code code);

/** Returns the name of a status, such as "bad-lump", or "unknown". The string is static. */
BSPSCENE_API const char *bspscene_status_name(bspscene_status status);

/** Makes a string safe for a terminal, in place. The string becomes one line of UTF-8 and never grows.
 *
 * Bytes that are not UTF-8, control characters, line separators and marks that change the writing direction become
 * '?'. Error and warning messages are safe already. */
BSPSCENE_API void bspscene_sanitize_text(char *text);

#ifdef __cplusplus
}
#endif
#endif
