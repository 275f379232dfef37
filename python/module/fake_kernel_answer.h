// Converts the answer of the Python functions that call a fake kernel for a live crosscheck.
#pragma once

#include <nanobind/stl/string.h>

#include "python/module/module.h"
#include "tools/live/own_ops.h"

namespace ersatz::python {

/// Converts the tuple (record, why, by_data) that `OwnCalls.predict` (ersatz/torch/own_calls.py) returns.
inline tools::FakeKernelAnswer fake_kernel_answer(nb::handle answer) {
  return {nb::cast<std::string>(answer[0]), nb::cast<std::string>(answer[1]), nb::cast<bool>(answer[2])};
}

}  // namespace ersatz::python
