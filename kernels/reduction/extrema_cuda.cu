// Extrema on CUDA, and where they lie.
#include "kernels/reduction/arg_extrema.h"
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/max_dim.h"
#include "kernels/reduction/truth_folds.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_extrema {
namespace {

/// The extreme element and its index; of equal ones, and of NaNs, the first, whatever order they are folded in.
template <class C>
struct Place {
  C value;
  int64_t index;  ///< -1: nothing yet
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
  T* values;  ///< null: only the index counts
  int64_t* indices;
  ERSATZ_DEVICE void operator()(int64_t at, const Place<Compute_t<T>>& p) const {
    if (values != nullptr) values[at] = T(p.value);
    indices[at] = p.index;
  }
};

void find(bool largest, const Tensor& in, const Tensor* values, const Tensor& indices, DimMask mask) {
  DenseOutput places(indices);
  auto* to = reinterpret_cast<int64_t*>(places.tensor.raw_data());
  folds::dispatch_ordered<DeviceReduction>(in.dtype(), [&]<class T>() {
    T* elements = values ? reinterpret_cast<T*>(values->raw_data()) : nullptr;
    DeviceReduction::run_to(ExtremePlace<T>{largest}, StorePlace<T>{elements, to}, in, places.tensor.meta(), mask);
  });
  places.finish();
}

template <bool Largest>
void arg_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  // The index among all elements counts row-major ones.
  const bool as_it_is =
      call.has(op_arg_extrema::kEach["dim"]) && !call.tensor(op_arg_extrema::kEach["self"]).meta().neg;
  find(Largest,
       as_it_is ? call.tensor(op_arg_extrema::kEach["self"]) : dense_input(call.tensor(op_arg_extrema::kEach["self"])),
       nullptr, out, folds::dim_of(call, op_arg_extrema::kEach["dim"]));
}

template <bool Largest>
void dim_cuda(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Tensor in = call.tensor(op_max_dim::kMaxDim["self"]).meta().neg
                        ? dense_input(call.tensor(op_max_dim::kMaxDim["self"]))
                        : call.tensor(op_max_dim::kMaxDim["self"]);
  DenseOutput values(call.outputs[0]);
  find(Largest, in, &values.tensor, call.outputs[1], folds::dim_of(call, op_max_dim::kMaxDim["dim"]));
  values.finish();
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.amax.default", folds::extremum_over_dims<DeviceReduction, true>);
  cuda_module::attach(registry, "aten.amin.default", folds::extremum_over_dims<DeviceReduction, false>);
  cuda_module::attach(registry, "aten.max.default", folds::extremum_of_all<DeviceReduction, true>);
  cuda_module::attach(registry, "aten.min.default", folds::extremum_of_all<DeviceReduction, false>);
  cuda_module::attach(registry, "aten.aminmax.default", folds::aminmax<DeviceReduction>);
  cuda_module::attach(registry, "aten.max.dim", dim_cuda<true>);
  cuda_module::attach(registry, "aten.min.dim", dim_cuda<false>);
  cuda_module::attach(registry, "aten.argmax.default", arg_cuda<true>);
  cuda_module::attach(registry, "aten.argmin.default", arg_cuda<false>);
}

}  // namespace ersatz::op_extrema
