# SQLite for the program's galleries: one large file that the source package's makefile generates. Adds to cli_objects,
# cli_include_dirs and cli_features.
bundle_source(sqlite "sqlite3-*")
set(sqlite_made ${CMAKE_CURRENT_BINARY_DIR}/sqlite)
file(MAKE_DIRECTORY ${sqlite_made})
add_custom_command(OUTPUT ${sqlite_made}/sqlite3.c ${sqlite_made}/sqlite3.h
	COMMAND make -s -f ${sqlite}/main.mk TOP=${sqlite} BCC=cc sqlite3.c > log.txt
	WORKING_DIRECTORY ${sqlite_made} VERBATIM)
list(APPEND cli_sources ${sqlite_made}/sqlite3.h)

add_library(sqlite OBJECT ${sqlite_made}/sqlite3.c)
target_compile_options(sqlite PRIVATE -w -fvisibility=hidden -ffunction-sections -fdata-sections
	-fstack-protector-strong -ffile-prefix-map=${sqlite_made}/=)
target_compile_definitions(sqlite PRIVATE SQLITE_ENABLE_FTS5 SQLITE_THREADSAFE=0 SQLITE_OMIT_LOAD_EXTENSION
	SQLITE_DEFAULT_MEMSTATUS=0)
set(cli_objects $<TARGET_OBJECTS:sqlite>)
set(cli_include_dirs ${sqlite_made})
set(cli_features CLI_HAVE_SQLITE)
