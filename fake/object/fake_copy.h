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

#include "fake/mode/fake_mode.h"

namespace ersatz {

class FakeCopyMode final : public Mode {
 public:
  explicit FakeCopyMode(const FakeMode& mode) : mode_(mode) {}

  ModeOrder order() const override { return ModeOrder::Interceptor; }
  std::string_view mode_name() const override { return "fake copy"; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override;

  Tensor fake_of(const Tensor& t) const;

 private:
  FakeMode mode_;
};

/// The innermost fake copy scope that is active on this thread; null if there is none.
FakeCopyMode* active_fake_copy();

class FakeCopyScope {
 public:
  explicit FakeCopyScope(const FakeMode& mode) : mode_(mode), guard_(mode_) {}
  FakeCopyScope(const FakeCopyScope&) = delete;
  FakeCopyScope& operator=(const FakeCopyScope&) = delete;

 private:
  FakeCopyMode mode_;
  ModeGuard guard_;
};

}  // namespace ersatz
