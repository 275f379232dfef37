// Reads the inputs with which a `.pt2` archive was exported: `ROOT/data/sample_inputs/model.pt`, a pickle of
// torch.save.
//
// It reads tensors and plain numbers in tuples, lists and dicts and executes nothing. The only globals that a pickle
// may name are a tensor, a parameter, an ordered dict and storage types; others are refused by name. Files are hostile:
// storages are checked against their entries, and sizes, strides and offsets against the storages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

class ZipArchive;

/// Returns the tensors and numbers of the positional and then of the keyword arguments, in order. Raises
/// InvalidArgument if `bytes` are no valid `model.pt`. Messages name `name`.
std::vector<Value> parse_sample_inputs(std::string bytes, const std::string& name);

/// Returns the sample inputs of an archive, an empty list if it has none.
std::vector<Value> load_sample_inputs(const ZipArchive& archive);

}  // namespace ersatz
