#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"

namespace ersatz::op_diag {
namespace {

/// `t` without its two dims, and the diagonal as the last one.
TensorMeta diagonal_of(const TensorMeta& t, size_t dim1, size_t dim2, int64_t offset, SymInt length) {
  TensorMeta out = t;
  out.sizes.clear();
  out.strides.clear();
  for (size_t d = 0; d < t.sizes.size(); ++d) {
    if (d == dim1 || d == dim2) continue;
    out.sizes.push_back(t.sizes[d]);
    out.strides.push_back(t.strides[d]);
  }
  out.sizes.push_back(length);
  out.strides.push_back(t.strides[dim1] + t.strides[dim2]);
  out.offset += offset > 0 ? SymInt(offset) * t.strides[dim2] : SymInt(-offset) * t.strides[dim1];
  return out;
}

template <class T>
void sum_diagonal(const Tensor& out, const Tensor& self, int64_t n) {
  using Wide = std::conditional_t<std::is_integral_v<T>, int64_t, Compute_t<T>>;
  const T* from = reinterpret_cast<const T*>(self.raw_data());
  const int64_t step = self.strides()[0].as_int() + self.strides()[1].as_int();
  Wide sum{};
  for (int64_t i = 0; i < n; ++i) sum += Wide(from[i * step]);
  using Result = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
  *reinterpret_cast<Result*>(out.raw_data()) = Result(sum);
}

}  // namespace

void embed_cpu(KernelCall& call) {
  const Tensor self = call.tensor(0);
  const Tensor& out = call.outputs[0];
  fill_elements(out, 0);
  if (self.numel().as_int() == 0) return;
  const auto dim = [&](size_t i) {
    const int64_t d = call.integer(i);
    return static_cast<size_t>(d < 0 ? d + out.dim() : d);
  };
  const TensorMeta to = diagonal_of(out.meta(), dim(2), dim(3), call.integer(1), self.sizes().back());
  copy_elements(make_view(out, to), self);
}

void trace_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Tensor self = call.tensor(0);
  const int64_t n = std::min(self.sizes()[0].as_int(), self.sizes()[1].as_int());
  if (n == 0) return fill_elements(out, 0);
  const Tensor plain = self.meta().conj || self.meta().neg ? dense_input(self) : self;
  const bool lazy = out.meta().conj || out.meta().neg;
  const Tensor sum = lazy ? make_real_tensor(TensorMeta(out.dtype(), out.sizes())) : out;
  dispatch_dtype<kAllDTypes>(self.dtype(), [&]<class T>() { sum_diagonal<T>(sum, plain, n); });
  if (lazy) copy_elements(out, sum);
}

void block_diag_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  fill_elements(out, 0);
  SymInt row = 0, column = 0;
  for (const Value& v : call.list(0)) {
    const Tensor t = v.tensor();
    const int64_t rank = t.dim();
    const SymInt rows = rank == 2 ? t.sizes()[0] : SymInt(1), columns = rank == 0 ? SymInt(1) : t.sizes().back();
    if (t.numel().as_int() > 0) {
      TensorMeta block = out.meta(), from = t.meta();
      block.offset += row * block.strides[0] + column * block.strides[1];
      block.sizes = from.sizes;
      if (rank < 2) block.strides.erase(0);
      if (rank < 1) block.strides.erase(0);
      copy_elements(make_view(out, std::move(block)), t);
    }
    row += rows;
    column += columns;
  }
}

}  // namespace ersatz::op_diag
