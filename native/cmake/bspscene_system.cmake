# What differs between systems is a file for each, NAME_posix.c and NAME_windows.c, or windows_NAME.c alone:
# bspscene_for_system(VARIABLE) takes those of other systems off a list of sources.
function(bspscene_for_system variable)
	set(sources ${${variable}})
	if(WIN32)
		list(FILTER sources EXCLUDE REGEX "_posix\\.c$")
	else()
		list(FILTER sources EXCLUDE REGEX "_windows\\.c$|/windows_[^/]*\\.c$")
	endif()
	set(${variable} ${sources} PARENT_SCOPE)
endfunction()
