// Measures the time of runs of a model.
#pragma once

#include <functional>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

struct TimedRun {
  std::vector<Value> results;  ///< results of the last run
  double seconds = 0;          ///< time of all runs together
};

/// Calls `model(inputs)` `runs` times, at least once, and measures the time. The default generators of the CPU and of
/// the inputs' GPU start from seed 1337, so two models draw the same random numbers; afterwards their states are
/// restored. The function waits for the inputs' GPU before it starts the clock and after each run.
TimedRun timed(const std::function<std::vector<Value>(std::span<const Value>)>& model, std::span<const Value> inputs,
               int runs = 1);

}  // namespace ersatz
