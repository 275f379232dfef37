// A second run, on the CPU, of a call on another device. Its results are the evidence of witness `device`.
//
// The run starts from copies of the device's arguments, so differences do not add up from call to call. The copies
// share storage as the arguments do. The CPU's generators start in the state of the device's generators and draw the
// same numbers (docs/random.md).
#pragma once

#include <optional>
#include <vector>

#include "fake/crosscheck/finding.h"
#include "runtime/base/error.h"
#include "runtime/op/value.h"

namespace ersatz {

class CpuRun {
 public:
  /// Returns the CUDA device that an argument is on or names, else the default device if it is CUDA. nullopt: no second
  /// run is needed.
  static std::optional<Device> device_of(std::span<const Value> args);

  /// Runs the call. Stores the error that it raises, except InternalError, which is raised. With `reference`, a third
  /// run has floating-point inputs widened to f64.
  CpuRun(const OpEntry& op, std::span<const Value> args, bool reference);

  Values results;                 ///< one per schema return; empty if the call raised
  std::vector<Tensor> arguments;  ///< the tensors among the arguments, as the call left them
  std::optional<Error> error;     ///< the error that the call raised
  Values reference;               ///< results of the f64 run; empty without one

 private:
  void run(const OpEntry& op, std::span<const Value> args);
  void run_wide(const OpEntry& op, std::span<const Value> args);
};

/// Returns `from` converted to `dtype`, row-major on the CPU. REQUIRES: `from` is on the CPU.
Tensor converted(const Tensor& from, DType dtype);

}  // namespace ersatz
