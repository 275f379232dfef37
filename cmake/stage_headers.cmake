# cmake -DSOURCE=... -DGENERATED=... -DSTAGE=... -P stage_headers.cmake: STAGE becomes the folder that is installed as
# include/ersatz:
#   <name>.h             the public headers, from SOURCE/include/ersatz
#   internal/<room>/...  headers of the rooms and of the build tree, if public ones include them, directly or not
# In STAGE an include of a room is spelled <ersatz/internal/...>. So one include folder is enough, and a folder
# "runtime/" of another project is never used in place of ours.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${STAGE})
file(GLOB queue RELATIVE ${SOURCE}/include ${SOURCE}/include/ersatz/*.h)
set(staged "")
while(queue)
  list(POP_FRONT queue header)
  if(header IN_LIST staged)
    continue()
  endif()
  list(APPEND staged ${header})
  if(header MATCHES "^ersatz/(.+)")
    set(from ${SOURCE}/include/${header})
    set(to ${STAGE}/${CMAKE_MATCH_1})
  else()
    set(from ${SOURCE}/${header})
    if(header MATCHES "^typed/")
      set(from ${GENERATED}/${header})
    endif()
    set(to ${STAGE}/internal/${header})
  endif()
  file(STRINGS ${from} includes REGEX "^[ \t]*#[ \t]*include[ \t]+\"")
  list(TRANSFORM includes REPLACE "^[^\"]*\"([^\"]+)\".*" "\\1")
  list(APPEND queue ${includes})
  file(READ ${from} text)
  string(REGEX REPLACE "(#[ \t]*include[ \t]+)\"((runtime|kernels|fake|tracer|typed)/[^\"]+)\"" "\\1<ersatz/internal/\\2>" text "${text}")
  file(WRITE ${to} "${text}")
endwhile()
