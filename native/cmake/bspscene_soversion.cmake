# Until 1.0 each minor version is a series of its own, from then on each major version: programs run with all later
# versions of the series that they were built with (see "Versions" in bspscene.h). All libraries' sonames say it.
set(bspscene_soversion ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
	set(bspscene_soversion 0.${PROJECT_VERSION_MINOR})
endif()
