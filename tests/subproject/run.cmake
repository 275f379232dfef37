# Configures a project that has ersatz (ERSATZ) as a subdirectory, and compiles its program. The program is linked with
# the library of the build tree BUILD, because it takes minutes to build another one.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
function(step)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status)
  if(status)
    list(JOIN ARGN " " text)
    message(FATAL_ERROR "failed (${status}): ${text}")
  endif()
endfunction()

file(MAKE_DIRECTORY ${WORK})
step(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja -DCMAKE_CXX_COMPILER=${CXX} -DERSATZ=${ERSATZ})
file(GLOB written RELATIVE ${WORK}/build ${WORK}/build/*)
set(expected CMakeCache.txt CMakeFiles build.ninja cmake_install.cmake ersatz)
if(NOT written STREQUAL expected)
  message(FATAL_ERROR "ersatz writes outside of its own folder: ${written}, expected ${expected}")
endif()

set(object CMakeFiles/parent.dir/main.cpp.o)
step(${CMAKE_COMMAND} --build ${WORK}/build --target ${object})
step(${CXX} ${WORK}/build/${object} -L${BUILD}/lib -Wl,-rpath,${BUILD}/lib -lersatz -lfmt -o ${WORK}/parent)
step(${WORK}/parent)
