// Copies a whole model as fakes, without copying data.
//
//   FakeMode mode;
//   FakeCopyScope scope(mode);
//   auto fake_model = deep_copy(model);     // every parameter and buffer is a fake of `mode`
//
// The scope changes only copies. `deep_copy` (fake/object/module_tree.h) converts each tensor by `mode.from_tensor`,
// with plain sizes, and `clone` returns a clone of the converted tensor. All other calls are unchanged.
// If a tensor cannot be converted to a fake, NotSupported is raised: `Unsupported: ... with fake tensor propagation.`
// The original error is its nested exception, and the message is logged as a warning.
#pragma once

#include <memory>

#include "fake/mode/fake_mode.h"

namespace ersatz {

class FakeCopyScope {
 public:
  explicit FakeCopyScope(const FakeMode& mode);
  ~FakeCopyScope();
  FakeCopyScope(const FakeCopyScope&) = delete;
  FakeCopyScope& operator=(const FakeCopyScope&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
