// Known values of fakes: one-element literals keep their value, and ops on only known values compute the value of the
// result.
//
// A known value is a real CPU tensor of one element, stored in the fake (TensorExtra::constant). The values of its
// views are views of the same real storage, so an in-place op on known values updates all of them.
//
// Invariants
// N1  Each fake that has a value and shares a fake storage is listed under that storage, by a weak reference.
// N2  A write of an unknown value to a fake storage makes the values of all fakes on it unknown, views included.
// N3  Values of more than one element are not kept, not even if an op computes them from known ones.
// Any thread may use an object. Threads that write one tensor must synchronise, as for real tensors.
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

  /// Can the tensor be a known value? It needs at most one element, on the CPU, dense, with data.
  static bool qualifies(const Tensor& real);
  /// Makes `value` the known value of `fake`. REQUIRES: qualifies(value), same metadata.
  void attach(const Tensor& fake, const Tensor& value);
  /// Makes the values of all fakes on the storage unknown.
  void forget(const Storage& storage);
  /// Makes the values that the call wrote unknown.
  void forget_written(const OpEntry& op, std::span<const Value> args, const RuleResult& rule);
  /// Returns the number of live storages that have a known value.
  size_t storages();

 private:
  std::mutex mutex_;
  std::unordered_map<uint64_t, std::vector<WeakRef<TensorImpl>>> by_storage_;
};

}  // namespace ersatz
