#include "kernels/conv/conv_tbc.h"

#include "kernels/creation/empty.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_conv_tbc {
namespace {

/// Calls `step(k, read, written)` for each kernel position k of `weight`, [width, in, out]. `read` is the part of `in`
/// that is multiplied with weight[k], viewed as [time * batch, channels]. `written` is the part of `out` to which this
/// product is added. `in` is [time, batch, in], and `out` has `length` time steps. `out` is viewed with the batch of
/// `in` and the channels of `weight`, although a gradient may have other sizes.
template <class F>
void for_each_offset(const Tensor& in, const Tensor& out, const Tensor& weight, SymInt length, int64_t pad, F step) {
  const int64_t width = weight.sizes()[0].guard_int();
  for (int64_t k = 0; k < width; ++k) {
    const int64_t from = std::max<int64_t>(0, k - pad), to = std::max<int64_t>(0, pad - k);
    const SymInt steps = sym_min(in.sizes()[0] + (pad - k), length) - to;
    if (!guard_gt(steps, 0)) continue;
    const auto part = [&](const Tensor& t, int64_t begin, const SymInt& channels) {
      const Tensor narrowed = call_op<"aten.narrow.default">(t, int64_t(0), SymInt(begin), steps);
      return call_op<"aten.view.default">(narrowed, DimVec{steps * in.sizes()[1], channels});
    };
    step(k, part(in, from, in.sizes()[2]), part(out, to, weight.sizes()[2]));
  }
}
void add_product(const Tensor& to, const Tensor& a, const Tensor& b) {
  call_op<"aten.addmm_.default">(to, a, b, Scalar(1), Scalar(1));
}
Tensor at_offset(const Tensor& weight, int64_t k) { return call_op<"aten.select.int">(weight, int64_t(0), SymInt(k)); }

Tensor result(const CompositeCall& call) {
  const Tensor self = call.tensor(kConvTbc["self"]), weight = call.tensor(kConvTbc["weight"]),
               bias = call.tensor(kConvTbc["bias"]);
  const int64_t pad = call.integer(kConvTbc["pad"]);
  const bool fits = self.dim() == 3 && weight.dim() == 3 && bias.dim() == 1 &&
                    check_eq(self.sizes()[2], weight.sizes()[1]) && check_eq(bias.sizes()[0], weight.sizes()[2]);
  call.require(fits, "C1",
               "expects self [time, batch, in], weight [width, in, out] and bias [out]: they are {}, {}, {}",
               self.meta(), weight.meta(), bias.meta());
  const int64_t width = weight.sizes()[0].guard_int();
  const SymInt time = self.sizes()[0], padded = time - width + 1 + 2 * pad;
  call.require(check_ge(padded, 0), "C2", "a kernel of width {} does not fit {} steps with padding {}", width, time,
               pad);
  const Tensor out =
      ops::empty(DimVec{padded, self.sizes()[1], weight.sizes()[2]}, {.dtype = self.dtype(), .device = self.device()});
  ops::copy_(out, ops::expand(bias, out.sizes()));
  for_each_offset(self, out, weight, padded, pad, [&](int64_t k, const Tensor& read, const Tensor& written) {
    add_product(written, read, at_offset(weight, k));
  });
  return out;
}
void backward(CompositeCall& call) {
  static constexpr auto& kArgs = kConvTbcBackward;
  const Tensor grad = call.tensor(kArgs["self"]), input = call.tensor(kArgs["input"]),
               weight = call.tensor(kArgs["weight"]), bias = call.tensor(kArgs["bias"]);
  const int64_t pad = call.integer(kArgs["pad"]);
  call.require(input.dim() == 3 && weight.dim() == 3, "C1",
               "expects input [time, batch, in] and weight [width, in, out]: they are {} and {}", input.meta(),
               weight.meta());
  const int64_t width = weight.sizes()[0].guard_int();
  const SymInt length = input.sizes()[0] - width + 1 + 2 * pad;
  const auto zeros = [](const Tensor& like) {
    return call_op<"aten.zeros_like.default">(like, Value(), Value(), Value(), Value(), Value());
  };
  const auto turned = [](const Tensor& t) { return call_op<"aten.t.default">(t); };
  const Tensor of_input = zeros(input), of_weight = zeros(weight), of_bias = zeros(bias);
  for_each_offset(of_input, grad, weight, length, pad, [&](int64_t k, const Tensor& to, const Tensor& given) {
    add_product(to, given, turned(at_offset(weight, k)));
  });
  for_each_offset(input, grad, weight, length, pad, [&](int64_t k, const Tensor& read, const Tensor& given) {
    add_product(at_offset(of_weight, k), turned(read), given);
  });
  ops::copy_(of_bias, call_op<"aten.sum.dim_IntList">(grad, DimVec{SymInt(0), SymInt(1)}, false, Value()));
  for (const Tensor& t : {of_input, of_weight, of_bias}) call.returns(t);
}
void run(CompositeCall& call) { call.returns(result(call)); }
void run_out(CompositeCall& call) { write_result(call, result(call), kConvTbc.out()); }

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kConvTbc)
                    .with_composite(run)
                    .sample("f32[5,2,3], f32[2,3,4], f32[4], 1")
                    .refuses("C1", "f32[5,2,3], f32[2,2,4], f32[4], 1")
                    .refuses("C2", "f32[1,2,3], f32[4,3,4], f32[4], 0");
  r.add_out_alike(op, "out").with_composite(run_out).sample("f32[5,2,3], f32[2,3,4], f32[4], 1, out=f32[0]");
  r.add(kConvTbcBackward)
      .with_composite(backward)
      .sample("f32[6,2,4], f32[5,2,3], f32[2,3,4], f32[4], 1")
      .refuses("C1", "f32[6,2,4], f32[5,2], f32[2,3,4], f32[4], 1");
}

}  // namespace ersatz::op_conv_tbc
