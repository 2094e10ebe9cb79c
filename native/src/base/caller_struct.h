/* caller_struct.h - structs of callers that were compiled with any version of the headers. bspscene_struct_read
 * (binding.h) reads such a struct. */
#ifndef BSPI_CALLER_STRUCT_H
#define BSPI_CALLER_STRUCT_H

#include <bspscene/common.h>

/* Returns the offset of the end of a member, in bytes. If `member` was the last one when the struct was first
 * published with this SOVERSION, this is the smallest size that a caller's struct can have. */
#define BSPI_END_OF(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* Larger values of struct_size are not sizes. (A program that does not set it may have a pointer there.) Such a struct
 * must not be accessed. */
#define BSPI_LARGEST_STRUCT 4096

/* Copies `size` bytes of our struct into a caller's struct, as far as they fit. The first member of the caller's struct
 * is struct_size, which is not changed. Zeroes the rest of the caller's struct. Writes nothing if struct_size is not
 * valid. Returns the number of copied bytes. */
size_t bspi_give_struct(void *to, const void *from, size_t size);

#endif
