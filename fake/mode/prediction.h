// Functions with which crosscheck predicts a call again, to find the origin of a difference between prediction and run.
#pragma once

#include "fake/mode/fake_mode.h"

namespace ersatz {

/// Returns the results that the rules predict, one per schema return. Empty if a rule refuses the call or cannot
/// determine the results. Raises only InternalError.
Values predict(const FakeMode& mode, const OpEntry& op, std::span<const Value> fakes);

/// Like predict, but on the CPU, for comparison with evidence of CPU runs. Fakes on other devices are first converted
/// to fakes on the CPU, which share storage where the originals do. Device arguments become the CPU.
Values predict_on_cpu(const FakeMode& mode, const OpEntry& op, std::span<const Value> fakes);

}  // namespace ersatz
