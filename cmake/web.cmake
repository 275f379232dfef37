# ersatz for a web page (`cmake --preset web`, `make web`): emscripten compiles the rooms and the command line as they
# are. web/README.md lists the commands and features that a page lacks. web/stand_ins replaces code that cannot run in a
# page.
set(stand_ins ${PROJECT_SOURCE_DIR}/web/stand_ins)

# Links to headers of the machine's packages. Other headers beside them belong to the machine's C library and are left
# out.
set(web_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${web_headers})
set(web_missing "")
foreach(header IN ITEMS fmt spdlog nlohmann CLI oneapi)
  if(EXISTS /usr/include/${header})
    file(CREATE_LINK /usr/include/${header} ${web_headers}/${header} SYMBOLIC)
  else()
    list(APPEND web_missing /usr/include/${header})
  endif()
endforeach()
if(web_missing)
  list(JOIN web_missing ", " web_missing)
  message(FATAL_ERROR "ersatz for a web page needs headers that are missing here: ${web_missing}. `scripts/setup program web` installs them.")
endif()

add_library(ersatz_web_headers INTERFACE)
target_include_directories(ersatz_web_headers SYSTEM INTERFACE ${stand_ins}/include ${web_headers})
target_compile_options(ersatz_web_headers INTERFACE "SHELL:-include library_gaps.h")
foreach(name IN ITEMS fmt::fmt spdlog::spdlog nlohmann_json::nlohmann_json CLI11::CLI11 TBB::tbb Threads::Threads)
  add_library(${name} INTERFACE IMPORTED)
  target_link_libraries(${name} INTERFACE ersatz_web_headers)
endforeach()
target_compile_definitions(spdlog::spdlog INTERFACE SPDLOG_FMT_EXTERNAL)
add_library(ersatz_minizip INTERFACE)

# Wasm's own exceptions are smaller and faster than emscripten's, which use JavaScript. Browsers have them since 2022.
add_compile_options(-fwasm-exceptions)
add_compile_options(-Wno-pass-failed)  # Kernels ask for vectorized loops, which a web page does not have.
add_link_options(-fwasm-exceptions -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=64MB -sTOTAL_STACK=16MB -sWASM_BIGINT -sEXIT_RUNTIME)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)

# ersatz_web_sources(LIST WITHOUT FILES WITH FILES): removes files from the list, and adds files of web/stand_ins
# instead.
macro(ersatz_web_sources list)
  cmake_parse_arguments(web "" "" "WITHOUT;WITH" ${ARGN})
  list(REMOVE_ITEM ${list} ${web_WITHOUT})
  list(TRANSFORM web_WITH PREPEND ${stand_ins}/)
  list(APPEND ${list} ${web_WITH})
endmacro()

# ersatz_web_page(TARGET): makes ersatz.js, which makes an instance of the program for each run, and the page that
# contains everything.
function(ersatz_web_page target)
  target_link_options(${target} PRIVATE -sMODULARIZE -sEXPORT_NAME=makeErsatz -sINVOKE_RUN=0 -sENVIRONMENT=web,node
    -sEXPORTED_RUNTIME_METHODS=FS,callMain)
  file(GLOB parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/page/*)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/ersatz.html COMMAND ${PROJECT_SOURCE_DIR}/scripts/web_page ${PROJECT_BINARY_DIR}
    DEPENDS ${target} ${parts} ${PROJECT_SOURCE_DIR}/scripts/web_page COMMENT "Writing ersatz.html" VERBATIM)
  add_custom_target(ersatz_web ALL DEPENDS ${PROJECT_BINARY_DIR}/ersatz.html)
endfunction()
