// Elementwise rows on CUDA devices: what the CUDA module hands over when it is attached.
//
// The rows are those of the tables (row.h), one kernel per row and compute dtype. An operand may be strided, broadcast,
// of any dtype, or a number; where all are stored in one dtype, 16 bytes are moved at a time (device_packets.h).
#pragma once

#include <cstddef>
#include <span>

#include "kernels/pointwise/row_table.h"

namespace ersatz::pointwise {

struct DeviceOperand {
  std::byte* data = nullptr;              ///< on the device; null: a number
  DType dtype = DType::F32;               ///< as stored
  std::span<const int64_t> strides;       ///< in elements, one per dim; empty: broadcast over everything
  alignas(16) std::byte number[16] = {};  ///< of `dtype`, on the host
};

/// operands[0] is the output.
using DeviceRow = void (*)(int device, std::span<const int64_t> sizes, std::span<const DeviceOperand> operands,
                           const RowParams& params);

struct DeviceRows {
  DeviceRow rows[kRowCount][kRowDTypes] = {};
  /// to[i] = from[i], converted from any dtype to any other; with `conjugate` and `negate` on the way.
  void (*copy)(int device, std::span<const int64_t> sizes, const DeviceOperand& to, const DeviceOperand& from,
               bool conjugate, bool negate) = nullptr;
  /// Whether the bytes of some element are all 0. Waits for the device.
  bool (*has_zero)(int device, std::span<const int64_t> sizes, const DeviceOperand& of) = nullptr;
  /// The same without waiting: a 0 is noted, as a zero divisor of the running call (runtime/cuda/deferred_failure.h).
  void (*note_zero)(int device, std::span<const int64_t> sizes, const DeviceOperand& of) = nullptr;
};

/// The table; empty until the CUDA module fills it. Kernels for CUDA run after that only.
DeviceRows& device_rows();

}  // namespace ersatz::pointwise
