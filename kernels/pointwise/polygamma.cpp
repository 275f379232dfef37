#include "kernels/pointwise/polygamma.h"

#include <cmath>

#include "kernels/creation/arange.h"
#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_polygamma {
namespace {

using pointwise::Row;

constexpr uint8_t kOperands[] = {kPolygamma["self"]};

DType float_dtype(const RuleContext& context, DType t) { return is_integral(t) ? context.default_dtype : t; }

void rule(RuleCall& call) {
  call.require(call.integer(kPolygamma["n"]) >= 0, "C1", "n must not be negative, it is {}",
               call.integer(kPolygamma["n"]));
  const DType dtype = float_dtype(call.context, call.meta(kPolygamma["self"]).dtype);
  pointwise::answer_elementwise(call, kOperands, dtype, dtype);
  call.require_dtype(dtype, kFloats);
}

void run(KernelCall& call) {
  const int64_t n = call.integer(kPolygamma["n"]);
  pointwise::RowParams params;
  pointwise::set_param(params, 0, Scalar(n));
  pointwise::run_row(call,
                     n == 0   ? Row::digamma
                     : n == 1 ? Row::trigamma
                              : Row::polygamma,
                     kOperands, float_dtype(call.context, call.tensor(kPolygamma["self"]).dtype()), params);
}

void polygamma_inplace(CompositeCall& call) {
  const Tensor self = call.tensor(kPolygammaInplace["self"]);
  call_op_all<"aten.polygamma.out">(call.integer(kPolygammaInplace["n"]), self, self);
  call.returns(call[kPolygammaInplace["self"]]);
}
void special(CompositeCall& call) {
  call.returns(ops::polygamma(call.integer(kSpecial["n"]), call.tensor(kSpecial["self"])));
}
void special_out(CompositeCall& call) {
  call_op_all<"aten.polygamma.out">(call.integer(kSpecial["n"]), call.tensor(kSpecial["self"]),
                                    call.tensor(kSpecial.out()));
  call.returns(call[kSpecial.out()]);
}

/// Returns p (p - 1) / 4 log(pi) plus the sum of lgamma(self - k / 2) over 0 <= k < p.
Tensor multivariate(const CompositeCall& call) {
  static constexpr Schemas kEach{kMvlgamma, kMvlgammaInplace};
  const Tensor self = call.tensor(kEach["self"]);
  const int64_t p = call.integer(kEach["p"]);
  call.require(self.dtype() != DType::Bool, "C1", "self must not be bool: {}", self.meta());
  call.require(p >= 1, "C2", "p must be at least 1, it is {}", p);
  FactoryOptions options;
  options.dtype = float_dtype(call.context, self.dtype());
  options.device = self.device();
  call.require_dtype(*options.dtype, kFloats);
  const double dimension = static_cast<double>(p);
  const Tensor shifts = ops::arange(Scalar(0.5 - dimension / 2), Scalar(0.5), Scalar(0.5), options);
  const SymInt last[] = {-1};
  const Tensor sum = ops::sum(ops::lgamma(ops::add(shifts, ops::unsqueeze(self, -1), 1)), last);
  return ops::add(sum, Scalar(dimension * (dimension - 1) / 4 * std::log(3.14159265358979323846)));
}

void mvlgamma(CompositeCall& call) { call.returns(multivariate(call)); }
void mvlgamma_out(CompositeCall& call) { write_result(call, multivariate(call), kMvlgamma.out(), WrittenCast::Any); }
void mvlgamma_inplace(CompositeCall& call) {
  const Tensor self = call.tensor(kMvlgammaInplace["self"]);
  const Tensor result = multivariate(call);
  call.require(!is_integral(self.dtype()), "C1", "in place self must be a float: {}", self.meta());
  ops::copy_(self, result);
  call.returns(call[kMvlgammaInplace["self"]]);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kPolygamma)
                    .tag(Tag::Pointwise)
                    .with_rule(rule)
                    .every_device(run)
                    .dtypes(kReals | kBool)
                    .sample("0, f32[2,3]", 0.5, 9)
                    .sample("1, f64[2,3]{1,2}", 0.5, 9)
                    .sample("3, f32[2,3]", 0.5, 9)
                    .sample("2, i64[2,3]", 1, 9)
                    .refuses("C1", "-1, f32[2]");
  r.add_out(op, "out", WrittenForm{.cast = WrittenCast::Any});
  r.add(kPolygammaInplace).tag(Tag::Pointwise).with_composite(polygamma_inplace).sample("f32[2,3], 2", 0.5, 9);
  r.add_out_alike(r.add(kSpecial).with_composite(special).sample("2, f32[2,3]", 0.5, 9), "out")
      .with_composite(special_out)
      .sample("2, f32[2,3], out=f32[0]", 0.5, 9);
  OpEntry& multi = r.add(kMvlgamma)
                       .tag(Tag::Pointwise)
                       .with_composite(mvlgamma)
                       .sample("f32[2,3], 2", 2, 9)
                       .sample("i64[2,3], 3", 2, 9)
                       .refuses("C1", "bool[2], 2")
                       .refuses("C2", "f32[2], 0");
  r.add_out_alike(multi, "out").with_composite(mvlgamma_out).sample("f32[2,3], 2, out=f64[0]", 2, 9);
  r.add(kMvlgammaInplace)
      .tag(Tag::Pointwise)
      .with_composite(mvlgamma_inplace)
      .sample("f32[2,3], 2", 2, 9)
      .refuses("C1", "i64[2], 1");
}

}  // namespace ersatz::op_polygamma
