// A lane of fakes that always goes on with the rules' predictions, even if a finding shows that a prediction is wrong.
//
// A checked run goes on with the observed result of a finding, so that each difference is found once. If the recorded
// result was wrong, later results differ too. If this lane agrees with a later observed result, that result differs
// only because of the earlier finding. For a run on another device there is also a lane on the CPU. It is compared with
// facts and records of a CPU run, because devices may have other layouts.
#pragma once

#include <optional>
#include <vector>

#include "fake/crosscheck/crosscheck.h"
#include "tracer/run/interpreter.h"
#include "tracer/run/run_inputs.h"

namespace ersatz::tools {

class PredictionLane {
 public:
  /// `device`: the device of all calls; nullopt: the devices that the program names.
  explicit PredictionLane(std::optional<Device> device);

  std::vector<Value> inputs(const Program& program, const SymbolValues& symbols, InputChoice choice) const;
  /// Predicts the results of the call, as one Value for each return of the schema and as a flat list. Both are empty if
  /// the rule has no prediction.
  void predict(const OpEntry& op, std::span<const Value> args);
  std::span<const Value> flat() const { return flat_; }
  /// Returns the results that the lane goes on with: the prediction or, if there is none, the checked run's fakes on
  /// the lane's device.
  Values results(const Values& fakes) const;
  /// Returns placeholders for the results of a node that was not run.
  Values placeholders(const NodeCall& call, const SymbolValues& symbols, std::span<const ResultFacts> facts) const;

 private:
  std::optional<Device> device_;
  FakeMode mode_;
  Values predicted_, flat_;
};

}  // namespace ersatz::tools
