# The library as one WebAssembly module with what engine.mjs calls (native/web), for browsers and node.
#
#     emcmake cmake -S scripts/bundle -B DIR -G Ninja -DBUNDLE_SOURCES=DIR
list(FILTER cli_sources EXCLUDE REGEX "/main\\.c$")
# An archive, so that only those are linked that `info --json` needs.
add_library(web_cli STATIC ${cli_sources})
target_compile_definitions(web_cli PRIVATE _XOPEN_SOURCE=700)
target_compile_options(web_cli PRIVATE ${bundle_options} -ffp-contract=off)
target_include_directories(web_cli PRIVATE ${product}/native ${product}/native/include ${bundle_include_dirs})

add_executable(bspscene_core ${product}/native/web/web.c ${objects})
target_compile_options(bspscene_core PRIVATE ${bundle_options} -ffp-contract=off)
target_include_directories(bspscene_core PRIVATE ${product}/native ${product}/native/include ${bundle_include_dirs})
target_link_libraries(bspscene_core PRIVATE web_cli)
# What engine.mjs calls of the library itself.
file(STRINGS ${product}/native/web/exports.txt exports REGEX "^[a-z]")
list(TRANSFORM exports PREPEND _)
list(JOIN exports , exports)
set_target_properties(bspscene_core PROPERTIES SUFFIX .mjs LINK_DEPENDS ${product}/native/web/exports.txt)
target_link_options(bspscene_core PRIVATE -Oz -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=worker -sALLOW_MEMORY_GROWTH=1
	-sMAXIMUM_MEMORY=4GB -sINVOKE_RUN=0 -sEXIT_RUNTIME=0 -sDYNAMIC_EXECUTION=0 -sABORTING_MALLOC=0 -sFORCE_FILESYSTEM=1
	-sEXPORTED_FUNCTIONS=${exports},_malloc,_free -sEXPORTED_RUNTIME_METHODS=FS,UTF8ToString)
install(FILES $<TARGET_FILE:bspscene_core> $<TARGET_FILE_DIR:bspscene_core>/bspscene_core.wasm DESTINATION web)
