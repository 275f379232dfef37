// Predictions that are not judged: made beside a checked call, to tell where a difference comes from.
#pragma once

#include "fake/mode/fake_mode.h"

namespace ersatz {

/// The results that the rules predict, one per schema return; empty where a rule refuses or cannot tell. InternalError
/// passes.
Values predict(const FakeMode& mode, const OpEntry& op, std::span<const Value> fakes);

/// The same on the CPU, to be compared with records and facts of CPU runs. Fakes on other devices are moved there
/// first, with their sharing of storage; devices among the arguments become the CPU.
Values predict_on_cpu(const FakeMode& mode, const OpEntry& op, std::span<const Value> fakes);

}  // namespace ersatz
