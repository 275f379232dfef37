// Plugins in C++: ops of one's own as typed functions. Header-only, and a plugin links to nothing (docs/plugins.md).
#pragma once

#include "runtime/plugin/plugin_op.h"
