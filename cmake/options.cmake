# Options that a user may set, and compiler settings for all targets.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Inside of another project (add_subdirectory), that project chooses the build type. It gets only the library and the
# program, because the other parts need more packages and take minutes to build.
set(where_it_can OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(where_it_can AUTO)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
  endif()
endif()

# AUTO builds a part if all its packages in cmake/dependencies.txt are found. Otherwise the part is left out, and the
# summary says so. AUTO never fails.
set(ERSATZ_CUDA ${where_it_can} CACHE STRING "Build libersatz_cuda.so: AUTO, ON, OFF")
set(ERSATZ_BUILD_TESTS ${where_it_can} CACHE STRING "Build the tests and the emulated CUDA device: AUTO, ON, OFF")
set(ERSATZ_BUILD_BENCHMARKS ${where_it_can} CACHE STRING "Make the target `benchmarks`: AUTO, ON, OFF")
set(ERSATZ_PYTHON ${where_it_can} CACHE STRING "Build the Python package: AUTO, ON, OFF")
set_property(CACHE ERSATZ_CUDA ERSATZ_BUILD_TESTS ERSATZ_BUILD_BENCHMARKS ERSATZ_PYTHON PROPERTY STRINGS AUTO ON OFF)
option(ERSATZ_INSTALL "Install the library, the program and the headers with the project" ${PROJECT_IS_TOP_LEVEL})
set(ERSATZ_DATA "$ENV{ERSATZ_DATA}" CACHE PATH "Folder with programs/ and conformance/; tests that need it skip without")
option(ERSATZ_FUZZ "Build the libFuzzer targets (clang), and everything else with its coverage, address and undefined" OFF)
option(ERSATZ_UNITY "Compile files in batches, those of ops and their tests by family; OFF compiles each file alone" ON)
option(ERSATZ_PCH "Precompile the standard, fmt and GoogleTest headers" ON)
option(ERSATZ_CUDA_SPILLS_ARE_ERRORS "Fail the build where a CUDA kernel spills registers; OFF warns" OFF)
option(ERSATZ_WERROR "Treat warnings as errors" OFF)
set(ERSATZ_SANITIZE "" CACHE STRING "Comma-separated sanitizers, for example address,undefined")

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
include(GNUInstallDirs)
# The folder is equal on all systems, because programs find the library at $ORIGIN/../lib.
set(CMAKE_INSTALL_LIBDIR lib)

# Rooms get -O2 unless they ask for another level. LESS is -O1 with the parts of -O2 that inline small functions, merge
# stores and thread jumps. It saves a quarter of g++'s time. Cached fake calls would take 7 % longer with it, so
# runtime/ and fake/ do not use it.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(ERSATZ_OPTIMIZE_LESS "")
set(ERSATZ_OPTIMIZE_MOST "")
if(EMSCRIPTEN)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")  # A web page only computes metadata.
elseif(NOT ERSATZ_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
  set(ERSATZ_OPTIMIZE_MOST -O3)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    set(ERSATZ_OPTIMIZE_LESS -O1 -finline-small-functions -findirect-inlining -foptimize-sibling-calls -fstrict-aliasing
        -fdevirtualize -freorder-blocks -fstore-merging -fcaller-saves -fpeephole2 -fthread-jumps)
  endif()
endif()

add_library(ersatz_options INTERFACE)
set(ERSATZ_GENERATED ${PROJECT_BINARY_DIR}/generated)  # Headers that the build writes (kernels/CMakeLists.txt).
target_include_directories(ersatz_options INTERFACE ${PROJECT_SOURCE_DIR} ${ERSATZ_GENERATED})
target_compile_options(ersatz_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wno-missing-field-initializers $<$<BOOL:${ERSATZ_WERROR}>:-Werror>>)
# g++ 12 reports these errors where there are none, when it inlines, as its bug list says. Clang and the sanitizers
# check for them.
target_compile_options(ersatz_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized
  -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict>)

if(ERSATZ_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "ERSATZ_FUZZ needs clang: configure with -DCMAKE_CXX_COMPILER=clang++")
  endif()
  set(ERSATZ_SANITIZE fuzzer-no-link,address,undefined)
endif()
if(ERSATZ_SANITIZE)
  # With -O1 the code is fast enough, and stacks are readable. Files of tests get -O0, which saves almost half of the
  # compiler's time. Points-to analysis is off, because g++ needs minutes for it on functions that sanitizers have
  # enlarged.
  target_compile_options(ersatz_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ERSATZ_SANITIZE}
    -fno-omit-frame-pointer -fno-sanitize-recover=all $<$<CXX_COMPILER_ID:GNU>:-fno-tree-pta> -O$<IF:$<BOOL:$<TARGET_PROPERTY:ERSATZ_IS_TEST>>,0,1> -g1>)
  target_link_options(ersatz_options INTERFACE -fsanitize=${ERSATZ_SANITIZE})
  # The sizes of a tensor are part of a larger object, so AddressSanitizer accepts `sizes()[3]` of three dims. The
  # checked std::span refuses it.
  target_compile_definitions(ersatz_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>)
endif()

# __FILE__ becomes the path in the repository, whatever the build folder is. The second option is for ccache, which
# first makes absolute paths relative.
file(RELATIVE_PATH source_from_build ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/runtime)
string(REGEX REPLACE "runtime$" "" source_from_build ${source_from_build})
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>
                    $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${source_from_build}=>)

find_program(ERSATZ_CCACHE ccache)
if(ERSATZ_CCACHE)
  # This sloppiness lets ccache store precompiled headers (ccache manual, "Precompiled headers").
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${ERSATZ_CCACHE})
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>
                      "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
