// Learns the layouts of a metadata-only device from calls that were recorded there: `--device xpu=run.jsonl`.
//
// A recorded call is used if ersatz has its operator and predicts its results, except for strides of new and resized
// tensors. These strides are learned. Calls with other differences are left out, with a reason. If a call was recorded
// twice, the later record counts.
#pragma once

#include <map>
#include <string>

#include "runtime/op/recorded_layout.h"

namespace ersatz {

struct DeviceRecords {
  std::string file, device;
  RecordedLayouts rows;
  int64_t calls = 0;                        ///< number of calls in the file that have a tensor on the device
  std::map<std::string, int64_t> left_out;  ///< reason -> number of calls left out
};

/// Reads a file of recorded calls. `device` is a device name of runtime/base/other_devices.h, without an index. RAISES
/// InvalidArgument if the file cannot be read or has no call on the device.
DeviceRecords read_device_records(const std::string& file, std::string_view device);

}  // namespace ersatz
