# The number in the sonames of all libraries. A program that was linked with one version of a library runs with later
# versions that have the same number. Before 1.0 the number changes with each minor version, afterward with each major
# version (see "Versions" in bspscene.h).
set(bspscene_soversion ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
	set(bspscene_soversion 0.${PROJECT_VERSION_MINOR})
endif()
