#include "kernels/indexing/index_values.h"
#include "kernels/indexing/scatter_places.h"
#include "kernels/indexing/scatter_reduce.h"
#include "kernels/indexing/scatter_reduction.h"
#include "kernels/pointwise/copy_engine.h"
#include "runtime/base/dtype_switch.h"

namespace ersatz::op_scatter_reduce {
namespace {

/// Returns the dtype in which a reduction over `t` is computed. Each product is rounded to `t`.
DType computed_dtype(DType t) {
  if (is_reduced_float(t) || kFloat8s.has(t)) return DType::F32;
  return t == DType::C32 ? DType::C64 : t;
}

void round_to(DType stored, DType computed, void* element) {
  alignas(16) std::byte narrow[16];
  const auto at = static_cast<std::byte*>(element);
  pointwise::copy_strided({}, narrow, stored, {}, at, computed, {});
  pointwise::copy_strided({}, at, computed, {}, narrow, stored, {});
}

/// Combines elements of `src` into `target`. Both are row-major. `stored` is the dtype of the output, to which each
/// product is rounded.
template <class T>
void reduce(const Tensor& target, const Tensor& src, std::span<const SymInt> sizes, int64_t dim,
            std::span<const int64_t> indices, Reduction r, bool include_self, DType stored) {
  T* to = reinterpret_cast<T*>(target.raw_data());
  const T* from = reinterpret_cast<const T*>(src.raw_data());
  std::vector<int64_t> counts;
  if (r == Reduction::Mean) counts.assign(static_cast<size_t>(target.numel().as_int()), include_self ? 1 : 0);
  if (!include_self) {
    for_each_place(target.meta(), src.meta(), sizes, dim, indices, [&](int64_t t, int64_t) { to[t] = neutral<T>(r); });
  }
  for_each_place(target.meta(), src.meta(), sizes, dim, indices, [&](int64_t t, int64_t s) {
    to[t] = combined<T>(r, to[t], from[s]);
    if (kLimitedDTypes.has(stored)) round_to(stored, target.dtype(), to + t);
    if (r == Reduction::Mean) ++counts[static_cast<size_t>(t)];
  });
  if constexpr (!std::is_same_v<T, bool>) {
    for (size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] > 1) to[i] = divided<T>(to[i], counts[i]);
    }
  }
}

/// Computes the reduction in a row-major copy of self with computed_dtype, and copies it to the output.
void run(KernelCall& call, const Tensor& src, std::span<const SymInt> sizes, int64_t dim,
         std::span<const int64_t> indices, bool include_self) {
  const Tensor self = call.tensor(kEach["self"]);
  const Tensor& out = call.outputs[0];
  const DType dtype = computed_dtype(out.dtype());
  const Tensor target = make_real_tensor(TensorMeta(dtype, out.sizes()));
  if (self.numel().as_int() > 0) copy_elements(target, self);
  if (!indices.empty()) {
    const Tensor from = make_real_tensor(TensorMeta(dtype, src.sizes()));
    copy_elements(from, src);
    constexpr DTypeSet computed = kAllDTypes.without({DType::F16, DType::BF16}) | DTypeSet{DType::U64};
    dispatch_dtype<computed>(dtype, [&]<class T>() {
      reduce<T>(target, from, sizes, dim, indices, reduction_named(call[kEach["reduce"]].as_string()), include_self,
                out.dtype());
    });
  }
  if (self.numel().as_int() > 0) copy_elements(out, target);
}

bool includes_self(const KernelCall& call) {
  return call.args.size() <= 5 || call.boolean(kIncluding["include_self"]);  // `scatter` always includes self
}

}  // namespace

void scatter_cpu(KernelCall& call) {
  const int64_t dim = scatter_dim(call);
  const Tensor index = call.tensor(kOfElements["index"]);
  const IndexValues indices =
      checked_indices(call, index, size_of(call.tensor(kOfElements["self"]), dim), ErrorFamily::Runtime);
  run(call, call.tensor(kOfElements["src"]), index.sizes(), dim, indices, includes_self(call));
}

void index_cpu(KernelCall& call) {
  const int64_t dim = scatter_dim(call);
  const Tensor source = call.tensor(kIndexReduce["source"]);
  const IndexValues named = checked_indices(call, call.tensor(kIndexReduce["index"]),
                                            size_of(call.tensor(kIndexReduce["self"]), dim), ErrorFamily::Index);
  const std::vector<int64_t> indices = spread_over_slices(named, source, dim);
  run(call, source, source.sizes(), dim, indices, includes_self(call));
}

}  // namespace ersatz::op_scatter_reduce
