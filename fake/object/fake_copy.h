// Copies that come out fake: of a whole model, without a byte of it.
//
//   FakeMode mode;
//   FakeCopyScope scope(mode);
//   auto fake_model = deep_copy(model);     // every parameter and buffer is a fake of `mode`
//
// Only copies are redirected: `deep_copy` (fake/object/module_tree.h) returns `mode.from_tensor` of each tensor, with
// plain sizes, and clone returns a clone of that fake. Every other call behaves as if the scope were not there.
// What cannot be fake raises NotSupported, `Unsupported: ... with fake tensor propagation.`, logs a warning, and
// carries the original error as its nested exception.
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
