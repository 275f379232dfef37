// Which element of a dim stands at a place beyond its border: for the CPU and CUDA alike.
#pragma once

#include <cstdint>

#include "runtime/base/host_device.h"

namespace ersatz {

struct ReflectedSource {
  ERSATZ_HD int64_t operator()(int64_t i, int64_t size) const { return i < 0 ? -i : i < size ? i : 2 * (size - 1) - i; }
};
struct ReplicatedSource {
  ERSATZ_HD int64_t operator()(int64_t i, int64_t size) const { return i < 0 ? 0 : i < size ? i : size - 1; }
};

}  // namespace ersatz
