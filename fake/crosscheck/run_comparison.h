// Runs a function with real tensors and then with fakes, and compares each tensor of the results.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fake/mode/fake_mode.h"

namespace ersatz {

/// Any function that calls ops and returns tensors, numbers and lists of them.
using ComparedFunction = std::function<std::vector<Value>(std::span<const Value> args)>;

/// Calls `f` with `args` and no active mode, then with fakes of `args` under `mode`. Returns one line per difference,
/// for example `leaf 1: Stride mismatch! Strides are ...`. It compares the metadata of tensors, their conj and neg
/// bits, and strides that affect an element's address. Numbers are not compared. RAISES: errors of the real run. If
/// only the fake run raises an error, that is a difference.
std::vector<std::string> compare_runs(const FakeMode& mode, std::span<const Value> args, const ComparedFunction& f);

}  // namespace ersatz
