// Tells the user that an optional library, which is loaded at first use, is not installed.
#pragma once

#include <cstdio>

namespace ersatz {

/// Prints one line on stderr. REQUIRES: the caller tries to load the library only once, so that the line appears once.
inline void say_missing_library(const char* file, const char* package, const char* instead) {
  std::fprintf(stderr, "ersatz: there is no %s here (Debian package %s): %s\n", file, package, instead);
}

}  // namespace ersatz
