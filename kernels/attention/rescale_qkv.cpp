#include "kernels/attention/rescale_qkv.h"

#include <cmath>

#include "kernels/creation/empty.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/permute.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "kernels/wide_operand.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_rescale_qkv {
namespace {

void run(CompositeCall& call) {
  const TensorMeta &qkv = call.meta(kRescaleQkv["qkv"]), &bias = call.meta(kRescaleQkv["qkv_bias"]);
  call.require_index(qkv.dim() >= 3, "C1", "qkv must have three dims: it is {}", qkv);
  call.require(qkv.dim() == 3 && check_ne(qkv.sizes[0], 0) && check_ne(qkv.sizes[2], 0), "C1",
               "qkv must be [batch, steps, 3 * dim] with a batch and columns: it is {}", qkv);
  const int64_t heads = call.integer(kRescaleQkv["num_heads"]);
  call.require(heads > 0 && check_eq(floor_mod(qkv.sizes[2], SymInt(3) * heads), 0), "C2",
               "the last dim must be three times a multiple of num_heads, {}: qkv is {}", heads, qkv);
  call.require_dtype(qkv.dtype, kFloats);
  call.require(bias.dtype == qkv.dtype && check_ge(bias.numel(), qkv.sizes[2]), "C3",
               "the bias must have the dtype and the columns of qkv: they are {} and {}", bias, qkv);
  const SymInt batch = qkv.sizes[0], steps = qkv.sizes[1], width = floor_div(qkv.sizes[2], SymInt(3) * heads);
  const Tensor columns =
      ops::slice(ops::reshape(call.tensor(kRescaleQkv["qkv_bias"]), DimVec{-1}), 0, SymInt(0), qkv.sizes[2]);
  const Tensor sum = ops::add(wide_operand(call.tensor(kRescaleQkv["qkv"])), wide_operand(columns));
  const Tensor parted = ops::permute(ops::reshape(sum, DimVec{batch, steps, 3, heads, width}), DimVec{2, 0, 3, 1, 4});
  const Tensor all = ops::empty(DimVec{3, batch, heads, steps, width}, {.dtype = qkv.dtype, .device = qkv.device});
  const auto part = [](const Tensor& t, int64_t i) { return call_op<"aten.select.int">(t, int64_t(0), SymInt(i)); };
  const double scale = 1 / std::sqrt(static_cast<double>(width.guard_int()));
  for (int64_t i = 0; i < 3; ++i) {
    const Tensor from = part(parted, i), to = part(all, i);
    ops::copy_(to, i == 0 ? ops::mul(from, Scalar(scale)) : from);
    call.returns(to);
  }
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kRescaleQkv)
                    .made_of(run)
                    .sample("f32[2,3,24], f32[24], 2")
                    .sample("f64[2,3,6]{18,1,3}, f64[6], 1")
                    .sample("bf16[2,3,24], bf16[24], 4")
                    .refuses("C1", "f32[3,24], f32[24], 2")
                    .refuses("C1", "f32[0,3,24], f32[24], 2")
                    .refuses("C2", "f32[2,3,24], f32[24], 0")
                    .refuses("C2", "f32[2,3,24], f32[24], 3")
                    .refuses("C3", "f32[2,3,24], f32[23], 2")
                    .refuses("C3", "f32[2,3,24], f64[24], 2");
  add_written_apart(r, op, "out", {"out0", "out1", "out2"})
      .sample("f32[2,3,24], f32[24], 2, out0=f32[0], out1=f32[0], out2=f32[0]");
}

}  // namespace ersatz::op_rescale_qkv
