# Debian's cross compiler for -DBUNDLE_MACHINE=s390x | i686, machines that the unit tests are tried on. Its programs
# are static, so that an emulator, or a kernel that runs them as they are, needs no other files.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BUNDLE_MACHINE)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${BUNDLE_MACHINE})
set(CMAKE_C_COMPILER ${BUNDLE_MACHINE}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${BUNDLE_MACHINE}-linux-gnu-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
# Assertions stay, and emulated programs that took long to compile are not much faster.
set(CMAKE_C_FLAGS_RELEASE -O1 CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE -O1 CACHE STRING "")
if(BUNDLE_MACHINE STREQUAL "i686")
	# The old floating-point unit computes with more digits than floats have, so all numbers would be others.
	set(CMAKE_C_FLAGS_INIT "-msse2 -mfpmath=sse")
	set(CMAKE_CXX_FLAGS_INIT "-msse2 -mfpmath=sse")
else()
	set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${BUNDLE_MACHINE}-static)
endif()
