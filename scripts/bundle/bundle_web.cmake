# The library as WebAssembly for browsers and node, with the functions that engine.mjs calls (native/web): a module that
# shows maps, and a second one with the rest, which is loaded when it is first called.
#
#     emcmake cmake -S scripts/bundle -B DIR -G Ninja -DBUNDLE_SOURCES=DIR
find_package(Python3 REQUIRED COMPONENTS Interpreter)
list(FILTER cli_sources EXCLUDE REGEX "/main\\.c$")
# An archive, so that only the objects that `info --json` needs are linked.
add_library(web_cli STATIC ${cli_sources})
target_compile_definitions(web_cli PRIVATE _XOPEN_SOURCE=700)
target_compile_options(web_cli PRIVATE ${bundle_options} -ffp-contract=off)
target_include_directories(web_cli PRIVATE ${product}/native ${product}/native/include ${bundle_include_dirs})

# These files of the renderer choose which part of a map is shown in views from above.
file(GLOB s ${product}/native/render/overview/*.c)
bundle_part(web_shown ${product}/native/web/web.c ${s})
target_compile_options(web_shown PRIVATE -ffp-contract=off)
target_include_directories(web_shown PRIVATE ${product}/native ${product}/native/include ${product}/native/render
	${product}/native/render/include)

# Functions of the library that engine.mjs calls.
file(STRINGS ${product}/native/web/exports.txt exports REGEX "^[a-z]")
list(TRANSFORM exports PREPEND _)

# web_module(TARGET EXPORTS): links a module with these functions. It keeps function names for split_web.py.
function(web_module target exports)
	list(JOIN exports , exports)
	target_sources(${target} PRIVATE ${objects} $<TARGET_OBJECTS:web_shown>)
	set_target_properties(${target} PROPERTIES SUFFIX .mjs LINK_DEPENDS ${product}/native/web/exports.txt)
	target_link_options(${target} PRIVATE -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=worker -sALLOW_MEMORY_GROWTH=1
		-sMAXIMUM_MEMORY=4GB -sINVOKE_RUN=0 -sEXIT_RUNTIME=0 -sDYNAMIC_EXECUTION=0 -sABORTING_MALLOC=0
		-sFORCE_FILESYSTEM=1 -sEXPORTED_FUNCTIONS=${exports},_malloc,_free -sEXPORTED_RUNTIME_METHODS=FS,UTF8ToString
		--profiling-funcs)
endfunction()

add_executable(bspscene_core ${product}/native/web/web_files.c)
target_compile_options(bspscene_core PRIVATE ${bundle_options} -ffp-contract=off)
target_include_directories(bspscene_core PRIVATE ${product}/native ${product}/native/include ${bundle_include_dirs})
target_link_libraries(bspscene_core PRIVATE web_cli)
target_link_options(bspscene_core PRIVATE -Oz)
web_module(bspscene_core "${exports}")

# Links a module that has only the functions for showing maps, so that split_web.py finds out which these are.
# bspscene_writers is left out here, because it would link all writers. split_web.py puts it into the first module by
# its name, because it is called at the start.
set(table bspscene_writers)
list(REMOVE_ITEM exports _${table})
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/nothing.c "")
add_executable(bspscene_shown ${CMAKE_CURRENT_BINARY_DIR}/nothing.c)
web_module(bspscene_shown "${exports}")

set(web ${CMAKE_CURRENT_BINARY_DIR}/web)
set(split ${product}/scripts/lib/split_web.py)
add_custom_command(OUTPUT ${web}/bspscene_core.wasm ${web}/bspscene_files.wasm
	COMMAND Python3::Interpreter ${split} $<TARGET_FILE_DIR:bspscene_core>/bspscene_core.wasm
	$<TARGET_FILE_DIR:bspscene_shown>/bspscene_shown.wasm ${web} ${table}
	DEPENDS bspscene_core bspscene_shown ${split} VERBATIM)
add_custom_target(web_modules ALL DEPENDS ${web}/bspscene_core.wasm)
install(FILES $<TARGET_FILE:bspscene_core> ${web}/bspscene_core.wasm ${web}/bspscene_files.wasm DESTINATION web)
