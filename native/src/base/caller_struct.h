/* caller_struct.h - structs that callers hand over, whichever version of this layout their header is. What is read of
 * them goes through bspscene_struct_read (binding.h). */
#ifndef BSPI_CALLER_STRUCT_H
#define BSPI_CALLER_STRUCT_H

#include <bspscene/common.h>

/* Where a struct ended when it was first published in this layout: no caller of the layout has less. */
#define BSPI_END_OF(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* No struct of a caller is ever as large: what says so is something else (a pointer, of a program that knows no
 * struct_size), and must be neither read nor written to its end. */
#define BSPI_LARGEST_STRUCT 4096

/* Fills a caller's struct of to_size bytes with as much as it holds of ours, the rest with zeroes. */
void bspi_give_struct(void *to, size_t to_size, const void *from, size_t size);
/* False, with `error` set in words, for a program that was compiled for another layout. */
bool bspi_check_layout(uint32_t layout, bspscene_error *error);

#endif
