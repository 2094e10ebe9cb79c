# Warnings, sanitizers and hardening for our own targets: bspscene_own_target(name).
option(BSPSCENE_HARDEN "Stack protector, checked libc functions, and no writable tables of functions once loaded" ON)

# Hardening by compilers and loaders, against unknown bugs: the program reads untrusted files.
function(bspscene_harden target)
	target_compile_options(${target} PRIVATE -fstack-protector-strong)
	# The checks of the C library need optimization. Sanitizers replace the functions that have these checks.
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
		# Forbids fused multiply-add, which compilers use on arm64 by default, so that all systems give equal results.
		target_compile_options(${target} PRIVATE -ffp-contract=off)
		if(NOT BSPSCENE_SANITIZE)
			# Turns off a vectorizer. When it merges two conversions (double)(float)x into one vector operation, GCC 12
			# omits the rounding to float.
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
		# Keeps assertions in all build types.
		target_compile_options(${target} PRIVATE -UNDEBUG)
		target_compile_options(${target} PRIVATE
			-fsanitize=${BSPSCENE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
		target_link_options(${target} PRIVATE -fsanitize=${BSPSCENE_SANITIZE})
	endif()
	# Fuzzers do not measure coverage of the test support code. It does not help to find inputs, and measuring it takes
	# as much time as measuring the rest.
	if(BSPSCENE_FUZZ AND NOT target STREQUAL bspt_support)
		target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
	endif()
endfunction()
option(BSPSCENE_WERROR "Warnings are errors" OFF)
