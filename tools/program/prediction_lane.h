// A program's fakes as the rules give them from node to node, whatever was found on the way.
//
// A checked run goes on with the truth of a finding, so that each difference is found once. Where the recorded truth
// was wrong, what follows differs too; this lane took nothing over, and what a later truth shares with it follows from
// the earlier finding. On the CPU, beside a run on another device, the lane is what facts and records of a CPU run are
// held against: devices have layouts of their own here and there.
#pragma once

#include <optional>
#include <vector>

#include "fake/crosscheck/crosscheck.h"
#include "tracer/run/interpreter.h"
#include "tracer/run/run_inputs.h"

namespace ersatz::tools {

class PredictionLane {
 public:
  /// Without a device: each call where the program has it.
  explicit PredictionLane(std::optional<Device> device);

  std::vector<Value> inputs(const Program& program, const SymbolValues& symbols, InputChoice choice) const;
  /// Predicts the call: its results, one per schema return and flat; both empty where the rule cannot tell.
  void predict(const OpEntry& op, std::span<const Value> args);
  std::span<const Value> flat() const { return flat_; }
  /// What the lane goes on with: the prediction, else the fakes that the checked run has, on the lane's device.
  Values results(const Values& fakes) const;
  /// Results for a node that was not run.
  Values placeholders(const NodeCall& call, const SymbolValues& symbols, std::span<const ResultFacts> facts) const;

 private:
  std::optional<Device> device_;
  FakeMode mode_;
  Values predicted_, flat_;
};

}  // namespace ersatz::tools
