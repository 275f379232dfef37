// The device loops around the rows' expressions, and what fills a DeviceRows with them. Internal linkage: included once
// by each rows_*_cuda.cu.
#pragma once

#include "kernels/pointwise/device_loop.h"
#include "kernels/pointwise/device_rows.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/pointwise/math_airy.h"
#include "kernels/pointwise/row_kinds.h"
#include "kernels/vec/formulas.h"
#include "kernels/vec/math_integers.h"
#include "runtime/base/error.h"
#include "runtime/cuda/launch.h"

namespace ersatz::pointwise {
namespace {
namespace device {

namespace m = vec::m;

/// The parameters in the type of the elements.
template <class V>
struct Params {
  V value[4];
  explicit Params(const RowParams& p) {
    for (int i = 0; i < 4; ++i) {
      if constexpr (kIsDeviceComplex<V>) {
        using Part = typename V::value_type;
        value[i] = V(static_cast<Part>(p.re[i]), static_cast<Part>(p.im[i]));
      } else if constexpr (std::is_floating_point_v<V>) {
        value[i] = static_cast<V>(p.re[i]);
      } else {
        value[i] = static_cast<V>(p.integer[i]);
      }
    }
  }
  ERSATZ_HD V operator[](int i) const { return value[i]; }
};

template <class R, int kInputs, class T>
ERSATZ_DEVICE auto apply(const T (&x)[kInputs], const Params<T>& p) {
  if constexpr (kInputs == 1) return R::f(x[0], p);
  if constexpr (kInputs == 2) return R::f(x[0], x[1], p);
  if constexpr (kInputs == 3) return R::f(x[0], x[1], x[2], p);
}

template <class R, int kInputs, class T>
struct ResultOf {
  template <int n>
  static auto probe() {
    const Params<T> p{RowParams{}};
    if constexpr (n == 1) return R::f(T(), p);
    if constexpr (n == 2) return R::f(T(), T(), p);
    if constexpr (n == 3) return R::f(T(), T(), T(), p);
  }
  using type = decltype(probe<kInputs>());
};

/// What a result of type O is stored as, when its inputs are stored as S: itself (a bool, a part of a complex number),
/// or rounded to S.
template <class O, class T, class S>
using StoredAs = std::conditional_t<std::is_same_v<O, T>, S, O>;

/// All tensors packed and stored as S: 16 bytes of inputs at a time.
template <class R, class T, class S, int kInputs>
struct PackedRow {
  using O = StoredAs<typename ResultOf<R, kInputs, T>::type, T, S>;
  static constexpr int kWidth = sizeof(S) >= 16 ? 1 : 16 / sizeof(S);
  struct alignas(sizeof(S) * kWidth) In {
    S item[kWidth];
  };
  struct alignas(sizeof(O) * kWidth > 16 ? 16 : sizeof(O) * kWidth) Out {
    O item[kWidth];
  };

