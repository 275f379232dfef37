// Runs a function for real and then fake, and compares the results leaf by leaf.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fake/mode/fake_mode.h"

namespace ersatz {

/// The function: any code that calls ops and returns tensors, numbers and lists of them.
using ComparedFunction = std::function<std::vector<Value>(std::span<const Value> args)>;

/// Calls `f` with `args` and no active mode, then with fakes of `args` under `mode`. Returns one line per difference,
/// for example `leaf 1: Stride mismatch! Strides are ...`. Compares the metadata of tensors, their conj and neg bits,
/// and strides that matter. Numbers agree with numbers of any value. RAISES: errors of the real run; an error of only
/// the fake run is a difference.
std::vector<std::string> compare_runs(const FakeMode& mode, std::span<const Value> args, const ComparedFunction& f);

}  // namespace ersatz
