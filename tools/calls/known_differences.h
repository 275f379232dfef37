// The differences from recorded calls that docs/deviations.md explains. They are applied without any option.
#pragma once

#include "fake/crosscheck/waiver.h"
#include "runtime/base/device.h"

namespace ersatz::tools {

/// Returns the rows of docs/data/*_waivers.txt, which are compiled in, all marked `known`. `no_real` selects the rows
/// for predictions; else the rows for real calls on `device`.
Waivers known_differences(Device device, bool no_real, std::chrono::year_month_day today);

}  // namespace ersatz::tools
