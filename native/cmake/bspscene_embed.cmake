# bspscene_embed(VARIABLE FILE...): makes a C source that contains the files as arrays, and adds it to a list of
# sources. "gallery.css" becomes const unsigned char cli_gallery_css[], of cli_gallery_css_size bytes. As a script, with
# OUTPUT and FILES set, this file writes the source.
if(CMAKE_SCRIPT_MODE_FILE)
	string(CONCAT text "/* Made from files beside the sources; see bspscene_embed.cmake. */\n"
		"#include \"archive/gallery/gallery_files.h\"\n")
	foreach(file IN LISTS FILES)
		get_filename_component(name ${file} NAME)
		string(REGEX REPLACE "[^a-zA-Z0-9]" "_" name ${name})
		file(READ ${file} bytes HEX)
		string(LENGTH "${bytes}" size)
		math(EXPR size "${size} / 2")
		string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
		string(APPEND text "\nconst unsigned char cli_${name}[] = {\n${bytes}\n};\n"
			"const size_t cli_${name}_size = ${size};\n")
	endforeach()
	file(WRITE ${OUTPUT} "${text}")
	return()
endif()

set(bspscene_embed_script ${CMAKE_CURRENT_LIST_FILE})
function(bspscene_embed variable)
	set(output ${CMAKE_CURRENT_BINARY_DIR}/gallery_files.c)
	add_custom_command(OUTPUT ${output} DEPENDS ${ARGN} ${bspscene_embed_script} VERBATIM
		COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} "-DFILES=${ARGN}" -P ${bspscene_embed_script})
	set(${variable} ${${variable}} ${output} PARENT_SCOPE)
endfunction()
