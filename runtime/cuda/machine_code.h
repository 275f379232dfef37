// The GPUs that the module has machine code for.
//
// A module is compiled for some compute capabilities (ERSATZ_CUDA_ARCHS). Machine code of capability X.y runs on X.z
// with z >= y. For the last capability the module has PTX too, which the driver compiles for every later one (CUDA C++
// Programming Guide, "Application Compatibility"). A launch on any other GPU fails, kernel by kernel.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::cuda_module {

/// Does code for `built`, as `80,90`, run on a device of this capability (90 for 9.0)?
bool has_machine_code(std::string_view built, int capability);

/// Makes those of the first `count` devices unusable that the module has no code for: each says what to build for it.
/// Returns the words of the first where there is code for none, else nothing.
std::string refuse_devices_without_code(int count);

}  // namespace ersatz::cuda_module
