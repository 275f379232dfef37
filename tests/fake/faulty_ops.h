// Ops of the plugin tests/plugins/faulty_ops.cpp.
#pragma once

#include "runtime/plugin/plugin.h"
#include "tests/fake/test_ops.h"

namespace ersatz {

/// Returns the plugin's op with this base name. The first call loads the plugin.
inline const OpEntry& faulty(const std::string& name) {
  load_plugin(ERSATZ_BINARY_DIR "/lib/faulty_ops.so");
  return op_named("faulty." + name + ".default");
}

}  // namespace ersatz
