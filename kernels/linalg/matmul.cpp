#include "kernels/linalg/matmul.h"

#include "kernels/linalg/addmm.h"
#include "kernels/linalg/addmv.h"
#include "kernels/linalg/bmm.h"
#include "kernels/linalg/mm.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/resize.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/transpose.h"
#include "kernels/shape/view.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_matmul {
namespace {

SymInt product_of(std::span<const SymInt> sizes) {
  SymInt n = 1;
  for (SymInt s : sizes) n *= s;
  return n;
}

/// Returns the batch sizes of `t`: all sizes except the last two. A vector or a matrix has none.
std::span<const SymInt> batch_of(const Tensor& t) { return t.sizes().first(size_t(std::max<int64_t>(t.dim() - 2, 0))); }

/// True if dims of these sizes and strides can be flattened to one dim without a copy. Dims of size 1 do not matter,
/// but their sizes are read only if the strides alone do not decide, so that symbolic sizes get fewer guards.
bool are_one(std::span<const SymInt> sizes, std::span<const SymInt> strides) {
  bool dense = true;
  for (size_t d = 0; dense && d + 1 < sizes.size(); ++d) dense = size_eq(strides[d], strides[d + 1] * sizes[d + 1]);
  if (dense) return true;
  std::optional<SymInt> next;
  for (size_t d = sizes.size(); d-- > 0;) {
    if (size_eq(sizes[d], 1)) continue;
    if (next && !size_eq(strides[d], *next)) return false;
    next = strides[d] * sizes[d];
  }
  return true;
}

/// True if at::matmul folds `large` into one matrix: its leading dims flatten without a copy, and the other operand is
/// a vector or a matrix.
bool folds(const Tensor& self, const Tensor& large, int64_t other_dim) {
  if (large.dim() < 3 || other_dim > 2) return false;
  if (self.dim() == 2) return false;  // false, because folding would transpose the result
  if (size_eq(large.numel(), 0)) return true;
  return are_one(large.sizes().first(large.sizes().size() - 1), large.strides());
}

/// True if matmul folds `large` in torch.export, which is so if `large` is row-major before any transposition.
bool exported_folds(const Tensor& self, const Tensor& large, int64_t other_dim) {
  if (large.dim() < 3 || other_dim > 2 || self.dim() == 2) return false;
  return size_eq(large.numel(), 0) || large.is_contiguous();
}
enum class Fold : bool { AsEager, AsExported };

/// Calls the `out=` overload `written` if `out` is defined, else the operator `functional`, which returns a new tensor.
template <OpName functional, OpName written>
Tensor product(const Tensor& a, const Tensor& b, const Tensor& out) {
  return out ? call_op<written>(a, b, out) : call_op<functional>(a, b);
}

/// Returns the product with the sizes `sizes`, computed with the flattened sizes `flat`. If the strides of `out` do not
/// allow a view with the sizes `flat`, the product is copied to `out`. CopiedAs selects the sizes of the copied
/// product: `flat` or `sizes`.
enum class CopiedAs : bool { Flat, Sizes };
template <OpName functional, OpName written>
Tensor flat_product(const Tensor& a, const Tensor& b, std::span<const SymInt> flat, const DimVec& sizes,
                    const Tensor& out, CopiedAs as) {
  if (!out) return ops::unsafe_view(call_op<functional>(a, b), sizes);
  if (!same_sizes(out.sizes(), sizes)) ops::resize_(out, sizes);
  const Tensor to = ops::reshape(out, flat);
  call_op<written>(a, b, to);
  if (!to.shares_storage(out)) ops::copy_(out, as == CopiedAs::Flat ? to : ops::view(to, sizes));
  return out;
}

/// Returns the product of `large`, folded into one matrix, with `small`. Like ATen, copies to `out` with the flattened
/// sizes, which must broadcast to the sizes of `out`.
Tensor folded(const Tensor& large, const Tensor& small, const Tensor& out) {
  DimVec sizes(large.sizes().first(large.sizes().size() - 1));
  const SymInt rows = product_of(sizes), matrix[] = {rows, large.sizes().back()};
  const Tensor left = ops::reshape(large, matrix);
  if (small.dim() == 1) {
    return flat_product<"aten.mv.default", "aten.mv.out">(left, small, {&rows, 1}, sizes, out, CopiedAs::Flat);
  }
  const SymInt columns = small.sizes()[1], flat[] = {rows, columns};
  sizes.push_back(columns);
  return flat_product<"aten.mm.default", "aten.mm.out">(left, small, flat, sizes, out, CopiedAs::Flat);
}

DimVec broadcast_batch(const CompositeCall& call, const Tensor& a, const Tensor& b) {
  const auto x = batch_of(a), y = batch_of(b);
  DimVec out(std::max(x.size(), y.size()), SymInt(1));
  for (size_t k = 0; k < out.size(); ++k) {
    const SymInt m = k < x.size() ? x[x.size() - 1 - k] : SymInt(1), n = k < y.size() ? y[y.size() - 1 - k] : SymInt(1);
    call.require(size_eq(m, 1) || stretches_to(n, m), "C2",
                 "batch dims must broadcast: self is {}, other is {} ({} vs {})", a.meta(), b.meta(), m, n);
    out[out.size() - 1 - k] = sym_eq(m, 1) ? n : m;
  }
  return out;
}

/// Returns `t` expanded to the batch sizes `batch` followed by `kept`, its own last sizes. The batch dims are
/// flattened.
Tensor expanded(const Tensor& t, const DimVec& batch, std::span<const SymInt> kept) {
  DimVec wide = batch, flat{product_of(batch)};
  for (SymInt s : kept) {
    wide.push_back(s);
    flat.push_back(s);
  }
  return ops::reshape(ops::expand(t, wide), flat);
}

Tensor batched(const CompositeCall& call, const Tensor& a, const Tensor& b, const Tensor& out) {
  const DimVec batch = broadcast_batch(call, a, b);
  const SymInt rows[] = {a.dim() == 1 ? SymInt(1) : a.size(-2), a.size(-1)};
  const Tensor left = expanded(a, batch, rows);
  const Tensor right =
      b.dim() == 1 ? ops::unsqueeze(expanded(b, batch, b.sizes()), 2) : expanded(b, batch, b.sizes().last(2));
  DimVec sizes = batch;
  if (a.dim() > 1) sizes.push_back(a.size(-2));
  if (b.dim() > 1) sizes.push_back(b.size(-1));
  if (!out && b.dim() == 1) return ops::unsafe_view(ops::squeeze(ops::bmm(left, right), -1), sizes);
  const SymInt flat[] = {left.sizes()[0], left.sizes()[1], right.sizes()[2]};
  return flat_product<"aten.bmm.default", "aten.bmm.out">(left, right, flat, sizes, out, CopiedAs::Sizes);
}

/// Returns the product of a vector and a matrix: mm of a one-row matrix, whose size-1 dim is then squeezed.
Tensor row_product(const Tensor& row, const Tensor& matrix, const Tensor& out) {
  const Tensor result = product<"aten.mm.default", "aten.mm.out">(ops::unsqueeze(row, 0), matrix, out);
  return call_op<"aten.squeeze_.dim">(out ? out : result, 0);
}

template <Fold fold>
Tensor multiply(const CompositeCall& call, const Tensor& a, const Tensor& b, const Tensor& out = {}) {
  call.require(a.dim() > 0 && b.dim() > 0, "C1", "both operands must have at least one dim: self is {}, other is {}",
               a.meta(), b.meta());
  if (a.dim() == 1 && b.dim() == 1) return product<"aten.dot.default", "aten.dot.out">(a, b, out);
  if (a.dim() == 2 && b.dim() == 1) return product<"aten.mv.default", "aten.mv.out">(a, b, out);
  if (a.dim() == 1 && b.dim() == 2) return row_product(a, b, out);
  if (a.dim() == 2 && b.dim() == 2) return product<"aten.mm.default", "aten.mm.out">(a, b, out);
  constexpr auto may_fold = fold == Fold::AsEager ? folds : exported_folds;
  // If a small operand requires a gradient, folding avoids expanding the operand, whose gradient would be as large as
  // the batch.
  const auto spares_gradient = [&](const Tensor& large, const Tensor& small) {
    return small.meta().requires_grad && !out && large.dim() >= 3 && small.dim() <= 2;
  };
  if (a.dim() >= b.dim()) {
    if (spares_gradient(a, b) || may_fold(a, a, b.dim())) return folded(a, b, out);
  } else {
    const Tensor large = fold == Fold::AsEager ? ops::transpose(b, -2, -1) : b;
    if (spares_gradient(b, a) || may_fold(a, large, a.dim())) return folded(ops::transpose(b, -2, -1), a, out);
  }
  return batched(call, a, b, out);
}

void matmul(CompositeCall& call) {
  call.returns(multiply<Fold::AsEager>(call, call.tensor(kMatmul["self"]), call.tensor(kMatmul["other"])));
}

void matmul_out(CompositeCall& call) {
  multiply<Fold::AsEager>(call, call.tensor(kMatmul["self"]), call.tensor(kMatmul["other"]),
                          call.tensor(kMatmul.out()));
  call.returns(call[kMatmul.out()]);
}

struct Layer {
  Tensor input, weight, bias;

