// A function run for real and then fake, its results compared leaf by leaf.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fake/mode/fake_mode.h"

namespace ersatz {

/// What is run: any code that calls ops and returns tensors and numbers, in lists as it likes.
using ComparedFunction = std::function<std::vector<Value>(std::span<const Value> args)>;

/// Calls `f` with `args` and no mode active, then with their fakes under `mode`. Returns one line for each difference,
/// none where the two agree: `leaf 1: Stride mismatch! Strides are ...`. Tensors are compared in metadata, strides
/// included where they matter, and in their conj and neg bits; numbers pair with numbers, whatever their values.
/// Raises what the real run raises; what only the fake one raises is a difference.
std::vector<std::string> compare_runs(const FakeMode& mode, std::span<const Value> args, const ComparedFunction& f);

}  // namespace ersatz
