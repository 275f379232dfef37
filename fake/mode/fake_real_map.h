// Maps real tensors to fakes and back within one call. All code of fake modes that needs the fake of a real tensor in a
// call gets it from this class.
//
// W1  A real tensor has one fake. If the real storage already has a fake storage, the fake is a view of it; otherwise a
//     fake storage of equal size is made.
// W2  Storages are paired when their tensors are paired. If a kernel later moves an argument to another storage
//     (`set_`), the pairs do not change.
// W3  The map owns nothing. REQUIRES: paired tensors and storages, real and fake, live as long as the map. The caller
//     keeps alive the fakes that the map makes.
//
// An object lives for one call.
#pragma once

#include <optional>

#include "fake/mode/fake_mode_state.h"

namespace ersatz {

class FakeRealMap {
 public:
  explicit FakeRealMap(FakeModeState& mode) : mode_(mode) {}

  /// Puts the fakes of real CPU tensors on `device`, for calls in which the CPU's kernel runs in place of the device's.
  void put_cpu_on(Device device) { cpu_is_on_ = device; }
  /// Puts all fakes on `device`. The "real" tensors may then be fakes themselves, because they are only read.
  void put_all_on(Device device) { all_are_on_ = device; }

  /// Pairs a fake and a real tensor, and their storages.
  void pair(TensorImpl* fake, TensorImpl* real);

  /// Returns the fake of a real tensor: the paired one, else a new view of its storage's fake, else a new fake on a new
  /// fake storage. New fakes are paired.
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
