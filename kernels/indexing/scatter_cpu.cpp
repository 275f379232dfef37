#include "kernels/indexing/index_values.h"
#include "kernels/indexing/scatter.h"
#include "kernels/indexing/scatter_places.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_scatter {
namespace {

template <class T>
T sum_of(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a || b;
  } else {
    return static_cast<T>(a + b);
  }
}

template <class T>
void write(const ScatterTarget& target, const Tensor& src, std::span<const SymInt> sizes, int64_t dim,
           std::span<const int64_t> indices, bool add) {
  T* to = reinterpret_cast<T*>(target.tensor().raw_data());
  const T* from = reinterpret_cast<const T*>(src.raw_data());
  for_each_place(target.tensor().meta(), src.meta(), sizes, dim, indices,
                 [&](int64_t t, int64_t s) { to[t] = add ? sum_of(to[t], from[s]) : from[s]; });
}

void scatter(KernelCall& call, bool add) {
  const ScatterTarget target(call);
  const int64_t dim = scatter_dim(call);
  const Tensor index = call.tensor(kEach["index"]);
  const IndexValues indices = checked_indices(call, index, size_of(target.tensor(), dim), ErrorFamily::Runtime);
  if (!indices.empty()) {
    dispatch_dtype<kAllDTypes>(target.tensor().dtype(), [&]<class T>() {
      Tensor src;
      if (call[kScattered["{}"]].is_tensor()) {
        src = call.tensor(kScattered["{}"]);
      } else {
        src = make_real_tensor(TensorMeta(target.tensor().dtype(), {}));
        *src.data<T>() = call.scalar(kScattered["{}"]).to<T>();
      }
      write<T>(target, src, index.sizes(), dim, indices, add);
    });
  }
  target.finish();
}

}  // namespace

void scatter_cpu(KernelCall& call) { scatter(call, false); }
void scatter_add_cpu(KernelCall& call) { scatter(call, true); }

void index_add_cpu(KernelCall& call) {
  const ScatterTarget target(call);
  const int64_t dim = scatter_dim(call);
  const Tensor source = call.tensor(kIndexAdd["source"]);
  const int64_t n = source.numel().as_int();
  const IndexValues named = checked_indices(call, call.tensor(kIndexAdd["index"]),
                                            n == 0 && source.dim() > 1 ? INT64_MAX : size_of(target.tensor(), dim),
                                            index_add_family(call, dim));
  if (n > 0) {
    const std::vector<int64_t> indices = spread_over_slices(named, source, dim);
    dispatch_dtype<kAllDTypes>(source.dtype(), [&]<class T>() {
      const Tensor scaled = make_real_tensor(TensorMeta(source.dtype(), source.sizes()));
      copy_elements(scaled, source);
      const T alpha = call.scalar(kIndexAdd["alpha"]).to<T>();
      T* values = scaled.data<T>();
      for (int64_t e = 0; e < n; ++e) {
        if constexpr (std::is_same_v<T, bool>) {
          values[e] = values[e] && alpha;
        } else {
          values[e] = static_cast<T>(values[e] * alpha);
        }
      }
      write<T>(target, scaled, source.sizes(), dim, indices, true);
    });
  }
  target.finish();
}

}  // namespace ersatz::op_scatter
