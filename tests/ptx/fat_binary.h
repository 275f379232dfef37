// The PTX that nvcc embeds in a program's host objects, beside machine code.
#pragma once

#include <string>
#include <vector>

namespace ersatz::ptx {

/// The texts in what a host object hands to `__cudaRegisterFatBinary`: one for each module that was compiled to PTX.
/// Throws std::runtime_error for a layout or a compression that is not known.
std::vector<std::string> ptx_of_fat_binary(const void* wrapper);

}  // namespace ersatz::ptx
