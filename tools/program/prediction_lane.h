// A lane of fakes that always go on with the rules' predictions, whatever findings there are.
//
// A checked run goes on with the observed result of a finding, so that each difference is found once. If a recorded
// result was wrong, what follows differs too. If this lane agrees with a later observed result, that difference follows
// from the earlier finding. For a run on another device, a lane on the CPU is compared with facts and records of a CPU
// run, because devices may have other layouts.
#pragma once

#include <optional>
#include <vector>

#include "fake/crosscheck/crosscheck.h"
#include "tracer/run/interpreter.h"
#include "tracer/run/run_inputs.h"

namespace ersatz::tools {

class PredictionLane {
 public:
  /// `device`: the device of all calls; nullopt: where the program has them.
  explicit PredictionLane(std::optional<Device> device);

  std::vector<Value> inputs(const Program& program, const SymbolValues& symbols, InputChoice choice) const;
  /// Predicts the results of the call, one for each schema return and flat. Both are empty if the rule has no answer.
  void predict(const OpEntry& op, std::span<const Value> args);
  std::span<const Value> flat() const { return flat_; }
  /// The results that the lane goes on with: the prediction, or else the checked run's fakes on the lane's device.
  Values results(const Values& fakes) const;
  /// Placeholders for the results of a node that was not run.
  Values placeholders(const NodeCall& call, const SymbolValues& symbols, std::span<const ResultFacts> facts) const;

 private:
  std::optional<Device> device_;
  FakeMode mode_;
  Values predicted_, flat_;
};

}  // namespace ersatz::tools
