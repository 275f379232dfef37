// Reads the inputs with which a `.pt2` archive was exported: `ROOT/data/sample_inputs/model.pt`, a pickle of
// torch.save.
//
// Only tensors and plain numbers in tuples, lists and dicts are read, and nothing is executed. A pickle may name only
// these globals: a tensor, a parameter, an ordered dict and storage types. Any other global is refused by name. Files
// are not trusted: storages are checked against their entries, and sizes, strides and offsets against the storages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

class ZipArchive;

/// Returns the tensors and numbers of the positional arguments and then of the keyword arguments, in order. RAISES
/// InvalidArgument if `bytes` are no valid `model.pt`. `name` is the name in error messages.
std::vector<Value> parse_sample_inputs(std::string bytes, const std::string& name);

/// Returns the sample inputs of an archive; empty if it has none.
std::vector<Value> load_sample_inputs(const ZipArchive& archive);

}  // namespace ersatz
