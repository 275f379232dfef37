// Reads tensors of a `.safetensors` file: a JSON header with dtype, sizes and place of each tensor, then their bytes.
//
// Supported are the dtypes that have a name in the format (runtime/base/dtype_list.h). All tensors are row-major. Files
// are not trusted: the header's length is limited, sizes are multiplied with overflow checks, and each byte must belong
// to exactly one tensor. Each refusal is an InvalidArgument of one line with file and reason.
#pragma once

#include <string>
#include <string_view>

#include "tracer/tensors/tensor_archive.h"

namespace ersatz {

/// Returns whether a file with these first bytes and `size` bytes is a `.safetensors` file.
bool looks_like_safetensors(std::string_view head, uint64_t size);

/// Returns real CPU tensors by name. `file` is the name in error messages. `__metadata__` is ignored.
NamedTensors parse_safetensors(std::string_view bytes, const std::string& file);

}  // namespace ersatz
