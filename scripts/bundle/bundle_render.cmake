# Compiles the renderer and the fifth of Embree's files that it needs: those for triangles, instances, single rays and
# packets. Embree is compiled for the instruction set that all processors of a target have, so that pictures are the
# same on each. The results are added to cli_objects, cli_include_dirs and cli_features. Embree is C++ with exceptions,
# so the program contains the C++ runtime; the library does not.
bundle_source(embree "embree-*")

# Generates the files that Embree's own build would generate, in folders where Embree's sources find them.
set(embree_made ${CMAKE_CURRENT_BINARY_DIR}/embree)
set(EMBREE_GEOMETRY_TRIANGLE ON)
set(EMBREE_GEOMETRY_INSTANCE ON)
set(EMBREE_RAY_PACKETS ON)
set(EMBREE_FILTER_FUNCTION ON)
set(EMBREE_CURVE_SELF_INTERSECTION_AVOIDANCE_FACTOR 2.0)
file(STRINGS ${embree}/CMakeLists.txt numbers REGEX "SET\\(EMBREE_VERSION_(MAJOR|MINOR|PATCH) [0-9]+\\)")
foreach(number IN LISTS numbers)
	string(REGEX MATCH "(EMBREE_VERSION_[A-Z]+) ([0-9]+)" found ${number})
	set(${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
endforeach()
math(EXPR EMBREE_VERSION_NUMBER
	"${EMBREE_VERSION_MAJOR} * 10000 + ${EMBREE_VERSION_MINOR} * 100 + ${EMBREE_VERSION_PATCH}")
set(EMBREE_MAX_INSTANCE_LEVEL_COUNT 1)
set(EMBREE_STATIC_LIB ON)
file(MAKE_DIRECTORY ${embree_made}/common)
configure_file(${embree}/kernels/config.h.in ${embree_made}/config.h)
configure_file(${embree}/kernels/hash.h.in ${embree_made}/hash.h)
configure_file(${embree}/kernels/rtcore_config.h.in ${embree_made}/include/embree3/rtcore_config.h)
set(embree_include_dirs ${embree}/include ${embree_made}/include ${embree_made}/include/embree3)

set(s common/sys/sysinfo common/sys/alloc common/sys/filename common/sys/library common/sys/thread common/sys/string
	common/sys/regression common/sys/mutex common/sys/condition common/sys/barrier common/math/constants common/simd/sse
	common/lexers/stringstream common/lexers/tokenstream common/tasking/taskschedulerinternal
	kernels/common/device kernels/common/stat kernels/common/acceln kernels/common/accelset kernels/common/state
	kernels/common/rtcore kernels/common/rtcore_builder kernels/common/scene kernels/common/alloc
	kernels/common/geometry kernels/common/scene_triangle_mesh kernels/common/scene_instance
	kernels/common/motion_derivative
	kernels/geometry/primitive4 kernels/geometry/instance_intersector kernels/builders/primrefgen
	kernels/bvh/bvh kernels/bvh/bvh_statistics kernels/bvh/bvh4_factory kernels/bvh/bvh_collider kernels/bvh/bvh_rotate
	kernels/bvh/bvh_refit kernels/bvh/bvh_builder kernels/bvh/bvh_builder_morton kernels/bvh/bvh_builder_sah
	kernels/bvh/bvh_builder_sah_spatial kernels/bvh/bvh_builder_sah_mb kernels/bvh/bvh_builder_twolevel
	kernels/bvh/bvh_intersector1_bvh4 kernels/bvh/bvh_intersector_hybrid4_bvh4
	kernels/bvh/bvh_intersector_stream_bvh4 kernels/bvh/bvh_intersector_stream_filters)
list(TRANSFORM s PREPEND ${embree}/)
list(TRANSFORM s APPEND .cpp)
add_library(embree OBJECT ${s})
# These options are from Embree's own build, and Embree needs them: no strict aliasing, signed char. Delayed template
# parsing is added, because unused templates name members that do not exist, which clang 19 and newer report.
target_compile_options(embree PRIVATE ${bundle_options} -fno-strict-aliasing -fno-strict-overflow
	-fno-delete-null-pointer-checks -fwrapv -fsigned-char -ffp-contract=off -fstack-protector-strong
	$<$<CXX_COMPILER_ID:Clang>:-fdelayed-template-parsing>)
# On Windows Embree's classes are exported, even from a program, unless each of its files is compiled with
# EMBREE_STATIC_LIB.
target_compile_definitions(embree PRIVATE TASKING_INTERNAL EMBREE_TARGET_SSE2 EMBREE_LOWEST_ISA
	$<$<BOOL:${WIN32}>:EMBREE_STATIC_LIB>)
target_include_directories(embree PRIVATE ${embree_made}/common ${embree}/kernels ${embree}/common
	${embree_made}/include/embree3)

file(GLOB s ${product}/native/render/*.c ${product}/native/render/*/*.c ${product}/native/render/*/*/*.c)
bspscene_for_system(s)
add_library(render OBJECT ${s})
target_compile_options(render PRIVATE ${bundle_options} -ffp-contract=off -fstack-protector-strong
	$<$<C_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>)
# The drawing code is in the library that the program links.
target_include_directories(render PRIVATE ${product}/native/render ${product}/native/render/include
	${product}/native/include ${product}/native/src ${embree_include_dirs})
list(APPEND cli_objects $<TARGET_OBJECTS:render> $<TARGET_OBJECTS:embree>)
list(APPEND cli_include_dirs ${product}/native/render/include)
list(APPEND cli_features CLI_HAVE_RENDER CLI_HAVE_WEBPMUX)
set(cli_language CXX)
