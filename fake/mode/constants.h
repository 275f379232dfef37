// Known values of fakes: literals of one element keep theirs, and ops on nothing but known values compute it on.
//
// A known value is a real CPU tensor of one element, kept beside the fake (TensorExtra::constant). Views of it know
// theirs through views of the same real storage, so an in-place op on known values updates all of them.
//
// Invariants
// N1  Every fake that has a value and shares a fake storage is listed under that storage, weakly.
// N2  Writing something unknown to a fake storage makes the values of all fakes on it unknown, views included.
// N3  Values of more than one element are not kept, also where an op computes them from known ones.
// Any thread; two threads that write one tensor have to order themselves, as for real tensors.
#pragma once

#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtime/op/dispatch.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

class Constants {
 public:
  static constexpr int64_t kMostElements = 1;

  /// Can the tensor be a known value? One element at most, on the CPU, dense, its data there.
  static bool qualifies(const Tensor& real);
  /// `value` is known of `fake` from now on. REQUIRES: qualifies(value), same metadata.
  void attach(const Tensor& fake, const Tensor& value);
  /// Forgets the values of every fake on the storage.
  void forget(const Storage& storage);
  /// Forgets what the call wrote.
  void forget_written(const OpEntry& op, std::span<const Value> args, const RuleResult& rule);
  /// Storages of which a value is known (those that still live).
  size_t storages();

 private:
  std::mutex mutex_;
  std::unordered_map<uint64_t, std::vector<WeakRef<TensorImpl>>> by_storage_;
};

}  // namespace ersatz
