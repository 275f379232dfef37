// Elementwise rows on CUDA devices: the table of functions that the CUDA module fills when it is attached.
//
// The rows are those of the tables (row.h), with one kernel for each row and compute dtype. An operand may be strided,
// broadcast, of any dtype, or a number. If all operands are stored in one dtype, 16 bytes are moved at a time
// (device_packets.h).
#pragma once

#include <cstddef>
#include <span>

#include "kernels/pointwise/row_table.h"

namespace ersatz::pointwise {

struct DeviceOperand {
  std::byte* data = nullptr;              ///< on the device; null if the operand is a number
  DType dtype = DType::F32;               ///< as stored
  std::span<const int64_t> strides;       ///< in elements, one per dim; empty: broadcast over everything
  alignas(16) std::byte number[16] = {};  ///< the number, as an element of `dtype`, on the host
};

/// operands[0] is the output.
using DeviceRow = void (*)(int device, std::span<const int64_t> sizes, std::span<const DeviceOperand> operands,
                           const RowParams& params);

struct DeviceRows {
  DeviceRow rows[kRowCount][kRowDTypes] = {};
  /// to[i] = from[i], converted from any dtype to any other, with optional conjugation and negation.
  void (*copy)(int device, std::span<const int64_t> sizes, const DeviceOperand& to, const DeviceOperand& from,
               bool conjugate, bool negate) = nullptr;
  /// Returns whether some element's bytes are all 0. Waits for the device.
  bool (*has_zero)(int device, std::span<const int64_t> sizes, const DeviceOperand& of) = nullptr;
  /// Like has_zero, without waiting: a 0 is recorded as a zero divisor of the running call
  /// (runtime/cuda/deferred_failure.h).
  void (*note_zero)(int device, std::span<const int64_t> sizes, const DeviceOperand& of) = nullptr;
};

/// The table is empty until the CUDA module fills it. Kernels for CUDA run only after that.
DeviceRows& device_rows();

}  // namespace ersatz::pointwise
