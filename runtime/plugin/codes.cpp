#include "runtime/plugin/codes.h"

#include "runtime/base/other_devices.h"

namespace ersatz {

ErsatzDType to_c(DType t) {
  const DTypeRow& row = row_of(t);
  return {row.code, row.bits, row.lanes};
}
ErsatzDevice to_c(Device d) { return {d.is_cpu() ? 1 : d.is_cuda() ? 2 : 12, d.index}; }

std::optional<DType> dtype_from_c(ErsatzDType t) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const DTypeRow& row = kDTypeRows[i];
    if (t.code == row.code && t.bits == row.bits && t.lanes == row.lanes) return static_cast<DType>(i);
  }
  return std::nullopt;
}
std::optional<Device> device_from_c(ErsatzDevice d) {
  const bool is_other = kFirstOtherIndex <= d.index && d.index < kEndOfOtherIndices;
  if (d.type == 1) return is_other ? Device{DeviceType::CPU, static_cast<int8_t>(d.index)} : kCPU;
  if (d.type == 12) return kMeta;
  if (d.type == 2 && ((d.index >= 0 && d.index < kFirstOtherIndex) || is_other)) return cuda(d.index);
  return std::nullopt;
}

}  // namespace ersatz
