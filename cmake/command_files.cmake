# Files that the program writes about itself each time it is linked: completions for bash and zsh, and the manual page.
set(command_files ${PROJECT_BINARY_DIR}/share)
set(bash_completion ${command_files}/bash-completion/completions/ersatz)
set(zsh_completion ${command_files}/zsh/site-functions/_ersatz)
set(manual_page ${command_files}/man/man1/ersatz.1)
add_custom_command(TARGET ersatz_program POST_BUILD VERBATIM
  COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:ersatz_program> -DBASH=${bash_completion} -DZSH=${zsh_completion}
    -DMAN=${manual_page} -P ${PROJECT_SOURCE_DIR}/cmake/write_command_files.cmake
  COMMENT "Writing completions and the manual page")
if(ERSATZ_INSTALL)
  install(FILES ${bash_completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${zsh_completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${manual_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
