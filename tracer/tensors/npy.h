// Arrays that NumPy saved: `.npy` files, and `.npz` archives of them.
//
// Read here: bool, u8, i8 to i64, f16, f32, f64, c64 and c128, little-endian, in row-major (C) or column-major
// (Fortran) order, which decides the strides; elements of two raw bytes (`V2`) are bf16, since that is how ml_dtypes
// saves it. Files are hostile: a header is bounded, sizes are multiplied with checks and must be those of the file,
// and nothing is ever unpickled. Each refusal is one InvalidArgument line with file and reason.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tracer/tensors/tensor_archive.h"

namespace ersatz {

/// Do the first bytes of a file say that it is one?
bool looks_like_npy(std::string_view bytes);

/// A real CPU tensor of the array in `bytes`; `file` is named in messages.
Tensor parse_npy(std::string_view bytes, const std::string& file);

/// The arrays of an archive by their names, without the `.npy` of their entries.
NamedTensors load_npz(const std::string& path);

}  // namespace ersatz
