// scatter_reduce, scatter with a reduction, and index_reduce on CUDA.
#include "kernels/indexing/device_combine.h"
#include "kernels/indexing/scatter.h"
#include "kernels/indexing/scatter_places.h"
#include "kernels/indexing/scatter_reduce.h"

namespace ersatz::op_scatter_reduce {
namespace {

using namespace device_index;

constexpr DTypeSet kWithMeans = kCombined.without(kBool);

template <class T>
struct Divide {
  T* sums;
  const int64_t* counts;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    if (counts[i] > 1) sums[i] = divided(sums[i], counts[i]);
  }
};

Tensor neutral_number(Device device, DType dtype, Reduction how) {
  const Tensor host = make_real_tensor(TensorMeta(dtype, std::span<const SymInt>()));
  dispatch_dtype<kCombined>(dtype, [&]<class T>() { *host.data<T>() = neutral<T>(how); });
  return number_moved_to(device, host);
}

/// Returns `p` with a single number as the other operand.
Places for_number(Places p, const Tensor& number) {
  p.other = number;
  for (int64_t& stride : p.of_other) stride = 0;
  return p;
}

void run(KernelCall& call, int64_t dim, const DeviceIndex& index, bool slices) {
  static constexpr Schemas kArgs2{kScatterReduceTwo, kIndexReduce};
  const Tensor& out = call.outputs[0];
  const Device device = out.device();
  const Reduction how = reduction_named(call[kEach["reduce"]].as_string());
  const bool include_self = call.args.size() <= kScatterReduceTwo["include_self"] ||
                            call.boolean(kArgs2["include_self"]);  // `scatter` always includes self
  const DType dtype = combined_dtype(out.dtype());
  // for means, target is a row-major copy, because the tensor of counts is row-major
  const ScatterTarget target(call, dtype, how == Reduction::Mean);
  if (index.tensor.numel().as_int() > 0 && out.numel().as_int() > 0) {
    const Tensor source = call.tensor(op_scatter::kScattered["{}"]),
                 from = source.dtype() == dtype ? plain_input(source) : dense_as(source, dtype);
    const Places p =
        slices ? along_slices(target.tensor(), dim, index, from) : along_dim(target.tensor(), dim, index, from);
    if (!include_self) put_in_any_order(for_number(p, neutral_number(device, dtype, how)));
    combine(call, p, how);
    if (how == Reduction::Mean) {
      const Tensor counts = make_real_tensor(TensorMeta(DType::I64, out.sizes(), device));
      fill_with(counts, int64_t(include_self));
      Places counted = for_number(p, number_on(device, DType::I64, int64_t(1)));
      counted.target = counts;
      combine(call, counted, Reduction::Sum);
      dispatch_dtype<kWithMeans>(dtype, [&]<class Host>() {
        using T = DeviceType_t<Host>;
        cuda_module::launch_each(device.index, out.numel().as_int(),
                                 Divide<T>{reinterpret_cast<T*>(target.tensor().raw_data()),
                                           reinterpret_cast<const int64_t*>(counts.raw_data())});
      });
    }
  } else {
    note_outside(index);
  }
  target.finish();
}

void scatter_cuda(KernelCall& call) {
  const int64_t dim = scatter_dim(call);
  const Tensor self = call.tensor(kOfElements["self"]);
  run(call, dim,
      checked(call, call.tensor(kOfElements["index"]), self.device(), size_of(self, dim), ErrorFamily::Runtime), false);
}

void index_cuda(KernelCall& call) {
  const int64_t dim = scatter_dim(call);
  const Tensor self = call.tensor(kIndexReduce["self"]);
  run(call, dim,
      checked(call, call.tensor(kIndexReduce["index"]), self.device(), size_of(self, dim), ErrorFamily::Index), true);
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name :
       {"aten.scatter_reduce.two", "aten.scatter_reduce_.two", "aten.scatter.reduce", "aten.scatter_.reduce"}) {
    cuda_module::attach(registry, name, scatter_cuda);
  }
  for (const char* name : {"aten.index_reduce.default", "aten.index_reduce_.default"}) {
    cuda_module::attach(registry, name, index_cuda);
  }
}

}  // namespace ersatz::op_scatter_reduce
