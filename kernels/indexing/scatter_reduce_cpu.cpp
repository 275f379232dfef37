#include <cmath>
#include <limits>

#include "kernels/indexing/index_values.h"
#include "kernels/indexing/scatter_places.h"
#include "runtime/dtype_switch.h"

namespace ersatz::op_scatter_reduce {
namespace {

enum class Reduction : uint8_t { Sum, Prod, Mean, Max, Min };

Reduction reduction_of(const KernelCall& call) {
  const std::string_view name = call.args[4].as_string();
  return name == "prod" || name == "multiply" ? Reduction::Prod
         : name == "mean"                     ? Reduction::Mean
         : name == "amax"                     ? Reduction::Max
         : name == "amin"                     ? Reduction::Min
                                              : Reduction::Sum;
}

template <class T>
inline constexpr bool ordered = !is_complex(dtype_of<T>);
template <class T>
bool is_nan(T v) {
  if constexpr (is_float(dtype_of<T>)) return std::isnan(static_cast<double>(v));
  return false;
}

template <class T>
T combined(Reduction r, T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return r == Reduction::Prod || r == Reduction::Min ? a && b : a || b;
  } else {
    if constexpr (ordered<T>) {
      if (r == Reduction::Max) return is_nan(a) || (!is_nan(b) && !(a < b)) ? a : b;
      if (r == Reduction::Min) return is_nan(a) || (!is_nan(b) && !(b < a)) ? a : b;
    }
    return r == Reduction::Prod ? static_cast<T>(a * b) : static_cast<T>(a + b);
  }
}

/// What an element that does not count itself begins with.
template <class T>
T neutral(Reduction r) {
  if (r == Reduction::Prod) return T(1);
  if constexpr (std::is_same_v<T, bool>) {
    return r == Reduction::Min;
  } else if constexpr (is_float(dtype_of<T>)) {
    if (r == Reduction::Max) return T(-std::numeric_limits<float>::infinity());
    if (r == Reduction::Min) return T(std::numeric_limits<float>::infinity());
  } else if constexpr (ordered<T>) {
    if (r == Reduction::Max) return std::numeric_limits<T>::lowest();
    if (r == Reduction::Min) return std::numeric_limits<T>::max();
  }
  return T(0);
}

template <class T>
T divided(T sum, int64_t count) {
  if constexpr (std::is_integral_v<T>) {
    const int64_t s = static_cast<int64_t>(sum), q = s / count;
    return static_cast<T>(s % count != 0 && s < 0 ? q - 1 : q);  // counts are positive
  } else if constexpr (is_complex(dtype_of<T>)) {
    return sum / T(static_cast<typename T::value_type>(count));
  } else {
    return T(static_cast<float>(sum) / static_cast<float>(count));
  }
}
template <>
double divided(double sum, int64_t count) {
  return sum / static_cast<double>(count);
}

/// Combines row-major elements; the target is row-major too, so that counts go beside it.
template <class T>
void reduce(const Tensor& target, const Tensor& src, std::span<const SymInt> sizes, int64_t dim,
            std::span<const int64_t> indices, Reduction r, bool include_self) {
  T* to = reinterpret_cast<T*>(target.raw_data());
  const T* from = reinterpret_cast<const T*>(src.raw_data());
  std::vector<int64_t> counts;
  if (r == Reduction::Mean) counts.assign(static_cast<size_t>(target.numel().as_int()), include_self ? 1 : 0);
  if (!include_self) {
    for_each_place(target.meta(), src.meta(), sizes, dim, indices, [&](int64_t t, int64_t) { to[t] = neutral<T>(r); });
  }
  for_each_place(target.meta(), src.meta(), sizes, dim, indices, [&](int64_t t, int64_t s) {
    to[t] = combined<T>(r, to[t], from[s]);
    if (r == Reduction::Mean) ++counts[static_cast<size_t>(t)];
  });
  if constexpr (!std::is_same_v<T, bool>) {
    for (size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] > 1) to[i] = divided<T>(to[i], counts[i]);
    }
  }
}

/// f16 and bf16 are combined in f32, and all in a row-major copy.
void run(KernelCall& call, const Tensor& src, std::span<const SymInt> sizes, int64_t dim,
         std::span<const int64_t> indices, bool include_self) {
  const Tensor self = call.tensor(0);
  const Tensor& out = call.outputs[0];
  const DType dtype = is_reduced_float(out.dtype()) ? DType::F32 : out.dtype();
  const Tensor target = make_real_tensor(TensorMeta(dtype, out.sizes()));
  if (self.numel().as_int() > 0) copy_elements(target, self);
  if (!indices.empty()) {
    const Tensor from = make_real_tensor(TensorMeta(dtype, src.sizes()));
    copy_elements(from, src);
    constexpr DTypeSet computed = kAllDTypes.without({DType::F16, DType::BF16});
    dispatch_dtype<computed>(
        dtype, [&]<class T>() { reduce<T>(target, from, sizes, dim, indices, reduction_of(call), include_self); });
  }
  if (self.numel().as_int() > 0) copy_elements(out, target);
}

bool includes_self(const KernelCall& call) {
  return call.args.size() <= 5 || call.boolean(5);  // `scatter` has no such argument
}

}  // namespace

void scatter_cpu(KernelCall& call) {
  const int64_t dim = scatter_dim(call);
  const Tensor index = call.tensor(2);
  const IndexValues indices = checked_indices(call, index, size_of(call.tensor(0), dim), ErrorFamily::Runtime);
  run(call, call.tensor(3), index.sizes(), dim, indices, includes_self(call));
}

void index_cpu(KernelCall& call) {
  const int64_t dim = scatter_dim(call);
  const Tensor source = call.tensor(3);
  const IndexValues named = checked_indices(call, call.tensor(2), size_of(call.tensor(0), dim), ErrorFamily::Index);
  const std::vector<int64_t> indices = spread_over_slices(named, source, dim);
  run(call, source, source.sizes(), dim, indices, includes_self(call));
}

}  // namespace ersatz::op_scatter_reduce
