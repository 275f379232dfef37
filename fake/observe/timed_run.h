// How long runs of a model take.
#pragma once

#include <functional>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

struct TimedRun {
  std::vector<Value> results;  ///< of the last run
  double seconds = 0;          ///< of all of them
};

/// Calls `model(inputs)` so many times, at least once. Each device starts from seed 1337, so that timed runs of two
/// models draw the same numbers; the generators that `inputs` name are afterwards as they were. A GPU that the inputs
/// are on has ended its work before the clock starts and when each run ends.
TimedRun timed(const std::function<std::vector<Value>(std::span<const Value>)>& model, std::span<const Value> inputs,
               int runs = 1);

}  // namespace ersatz
