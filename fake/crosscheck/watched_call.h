// The real run of a crosschecked call. It has the stages of a plain real call (runtime/op/real_call.h), and its memory
// is watched.
//
// If the rule's result differs from the caller's evidence, the real result gets the metadata of the evidence, so that
// later calls have the right inputs. A kernel can run only with the sizes and dtypes that its rule predicts. If the
// evidence has other sizes or dtypes, the kernel does not run: the results are zeros, and `tainted` is set.
#pragma once

#include "fake/crosscheck/crosscheck.h"
#include "fake/watch/input_watch.h"
#include "fake/watch/kernel_memory.h"
#include "runtime/op/real_call.h"

namespace ersatz {

/// A fault found in watched memory: an unwritten element, a write out of bounds, an undeclared write.
struct ByteFault {
  FindingField field;
  int result = -1;    ///< index of the result, counting elements of lists; -1: the memory belongs to no result
  int argument = -1;  ///< index of the tensor argument, counting elements of lists; -1: none
  std::string predicted;
  std::string observed;
};

class WatchedCall {
 public:
  WatchedCall(const CrosscheckOptions& options, CopyBuffers& buffers, const OpEntry& op, std::span<const Value> args,
              std::span<const ResultFacts> facts)
      : options_(options), buffers_(buffers), op_(op), args_(args), facts_(facts) {}

  /// Runs the call. RAISES: the errors of the call.
  void run();
  /// Returns the RuleResult that `run` uses, for the caller to fill in. After this call, `run` does not run the rule.
  RuleResult& plan() { return has_plan_ = true, call_.rule(); }
  /// Replaces the ResultFacts that the constructor got.
  void set_facts(std::span<const ResultFacts> facts) { facts_ = facts; }

  Values results;                 ///< one per schema return
  std::vector<ByteFault> faults;  ///< the faults that were found, even if the call raised an error
  bool own_results = false;       ///< the kernel allocated the results itself, so they are evidence
  bool tainted = false;
  /// The reasons why checks of bytes were not made. nullopt: the check was made, or there was nothing to check.
  std::optional<NotChecked> unwritten_unchecked, bounds_unchecked, inputs_unchecked;

 private:
  void run_filling();
  void run_returning();
  bool take_truth(RuleResult& rule);
  void find_damage(std::span<const GuardZones::Damage> damage, std::span<const Tensor> outputs);
  void find_input_changes(InputWatch& watch);
  void watch_inputs(InputWatch& watch, const RuleResult& rule, bool all) const;
  void fill_with_zeros();
  void run_kernel();
  void wait_for(std::span<const Tensor> outputs) const;
  void find_unwritten(std::span<const size_t> targets, InputWatch& watch);
  /// A result and the byte offsets of its elements that still had the first fill.
  struct Suspect {
    size_t result;
    std::vector<int64_t> offsets;
  };
  static std::vector<Suspect> find_poison(std::span<const size_t> targets, std::span<const Tensor> made);
  void find_unwritten(const Suspect& suspect, const Tensor& second);
  std::vector<Tensor> run_own();
  void find_unwritten_own(std::span<const Tensor> first, std::span<const Suspect> suspects);
  void note_unwatched_own(const KernelMemory& memory, std::span<const Tensor> made);
  void note_unwatched(const RuleResult& rule, std::span<const Tensor> outputs, size_t targets);

  const CrosscheckOptions& options_;
  CopyBuffers& buffers_;
  const OpEntry& op_;
  std::span<const Value> args_;
  std::span<const ResultFacts> facts_;
  bool has_plan_ = false;
  RealCall call_{op_, args_};
};

}  // namespace ersatz
