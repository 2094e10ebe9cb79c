# Debian's cross compiler for -DBUNDLE_MACHINE=s390x | i686, machines for the unit tests. Its programs are static, so
# that an emulator or a compatible kernel can run them without other files.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BUNDLE_MACHINE)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${BUNDLE_MACHINE})
set(CMAKE_C_COMPILER ${BUNDLE_MACHINE}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${BUNDLE_MACHINE}-linux-gnu-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
# Keeps assertions. More optimization takes long to compile and hardly speeds up emulated programs.
set(CMAKE_C_FLAGS_RELEASE -O1 CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE -O1 CACHE STRING "")
if(BUNDLE_MACHINE STREQUAL "i686")
	# Uses SSE, because the x87 unit computes with more digits than floats have, which changes all results.
	set(CMAKE_C_FLAGS_INIT "-msse2 -mfpmath=sse")
	set(CMAKE_CXX_FLAGS_INIT "-msse2 -mfpmath=sse")
else()
	set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${BUNDLE_MACHINE}-static)
endif()
