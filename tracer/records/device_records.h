// Learns the layouts of a metadata-only device from calls that were recorded there: `--device xpu=run.jsonl`.
//
// A recorded call is used if ersatz has its operator and predicts its results except for strides of new and resized
// tensors. These strides are stored. Calls with other differences are left out with a reason. If a call was recorded
// twice, the later record counts.
#pragma once

#include <map>
#include <string>

#include "runtime/op/recorded_layout.h"

namespace ersatz {

struct DeviceRecords {
  std::string file, device;
  RecordedLayouts rows;
  int64_t calls = 0;                        ///< calls in the file with a tensor on the device
  std::map<std::string, int64_t> left_out;  ///< reasons why calls were left out, with the number of calls
};

/// Reads a file of recorded calls. `device` is a name of runtime/base/other_devices.h without an index. Raises
/// InvalidArgument if the file cannot be read or has no call on the device.
DeviceRecords read_device_records(const std::string& file, std::string_view device);

}  // namespace ersatz
