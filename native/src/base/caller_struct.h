/* caller_struct.h - structs that callers hand over, whichever version their header is. What is read of
 * them goes through bspscene_struct_read (binding.h). */
#ifndef BSPI_CALLER_STRUCT_H
#define BSPI_CALLER_STRUCT_H

#include <bspscene/common.h>

/* Where a struct ended when it was first published with this SOVERSION: no caller has less. */
#define BSPI_END_OF(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* No struct of a caller is ever as large: what says so is something else (a pointer, of a program that knows no
 * struct_size), and must be neither read nor written to its end. */
#define BSPI_LARGEST_STRUCT 4096

/* Fills a caller's struct, which begins with its struct_size, with as much as it holds of ours; the rest gets zeroes,
 * and struct_size stays. Nothing is written when that says no size of a struct. Returns the
 * number of our bytes that were written. */
size_t bspi_give_struct(void *to, const void *from, size_t size);

#endif
