// The real side of a crosschecked call: the same steps as a plain real call, with its memory watched.
//
// Results made by the rule take the metadata of the deciding outside witness where the two differ, so that what follows
// starts from the truth. A kernel is never run on sizes or dtypes that its rule did not answer: there the results are
// zeros, and `tainted` says that their values mean nothing.
#pragma once

#include "fake/crosscheck.h"
#include "runtime/dispatch.h"

namespace ersatz {

/// Something that the memory showed.
struct ByteFault {
  FindingField field;
  int result = -1;    ///< flat result, or -1
  int argument = -1;  ///< flat tensor argument, or -1
  std::string predicted;
  std::string observed;
};

class RealRun {
 public:
  RealRun(const CrosscheckOptions& options, const OpEntry& op, std::span<const Value> args,
          std::span<const ResultFacts> facts)
      : options_(options), op_(op), args_(args), facts_(facts) {}

  /// Raises what the call raises.
  void run();

  Values results;                 ///< one per schema return
  std::vector<ByteFault> faults;  ///< also of a call that raised
  bool own_results = false;       ///< the kernel made them itself: a witness
  bool tainted = false;

 private:
  void run_filling();
  void run_returning();
  bool take_truth(RuleResult& rule);
  void run_watched(RuleResult& rule, OutputTensors& outputs);
  void find_byte_faults(const class InputWatch& watch, const class GuardZones& zones, const OutputTensors& outputs);
  void watch_inputs(class InputWatch& watch, const RuleResult& rule, bool hash) const;

  const CrosscheckOptions& options_;
  const OpEntry& op_;
  std::span<const Value> args_;
  std::span<const ResultFacts> facts_;
};

/// The deciding outside witness of a result whose kernel is none: the eager fact, else the record if it may be asked.
const TensorMeta* outside_truth(const ResultFacts& facts, Witness& witness);

}  // namespace ersatz
