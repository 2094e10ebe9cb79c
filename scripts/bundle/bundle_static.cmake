# The static library: all objects joined to one that exports only our functions. So programs may have their own zlib,
# libpng or operator new. Not for macOS, because no other system has a tool that joins its objects.
add_library(bspscene_objects STATIC EXCLUDE_FROM_ALL ${objects} $<TARGET_OBJECTS:no_cxx_runtime>)
set(joined ${CMAKE_CURRENT_BINARY_DIR}/bspscene_joined.o)
separate_arguments(compiler UNIX_COMMAND "${CMAKE_C_COMPILER} ${CMAKE_C_COMPILER_ARG1}")
# Section groups are removed, because a linker would merge ours with groups of the same name in the program, and then
# miss members that only ours have.
set(ungroup_linking "")
set(ungroup_copying "")
set(runtime "")
if(WIN32)
	set(runtime -l:libssp.a) # what -fstack-protector calls; programs may be linked without it
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
# Leaves the time and the user of the build out of archives.
set(CMAKE_C_ARCHIVE_CREATE "<CMAKE_AR> qcD <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_C_ARCHIVE_FINISH "<CMAKE_RANLIB> -D <TARGET>")
add_library(bspscene_static STATIC ${joined})
set_target_properties(bspscene_static PROPERTIES OUTPUT_NAME bspscene EXPORT_NAME static LINKER_LANGUAGE C PREFIX lib)
target_link_libraries(bspscene_static PRIVATE ${bundle_libraries})
