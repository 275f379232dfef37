// Plugins in C++: user-defined operators as typed functions. This header is header-only, so a plugin links to no
// library of ersatz (docs/plugins.md).
#pragma once

#include "runtime/plugin/plugin_op.h"
