// Checks that facts and stored values belong to a program and to its next run.
//
// Facts and stored values are found by name, and names like `relu` occur in every program. Without the check, facts of
// another program would be used wherever names are equal by chance. Each function returns a sentence with the first
// disagreement, or an empty string.
#pragma once

#include <string>

#include "tracer/program/program.h"
#include "tracer/program/symbol_values.h"
#include "tracer/pt2/inputs_outputs.h"
#include "tracer/records/facts.h"
#include "tracer/run/run_inputs.h"

namespace ersatz {

/// Compares facts with the program. There must be a row for each node, in order, with equal name, operator and results.
/// Later rows may be missing if the recorded run ended with an error. A row of an input may be missing, else it must
/// have the metadata that the input of this run will have.
std::string mismatch(const Facts& facts, const Program& program, const SymbolValues& symbols,
                     const InputChoice& choice = {});

/// Compares stored values with the program. `inputs` must have exactly the tensors that the caller passes. The other
/// lists must name outputs, buffers and inputs of the program.
std::string mismatch(const InputsOutputs& stored, const Program& program);

}  // namespace ersatz
