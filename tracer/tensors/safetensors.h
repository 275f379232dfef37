// Tensors in a `.safetensors` file: a JSON header with dtype, sizes and place of each, and their bytes behind it.
//
// The dtypes are those with a name in that format (runtime/base/dtype_list.h); all tensors are row-major. Files are
// hostile: the header is bounded, sizes are multiplied with checks, and the bytes must be those of the tensors, each
// byte of one tensor. Each refusal is one InvalidArgument line with file and reason.
#pragma once

#include <string>
#include <string_view>

#include "tracer/tensors/tensor_archive.h"

namespace ersatz {

/// Do the first bytes of a file of `size` bytes say that it is one?
bool looks_like_safetensors(std::string_view head, uint64_t size);

/// Real CPU tensors by their names; `file` is named in messages. `__metadata__` is not read.
NamedTensors parse_safetensors(std::string_view bytes, const std::string& file);

}  // namespace ersatz
