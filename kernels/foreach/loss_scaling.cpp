#include "kernels/foreach/loss_scaling.h"

#include "kernels/creation/full.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/reshape.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_loss_scaling {
namespace {

using namespace arithmetic;

void require_number(const CompositeCall& call, Position p, DType dtype) {
  const TensorMeta& t = call.meta(p);
  call.require(check_eq(t.numel(), 1), "C1", "{} must be one number: it is {}", call.op.schema.arguments[p].name, t);
  call.require(t.dtype == dtype, "C2", "{} must be {}: it is {}", call.op.schema.arguments[p].name, name(dtype), t);
}

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  return call_op<"aten.where.self">(condition, a, b);
}

void unscale(const CompositeCall& call, std::span<const Value> gradients, const Tensor& found_inf) {
  require_number(call, kUnscales["inv_scale"], DType::F32);
  require_number(call, kUnscales["found_inf"], DType::F32);
  const Tensor by = ops::reshape(call.tensor(kUnscales["inv_scale"]), DimVec());
  for (const Value& v : gradients) {
    const Tensor gradient = v.tensor();
    call.require_dtype(gradient.dtype(), kFloats);
    const Tensor odd = call_op<"aten.any.default">(ops::logical_not(ops::isfinite(gradient)));
    ops::copy_(found_inf, where(odd, ops::ones_like(found_inf), found_inf));
    call_op<"aten.mul_.Tensor">(gradient, by);
  }
}
std::vector<Value> copies(std::span<const Value> list) {
  std::vector<Value> made;
  for (const Value& v : list) made.push_back(ops::clone(v.tensor()));
  return made;
}
void unscale_in_place(CompositeCall& call) {
  unscale(call, call.list(kUnscale["self"]), call.tensor(kUnscale["found_inf"]));
}
void unscale_copies(CompositeCall& call) {
  const std::vector<Value> made = copies(call.list(kUnscaleCopies["self"]));
  const Tensor found_inf = ops::clone(call.tensor(kUnscaleCopies["found_inf"]));
  unscale(call, made, found_inf);
  call.returns(Value::list(made));
  call.returns(found_inf);
}
void unscale_out(CompositeCall& call) {
  const std::vector<Value> made = copies(call.list(kUnscaleOut["self"]));
  unscale(call, made, ops::clone(call.tensor(kUnscaleOut["found_inf"])));
  put_results(call, made, call.list(kUnscaleOut["out"]));
}

struct Scale {
  Tensor scale, tracker;
};
Scale next(const CompositeCall& call) {
  require_number(call, kUpdates["growth_tracker"], DType::I32);
  require_number(call, kUpdates["self"], DType::F32);
  require_number(call, kUpdates["found_inf"], DType::F32);
  const auto number = [&](Position p) { return ops::reshape(call.tensor(p), DimVec()); };
  const Tensor scale = number(kUpdates["self"]), steps = ops::add(number(kUpdates["growth_tracker"]), Scalar(1));
  const Tensor found = ops::ne(number(kUpdates["found_inf"]), Scalar(0)),
               grows = ops::eq(steps, Scalar(call.integer(kUpdates["growth_interval"])));
  const Tensor larger = scale * Scalar(call.real(kUpdates["scale_growth_factor"])),
               smaller = scale * Scalar(call.real(kUpdates["scale_backoff_factor"]));
  const Tensor grown = where(ops::isfinite(larger), larger, scale);
  return {where(found, smaller, where(grows, grown, scale)),
          where(ops::logical_or(found, grows), steps * Scalar(0), steps)};
}
void update_in_place(CompositeCall& call) {
  const Scale made = next(call);
  ops::copy_(call.tensor(kUpdate["self"]), made.scale);
  ops::copy_(call.tensor(kUpdate["growth_tracker"]), made.tracker);
  call.returns(call[kUpdate["self"]]);
}
void update_copy(CompositeCall& call) {
  const Scale made = next(call);
  call.returns(ops::reshape(made.scale, call.meta(kUpdateCopy["self"]).sizes));
  call.returns(ops::reshape(made.tracker, call.meta(kUpdateCopy["growth_tracker"]).sizes));
}
void update_out(CompositeCall& call) {
  put_result(call, ops::reshape(next(call).scale, call.meta(kUpdateOut["self"]).sizes), kUpdateOut["out"]);
}

}  // namespace

void register_ops(Registry& r) {
  const std::string gradients = "[f32[2,3]{1,2}, f16[4]], f32[1], f32[]";
  r.add(kUnscale)
      .with_composite(unscale_in_place)
      .sample(gradients)
      .refuses("C1", "[f32[2]], f32[2], f32[]")
      .refuses("C2", "[f32[2]], f32[1], f64[]")
      .refuses("", "[i64[2]], f32[1], f32[]");
  r.add(kUnscaleCopies).with_composite(unscale_copies).sample(gradients);
  r.add(kUnscaleOut).with_composite(unscale_out).sample(gradients + ", out=[f32[0], f16[0]]");
  r.add(kUpdate)
      .with_composite(update_in_place)
      .sample("f32[1], i32[1], f32[], 2.0, 0.5, 3")
      .refuses("C1", "f32[2], i32[1], f32[], 2.0, 0.5, 3")
      .refuses("C2", "f32[1], i64[1], f32[], 2.0, 0.5, 3");
  r.add(kUpdateCopy).with_composite(update_copy).sample("f32[1], i32[], f32[], 2.0, 0.5, 3");
  r.add(kUpdateOut).with_composite(update_out).sample("f32[1], i32[], f32[], 2.0, 0.5, 3, out=f32[0]");
}

}  // namespace ersatz::op_loss_scaling
