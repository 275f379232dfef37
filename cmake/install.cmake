# Files of cmake --install: bin/ersatz, lib/libersatz.so, include/ersatz, ersatzConfig.cmake for find_package, the
# licence.
include(CMakePackageConfigHelpers)

# `make install` builds this target, which has exactly the installed files.
add_custom_target(ersatz_product DEPENDS ersatz ersatz_program)
if(TARGET ersatz_cuda)
  add_dependencies(ersatz_product ersatz_cuda)
endif()

set(stage ${PROJECT_BINARY_DIR}/include/ersatz)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DSOURCE=${PROJECT_SOURCE_DIR}\" \"-DGENERATED=${ERSATZ_GENERATED}\" \"-DSTAGE=${stage}\"
  -P \"${PROJECT_SOURCE_DIR}/cmake/stage_headers.cmake\" COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${stage} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

install(TARGETS ersatz EXPORT ersatzTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ersatz_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET ersatz_cuda)
  install(TARGETS ersatz_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/ersatz)
install(EXPORT ersatzTargets NAMESPACE ersatz:: DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ersatzConfig.cmake.in ${PROJECT_BINARY_DIR}/ersatzConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ersatzConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ersatzConfig.cmake ${PROJECT_BINARY_DIR}/ersatzConfigVersion.cmake
  DESTINATION ${package_folder})

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/docs/glossary.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(PROJECT_IS_TOP_LEVEL)
  include(${PROJECT_SOURCE_DIR}/cmake/package.cmake)
endif()
