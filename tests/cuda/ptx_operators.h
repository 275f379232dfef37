// The operators whose CUDA kernels ran as PTX and agreed with the CPU's, for docs/data/cuda_ptx.csv.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Returns the number of PTX instructions that this process has run. nullopt if ERSATZ_CUDA_MODULE names another
/// device than the PTX device.
std::optional<uint64_t> ptx_instructions_run();

/// Notes that a call of `op` ran PTX, and that its values were compared and are equal.
void note_agreement_on_ptx(const OpEntry& op);

/// Writes the noted operators to the file that ERSATZ_PTX_OPERATORS names: a header, then one operator a row, by name.
/// A form that is derived from another operator has the name of that operator, whose kernel it runs. Does nothing
/// without the variable.
void write_ptx_operators();

}  // namespace ersatz
