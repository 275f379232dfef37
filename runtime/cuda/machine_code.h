// The GPUs that the module has machine code for.
//
// A module is compiled for some compute capabilities (ERSATZ_CUDA_ARCHS). Machine code for capability X.y runs on X.z
// with z >= y. For the last capability the module also has PTX, which the driver compiles for every later capability
// (CUDA C++ Programming Guide, "Application Compatibility"). On any other GPU every launch fails.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::cuda_module {

/// Returns whether a module built for `built`, as `80,90`, runs on a device of this capability (90 for 9.0).
bool has_machine_code(std::string_view built, int capability);

/// Marks each of the first `count` devices that the module has no code for as unusable. The device's error says what to
/// build. If the module has code for none of them, returns the error of the first device, else empty text.
std::string refuse_devices_without_code(int count);

}  // namespace ersatz::cuda_module
