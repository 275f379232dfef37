// Probes are calls that are made from an op's samples by changing sizes, ranks, layouts, dtypes and attributes, and
// then run.
//
// Sizes that are equal in a sample stay equal in most probes. Calls that the op refuses are dropped. Equal seeds give
// equal probes.
#pragma once

#include <random>

#include "tools/infer/observation.h"

namespace ersatz::tools {

/// A call that a Prober may run.
struct ProbeCall {
  std::vector<SeenArgument> arguments;
  std::vector<Value> others;  ///< for each argument, its value if the value is no tensor, bool, int, int list or dtype
  double low = -2, high = 2;  ///< range of the random values of tensors
};

class Prober {
 public:
  /// Prepares calls for `op`, by changing its samples. If `op` has none, a sample is guessed from its schema.
  Prober(const OpEntry& op, uint64_t seed);

  /// Returns the next call. Most calls have the argument kinds of a sample, with other sizes and layouts.
  ProbeCall next();
  /// Runs the call with random values. Returns nullopt if the op refuses it.
  std::optional<Observation> run(const ProbeCall& call, uint64_t seed) const;

 private:
  using Shown = SeenArgument;
  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  int64_t some_size();
  int64_t highest_rank(const ProbeCall& call) const;
  void rename_sizes(ProbeCall& call);
  void change_rank(ProbeCall& call);
  void change_size(ProbeCall& call);
  void change_dtype(ProbeCall& call);
  void change_attribute(ProbeCall& call);
  void change_number(Shown& a, const Argument& declared, int64_t rank);
  void change_list(Shown& a, int64_t rank);
  void change_optional(ProbeCall& call, size_t i);
  void lay_out(PlainMeta& t, bool written);
  PlainMeta* any_tensor(ProbeCall& call);
  Value made(const ProbeCall& call, size_t i, uint64_t seed) const;

  const OpEntry& op_;
  std::mt19937_64 random_;
  std::vector<ProbeCall> samples_;
};

}  // namespace ersatz::tools
