// What `--inputs` names: the values of one run.
//
//   x=a.npy,mask=b.npy     arrays by the names of the program's inputs; x=3 for a number
//   batch.npz              arrays by their names in the archive
//   batch.safetensors      tensors by their names in the file
//   batch.npy              where the program takes one tensor
//   inputs_outputs.json    values as docs/program-data.md describes them
//   zeros, ones, random    made up
//   made-up                made up, though the archive has sample inputs
//
// Files are known by their content. Inputs that a set of arrays does not name are made up, and its note says so.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/program/program_input.h"

namespace ersatz::tools {

struct InputSet {
  std::string note;  ///< for people: what the run gets
  std::shared_ptr<const InputsOutputs> given;
  InputChoice choice;    ///< refers to `given`
  bool made_up = false;  ///< some of it was made up, and nobody asked for that
};

/// The set that `text` names; an empty one is what lies beside the program, else the archive's sample inputs, else
/// made-up values. `number` counts the
/// sets of a command from 0: made-up ones differ from set to set. InvalidArgument where a file cannot be used or names
/// what the program does not take.
InputSet read_input_set(const ProgramInput& program, const std::string& text, uint64_t seed, size_t number);

}  // namespace ersatz::tools