  explicit Layer(const CompositeCall& call)
      : input(call.tensor(kLinear["input"])),
        weight(call.tensor(kLinear["weight"])),
        bias(call.tensor(kLinear["bias"])) {
    call.require(input.dim() > 0 && weight.dim() > 0, "C1",
                 "input and weight must have at least one dim: input is {}, weight is {}", input.meta(), weight.meta());
  }
};

/// True if the bias is one row, which addmm adds to each row of the product.
bool is_row(const Tensor& bias) { return bias.dim() == 1 || call_op<"aten.squeeze.default">(bias).dim() == 1; }

/// at::linear adds the bias in place (InPlace). If a tracer records the call, at::linear calls an out-of-place `add`
/// (Beside).
enum class Added : bool { InPlace, Beside };
template <Added added>
Tensor linear_of(const Layer& layer) {
  const auto& [input, weight, bias] = layer;
  if (bias && input.dim() == 2) {
    return ops::addmm(bias, input, ops::t(weight));
  } else if (bias && input.is_contiguous() && is_row(bias)) {
    DimVec sizes(input.sizes().first(input.sizes().size() - 1));
    const SymInt matrix[] = {product_of(sizes), input.sizes().back()};
    const Tensor rows = ops::reshape(input, matrix), out = ops::addmm(bias, rows, ops::t(weight));
    sizes.push_back(out.sizes()[1]);
    return ops::unsafe_view(out, sizes);
  } else {
    const Tensor out = ops::matmul(input, ops::t(weight));
    if (!bias) return out;
    return added == Added::Beside ? ops::add(out, bias) : call_op<"aten.add_.Tensor">(out, bias, Scalar(1));
  }
}

template <Added added>
void linear(CompositeCall& call) {
  call.returns(linear_of<added>(Layer(call)));
}
void linear_out(CompositeCall& call) {
  const auto [input, weight, bias] = Layer(call);
  const Tensor columns = ops::t(weight);
  const Tensor out = call.tensor(kLinear.out());
  if (bias && input.dim() == 2) {
    call_op<"aten.addmm.out">(bias, input, columns, Scalar(1), Scalar(1), out);
  } else {
    call_op<"aten.matmul.out">(input, columns, out);
    if (bias) call_op<"aten.add_.Tensor">(out, bias, Scalar(1));
  }
  call.returns(call[kLinear.out()]);
}

}  // namespace

