# What a user may set, and the compiler settings that every target gets.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()

set(ERSATZ_CUDA AUTO CACHE STRING "Build libersatz_cuda.so: AUTO (if nvcc is found), ON, OFF")
set_property(CACHE ERSATZ_CUDA PROPERTY STRINGS AUTO ON OFF)
set(ERSATZ_DATA "$ENV{ERSATZ_DATA}" CACHE PATH "Folder with programs/ and conformance/; tests that need it skip without")
option(ERSATZ_BUILD_TESTS "Build tests and benchmarks" ON)
option(ERSATZ_FUZZ "Build the libFuzzer targets (clang)" OFF)
set(ERSATZ_SANITIZE "" CACHE STRING "Comma-separated sanitizers, for example address,undefined")

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

add_library(ersatz_options INTERFACE)
target_include_directories(ersatz_options INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>)
target_compile_options(ersatz_options INTERFACE -Wall -Wextra -Wno-missing-field-initializers)
if(ERSATZ_SANITIZE)
  target_compile_options(ersatz_options INTERFACE -fsanitize=${ERSATZ_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(ersatz_options INTERFACE -fsanitize=${ERSATZ_SANITIZE})
endif()

find_program(ERSATZ_CCACHE ccache)
if(ERSATZ_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${ERSATZ_CCACHE})
endif()
