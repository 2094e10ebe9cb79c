# Installs the files that all products of scripts/package are made from: bin/, lib/ and include/, with the files by
# which build systems find the libraries. No file contains the path of its folder, so an unpacked archive can be moved.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_LIBDIR lib)
set(CMAKE_INSTALL_INCLUDEDIR include)
set(package_dir lib/cmake/bspscene)

target_include_directories(bspscene INTERFACE $<INSTALL_INTERFACE:include>)
install(TARGETS bspscene EXPORT bspscene-targets
	RUNTIME DESTINATION bin LIBRARY DESTINATION lib ARCHIVE DESTINATION lib)
install(TARGETS bspscene_cli RUNTIME DESTINATION bin)
install(DIRECTORY ${product}/native/include/bspscene DESTINATION include)
install(EXPORT bspscene-targets NAMESPACE bspscene:: DESTINATION ${package_dir})
if(TARGET bspscene_static)
	target_include_directories(bspscene_static INTERFACE $<INSTALL_INTERFACE:include>)
	install(TARGETS bspscene_static EXPORT bspscene-static-targets ARCHIVE DESTINATION lib)
	install(EXPORT bspscene-static-targets NAMESPACE bspscene:: DESTINATION ${package_dir})
endif()

set(self_contained TRUE)
configure_package_config_file(${product}/native/cmake/bspscene-config.cmake.in bspscene-config.cmake
	INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(bspscene-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bspscene-config.cmake
	${CMAKE_CURRENT_BINARY_DIR}/bspscene-config-version.cmake DESTINATION ${package_dir})

set(prefix_from_pc ../..)
list(TRANSFORM bundle_libraries PREPEND -l OUTPUT_VARIABLE pc_libs)
list(JOIN pc_libs " " pc_libs)
configure_file(${product}/native/cmake/bspscene.pc.in bspscene.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bspscene.pc DESTINATION lib/pkgconfig)
