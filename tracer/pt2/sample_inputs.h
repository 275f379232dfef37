// The inputs with which a `.pt2` archive was exported: `ROOT/data/sample_inputs/model.pt`, a pickle of torch.save.
//
// Tensors and plain numbers in tuples, lists and dicts are read, and nothing is executed. Of all that a pickle names, a
// tensor, a parameter and an ordered dict are known here, and everything else is refused by name. Files are hostile:
// storages are checked against their entries, and sizes, strides and offsets against the storages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

class ZipArchive;

/// The tensors and numbers of the positional and then of the keyword arguments, in their order. InvalidArgument where
/// the bytes of `model.pt` are anything else; `name` is what messages call them.
std::vector<Value> parse_sample_inputs(std::string bytes, const std::string& name);

/// Those of an archive; empty where it has none.
std::vector<Value> load_sample_inputs(const ZipArchive& archive);

}  // namespace ersatz
