#include "runtime/plugin/codes.h"

namespace ersatz {
namespace {

struct DTypeCode {
  uint8_t code, bits;
};
constexpr DTypeCode kCodes[kDTypeCount] = {{6, 8},  {1, 8},  {0, 8},  {0, 16}, {0, 32}, {0, 64},
                                           {2, 16}, {4, 16}, {2, 32}, {2, 64}, {5, 64}, {5, 128}};

}  // namespace

ErsatzDType to_c(DType t) {
  const DTypeCode c = kCodes[static_cast<size_t>(t)];
  return {c.code, c.bits, 1};
}
ErsatzDevice to_c(Device d) { return {d.is_cpu() ? 1 : d.is_cuda() ? 2 : 12, d.index}; }

std::optional<DType> dtype_from_c(ErsatzDType t) {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (t.code == kCodes[i].code && t.bits == kCodes[i].bits && t.lanes == 1) return static_cast<DType>(i);
  }
  return std::nullopt;
}
std::optional<Device> device_from_c(ErsatzDevice d) {
  if (d.type == 1) return kCPU;
  if (d.type == 12) return kMeta;
  if (d.type == 2 && d.index >= 0 && d.index < 128) return cuda(d.index);
  return std::nullopt;
}

}  // namespace ersatz
