# Functions that build the parts of the bundle: objects of one dependency each, collected in the list bundle_parts.
set(bundle_parts "")
set(bundle_config ${CMAKE_CURRENT_SOURCE_DIR}/config)
set(bundle_made ${CMAKE_CURRENT_BINARY_DIR}/made)
# Symbols are hidden, functions have sections of their own, and paths are left out, so that builds are reproducible.
set(bundle_options -w -fvisibility=hidden -ffunction-sections -fdata-sections
	-ffile-prefix-map=${BUNDLE_SOURCES}/= -ffile-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/../../=)

# bundle_source(VARIABLE PATTERN): the path of the only unpacked folder of that name.
function(bundle_source variable pattern)
	file(GLOB found LIST_DIRECTORIES true ${BUNDLE_SOURCES}/${pattern} ${BUNDLE_TEST_SOURCES}/${pattern})
	list(FILTER found EXCLUDE REGEX "\\.(xz|gz|bz2|asc|dsc)$")
	list(LENGTH found count)
	if(NOT count EQUAL 1)
		message(FATAL_ERROR "${BUNDLE_SOURCES}/${pattern}: ${count} folders, expected one")
	endif()
	set(${variable} ${found} PARENT_SCOPE)
endfunction()

# bundle_part(NAME SOURCES...): compiles sources to the objects NAME with bundle_options and without C++ exceptions.
# config/NAME is first in the include path.
function(bundle_part name)
	add_library(${name} OBJECT ${ARGN})
	target_compile_options(${name} PRIVATE ${bundle_options}
		$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics>)
	target_include_directories(${name} PRIVATE ${bundle_config}/${name} ${bundle_made} ${zlib})
	set(bundle_parts ${bundle_parts} ${name} PARENT_SCOPE)
endfunction()

# bundle_names(VARIABLE FOLDER NAME...): the list of FOLDER/NAME.c.
function(bundle_names variable folder)
	set(${variable} ${ARGN})
	list(TRANSFORM ${variable} PREPEND ${folder}/)
	list(TRANSFORM ${variable} APPEND .c)
	set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()
