// Launches the device loops of elementwise ops, and fills a DeviceRows with these launches. Internal linkage: each
// rows_*_cuda.cu includes this file once.
#pragma once

#include "kernels/pointwise/device_row_loops.h"
#include "kernels/pointwise/row_kinds.h"

namespace ersatz::pointwise {
namespace {
namespace device {

template <class T>
T number_of(const DeviceOperand& operand) {
  T value{};
  if (!operand.data) std::memcpy(&value, operand.number, sizeof value);
  return value;
}

template <int kInputs>
using RowLaunch = void (*)(int device, const DevicePiece<kInputs + 1>& piece, std::span<const DeviceOperand> operands,
                           const RowParams& params);

/// The launches of one row (an elementwise op) in one compute type. The code that chooses a launch is shared by all
/// rows.
template <int kInputs>
struct RowLaunches {
  struct Packed {
    RowLaunch<kInputs> launch;
    DType stored;
    int64_t out_item;
    int width;
  };
  std::span<const Packed> packed;
  RowLaunch<kInputs> strided;
  bool keeps_dtype;  ///< true unless the result is bool or the real part of a complex number
};

template <class R, class T, class S, int kInputs>
void launch_packed(int device, const DevicePiece<kInputs + 1>& piece, std::span<const DeviceOperand> operands,
                   const RowParams& params) {
  using Row = PackedRow<R, T, S, kInputs>;
  Row row{typename Row::Walk(piece, sizeof(typename Row::O)), {}, {}, Params<T>(params)};
  for (int k = 0; k < kInputs + 1; ++k) row.data[k] = operands[k].data ? piece.data[k] : nullptr;
  for (int k = 0; k < kInputs; ++k) row.number[k] = number_of<T>(operands[k + 1]);
  cuda_module::launch_each(device, row.walk.packets(), row);
}

template <class R, class T, int kInputs>
void launch_strided(int device, const DevicePiece<kInputs + 1>& piece, std::span<const DeviceOperand> operands,
                    const RowParams& params) {
  StridedRow<R, T, kInputs> row{piece.offsets, {}, {}, {}, Params<T>(params)};
  for (int k = 0; k < kInputs + 1; ++k) {
    row.data[k] = operands[k].data ? piece.data[k] : nullptr;
    row.dtype[k] = operands[k].dtype;
  }
  for (int k = 0; k < kInputs; ++k) row.number[k] = number_of<T>(operands[k + 1]);
  cuda_module::launch_each(device, piece.numel, row);
}

/// Returns the launch that moves packets of the dtype in which all inputs are stored. Returns null if inputs are stored
/// in several dtypes or packets are not worth it; then elements are moved one by one.
template <int kInputs>
const typename RowLaunches<kInputs>::Packed* choose_packed(const RowLaunches<kInputs>& launches,
                                                           std::span<const DeviceOperand> operands,
                                                           const DevicePiece<kInputs + 1>& piece) {
  DType stored = operands[0].dtype;
  for (int k = 1; k <= kInputs; ++k) {
    if (operands[k].data) stored = operands[k].dtype;
  }
  bool equal = !launches.keeps_dtype || operands[0].dtype == stored;
  for (int k = 1; k <= kInputs; ++k) equal &= !operands[k].data || operands[k].dtype == stored;
  for (const auto& packed : launches.packed) {
    if (equal && packed.stored == stored && worth_packets(piece, packed.out_item, packed.width)) return &packed;
  }
  return nullptr;
}

template <int kInputs>
void run_row(int device, std::span<const int64_t> sizes, std::span<const DeviceOperand> operands,
             const RowParams& params, const RowLaunches<kInputs>& launches) {
  constexpr int N = kInputs + 1;
  LoopOperand loop[N];
  for (int k = 0; k < N; ++k) {
    // A number has no strides; it gets the output's, so that it does not restrict how dims are merged.
    loop[k] = k > 0 && !operands[k].data
                  ? loop[0]
                  : LoopOperand{operands[k].data, item_size(operands[k].dtype), operands[k].strides};
  }
  for_each_piece<N>(sizes, {loop, N}, [&](const DevicePiece<N>& piece) {
    if (const auto* packed = choose_packed<kInputs>(launches, operands, piece)) {
      return packed->launch(device, piece, operands, params);
    }
    launches.strided(device, piece, operands, params);
  });
}

template <class R, class T, class S, int kInputs>
constexpr typename RowLaunches<kInputs>::Packed packed_as(DType stored) {
  using Row = PackedRow<R, T, S, kInputs>;
  return {launch_packed<R, T, S, kInputs>, stored, sizeof(typename Row::O), Row::kWidth};
}

template <class R, class T, int kInputs>
void run(int device, std::span<const int64_t> sizes, std::span<const DeviceOperand> operands, const RowParams& params) {
  using Packed = typename RowLaunches<kInputs>::Packed;
  constexpr bool kKeepsDType = std::is_same_v<typename ResultOf<R, kInputs, T>::type, T>;
  if constexpr (std::is_same_v<T, float>) {
    static constexpr Packed kPacked[] = {packed_as<R, T, T, kInputs>(DType::F32),
                                         packed_as<R, T, half, kInputs>(DType::F16),
                                         packed_as<R, T, bfloat16, kInputs>(DType::BF16)};
    run_row<kInputs>(device, sizes, operands, params, {kPacked, launch_strided<R, T, kInputs>, kKeepsDType});
  } else {
    static constexpr Packed kPacked[] = {packed_as<R, T, T, kInputs>(kDeviceDType<T>)};
    run_row<kInputs>(device, sizes, operands, params, {kPacked, launch_strided<R, T, kInputs>, kKeepsDType});
  }
}

template <class R, int kInputs, unsigned kinds>
void fill_row(DeviceRow* places) {
  using F = std::conditional_t<(kinds & kS) != 0, Called<R>, R>;
  auto put = [&]<class T>(DType dtype) { places[static_cast<int>(dtype)] = run<F, T, kInputs>; };
  if constexpr (kinds & (kF | kS)) {
    put.template operator()<float>(DType::F32);
    put.template operator()<double>(DType::F64);
  }
  if constexpr (kinds & kI) {
    put.template operator()<uint8_t>(DType::U8);
    put.template operator()<int8_t>(DType::I8);
    put.template operator()<int16_t>(DType::I16);
    put.template operator()<int32_t>(DType::I32);
    put.template operator()<int64_t>(DType::I64);
  }
  if constexpr (kinds & kB) put.template operator()<bool>(DType::Bool);
  if constexpr (kinds & kC) {
    put.template operator()<DeviceComplex<float>>(DType::C64);
    put.template operator()<DeviceComplex<double>>(DType::C128);
  }
}

}  // namespace device
}  // namespace
}  // namespace ersatz::pointwise
