// Maps real tensors to fakes within one call. A mode makes and finds all its fakes of real tensors here.
//
// W1  A real tensor has one fake. If its storage already has a fake storage, the fake is a view of that; otherwise a
// fake storage of the same size is made.
// W2  Shared storages are recorded when tensors are paired. If a kernel later moves an argument to another storage
// (`set_`), the pairs do not change.
// W3  The map owns nothing. REQUIRES: paired tensors and storages, on both sides, live as long as the object. The
// caller holds the fakes that the object makes.
// An object lives for one call.
#pragma once

#include <optional>

#include "fake/mode/fake_mode_state.h"

namespace ersatz {

class FakeRealMap {
 public:
  explicit FakeRealMap(FakeModeState& mode) : mode_(mode) {}

  /// Fakes of real CPU tensors get `device`, for calls in which the CPU's kernel runs instead of the device's.
  void put_cpu_on(Device device) { cpu_is_on_ = device; }
  /// All fakes get `device`. The "real" tensors may then be fakes themselves; they are only read.
  void put_all_on(Device device) { all_are_on_ = device; }

  /// Pairs the two from now on, and their storages.
  void pair(TensorImpl* fake, TensorImpl* real);

  /// Returns the fake of a real tensor: the paired one, a view of its storage's fake, or a new one. New fakes are
  /// paired.
  Tensor fake_of(TensorImpl* real);
  Ref<Storage> fake_of(const Ref<Storage>& real);
  /// Returns the value with each tensor replaced by its fake.
  Value fake_of(const Value& v);
  /// Returns the real tensor of a paired fake; null if the fake is not paired.
  TensorImpl* real_of(const TensorImpl* fake) const;

  struct Pair {
    TensorImpl* real;
    TensorImpl* fake;
  };
  /// Returns all pairs, in the order in which they were made.
  std::span<const Pair> pairs() const { return {pairs_.data(), pairs_.size()}; }

 private:
  struct Storages {
    const Storage* real;
    Storage* fake;
  };
  FakeModeState& mode_;
  std::optional<Device> cpu_is_on_, all_are_on_;
  InlineVec<Pair, 4> pairs_;
  InlineVec<Storages, 4> storages_;
};

}  // namespace ersatz
