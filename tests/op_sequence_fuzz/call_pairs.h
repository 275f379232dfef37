// Pairs of a real and a fake tensor, and calls that are made on both.
//
// Both sides must agree in errors (kind, family, text), in the metadata of every result and of every argument after the
// call, and in storage sharing, sizes and versions. They must also agree in autograd's record of each tensor: its
// flags, its grad_fn and the metadata of its gradient (gradient_steps.h).
#pragma once

#include "fake/mode/fake_mode.h"
#include "tests/op_sequence_fuzz/sequence_call.h"

namespace ersatz {

struct SequenceCounts {
  int64_t calls = 0;
  int64_t refused = 0;         ///< calls that real and fake run refuse with equal errors
  int64_t value_failures = 0;  /// refused on a side with values, by ops that may fail on values
  int64_t data_dependent = 0;  ///< refused on the fake side only, by ops that depend on data
  int64_t backward = 0;        ///< runs of backward and grad that passed
  int64_t followed = 0;        /// calls that gave a result a grad_fn
};

class CallPairs {
 public:
  struct Pair {
    Tensor real, fake;
    TensorOrigin origin;
  };

  explicit CallPairs(FakeOptions options) : mode_(std::move(options)) {}

  /// Makes the call with its sample's arguments. Returns the text of a difference; empty if there is none.
  std::string make(const SequenceCall& call, std::vector<Value> arguments);
  /// Text of the last call.
  const std::string& text() const { return text_; }
  /// Tensors of the last call that later calls may use, arguments first. Empty if the two sides differ or may differ.
  const std::vector<Pair>& of_call() const { return call_; }

  /// Pairs that later calls may use.
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
