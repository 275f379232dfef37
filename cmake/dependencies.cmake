# Every dependency is a Debian package; tools/setup installs them.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(TBB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(libzip REQUIRED)
find_path(ERSATZ_CBLAS_INCLUDE cblas.h PATHS /usr/include/x86_64-linux-gnu/openblas-pthread REQUIRED)
find_path(ERSATZ_DNNL_INCLUDE dnnl.h REQUIRED)  # headers only: oneDNN and OpenBLAS are loaded at first use
find_path(ERSATZ_SLEEF_INCLUDE sleef.h REQUIRED)
find_library(ERSATZ_SLEEF sleef REQUIRED)
