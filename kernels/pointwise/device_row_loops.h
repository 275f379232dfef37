// The device loops that evaluate a row's expression. Internal linkage: device_row_launch.h includes this file.
#pragma once

#include "kernels/pointwise/device_packets.h"
#include "kernels/pointwise/device_rows.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/pointwise/math_airy.h"
#include "kernels/pointwise/math_gamma.h"
#include "kernels/pointwise/math_polynomials.h"
#include "kernels/vec/formulas.h"
#include "kernels/vec/math_integers.h"
#include "runtime/cuda/launch.h"

namespace ersatz::pointwise {
namespace {
namespace device {

namespace m = vec::m;

/// The parameters of an op (`alpha`, for example), converted to the type of the elements.
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

/// The type in which a result of type O is stored if the inputs are stored as S. It is S if the expression returns the
/// compute type T, and O if it returns a bool or a part of a complex number.
template <class O, class T, class S>
using StoredAs = std::conditional_t<std::is_same_v<O, T>, S, O>;

/// The fewest blocks that a multiprocessor has to hold. 0 leaves this number to the compiler. With 2, complex functions
/// get twice the registers that the compiler would choose, so that none spills.
template <class T>
inline constexpr int kFewestBlocksOfRow = kIsDeviceComplex<T> ? 2 : 0;

/// The loop for tensors that are all stored as S. It moves a packet of 16 bytes of each input at a time
/// (device_packets.h).
template <class R, class T, class S, int kInputs>
struct PackedRow {
  using O = StoredAs<typename ResultOf<R, kInputs, T>::type, T, S>;
  static constexpr int kWidth = kPacketItems<S>;
  static constexpr int kFewestBlocks = kFewestBlocksOfRow<T>;
  using Walk = PacketWalk<kInputs + 1, kWidth>;

  Walk walk;
  std::byte* data[kInputs + 1];  ///< null if the operand is a number
  T number[kInputs];
  Params<T> params;

  ERSATZ_DEVICE void operator()(int64_t i) const {
    const typename Walk::Place place = walk.of(i);
    Packet<S, kWidth> in[kInputs] = {};
    ERSATZ_UNROLL
    for (int k = 0; k < kInputs; ++k) {
      if (data[k + 1]) in[k] = walk.template read<S>(data[k + 1], k + 1, place);
      in[k] = cuda_module::kept_whole(in[k]);
    }
    Packet<O, kWidth> out;
    ERSATZ_UNROLL
    for (int j = 0; j < kWidth; ++j) {
      T x[kInputs];
      for (int k = 0; k < kInputs; ++k) x[k] = data[k + 1] ? convert_value<T>(in[k].item[j]) : number[k];
      out.item[j] = convert_value<O>(apply<R, kInputs>(x, params));
    }
    walk.write(data[0], place, out);
  }
};

/// The loop for operands of any strides and dtypes: moves one element at a time.
template <class R, class T, int kInputs>
struct StridedRow {
  using O = typename ResultOf<R, kInputs, T>::type;
  static constexpr int kFewestBlocks = kFewestBlocksOfRow<T>;
  DeviceOffsets<kInputs + 1> offsets;
  std::byte* data[kInputs + 1];  ///< null if the operand is a number
  DType dtype[kInputs + 1];
  T number[kInputs];
  Params<T> params;

  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    T x[kInputs];
    ERSATZ_UNROLL
    for (int k = 0; k < kInputs; ++k) {
      const std::byte* const from = data[k + 1] + at[k + 1];
      x[k] = !data[k + 1]                      ? number[k]
             : dtype[k + 1] == kDeviceDType<T> ? *reinterpret_cast<const T*>(from)
                                               : load_as<T>(from, dtype[k + 1]);
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

/// Evaluates a row whose expression is large, by a function call. The function is compiled once for each type, and not
/// inlined for each element of a packet.
template <class R>
struct Called {
  template <class V, class... More>
  ERSATZ_HD_CALL static auto f(V x, const More&... more) {
    return R::f(x, more...);
  }
};

}  // namespace device
}  // namespace
}  // namespace ersatz::pointwise
