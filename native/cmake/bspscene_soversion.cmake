# Until 1.0 the layout of structs changes with the minor version (BSPSCENE_LAYOUT), and all libraries' sonames with it.
set(bspscene_soversion ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
	set(bspscene_soversion 0.${PROJECT_VERSION_MINOR})
endif()
