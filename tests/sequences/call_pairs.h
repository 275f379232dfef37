// Tensors that live as pairs, one real and one fake, and calls made on both sides of them.
//
// Both have to agree: in raising (kind, family, text), in the metadata of every result and of every argument after the
// call, in who shares whose storage, in storage sizes and in versions, and in what autograd knows of each tensor: its
// flags, its grad_fn and the metadata of its gradient (gradient_steps.h).
#pragma once

#include "fake/mode/fake_mode.h"
#include "tests/sequences/sequence_call.h"

namespace ersatz {

struct SequenceCounts {
  int64_t calls = 0;
  int64_t refused = 0;         ///< by both sides, alike
  int64_t value_failures = 0;  ///< by a side that has values, of ops that declare it
  int64_t data_dependent = 0;  ///< the fake side alone, of ops that say so
  int64_t backward = 0;        ///< runs of backward and grad that passed
  int64_t followed = 0;        ///< calls of which a result has a node
};

class CallPairs {
 public:
  struct Pair {
    Tensor real, fake;
    TensorOrigin origin;
  };

  explicit CallPairs(FakeOptions options) : mode_(std::move(options)) {}

  /// Makes the call, of its sample's arguments. The text of what differs; empty if nothing does.
  std::string make(const SequenceCall& call, std::vector<Value> arguments);
  /// The last call as it was made.
  const std::string& text() const { return text_; }
  /// Tensors of the last call that may live on, arguments first: none where the sides differ or may.
  const std::vector<Pair>& of_call() const { return call_; }

  /// Those that calls to come may use.
  std::vector<Pair> living;

  const SequenceCounts& counts() const { return counts_; }

 private:
  struct Outcome {
    std::vector<Value> results;
    std::optional<Error> error;
  };

  Value swapped(const SequenceCall& call, const Value& leaf, size_t number) const;
  Tensor fake_of(const Tensor& real);
  Value fake_of(const Value& real);
  void add(const Tensor& real, const Tensor& fake) { call_.push_back({real, fake, {id_, call_.size()}}); }
  std::string ask(const SequenceCall& call);
  template <class F>
  std::string run_both(const OpEntry* op, F&& run);
  std::string compare(const OpEntry* op, Outcome& real, Outcome& fake);
  std::string compare_results(const OpEntry* op, Outcome& real, Outcome& fake);
  std::string compare_autograd();
  void forget_touched(bool all);
  std::string compare_pair(std::string_view what, const Tensor& real, const Tensor& fake);
  std::string compare_sharing();

  FakeMode mode_;
  int64_t id_ = 0;
  std::string text_;
  std::vector<Pair> call_;
  SequenceCounts counts_;
};

}  // namespace ersatz
