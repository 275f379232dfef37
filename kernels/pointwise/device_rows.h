// Elementwise rows on CUDA: a table of functions, which the CUDA module fills when it is loaded.
//
// A row is an op of the tables (row.h). There is one kernel for each row and compute dtype. An operand may be strided,
// broadcast, of any dtype, or a number. If all operands are stored in one dtype, 16 bytes are moved at a time
// (device_packets.h).
#pragma once

#include <cstddef>
#include <span>

#include "kernels/pointwise/row_table.h"

namespace ersatz::pointwise {

struct DeviceOperand {
  std::byte* data = nullptr;         ///< device memory; null if the operand is a number
  DType dtype = DType::F32;          ///< the dtype in memory
  std::span<const int64_t> strides;  ///< in elements, one for each dim; empty: the operand is broadcast over all dims
  alignas(16) std::byte number[16] = {};  ///< the number as an element of `dtype`, in host memory
};

/// The loop of one row: computes the elements of `sizes`. operands[0] is the output.
using DeviceRow = void (*)(int device, std::span<const int64_t> sizes, std::span<const DeviceOperand> operands,
                           const RowParams& params);

struct DeviceRows {
  DeviceRow rows[kRowCount][kRowDTypes] = {};
  /// Copies to[i] = from[i] between any two dtypes; conjugates or negates if asked.
  void (*copy)(int device, std::span<const int64_t> sizes, const DeviceOperand& to, const DeviceOperand& from,
               bool conjugate, bool negate) = nullptr;
  /// Returns whether all bytes of some element are 0. Waits for the device.
  bool (*has_zero)(int device, std::span<const int64_t> sizes, const DeviceOperand& of) = nullptr;
  /// Like has_zero, but does not wait. If an element is 0, the device records a zero divisor for the running call
  /// (runtime/cuda/deferred_failure.h).
  void (*note_zero)(int device, std::span<const int64_t> sizes, const DeviceOperand& of) = nullptr;
};

/// Returns the table. It is empty until the CUDA module fills it. REQUIRES: kernels for CUDA run only after that.
DeviceRows& device_rows();

}  // namespace ersatz::pointwise
