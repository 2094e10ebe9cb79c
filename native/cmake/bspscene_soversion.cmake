# The version in the sonames of all libraries. Programs run with all later versions that have the same one. Before 1.0
# it changes with each minor version, afterward with each major version (see "Versions" in bspscene.h).
set(bspscene_soversion ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
	set(bspscene_soversion 0.${PROJECT_VERSION_MINOR})
endif()
