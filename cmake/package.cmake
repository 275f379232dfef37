# cpack -G DEB (`make package`) makes one Debian package with the program, the library and its headers. dpkg-shlibdeps
# finds the linked libraries. Other dependencies are named here: OpenBLAS and oneDNN, which are opened by file name at
# first use (kernels/linalg/openblas.cpp, kernels/conv/onednn.cpp), and fmt, whose headers are needed.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ersatz)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_CONTACT "The authors of ersatz <authors@ersatz.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libopenblas0-pthread | libopenblas0-openmp | libopenblas0-serial, libdnnl2, libfmt-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++")
include(CPack)
