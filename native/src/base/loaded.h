/* loaded.h - functions of optional libraries by their names: linked, or loaded when the first of them is needed, where
 * a library takes longer to load than most commands run.
 *
 *     #define FUNCTIONS(FUNCTION) FUNCTION(one) FUNCTION(other)
 *     typedef struct some_library { FUNCTIONS(BSPI_FUNCTION_POINTER) } some_library;
 *     *out = (some_library){ FUNCTIONS(BSPI_FUNCTION_LINKED) };
 *     static const bspi_loaded_function functions[] = { FUNCTIONS(BSPI_FUNCTION_NAMED) }; (in their order) */
#ifndef BSPI_LOADED_H
#define BSPI_LOADED_H

#include <stdbool.h>
#include <stddef.h>

typedef const char *bspi_loaded_function;

#define BSPI_FUNCTION_POINTER(name) __typeof__(&name) name;
#define BSPI_FUNCTION_LINKED(name) .name = name,
#define BSPI_FUNCTION_NAMED(name) #name,

/* Loads the library and fills `out`, a struct of function pointers. False: the library or one of them is missing. It
 * stays loaded until the program ends, so nobody counts its users. */
bool bspi_load_functions(const char *library, const bspi_loaded_function *functions, size_t count, void *out);

#endif
