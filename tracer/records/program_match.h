// Checks that facts and stored values belong to a program and to its next run.
//
// Both are found by name, and names like `relu` occur in every program. Facts of another program would be used wherever
// names agree by chance. Each function returns a sentence with the first disagreement, or an empty string.
#pragma once

#include <string>

#include "tracer/program/program.h"
#include "tracer/program/symbol_values.h"
#include "tracer/pt2/inputs_outputs.h"
#include "tracer/records/facts.h"
#include "tracer/run/run_inputs.h"

namespace ersatz {

/// Requires a row for each node of the program, in order, with equal name, operator and results. Rows may stop early if
/// the recorded run ended in an error. Rows of inputs must have the metadata that this run's inputs will have; they may
/// be missing.
std::string mismatch(const Facts& facts, const Program& program, const SymbolValues& symbols,
                     const InputChoice& choice = {});

/// Requires that `inputs` has exactly the tensors that the caller passes, and that the other lists name outputs,
/// buffers and inputs of the program.
std::string mismatch(const InputsOutputs& stored, const Program& program);

}  // namespace ersatz
