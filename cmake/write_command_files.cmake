# PROGRAM writes the files BASH, ZSH and MAN.
set(ENV{ASAN_OPTIONS} detect_leaks=0)  # tests/CMakeLists.txt gives the reason.
foreach(what IN ITEMS bash zsh man)
  string(TOUPPER ${what} name)
  cmake_path(GET ${name} PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${PROGRAM} completion ${what} OUTPUT_FILE ${${name}} RESULT_VARIABLE status)
  if(status)
    file(REMOVE ${${name}})
    message(FATAL_ERROR "${PROGRAM} completion ${what}: ${status}")
  endif()
endforeach()
