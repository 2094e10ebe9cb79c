/* caller_struct.h - structs from callers with any version of the headers. They are read by bspscene_struct_read
 * (binding.h). */
#ifndef BSPI_CALLER_STRUCT_H
#define BSPI_CALLER_STRUCT_H

#include <bspscene/common.h>

/* The end of a member: the smallest size that a caller's struct can have is the one first published with this
 * SOVERSION. */
#define BSPI_END_OF(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* No struct of a caller is as large. A larger struct_size is something else (a pointer, from a program that does not
 * set it), so such a struct must not be accessed. */
#define BSPI_LARGEST_STRUCT 4096

/* Fills a caller's struct, which begins with its struct_size, with as much as it holds of ours; the rest gets zeroes,
 * and struct_size stays. Nothing is written when that says no size of a struct. Returns the
 * number of our bytes that were written. */
size_t bspi_give_struct(void *to, const void *from, size_t size);

#endif
