// Reads tensors of a `.safetensors` file: a JSON header with dtype, sizes and place of each tensor, then their bytes.
//
// Supported are the dtypes with a name in that format (runtime/base/dtype_list.h). All tensors are row-major. Files are
// hostile: the header's length is bounded, sizes are multiplied with overflow checks, and each byte must belong to
// exactly one tensor. Each refusal is an InvalidArgument of one line with file and reason.
#pragma once

#include <string>
#include <string_view>

#include "tracer/tensors/tensor_archive.h"

namespace ersatz {

/// Returns whether the first bytes of a file with `size` bytes are those of a `.safetensors` file.
bool looks_like_safetensors(std::string_view head, uint64_t size);

/// Returns real CPU tensors by name. Messages name `file`. `__metadata__` is ignored.
NamedTensors parse_safetensors(std::string_view bytes, const std::string& file);

}  // namespace ersatz
