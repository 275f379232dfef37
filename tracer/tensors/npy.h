// Reads arrays that NumPy saved: `.npy` files, and `.npz` archives of them.
//
// Supported are bool, u8, i8 to i64, f16, f32, f64, c64 and c128, little-endian. The row-major (C) or column-major
// (Fortran) order of the file gives the strides. Elements of two raw bytes (`V2`) are bf16, as ml_dtypes saves them.
// Files are hostile: the header's length is bounded, sizes are multiplied with overflow checks and must fit the file,
// and nothing is unpickled. Each refusal is an InvalidArgument of one line with file and reason.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tracer/tensors/tensor_archive.h"

namespace ersatz {

/// Returns whether the first bytes of a file are those of a `.npy` file.
bool looks_like_npy(std::string_view bytes);

/// Returns the array in `bytes` as a real CPU tensor. Messages name `file`.
Tensor parse_npy(std::string_view bytes, const std::string& file);

/// Returns the arrays of an archive by entry name without `.npy`.
NamedTensors load_npz(const std::string& path);

}  // namespace ersatz
