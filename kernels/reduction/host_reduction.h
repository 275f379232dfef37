// HostReduction runs reductions on the CPU, DeviceReduction (device_reduce.h) on CUDA. Bodies of ops use either.
#pragma once

#include "kernels/reduction/reduce_loops.h"

namespace ersatz {

/// Runs reductions on the CPU. The bodies of ops are templates over this class or DeviceReduction.
struct HostReduction {
  static constexpr bool kOnDevice = false;
  template <class T>
  using Element = T;

  /// Writes the reduction of `in` over `mask` to `out`, which has the sizes of `reduced_meta`. REQUIRES: no lazy bits.
  template <class R>
  static void run(const R& r, const Tensor& in, const Tensor& out, DimMask mask) {
    reduce(r, plan_reduction(in.meta(), out.meta(), mask), reinterpret_cast<const typename R::In*>(in.raw_data()),
           reinterpret_cast<typename R::Out*>(out.raw_data()));
  }
  /// Calls sink(at, total) for each output. `at` is an offset in elements by the strides of `out`.
  template <class R, class Sink>
  static void run_to(const R& r, const Sink& sink, const Tensor& in, const TensorMeta& out, DimMask mask) {
    reduce_to(r, plan_reduction(in.meta(), out, mask), reinterpret_cast<const typename R::In*>(in.raw_data()), sink);
  }
};

}  // namespace ersatz