void exported_matmul(CompositeCall& call) {
  call.returns(multiply<Fold::AsExported>(call, call.tensor(kMatmul["self"]), call.tensor(kMatmul["other"])));
}

void register_ops(Registry& r) {
  OpEntry& product = r.add(kMatmul)
                         .with_composite(matmul)
                         .dtypes(kNumbers)
                         .dtypes_on_cuda(kFloatsAndComplexes)
                         .sample("f32[2,3,4], f32[4,5]")
                         .sample("f32[3], f32[2,3,4]")
                         .sample("f64[2,1,3,4], f64[5,4,2]")
                         .refuses("C1", "f32[], f32[3]")
                         .refuses("C2", "f32[2,3,4], f32[3,4,5]");
  r.add_out_alike(product, "out").with_composite(matmul_out).sample("f32[2,3,4], f32[4,5], out=f32[0]");
  OpEntry& layer = r.add(kLinear)
                       .with_composite(linear<Added::InPlace>)
                       .decomposes(linear<Added::Beside>)
                       .dtypes(kNumbers)
                       .dtypes_on_cuda(kFloatsAndComplexes)
                       .sample("f32[2,3,4], f32[5,4], f32[5]")
                       .sample("f64[3,4], f64[5,4]")
                       .refuses("C1", "f32[], f32[5,4]");
  r.add_out_alike(layer, "out").with_composite(linear_out).sample("f32[2,3,4], f32[5,4], f32[5], out=f32[0]");
}

}  // namespace ersatz::op_matmul
