/* hash.h - by what files are found again, whatever their names. Not part of bspscene.h: only hosts that keep
 * collections need it. */
#ifndef BSPSCENE_HASH_H
#define BSPSCENE_HASH_H

#include <bspscene/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* SHA-256 of bytes as 64 lower-case hex digits, as bspscene_identity has it of a map. `data` may be NULL when `size` is
 * 0. */
BSPSCENE_API void bspscene_hash_bytes(const void *data, size_t size, char out[65]);

#ifdef __cplusplus
}
#endif
#endif
