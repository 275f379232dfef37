# Every dependency is a Debian package; scripts/setup installs them.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(TBB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

find_path(ERSATZ_MINIZIP_INCLUDE minizip/unzip.h REQUIRED)
find_library(ERSATZ_MINIZIP minizip REQUIRED)
add_library(ersatz_minizip INTERFACE)
target_link_libraries(ersatz_minizip INTERFACE ${ERSATZ_MINIZIP})
target_include_directories(ersatz_minizip SYSTEM INTERFACE ${ERSATZ_MINIZIP_INCLUDE})

# OpenBLAS and oneDNN: headers only, the libraries are loaded at first use (they bring threads and OpenCL with them).
find_path(ERSATZ_CBLAS_INCLUDE cblas.h PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread REQUIRED)
find_path(ERSATZ_DNNL_INCLUDE dnnl.h REQUIRED)
find_path(ERSATZ_SLEEF_INCLUDE sleef.h REQUIRED)
find_library(ERSATZ_SLEEF sleef REQUIRED)

# Tests, benchmarks and the emulated CUDA device that tests run on (ERSATZ_TESTS) have needs of their own. With
# ERSATZ_BUILD_TESTS=ON what is missing is an error (tests/CMakeLists.txt).
set(ERSATZ_TESTS OFF)
if(ERSATZ_BUILD_TESTS STREQUAL AUTO)
  find_package(GTest QUIET)
  find_package(benchmark QUIET)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  if(TARGET GTest::gmock AND TARGET benchmark::benchmark AND Python3_FOUND)
    set(ERSATZ_TESTS ON)
  else()
    message(STATUS "Tests: GoogleTest, gmock, benchmark or Python is missing, tests are not built (ERSATZ_BUILD_TESTS=ON says which)")
  endif()
elseif(ERSATZ_BUILD_TESTS)
  set(ERSATZ_TESTS ON)
endif()
