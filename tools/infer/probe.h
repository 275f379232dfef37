// Probes: calls of an op made from its samples by changes of sizes, ranks, layouts, dtypes and attributes, and run.
//
// What changes together in most calls does so here: sizes that are equal in a sample stay equal in most probes. What
// the op refuses is no example. Seeded: the same seed makes the same probes.
#pragma once

#include <random>

#include "tools/infer/observation.h"

namespace ersatz::tools {

/// A call that may be made.
struct ProbeCall {
  std::vector<SeenArgument> arguments;
  std::vector<Value> others;  ///< per argument: the value of what is neither tensor, bool, int, int list nor dtype
  double low = -2, high = 2;  ///< values of tensors
};

class Prober {
 public:
  /// The calls start from the op's samples; without any from one guessed by its schema.
  Prober(const OpEntry& op, uint64_t seed);

  /// Another call; most are of a sample's kind with other sizes and layouts.
  ProbeCall next();
  /// Runs it on made-up values. Empty: the op refuses it.
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
