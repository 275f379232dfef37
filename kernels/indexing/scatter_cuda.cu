// scatter, scatter_add and index_add on CUDA.
#include <cstring>

#include "kernels/indexing/device_combine.h"
#include "kernels/indexing/scatter.h"
#include "kernels/indexing/scatter_places.h"

namespace ersatz::op_scatter {
namespace {

using namespace device_index;

template <class T>
struct Scale {
  T* values;
  T alpha;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    if constexpr (std::is_same_v<T, bool>) {
      values[i] = values[i] && alpha;
    } else {
      values[i] = static_cast<T>(values[i] * alpha);
    }
  }
};

/// Returns `source` times alpha in dtype `dtype`.
Tensor scaled(const Tensor& source, DType dtype, const Scalar& alpha) {
  if (alpha.kind() != Scalar::Kind::Bool && alpha.to_complex() == 1.0) {
    return source.dtype() == dtype ? plain_input(source) : dense_as(source, dtype);
  }
  const Tensor values = make_real_tensor(TensorMeta(dtype, source.sizes(), source.device()));
  copy_elements(values, source);
  dispatch_dtype<kCombined>(dtype, [&]<class Host>() {
    using T = DeviceType_t<Host>;
    const Host number = alpha.to<Host>();
    Scale<T> scale{reinterpret_cast<T*>(values.raw_data()), T()};
    std::memcpy(static_cast<void*>(&scale.alpha), &number, sizeof number);
    cuda_module::launch_each(values.device().index, values.numel().as_int(), scale);
  });
  return values;
}

void scatter(KernelCall& call, bool add) {
  const Tensor& out = call.outputs[0];
  const int64_t dim = scatter_dim(call);
  const DeviceIndex index =
      checked(call, call.tensor(kEach["index"]), out.device(), size_of(out, dim), ErrorFamily::Runtime);
  const DType dtype = add ? combined_dtype(out.dtype()) : out.dtype();
  const ScatterTarget target(call, dtype);
  if (index.tensor.numel().as_int() > 0) {
    if (!call[kScattered["{}"]].is_tensor()) {
      put_in_any_order(
          along_dim(target.tensor(), dim, index, number_on(out.device(), dtype, call.scalar(kScattered["{}"]))));
    } else if (add) {
      combine(call, along_dim(target.tensor(), dim, index, scaled(call.tensor(kScattered["{}"]), dtype, 1)),
              Reduction::Sum);
    } else {
      put(call, along_dim(target.tensor(), dim, index, plain_input(call.tensor(kScattered["{}"]))));
    }
  }
  target.finish();
}

void scatter_cuda(KernelCall& call) { scatter(call, false); }
void scatter_add_cuda(KernelCall& call) { scatter(call, true); }

void index_add_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const int64_t dim = scatter_dim(call);
  const Tensor source = call.tensor(kIndexAdd["source"]);
  const int64_t n = source.numel().as_int();
  const DeviceIndex index =
      checked(call, call.tensor(kIndexAdd["index"]), out.device(),
              n == 0 && source.dim() > 1 ? INT64_MAX : size_of(out, dim), index_add_family(call, dim));
  const DType dtype = combined_dtype(out.dtype());
  const ScatterTarget target(call, dtype);
  if (n > 0) {
    combine(call, along_slices(target.tensor(), dim, index, scaled(source, dtype, call.scalar(kIndexAdd["alpha"]))),
            Reduction::Sum);
  } else {
    note_outside(index);
  }
  target.finish();
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.scatter.src", "aten.scatter.value", "aten.scatter_.src", "aten.scatter_.value"}) {
    cuda_module::attach(registry, name, scatter_cuda);
  }
  for (const char* name : {"aten.scatter_add.default", "aten.scatter_add_.default"}) {
    cuda_module::attach(registry, name, scatter_add_cuda);
  }
  for (const char* name : {"aten.index_add.default", "aten.index_add_.default"}) {
    cuda_module::attach(registry, name, index_add_cuda);
  }
}

}  // namespace ersatz::op_scatter
