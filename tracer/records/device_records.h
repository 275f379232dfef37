// Layouts of a device of metadata, learnt from calls that were recorded there: what `--device xpu=run.jsonl` reads.
//
// A recorded call is taken if ersatz has its operator and predicts the recorded results but for the strides of new and
// resized tensors. These strides are stored. Calls with other differences are left out, with a reason. If a call was
// recorded twice, the later record counts.
#pragma once

#include <map>
#include <string>

#include "runtime/op/recorded_layout.h"

namespace ersatz {

struct DeviceRecords {
  std::string file, device;
  RecordedLayouts rows;
  int64_t calls = 0;                        ///< of the file, with a tensor on the device
  std::map<std::string, int64_t> left_out;  ///< why calls were not taken as a whole, and how many
};

/// Reads a file of recorded calls. `device` is a name of runtime/base/other_devices.h without a number.
/// InvalidArgument where the file cannot be read, or has no call on the device.
DeviceRecords read_device_records(const std::string& file, std::string_view device);

}  // namespace ersatz
