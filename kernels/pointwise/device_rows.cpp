#include "kernels/pointwise/device_rows.h"

namespace ersatz::pointwise {

DeviceRows& device_rows() {
  static DeviceRows table;
  return table;
}

}  // namespace ersatz::pointwise
