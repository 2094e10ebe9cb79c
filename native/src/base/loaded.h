/* loaded.h - tables of the functions of optional libraries. The functions are linked, or they are loaded by name on
 * first use if loading the library takes longer than most commands.
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

/* Loads the library and fills `out`, a struct of function pointers. False if the library or a function is missing. The
 * library is never unloaded. */
bool bspi_load_functions(const char *library, const bspi_loaded_function *functions, size_t count, void *out);

#endif
