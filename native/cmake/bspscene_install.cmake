# Rules for `cmake --install`. No installed file contains the prefix, so the installed tree can be moved.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bspscene)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
	DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Installs the documents that the headers and the README refer to.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN pictures EXCLUDE)
install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include/bspscene DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# The license of the palette in the library.
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/licenses/librequake.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses)
install(TARGETS bspscene EXPORT bspscene-targets
	RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
	ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS bspscene_static EXPORT bspscene-static-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET bspscene_render)
	install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/render/include/bspscene DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
	install(TARGETS bspscene_render EXPORT bspscene-render-targets
		RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
		LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
		ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
	install(EXPORT bspscene-render-targets NAMESPACE bspscene:: DESTINATION ${package_dir})
endif()
if(TARGET bspscene_cli)
	file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
	if(APPLE)
		set_target_properties(bspscene_cli PROPERTIES INSTALL_RPATH @executable_path/${lib_from_bin})
	else()
		# The build tree and the installed tree have the same RPATH, so the build tree has the library at the same
		# relative path. A path that CMake replaces on installing would be padded with an empty element, for which the
		# loader searches the current directory.
		set_target_properties(bspscene_cli PROPERTIES
			INSTALL_RPATH $ORIGIN/${lib_from_bin} INSTALL_RPATH_USE_LINK_PATH ON BUILD_WITH_INSTALL_RPATH ON)
		get_filename_component(beside_cli ${CMAKE_CURRENT_BINARY_DIR}/cli/${lib_from_bin} ABSOLUTE)
		add_custom_command(TARGET bspscene POST_BUILD
			COMMAND ${CMAKE_COMMAND} -E make_directory ${beside_cli}
			COMMAND ${CMAKE_COMMAND} -E create_symlink $<TARGET_FILE:bspscene>
				${beside_cli}/$<TARGET_SONAME_FILE_NAME:bspscene> VERBATIM)
		if(TARGET bspscene_render)
			add_custom_target(bspscene_render_beside_cli ALL
				COMMAND ${CMAKE_COMMAND} -E make_directory ${beside_cli}
				COMMAND ${CMAKE_COMMAND} -E create_symlink $<TARGET_FILE:bspscene_render>
					${beside_cli}/$<TARGET_SONAME_FILE_NAME:bspscene_render> VERBATIM)
			add_dependencies(bspscene_render_beside_cli bspscene_render)
			add_dependencies(bspscene_cli bspscene_render_beside_cli)
		endif()
	endif()
	install(TARGETS bspscene_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
	# The viewer's page for `convert MAP out.html`, if scripts/package-web has made it.
	install(FILES ${PROJECT_SOURCE_DIR}/out/web/viewer.html DESTINATION ${CMAKE_INSTALL_DATADIR}/bspscene OPTIONAL)
	if(TARGET bspscene_manual)
		bspscene_install_manual(${CMAKE_INSTALL_MANDIR} ${CMAKE_INSTALL_DATADIR})
	endif()
endif()

# find_package(bspscene) provides bspscene::bspscene. With COMPONENTS static it also provides bspscene::static and finds
# its dependencies.
foreach(export bspscene-targets bspscene-static-targets)
	install(EXPORT ${export} NAMESPACE bspscene:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/bspscene-config.cmake.in
	${CMAKE_CURRENT_BINARY_DIR}/bspscene-config.cmake INSTALL_DESTINATION ${package_dir})
set(package_version_file ${CMAKE_CURRENT_BINARY_DIR}/bspscene-config-version.cmake)
write_basic_package_version_file(${package_version_file} COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bspscene-config.cmake ${package_version_file} DESTINATION ${package_dir})

file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
list(JOIN bspscene_pc_libs " " pc_libs)
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/bspscene.pc.in ${CMAKE_CURRENT_BINARY_DIR}/bspscene.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bspscene.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET bspscene_render)
	configure_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/bspscene_render.pc.in
		${CMAKE_CURRENT_BINARY_DIR}/bspscene_render.pc @ONLY)
	install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bspscene_render.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
