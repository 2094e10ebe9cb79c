# Warnings, sanitizers and hardening for our own targets: bspscene_own_target(name).
option(BSPSCENE_HARDEN "Stack protector, checked libc functions, and no writable tables of functions once loaded" ON)

# What compilers and loaders offer against faults that nobody found yet; the files are strangers'.
function(bspscene_harden target)
	target_compile_options(${target} PRIVATE -fstack-protector-strong)
	# The C library's own checks need an optimizing compiler, and sanitizers replace the functions that they are in.
	if(NOT BSPSCENE_SANITIZE AND NOT WIN32)
		target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE>
			$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-D_FORTIFY_SOURCE=2>)
	endif()
	if(UNIX AND NOT APPLE)
		target_link_options(${target} PRIVATE LINKER:-z,relro LINKER:-z,now)
	endif()
endfunction()

function(bspscene_own_target target)
	if(MSVC)
		target_compile_options(${target} PRIVATE /W4)
	else()
		# a * b + c rounded once where the processor can, as compilers do by themselves on arm64, is another number.
		target_compile_options(${target} PRIVATE -ffp-contract=off)
		if(NOT BSPSCENE_SANITIZE)
			# GCC 12 loses the rounding of (double)(float)x where it computes two at once.
			target_compile_options(${target} PRIVATE
				$<$<AND:$<C_COMPILER_ID:GNU>,$<NOT:$<CONFIG:Debug>>>:-fno-tree-slp-vectorize>)
		endif()
		target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wvla
			$<$<COMPILE_LANGUAGE:C>:-Wconversion -Wstrict-prototypes -Wmissing-prototypes>
			$<$<BOOL:${BSPSCENE_WERROR}>:-Werror>)
	endif()
	if(BSPSCENE_HARDEN AND NOT MSVC)
		bspscene_harden(${target})
	endif()
	if(BSPSCENE_SANITIZE)
		# Assertions stay, whatever the build type: they are promises too.
		target_compile_options(${target} PRIVATE -UNDEBUG)
		target_compile_options(${target} PRIVATE
			-fsanitize=${BSPSCENE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
		target_link_options(${target} PRIVATE -fsanitize=${BSPSCENE_SANITIZE})
	endif()
	# Where an input got to in what checks and attacks is of no interest, and costs as much as the rest.
	if(BSPSCENE_FUZZ AND NOT target STREQUAL bspt_support)
		target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
	endif()
endfunction()
option(BSPSCENE_WERROR "Warnings are errors" OFF)
