# cmake --install: lib/libersatz.so, bin/ersatz, include/ersatz/<room>/..., and ersatzConfig.cmake for find_package.
# Our headers include each other as "runtime/tensor.h", so the exported include folder is include/ersatz; users write
# <ersatz/runtime/tensor.h> or "runtime/tensor.h".
include(CMakePackageConfigHelpers)
foreach(room runtime kernels fake tracer)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ersatz
    FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "cuda" EXCLUDE)
endforeach()
install(TARGETS ersatz EXPORT ersatzTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET ersatz_cuda)
  install(TARGETS ersatz_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/ersatz)
install(EXPORT ersatzTargets NAMESPACE ersatz:: DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ersatzConfig.cmake.in ${PROJECT_BINARY_DIR}/ersatzConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ersatzConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ersatzConfig.cmake ${PROJECT_BINARY_DIR}/ersatzConfigVersion.cmake DESTINATION ${package_folder})
