#include "kernels/conv/conv_tbc.h"

#include "kernels/creation/empty.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/registry.h"

namespace ersatz::op_conv_tbc {
namespace {

/// [time, batch, channels] as [time * batch, channels].
Tensor rows(const Tensor& t) {
  return call_op<"aten.view.default">(t, DimVec{t.sizes()[0] * t.sizes()[1], t.sizes()[2]});
}

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
  for (int64_t k = 0; k < width; ++k) {
    const int64_t from = std::max<int64_t>(0, k - pad), to = std::max<int64_t>(0, pad - k);
    const SymInt steps = sym_min(time + (pad - k), padded) - to;
    if (!guard_gt(steps, 0)) continue;
    const Tensor read = ops::slice(self, 0, SymInt(from), steps + from),
                 written = ops::slice(out, 0, SymInt(to), steps + to);
    call_op<"aten.addmm_.default">(rows(written), rows(read), call_op<"aten.select.int">(weight, int64_t(0), SymInt(k)),
                                   Scalar(1), Scalar(1));
  }
  return out;
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
}

}  // namespace ersatz::op_conv_tbc
