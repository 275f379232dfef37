# The Python package (python/). It uses the Python of the build tree's environment, if there is one
# (scripts/python_setup).
if(ERSATZ_PYTHON)
  if(EXISTS ${PROJECT_BINARY_DIR}/python-venv/bin/python)
    set(Python_EXECUTABLE ${PROJECT_BINARY_DIR}/python-venv/bin/python)
  endif()
  find_package(Python 3.10 QUIET COMPONENTS Interpreter)
  if(Python_FOUND)  # The Python in which nanobind is installed knows the folder of nanobind's CMake package.
    execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_STRIP_TRAILING_WHITESPACE
                    OUTPUT_VARIABLE nanobind_ROOT ERROR_QUIET)
  endif()
  ersatz_look_for(python)
endif()
ersatz_part(python ERSATZ_PYTHON "the Python package")
if(ERSATZ_WITH_PYTHON)
  add_subdirectory(python)
endif()
if(PROJECT_IS_TOP_LEVEL)
  # A wheel contains the library and the commands of this build tree, and compiles its own module (scripts/wheel).
  export(TARGETS ersatz ersatz_tools ersatz_options ersatz_minizip FILE ${PROJECT_BINARY_DIR}/ersatz_build.cmake)
endif()
