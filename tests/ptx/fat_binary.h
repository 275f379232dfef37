// Reads the PTX that nvcc embeds in a program's host objects, next to machine code.
#pragma once

#include <string>
#include <vector>

namespace ersatz::ptx {

/// Returns the PTX texts in the argument of `__cudaRegisterFatBinary`: one per module that was compiled to PTX. Throws
/// std::runtime_error for an unknown layout or compression.
std::vector<std::string> ptx_of_fat_binary(const void* wrapper);

}  // namespace ersatz::ptx
