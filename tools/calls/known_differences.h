// The differences from recorded calls that docs/deviations.md explains, known without being named on a command line.
#pragma once

#include "fake/crosscheck/waiver.h"
#include "runtime/base/device.h"

namespace ersatz::tools {

/// Rows of docs/data/*_waivers.txt, compiled in: for calls that run on a device, or without running them (`no_real`),
/// where predictions are judged. All are `known`.
Waivers known_differences(Device device, bool no_real, std::chrono::year_month_day today);

}  // namespace ersatz::tools
