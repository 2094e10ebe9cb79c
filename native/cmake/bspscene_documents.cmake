# Makes manual pages and completions from the program's tables of options, in builds whose programs can run on this
# machine.
set(bspscene_cli_folder ${CMAKE_CURRENT_LIST_DIR}/../cli)

# bspscene_document(FILE WORD...): writes a file with the output of the target bspscene_documents for these arguments.
function(bspscene_document file)
	set(path ${CMAKE_CURRENT_BINARY_DIR}/documents/${file})
	# The command uses the target's path. With a toolchain file CMake would take the name for a program of the system.
	add_custom_command(OUTPUT ${path} COMMAND $<TARGET_FILE:bspscene_documents> ${ARGN} > ${path}
		DEPENDS bspscene_documents VERBATIM)
	set(documents ${documents} ${path} PARENT_SCOPE)
endfunction()

# bspscene_add_manual(): adds the target bspscene_manual, which writes all documents. Its property BSPSCENE_DOCUMENTS
# lists their paths.
function(bspscene_add_manual)
	set(table ${bspscene_cli_folder}/commands/commands.def)
	file(STRINGS ${table} commands REGEX "^CLI_COMMAND\\(")
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
	file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/documents)
	set(documents)
	bspscene_document(bspscene.1 man)
	foreach(command ${commands})
		string(REGEX REPLACE "^CLI_COMMAND\\(([a-z]+)\\).*" "\\1" command ${command})
		bspscene_document(bspscene-${command}.1 man ${command})
	endforeach()
	bspscene_document(bspscene bash)
	bspscene_document(_bspscene zsh)
	bspscene_document(bspscene.fish fish)
	add_custom_target(bspscene_manual ALL DEPENDS ${documents})
	set_target_properties(bspscene_manual PROPERTIES BSPSCENE_DOCUMENTS "${documents}")
endfunction()

# bspscene_install_manual(MAN_FOLDER DATA_FOLDER OPTION...): installs the documents where shells and man look for them.
# Passes the OPTION arguments on to install().
function(bspscene_install_manual man data)
	get_target_property(documents bspscene_manual BSPSCENE_DOCUMENTS)
	foreach(document IN LISTS documents)
		if(document MATCHES "\\.1$")
			install(FILES ${document} DESTINATION ${man}/man1 ${ARGN})
		elseif(document MATCHES "/_bspscene$")
			install(FILES ${document} DESTINATION ${data}/zsh/site-functions ${ARGN})
		elseif(document MATCHES "\\.fish$")
			install(FILES ${document} DESTINATION ${data}/fish/vendor_completions.d ${ARGN})
		else()
			install(FILES ${document} DESTINATION ${data}/bash-completion/completions ${ARGN})
		endif()
	endforeach()
endfunction()
