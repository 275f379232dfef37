// The interface of plugins in plain C, for authors in C and other languages; and, in C++, `load_plugin` for programs
// that use one. Authors in C++ include <ersatz/plugin_op.h>.
#pragma once

#include "runtime/plugin/plugin.h"
