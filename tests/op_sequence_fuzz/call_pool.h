// Makes random calls on pairs of a real and a fake tensor (call_pairs.h).
//
// A step takes a random op and one of its samples. It swaps some of the sample's tensors for living ones (views,
// results, written tensors of earlier steps), sometimes changes a number, and makes the call. With gradients, some
// tensors of samples require them, some calls are made in no-grad and inference regions, and views and writes are drawn
// more often. Some steps are requests to autograd, for example a backward run. For one thread. Equal seeds give equal
// steps.
#pragma once

#include <random>

#include "tests/op_sequence_fuzz/call_pairs.h"

namespace ersatz {

/// All ops with samples, without those of plugins.
std::vector<const OpEntry*> sequence_ops();

class CallPool {
 public:
  CallPool(FakeOptions options, uint64_t seed, std::vector<const OpEntry*> ops = sequence_ops(),
           bool gradients = false);

  /// Makes one call. Returns the text of a difference; empty if there is none.
  std::string step();

  /// The calls so far.
  const std::vector<SequenceCall>& calls() const { return calls_; }
  const CallPairs& pairs() const { return pairs_; }

 private:
  int64_t random(int64_t below) { return std::uniform_int_distribution<int64_t>(0, below - 1)(generator_); }
  bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(generator_) < p; }
  const OpEntry& draw_op();
  void choose_action();
  void choose_region();
  void choose_swap(const Value& leaf, size_t number, bool written);
  void keep(const CallPairs::Pair& pair);

  CallPairs pairs_;
  std::mt19937_64 generator_;
  std::vector<const OpEntry*> ops_;
  std::vector<const OpEntry*> moving_;  // ops in `ops_` that make views or write; empty without gradients
  bool gradients_;
  std::vector<SequenceCall> calls_;
};

}  // namespace ersatz
