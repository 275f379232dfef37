// Runs a call on a GPU a second time, on the CPU. The CPU's results are the evidence of Witness::Device.
//
// The CPU run gets copies of the GPU's arguments, so differences do not add up from call to call. The copies share
// storage as the arguments do. The CPU's generators start in the state of the GPU's generators and draw the same
// numbers (docs/random.md).
#pragma once

#include <optional>
#include <vector>

#include "fake/crosscheck/finding.h"
#include "runtime/base/error.h"
#include "runtime/op/value.h"

namespace ersatz {

class CpuRun {
 public:
  /// Returns the CUDA device of an argument, else the default device if it is CUDA. Returns nullopt if neither is CUDA:
  /// no second run is needed.
  static std::optional<Device> device_of(std::span<const Value> args);

  /// Runs the call and stores the error that it raises; an InternalError is raised again. If `reference`, a third run
  /// has its floating-point inputs widened to f64.
  CpuRun(const OpEntry& op, std::span<const Value> args, bool reference);

  Values results;                 ///< one per schema return; empty if the call raised
  std::vector<Tensor> arguments;  ///< the tensor arguments of the CPU run after the call
  std::optional<Error> error;     ///< the error that the call raised
  Values reference;               ///< results of the run in f64; empty if there is none

 private:
  void run(const OpEntry& op, std::span<const Value> args);
  void run_wide(const OpEntry& op, std::span<const Value> args);
};

/// Returns `from` converted to `dtype`, row-major on the CPU. REQUIRES: `from` is on the CPU.
Tensor converted(const Tensor& from, DType dtype);

}  // namespace ersatz
