// The interface of plugins in plain C, for authors in C and other languages, and `load_plugin` for C++ programs that
// load a plugin. Authors in C++ include <ersatz/plugin_op.h>.
#pragma once

#include "runtime/plugin/plugin.h"
