// Predictions that are not compared: crosscheck makes them to find the origin of a difference.
#pragma once

#include "fake/mode/fake_mode.h"

namespace ersatz {

/// Returns the results of the rules, one per schema return. Empty if a rule refuses the call or cannot determine them.
/// Raises InternalError.
Values predict(const FakeMode& mode, const OpEntry& op, std::span<const Value> fakes);

/// Like predict, but on the CPU, for comparison with records and facts of CPU runs. Fakes on other devices are first
/// moved there with their sharing of storage. Device arguments become the CPU.
Values predict_on_cpu(const FakeMode& mode, const OpEntry& op, std::span<const Value> fakes);

}  // namespace ersatz
