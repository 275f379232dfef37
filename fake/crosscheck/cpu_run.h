// The same call on the CPU, beside one on another device: what the device witness says.
//
// It starts from copies of the arguments as the device has them, with their sharing, so that differences do not
// add up from call to call. Generators start in the state of the device's and draw the same numbers
// (docs/random.md).
#pragma once

#include <optional>
#include <vector>

#include "fake/crosscheck/finding.h"
#include "runtime/base/error.h"
#include "runtime/op/value.h"

namespace ersatz {

class CpuRun {
 public:
  /// The device other than the CPU that arguments are on or name; empty: there is none, and nothing to run twice.
  static std::optional<Device> device_of(std::span<const Value> args);

  /// Runs the call. What it raises is kept, but for InternalError, which passes. With `reference` floating-point
  /// inputs are widened to f64 for a third run.
  CpuRun(const OpEntry& op, std::span<const Value> args, bool reference);

  Values results;                 ///< one per schema return; empty if the call raised
  std::vector<Tensor> arguments;  ///< the tensors among the arguments, as the call left them
  std::optional<Error> error;     ///< what it raised
  Values reference;               ///< results of the f64 run; empty where there is none

 private:
  void run(const OpEntry& op, std::span<const Value> args);
  void run_wide(const OpEntry& op, std::span<const Value> args);
};

/// `from` with its elements converted, row-major on the CPU. REQUIRES: a tensor on the CPU.
Tensor converted(const Tensor& from, DType dtype);

}  // namespace ersatz
