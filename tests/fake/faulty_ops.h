// Ops of the plugin tests/plugins/faulty_ops.cpp.
#pragma once

#include "runtime/plugin/plugin.h"
#include "tests/fake/test_ops.h"

namespace ersatz {

/// Loads the plugin on the first call and returns its op of that base name.
inline const OpEntry& faulty(const std::string& name) {
  load_plugin(ERSATZ_BINARY_DIR "/lib/faulty_ops.so");
  return op_named("faulty." + name + ".default");
}

}  // namespace ersatz
