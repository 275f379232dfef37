// The values of one run, as `--inputs` names them.
//
//   x=a.npy,mask=b.npy     arrays by the names of the program's inputs; x=3 for a number
//   batch.npz              arrays by their names in the archive
//   batch.safetensors      tensors by their names in the file
//   batch.npy              an array for a program that takes one tensor
//   inputs_outputs.json    values as docs/program-data.md describes them
//   zeros, ones, random    synthetic values
//   made-up                synthetic values, even if the archive has sample inputs
//
// The kind of a file follows from its content, not from its name. Inputs for which a file has no array get synthetic
// values, and the note says so.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/program/program_input.h"

namespace ersatz::tools {

struct InputSet {
  std::string note;  ///< text for the report: which values the run has
  std::shared_ptr<const InputsOutputs> given;
  InputChoice choice;      ///< refers to `given`
  bool synthetic = false;  ///< some values are synthetic although the user did not ask for synthetic values
};

/// Reads the set that `text` names. If `text` is empty: the values next to the program, else the archive's sample
/// inputs, else synthetic values. `number` counts the sets of a command from 0, so that each set gets other synthetic
/// values. RAISES InvalidArgument if a file cannot be used, or if it names an input that the program does not have.
InputSet read_input_set(const ProgramInput& program, const std::string& text, uint64_t seed, size_t number);

}  // namespace ersatz::tools
