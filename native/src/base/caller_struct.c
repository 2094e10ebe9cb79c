/* caller_struct.c - copies structs of callers that were compiled with any version of the headers, by their struct_size.
 * See caller_struct.h and bspscene.h on versions. */
#include "base/caller_struct.h"

#include <assert.h>
#include <string.h>

#include <bspscene/binding.h>

#include "base/ctx.h"

bool bspscene_struct_read(void *out, size_t size, size_t least, const void *given, const char *name,
                          bspscene_error *error)
{
	assert(out && given && name && sizeof size <= least && least <= size && size <= BSPI_LARGEST_STRUCT);
	size_t given_size;
	memcpy(&given_size, given, sizeof given_size);
	if (given_size < least || given_size > BSPI_LARGEST_STRUCT) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS,
		                      "%s: struct_size %zu is not a size that this library knows: set it by bspscene_%s_init, "
		                      "in bindings to the result of bspscene_struct_size", name, given_size, name);
	}
	const unsigned char *bytes = given;
	for (size_t i = size; i < given_size; i++) {
		if (bytes[i]) {
			return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS,
			                      "%s: this library (%s) is too old for a member that the caller set: its struct_size "
			                      "is %zu, the caller's %zu", name, BSPSCENE_VERSION_STRING, size, given_size);
		}
	}
	memset(out, 0, size);
	memcpy(out, given, given_size < size ? given_size : size);
	memcpy(out, &size, sizeof size);
	return true;
}

size_t bspi_give_struct(void *to, const void *from, size_t size)
{
	size_t to_size;
	memcpy(&to_size, to, sizeof to_size);
	if (to_size < sizeof to_size || to_size > BSPI_LARGEST_STRUCT) return 0;
	memset(to, 0, to_size);
	memcpy(to, from, to_size < size ? to_size : size);
	memcpy(to, &to_size, sizeof to_size);
	return to_size < size ? to_size : size;
}
