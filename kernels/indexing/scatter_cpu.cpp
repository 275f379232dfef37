#include "kernels/indexing/index_values.h"
#include "kernels/shape/broadcast.h"
#include "runtime/copy.h"
#include "runtime/dtype_switch.h"
#include "runtime/layout.h"

namespace ersatz::op_scatter {
namespace {

/// What the call writes into: the output with self in it, or a row-major copy where the output shares memory with
/// what is read.
class Target {
 public:
  explicit Target(const KernelCall& call) : self_(call.tensor(0)), out_(call.outputs[0]), to_(out_) {
    bool shares = false;
    for (size_t i : {2, 3}) shares = shares || (call.args[i].is_tensor() && call.tensor(i).shares_storage(out_));
    if (shares) to_ = make_real_tensor(TensorMeta(out_.dtype(), out_.sizes()));
    if (!to_.is(self_)) copy_elements(to_, self_);
  }
  const Tensor& tensor() const { return to_; }
  void finish() const {
    if (!to_.is(out_)) copy_elements(out_, to_);
  }

 private:
  Tensor self_, out_, to_;
};

template <class T>
T sum_of(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a || b;
  } else {
    return static_cast<T>(a + b);
  }
}

/// Calls f(element of target, element of src) at each position of the index; `indices` in row-major order.
template <class F>
void for_each_place(const TensorMeta& target, const TensorMeta& src, std::span<const SymInt> sizes, int64_t dim,
                    std::span<const int64_t> indices, F&& f) {
  const size_t rank = sizes.size();
  InlineVec<int64_t, 8> at(rank, 0);
  const bool flat = target.dim() == 0;
  const int64_t picked = flat ? 0 : target.strides[static_cast<size_t>(dim)].as_int();
  int64_t to = 0, from = 0;
  for (int64_t index : indices) {
    f(to + index * picked, from);
    for (size_t d = rank; d-- > 0;) {
      const int64_t size = sizes[d].as_int();
      const int64_t of_target = flat || static_cast<int64_t>(d) == dim ? 0 : target.strides[d].as_int();
      const int64_t of_src = src.dim() == 0 ? 0 : src.strides[d].as_int();
      to += of_target, from += of_src;
      if (++at[d] < size) break;
      to -= of_target * size, from -= of_src * size;
      at[d] = 0;
    }
  }
}

int64_t wrapped(const KernelCall& call) {
  const int64_t dim = call.integer(1);
  return dim < 0 ? dim + std::max<int64_t>(call.tensor(0).dim(), 1) : dim;
}
int64_t size_of(const Tensor& t, int64_t dim) {
  return t.dim() == 0 ? 1 : t.sizes()[static_cast<size_t>(dim)].as_int();
}

template <class T>
void write(const Target& target, const Tensor& src, std::span<const SymInt> sizes, int64_t dim,
           std::span<const int64_t> indices, bool add) {
  T* to = reinterpret_cast<T*>(target.tensor().raw_data());
  const T* from = reinterpret_cast<const T*>(src.raw_data());
  for_each_place(target.tensor().meta(), src.meta(), sizes, dim, indices,
                 [&](int64_t t, int64_t s) { to[t] = add ? sum_of(to[t], from[s]) : from[s]; });
}

void scatter(KernelCall& call, bool add) {
  const Target target(call);
  const int64_t dim = wrapped(call);
  const Tensor index = call.tensor(2);
  const std::vector<int64_t> indices =
      checked_indices(call, index, size_of(target.tensor(), dim), ErrorFamily::Runtime);
  if (!indices.empty()) {
    dispatch_dtype<kAllDTypes>(target.tensor().dtype(), [&]<class T>() {
      Tensor src;
      if (call.args[3].is_tensor()) {
        src = call.tensor(3);
      } else {
        src = make_real_tensor(TensorMeta(target.tensor().dtype(), {}));
        *src.data<T>() = call.scalar(3).to<T>();
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
  const Target target(call);
  const int64_t dim = wrapped(call);
  const Tensor source = call.tensor(3);
  const std::vector<int64_t> named =
      checked_indices(call, call.tensor(2), size_of(target.tensor(), dim), ErrorFamily::Index);
  const int64_t n = source.numel().as_int();
  if (n > 0) {
    // Each element's index along `dim`, as scatter_add would be given it.
    std::vector<int64_t> indices(static_cast<size_t>(n));
    int64_t inner = 1;
    for (int64_t d = dim + 1; d < source.dim(); ++d) inner *= source.sizes()[static_cast<size_t>(d)].as_int();
    const int64_t slices = size_of(source, dim);
    for (int64_t e = 0; e < n; ++e) {
      indices[static_cast<size_t>(e)] = named[static_cast<size_t>(e / inner % slices)];
    }
    dispatch_dtype<kAllDTypes>(source.dtype(), [&]<class T>() {
      const Tensor scaled = make_real_tensor(TensorMeta(source.dtype(), source.sizes()));
      copy_elements(scaled, source);
      const T alpha = call.scalar(4).to<T>();
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