  O* out;
  const S* in[kInputs];  ///< null: a number
  T number[kInputs];
  int64_t n;
  Params<T> params;

  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int64_t begin = i * kWidth;
    const bool whole = begin + kWidth <= n;
    In block[kInputs];
    ERSATZ_UNROLL
    for (int k = 0; k < kInputs; ++k) {
      if (!in[k]) continue;
      if (whole) {
        block[k] = *reinterpret_cast<const In*>(in[k] + begin);
      } else {
        for (int j = 0; j < kWidth; ++j) block[k].item[j] = in[k][begin + j < n ? begin + j : begin];
      }
    }
    Out result;
    ERSATZ_UNROLL
    for (int j = 0; j < kWidth; ++j) {
      T x[kInputs];
      for (int k = 0; k < kInputs; ++k) x[k] = in[k] ? convert_value<T>(block[k].item[j]) : number[k];
      result.item[j] = convert_value<O>(apply<R, kInputs>(x, params));
    }
    if (whole) {
      *reinterpret_cast<Out*>(out + begin) = result;
    } else {
      for (int j = 0; j < kWidth && begin + j < n; ++j) out[begin + j] = result.item[j];
    }
  }
};

/// Any strides, any dtypes.
template <class R, class T, int kInputs>
struct StridedRow {
  using O = typename ResultOf<R, kInputs, T>::type;
  DeviceOffsets<kInputs + 1> offsets;
  std::byte* data[kInputs + 1];  ///< null: a number
  DType dtype[kInputs + 1];
  T number[kInputs];
  Params<T> params;

  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    T x[kInputs];
    ERSATZ_UNROLL
    for (int k = 0; k < kInputs; ++k) {
      x[k] = !data[k + 1] ? number[k] : load_as<T>(data[k + 1] + at[k + 1], dtype[k + 1]);
    }
    const O result = apply<R, kInputs>(x, params);
    std::byte* to = data[0] + at[0];
    if constexpr (std::is_same_v<O, float>) {
      if (dtype[0] == DType::F16) {
        *reinterpret_cast<half*>(to) = half(result);
        return;
      }
      if (dtype[0] == DType::BF16) {
        *reinterpret_cast<bfloat16*>(to) = bfloat16(result);
        return;
      }
    }
    *reinterpret_cast<O*>(to) = result;
  }
};

template <class T>
T number_of(const DeviceOperand& operand) {
  T value{};
  if (!operand.data) std::memcpy(&value, operand.number, sizeof value);
  return value;
}

bool aligned(const void* p, size_t to) { return reinterpret_cast<uintptr_t>(p) % to == 0; }

template <class R, class T, class S, int kInputs, size_t N>
bool run_packed(int device, const DevicePiece<static_cast<int>(N)>& piece, std::span<const DeviceOperand> operands,
                DType stored, const RowParams& params) {
  using Row = PackedRow<R, T, S, kInputs>;
  if (!aligned(piece.data[0], alignof(typename Row::Out))) return false;
  for (int k = 0; k < kInputs; ++k) {
    if (!operands[k + 1].data) continue;
    if (operands[k + 1].dtype != stored || !aligned(piece.data[k + 1], alignof(typename Row::In))) return false;
  }
  Row row{reinterpret_cast<typename Row::O*>(piece.data[0]), {}, {}, piece.numel, Params<T>(params)};
  for (int k = 0; k < kInputs; ++k) {
    row.in[k] = operands[k + 1].data ? reinterpret_cast<const S*>(piece.data[k + 1]) : nullptr;
    row.number[k] = number_of<T>(operands[k + 1]);
  }
  cuda_module::launch_each(device, (piece.numel + Row::kWidth - 1) / Row::kWidth, row);
  return true;
}

template <class R, class T, int kInputs>
void run(int device, std::span<const int64_t> sizes, std::span<const DeviceOperand> operands, const RowParams& params) {
  constexpr int N = kInputs + 1;
  using O = typename ResultOf<R, kInputs, T>::type;
  LoopOperand loop[N];
  DType stored = operands[0].dtype;
  bool same_out = false;
  for (int k = 0; k < N; ++k) {
    loop[k] = {operands[k].data, item_size(operands[k].dtype), operands[k].strides};
    // A number has no strides: it lies beside every element.
    if (k > 0 && operands[k].data) stored = operands[k].dtype;
  }
  same_out = !std::is_same_v<O, T> || operands[0].dtype == stored;
  for (int k = 1; k < N; ++k) {
    if (operands[k].data) continue;
    loop[k] = loop[0];  // it goes wherever the output goes
  }
  for_each_piece<N>(sizes, {loop, N}, [&](const DevicePiece<N>& piece) {
    if (piece.contiguous && same_out) {
      if (stored == kDeviceDType<T> && run_packed<R, T, T, kInputs, N>(device, piece, operands, stored, params)) {
        return;
      }
      if constexpr (std::is_same_v<T, float>) {
        if (stored == DType::F16 && run_packed<R, T, half, kInputs, N>(device, piece, operands, stored, params)) return;
        if (stored == DType::BF16 && run_packed<R, T, bfloat16, kInputs, N>(device, piece, operands, stored, params)) {
          return;
        }
      }
    }
    StridedRow<R, T, kInputs> row{piece.offsets, {}, {}, {}, Params<T>(params)};
    for (int k = 0; k < N; ++k) {
      row.data[k] = operands[k].data ? piece.data[k] : nullptr;
      row.dtype[k] = operands[k].dtype;
    }
    for (int k = 0; k < kInputs; ++k) row.number[k] = number_of<T>(operands[k + 1]);
    cuda_module::launch_each(device, piece.numel, row);
  });
}

template <class R, int kInputs, unsigned kinds>
void fill_row(DeviceRow* places) {
  auto put = [&]<class T>(DType dtype) { places[static_cast<int>(dtype)] = run<R, T, kInputs>; };
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
