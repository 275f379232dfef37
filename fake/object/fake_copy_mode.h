// The mode that a FakeCopyScope makes active (fake_copy.h).
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

/// Returns the mode of the innermost active FakeCopyScope on this thread; null if there is none.
FakeCopyMode* active_fake_copy();

}  // namespace ersatz
