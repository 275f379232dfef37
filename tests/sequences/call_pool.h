// Tensors that live as pairs, one real and one fake, and random calls made on both sides of them.
//
// A step takes a random op of the registry and one of its samples, swaps some of the sample's tensors for living ones
// (views, results, written-to tensors of earlier steps), changes a number now and then, and makes the call for real and
// fake. Both have to agree: in raising (kind, family, text), in the metadata of every result and of every argument
// after the call, in who shares whose storage, in storage sizes and in versions. One thread; the same seed gives the
// same steps.
#pragma once

#include <random>

#include "fake/mode/fake_mode.h"
#include "runtime/op/registry.h"

namespace ersatz {

struct SequenceCounts {
  int64_t calls = 0;
  int64_t refused = 0;         ///< by both sides, alike
  int64_t value_failures = 0;  ///< by a side that has values, of ops that declare it
  int64_t data_dependent = 0;  ///< the fake side alone, of ops that say so
};

class CallPool {
 public:
  CallPool(FakeOptions options, uint64_t seed);

  /// One call. The text of what differs; empty if nothing does.
  std::string step();
  const SequenceCounts& counts() const { return counts_; }

 private:
  struct Pair {
    Tensor real, fake;
  };
  struct Outcome {
    Values results;
    std::optional<Error> error;
  };

  int64_t random(int64_t below) { return std::uniform_int_distribution<int64_t>(0, below - 1)(generator_); }
  bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(generator_) < p; }
  Value choose(const Value& sample, bool written);
  Tensor choose(const Tensor& sample, bool written);
  Value fake_of(const Value& real);
  Tensor fake_of(const Tensor& real);
  std::string compare(const OpEntry& op, std::span<const Value> reals, std::span<const Value> fakes, Outcome& real,
                      Outcome& fake);
  std::string compare_pair(std::string_view what, const Tensor& real, const Tensor& fake);
  std::string compare_sharing();
  void keep(const Tensor& real, const Tensor& fake);

  FakeMode mode_;
  std::mt19937_64 generator_;
  std::vector<const OpEntry*> ops_;
  std::vector<Pair> living_;
  std::vector<Pair> call_;  // tensors of the present call, arguments first
  SequenceCounts counts_;
};

}  // namespace ersatz
