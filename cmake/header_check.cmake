# Target header_check: every header of ours compiles alone (a generated unit includes it and nothing else).
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} include/*.h runtime/*.h kernels/*.h fake/*.h tracer/*.h tools/*.h)
list(FILTER headers EXCLUDE REGEX "^runtime/cuda/")  # these need the CUDA toolkit; the module's build includes them
set(units "")
foreach(header IN LISTS headers)
  set(unit ${PROJECT_BINARY_DIR}/header_check/${header}.cpp)
  file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"${header}\"\n" @ONLY)
  list(APPEND units ${unit})
endforeach()
add_library(header_check OBJECT EXCLUDE_FROM_ALL ${units})
target_link_libraries(header_check PRIVATE ersatz_options ersatz_tracer CLI11::CLI11)
target_compile_options(header_check PRIVATE -O0)
target_include_directories(header_check PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_include_directories(header_check SYSTEM PRIVATE ${ERSATZ_CBLAS_INCLUDE} ${ERSATZ_DNNL_INCLUDE})
