// Known values of fakes: a fake of a one-element literal keeps its value. If an op's tensors all have known values, the
// op computes the value of its result.
//
// A known value is a real CPU tensor of one element, stored in the fake (TensorExtra::constant). Views of the fake have
// views of this real tensor as values, so an in-place op on known values updates all of them.
//
// Invariants
// N1  Each fake with a known value is listed under its fake storage, by a weak reference.
// N2  If an unknown value is written to a fake storage, the values of all fakes on it become unknown, including views.
// N3  A value of more than one element is never kept, even if an op computes it from known values.
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

  /// Returns whether the tensor can be a known value: it is dense, on the CPU, has data and at most one element.
  static bool qualifies(const Tensor& real);
  /// Makes `value` the known value of `fake`. REQUIRES: qualifies(value), same metadata.
  void attach(const Tensor& fake, const Tensor& value);
  /// Makes the values of all fakes on the storage unknown.
  void forget(const Storage& storage);
  /// Makes the values of fakes that the call wrote unknown.
  void forget_written(const OpEntry& op, std::span<const Value> args, const RuleResult& rule);
  /// Returns the number of live storages that have a known value.
  size_t storages();

 private:
  std::mutex mutex_;
  std::unordered_map<uint64_t, std::vector<WeakRef<TensorImpl>>> by_storage_;
};

}  // namespace ersatz
