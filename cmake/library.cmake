# libersatz.so contains the four rooms. It holds the registry, and the program and plugins link to it.
get_property(rooms GLOBAL PROPERTY ERSATZ_ROOMS)
list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE room_objects)
set(kind SHARED)
if(EMSCRIPTEN)
  set(kind STATIC)  # A web page is one file.
endif()
add_library(ersatz ${kind} ${room_objects})
add_library(ersatz::ersatz ALIAS ersatz)  # The name that find_package gives the target.
# While the major version is 0, each minor version may break the binary interface (docs/stability.md).
set_target_properties(ersatz PROPERTIES VERSION ${PROJECT_VERSION} LINKER_LANGUAGE CXX
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
# Users include <ersatz/...>, which includes the rooms. Installed headers need no second folder (stage_headers.cmake).
target_include_directories(ersatz PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                         $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                         $<BUILD_INTERFACE:${ERSATZ_GENERATED}>
                                         $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(ersatz PUBLIC cxx_std_20)
target_link_libraries(ersatz
  PUBLIC fmt::fmt Threads::Threads
  PRIVATE spdlog::spdlog TBB::tbb ${ERSATZ_MINIZIP} ${ERSATZ_SLEEF} ${CMAKE_DL_LIBS} $<BUILD_INTERFACE:ersatz_options>)
if(NOT ERSATZ_SANITIZE AND NOT EMSCRIPTEN)
  target_link_options(ersatz PRIVATE -Wl,-Bsymbolic-functions)
endif()
