// Which fake stands for which real tensor within one call: the one place where a mode's fakes are made after real
// tensors, or found for them.
//
// W1  A real tensor has one twin. A tensor on a storage that has a twin gets a fake on that twin; what shares nothing
//     gets a fake storage of the same size.
// W2  Which tensors share a storage is noted when they are paired. A kernel that later puts an argument on another
//     storage (`set_`) does not change which fake stands for which tensor.
// W3  Nothing is kept alive. REQUIRES: the tensors and storages that are paired live as long as the object, on both
//     sides; so do the fakes that it makes, which their caller holds.
// An object lives for one call.
#pragma once

#include <optional>

#include "fake/mode/fake_mode_state.h"

namespace ersatz {

class Twins {
 public:
  explicit Twins(FakeModeState& mode) : mode_(mode) {}

  /// Fakes of real tensors on the CPU live on `device`: the CPU's kernel runs in place of the device's.
  void put_cpu_on(Device device) { cpu_is_on_ = device; }
  /// All fakes live on `device`. The "real" tensors may then be fakes themselves, which are looked at and not touched.
  void put_all_on(Device device) { all_are_on_ = device; }

  /// Pairs the two from now on, and their storages.
  void pair(TensorImpl* fake, TensorImpl* real);

  /// The fake of a real tensor: its twin, a view of its storage's twin, or a fresh one. Made ones are paired.
  Tensor fake_of(TensorImpl* real);
  Ref<Storage> fake_of(const Ref<Storage>& real);
  /// Values with the fakes of their tensors.
  Value fake_of(const Value& v);
  /// The real tensor of a paired fake; null if there is none.
  TensorImpl* real_of(const TensorImpl* fake) const;

  struct Pair {
    TensorImpl* real;
    TensorImpl* fake;
  };
  /// In the order in which they were paired or made.
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
