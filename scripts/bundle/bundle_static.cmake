# The static library: all objects joined to one, in which nothing has a name for others but our functions. Programs may
# have a zlib or libpng of their own then, and keep their own operator new. Not of macOS: what joins its objects is on
# no other system.
add_library(bspscene_objects STATIC EXCLUDE_FROM_ALL ${objects} $<TARGET_OBJECTS:no_cxx_runtime>)
set(joined ${CMAKE_CURRENT_BINARY_DIR}/bspscene_joined.o)
separate_arguments(compiler UNIX_COMMAND "${CMAKE_C_COMPILER} ${CMAKE_C_COMPILER_ARG1}")
# A linker would take a program's group of functions of the same name for ours, and then miss what is in ours alone.
set(ungroup_linking "")
set(ungroup_copying "")
set(runtime "")
if(WIN32)
	set(runtime -l:libssp.a) # of -fstack-protector, which a program may be linked without
endif()
if(CMAKE_C_COMPILER_ID STREQUAL Clang)
	set(ungroup_copying --remove-section=.group)
elseif(NOT WIN32)
	set(ungroup_linking -Wl,--force-group-allocation)
endif()
add_custom_command(OUTPUT ${joined}
	COMMAND ${compiler} -r -nostdlib -o ${joined} ${ungroup_linking}
		-Wl,--whole-archive $<TARGET_FILE:bspscene_objects> -Wl,--no-whole-archive ${runtime}
	COMMAND ${CMAKE_OBJCOPY} --strip-debug --wildcard --keep-global-symbol=bspscene_* ${ungroup_copying} ${joined}
	DEPENDS bspscene_objects VERBATIM)
set_source_files_properties(${joined} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
# Archives without the time and the user of the build.
set(CMAKE_C_ARCHIVE_CREATE "<CMAKE_AR> qcD <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_C_ARCHIVE_FINISH "<CMAKE_RANLIB> -D <TARGET>")
add_library(bspscene_static STATIC ${joined})
set_target_properties(bspscene_static PROPERTIES OUTPUT_NAME bspscene EXPORT_NAME static LINKER_LANGUAGE C PREFIX lib)
target_link_libraries(bspscene_static PRIVATE ${bundle_libraries})
