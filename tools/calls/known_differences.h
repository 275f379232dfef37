// The differences from recorded calls that docs/deviations.md explains. They apply without an option.
#pragma once

#include "fake/crosscheck/waiver.h"
#include "runtime/base/device.h"

namespace ersatz::tools {

/// The rows of docs/data/*_waivers.txt, compiled in. They are those for real calls on `device` or, with `no_real`,
/// those for predictions. All are marked `known`.
Waivers known_differences(Device device, bool no_real, std::chrono::year_month_day today);

}  // namespace ersatz::tools
