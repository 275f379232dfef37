# Every dependency is a Debian package; tools/setup installs them.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(TBB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

# libzip's own CMake file wants its command line tools installed: the library is found by hand.
find_path(ERSATZ_ZIP_INCLUDE zip.h REQUIRED)
find_library(ERSATZ_ZIP zip REQUIRED)
add_library(ersatz_libzip INTERFACE)
target_link_libraries(ersatz_libzip INTERFACE ${ERSATZ_ZIP})
target_include_directories(ersatz_libzip SYSTEM INTERFACE ${ERSATZ_ZIP_INCLUDE})

# OpenBLAS and oneDNN: headers only, the libraries are loaded at first use (they bring threads and OpenCL with them).
find_path(ERSATZ_CBLAS_INCLUDE cblas.h PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread REQUIRED)
find_path(ERSATZ_DNNL_INCLUDE dnnl.h REQUIRED)
find_path(ERSATZ_SLEEF_INCLUDE sleef.h REQUIRED)
find_path(ERSATZ_KISSFFT_INCLUDE kissfft/kissfft.hh REQUIRED)
find_library(ERSATZ_SLEEF sleef REQUIRED)
