# The unit tests and the golden scenes for the bundle's target, from the objects of the products. The toolchain's
# emulator runs programs that this machine cannot. Target bundle_tests builds them all.
enable_testing()
bundle_source(cmocka "cmocka-*")
set(tests ${product}/tests)

file(GLOB s ${tests}/support/*.c ${tests}/support/*/*.c)
bspscene_for_system(s)
# Compression that only tests need; the product only decompresses.
file(GLOB packers ${zstd}/lib/compress/*.c)
add_library(bundle_support STATIC EXCLUDE_FROM_ALL ${s} ${packers} ${cmocka}/src/cmocka.c ${objects}
	$<TARGET_OBJECTS:no_cxx_runtime>)
target_compile_options(bundle_support PUBLIC -w -ffp-contract=off -ffunction-sections -fdata-sections)
target_compile_definitions(bundle_support PUBLIC HAVE_CONFIG_H BSPT_FIXTURES="${tests}/fixtures"
	BSPT_SOURCE_DIR="${tests}" ${bundle_features})
target_include_directories(bundle_support PUBLIC ${tests} ${product}/native/src ${product}/native/include
	${product}/native ${cmocka}/include ${bundle_config}/cmocka ${bundle_include_dirs})
target_link_libraries(bundle_support PUBLIC ${bundle_libraries})
target_link_options(bundle_support PUBLIC -Wl,--gc-sections $<$<BOOL:${WIN32}>:-static>
	$<$<BOOL:${WIN32}>:-fstack-protector-strong>)

add_custom_target(bundle_tests)
function(bundle_test name source)
	add_executable(${name} EXCLUDE_FROM_ALL ${source})
	target_link_libraries(${name} PRIVATE bundle_support)
	set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
	add_dependencies(bundle_tests ${name})
	add_test(NAME ${name} COMMAND ${name} ${ARGN})
	set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

file(GLOB units ${tests}/unit/*/test_*.c)
if(WIN32)
	# These tests make links, pipes and sockets.
	list(FILTER units EXCLUDE REGEX "/test_files\\.c$")
endif()
foreach(unit IN LISTS units)
	get_filename_component(name ${unit} NAME_WE)
	bundle_test(${name} ${unit})
endforeach()
bundle_test(golden ${tests}/golden/golden.c ${tests}/golden)
bundle_test(rooms ${tests}/golden/rooms.c ${tests}/fixtures)
