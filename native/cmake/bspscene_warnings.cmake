# Warnings and sanitizers for our own targets: bspscene_own_target(name).
function(bspscene_own_target target)
	if(MSVC)
		target_compile_options(${target} PRIVATE /W4)
	else()
		target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wvla
			$<$<COMPILE_LANGUAGE:C>:-Wconversion -Wstrict-prototypes -Wmissing-prototypes>
			$<$<BOOL:${BSPSCENE_WERROR}>:-Werror>)
	endif()
	if(BSPSCENE_SANITIZE)
		# Assertions stay, whatever the build type: they are promises too.
		target_compile_options(${target} PRIVATE -UNDEBUG)
		target_compile_options(${target} PRIVATE
			-fsanitize=${BSPSCENE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
		target_link_options(${target} PRIVATE -fsanitize=${BSPSCENE_SANITIZE})
	endif()
	if(BSPSCENE_FUZZ)
		target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
	endif()
endfunction()
option(BSPSCENE_WERROR "Warnings are errors" OFF)
