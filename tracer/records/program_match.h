// Do facts and stored values belong to a program, and to the run that is to be made of it?
//
// Both are found by names, and names such as `relu` occur in every program: what belongs to another one would be
// believed wherever names happen to agree. Each function returns in words what shows that they do not belong; empty
// where they do.
#pragma once

#include <string>

#include "tracer/program/program.h"
#include "tracer/program/symbol_values.h"
#include "tracer/pt2/inputs_outputs.h"
#include "tracer/records/facts.h"
#include "tracer/run/run_inputs.h"

namespace ersatz {

/// Each node of the program has its row, in order, with its name, operator and results; rows of a run that an error
/// ended may stop early. Rows of inputs have the metadata that the inputs of this run will have; inputs may lack rows.
std::string mismatch(const Facts& facts, const Program& program, const SymbolValues& symbols,
                     const InputChoice& choice = {});

/// `inputs` has every tensor that the caller gives, and nothing that is no input; the other lists name outputs,
/// buffers and inputs of the program.
std::string mismatch(const InputsOutputs& stored, const Program& program);

}  // namespace ersatz
