// Finds extreme elements and their indices on CUDA devices. Included by *_cuda.cu files.
#pragma once

#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/truth_folds.h"

namespace ersatz {
namespace device_reduce {

/// An extreme element and its index. Among equal elements, and among NaNs, the lowest index is chosen. So the result
/// does not depend on the order in which elements are compared.
template <class C>
struct Place {
  C value;
  int64_t index;  ///< -1 before the first element
};

template <class T>
struct ExtremePlace {
  using In = T;
  using Acc = Place<Compute_t<T>>;
  using Total = Acc;
  bool largest;

  ERSATZ_HD Acc start() const { return {Compute_t<T>(0), -1}; }
  ERSATZ_HD void step(Acc& a, In v, int64_t index) const { merge(a, {Compute_t<T>(v), index}); }
  ERSATZ_HD Total open() const { return start(); }
  ERSATZ_HD void fold(Total& t, const Acc& a) const { merge(t, a); }
  ERSATZ_HD void merge(Total& t, const Total& o) const {
    if (o.index < 0) return;
    const bool nan = t.value != t.value, other_nan = o.value != o.value;
    const bool beats = !nan && (other_nan || (largest ? o.value > t.value : o.value < t.value));
    const bool equals = nan ? other_nan : o.value == t.value;
    if (t.index < 0 || beats || (equals && o.index < t.index)) t = o;
  }
};

template <class T>
struct StorePlace {
  T* values;  ///< null if only the index is stored
  int64_t* indices;
  ERSATZ_DEVICE void operator()(int64_t at, const Place<Compute_t<T>>& p) const {
    if (values != nullptr) values[at] = T(p.value);
    indices[at] = p.index;
  }
};

/// Writes the index of the extreme of `in` over the dims of `mask`. Also writes the extreme to `values` unless it is
/// null.
inline void find_extremes(bool largest, const Tensor& in, const Tensor* values, const Tensor& indices, DimMask mask) {
  DenseOutput places(indices);
  auto* to = reinterpret_cast<int64_t*>(places.tensor.raw_data());
  folds::dispatch_ordered(in.dtype(), [&]<class T>() {
    T* elements = values ? reinterpret_cast<T*>(values->raw_data()) : nullptr;
    DeviceReduction::run_to(ExtremePlace<T>{largest}, StorePlace<T>{elements, to}, in, places.tensor.meta(), mask);
  });
  places.finish();
}

}  // namespace device_reduce
}  // namespace ersatz
