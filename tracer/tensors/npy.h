// Reads arrays that NumPy saved: `.npy` files, and `.npz` archives of them.
//
// Supported are bool, u8, i8 to i64, f16, f32, f64, c64 and c128, little-endian. The file's order, row-major (C) or
// column-major (Fortran), gives the strides. Elements of two raw bytes (`V2`) are bf16, as ml_dtypes saves them. Files
// are not trusted: the header's length is limited, sizes are multiplied with overflow checks and must fit the file, and
// nothing is unpickled. Each refusal is an InvalidArgument of one line with file and reason.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tracer/tensors/tensor_archive.h"

namespace ersatz {

/// Returns whether a file with these first bytes is a `.npy` file.
bool looks_like_npy(std::string_view bytes);

/// Returns the array in `bytes` as a real CPU tensor. `file` is the name in error messages.
Tensor parse_npy(std::string_view bytes, const std::string& file);

/// Returns the arrays of an archive. Each has the name of its entry without `.npy`.
NamedTensors load_npz(const std::string& path);

}  // namespace ersatz
