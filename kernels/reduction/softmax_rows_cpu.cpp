#include "kernels/reduction/softmax_rows.h"

#include <algorithm>
#include <memory>

#include "kernels/dense_operand.h"
#include "kernels/loop_levels.h"
#include "kernels/pointwise/copy_engine.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"

namespace ersatz {
namespace {

const SoftmaxLoopTable& loop_table() {
  static const SoftmaxLoopTable table = best_loops<SoftmaxLoopTable>(ERSATZ_LEVELS(fill_softmax_loops));
  return table;
}
template <class C>
const SoftmaxLoops<C>& loops() {
  if constexpr (sizeof(C) == 8) {
    return loop_table().of_double;
  } else {
    return loop_table().of_float;
  }
}

/// The sizes of a row-major tensor as [outer, n, inner]. Each group of n elements at distance `inner` is normalised.
struct Extent {
  int64_t outer, n, inner;
};

int64_t grain(int64_t work) { return std::max<int64_t>(1, (1 << 14) / (work + 1)); }

template <class C>
void rows(const Extent& e, SoftmaxKind kind, const std::byte* in, std::byte* out, DType dtype) {
  const int64_t sizes[] = {e.n}, one[] = {1}, bytes = e.n * item_size(dtype);
  parallel_for(e.outer, grain(e.n), [&](int64_t begin, int64_t end) {
    const std::unique_ptr<C[]> wide(dtype == dtype_of<C> ? nullptr : new C[e.n]);
    auto* bytes_of_wide = reinterpret_cast<std::byte*>(wide.get());
    for (int64_t o = begin; o < end; ++o) {
      if (!wide) {
        loops<C>().row(reinterpret_cast<const C*>(in + o * bytes), reinterpret_cast<C*>(out + o * bytes), e.n, kind);
        continue;
      }
      pointwise::copy_strided(sizes, bytes_of_wide, dtype_of<C>, one, in + o * bytes, dtype, one);
      loops<C>().row(wide.get(), wide.get(), e.n, kind);
      pointwise::copy_strided(sizes, out + o * bytes, dtype, one, bytes_of_wide, dtype_of<C>, one);
    }
  });
}

template <class C>
void columns(const Extent& e, SoftmaxKind kind, const C* in, C* out) {
  const int64_t tiles = (e.inner + kSoftmaxColumns - 1) / kSoftmaxColumns,
                work = e.n * std::min(e.inner, kSoftmaxColumns);
  parallel_for(e.outer * tiles, grain(work), [&](int64_t begin, int64_t end) {
    const std::unique_ptr<C[]> scratch(new C[work]);
    for (int64_t t = begin; t < end; ++t) {
      const int64_t j = t % tiles * kSoftmaxColumns, at = t / tiles * e.n * e.inner + j;
      loops<C>().columns(in + at, out + at, e.n, e.inner, std::min(kSoftmaxColumns, e.inner - j), scratch.get(), kind);
    }
  });
}

Tensor dense_in(const Tensor& t, DType dtype) {
  if (t.dtype() == dtype) return dense_input(t);
  Tensor converted = make_real_tensor(TensorMeta(dtype, t.sizes()));
  copy_elements(converted, t);
  return converted;
}

template <class C>
void normalise(const Tensor& in, const Tensor& out, const Extent& e, SoftmaxKind kind) {
  if (e.inner == 1) {
    DenseOutput to(out);
    rows<C>(e, kind, dense_in(in, out.dtype()).raw_data(), to.tensor.raw_data(), out.dtype());
    to.finish();
    return;
  }
  // Like `softmax` with a dtype, first rounds the elements to the dtype of the result, then converts them to C.
  const Tensor rounded = dense_in(in, out.dtype()), wide = dense_in(rounded, dtype_of<C>);
  if (out.dtype() == dtype_of<C>) {
    DenseOutput to(out);
    columns(e, kind, wide.data<C>(), to.tensor.template data<C>());
    to.finish();
  } else {
    const Tensor to = make_real_tensor(TensorMeta(dtype_of<C>, out.sizes()));
    columns(e, kind, wide.data<C>(), to.data<C>());
    copy_elements(out, to);
  }
}

}  // namespace

void softmax_into(const Tensor& in, const Tensor& out, int64_t dim, SoftmaxKind kind) {
  if (out.numel().as_int() == 0) return;
  if (dim < 0) dim += std::max<int64_t>(in.dim(), 1);
  Extent e{1, 1, 1};
  for (int64_t d = 0; d < in.dim(); ++d) {
    (d < dim ? e.outer : d == dim ? e.n : e.inner) *= in.sizes()[size_t(d)].as_int();
  }
  out.dtype() == DType::F64 ? normalise<double>(in, out, e, kind) : normalise<float>(in, out, e, kind);
}

}  // namespace ersatz
