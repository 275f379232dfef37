#include "kernels/random/with_generator.h"

#include "kernels/indexing/item.h"
#include "kernels/shape/resize.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_with_generator {
namespace {

/// Returns the `out` argument of an `out=` op, resized to `sizes`.
Tensor written(const CompositeCall& call, std::span<const SymInt> sizes) {
  const Tensor out = call.tensor(call.args.size() - 1);
  if (!same_sizes(out.sizes(), sizes)) ops::resize_(out, sizes);
  return out;
}
bool writes(const CompositeCall& call) { return !call.op.written.empty(); }

/// Returns the tensor to fill. The generator argument is at position `generator`, and the options follow it.
Tensor sized(const CompositeCall& call, Position size, size_t generator) {
  if (writes(call)) return written(call, call.ints(size));
  const size_t options = generator + 1;
  return call_op<"aten.empty.memory_format">(call[size], call[options], call[options + 1], call[options + 2],
                                             call[options + 3], Value());
}
Tensor like(const CompositeCall& call, size_t generator) {
  if (writes(call)) return written(call, call.meta(kLike["self"]).sizes);
  const size_t options = generator + 1;
  return call_op<"aten.empty_like.default">(call[kLike["self"]], call[options], call[options + 1], call[options + 2],
                                            call[options + 3], call[options + 4]);
}

Tensor uniform(const Tensor& t, const Value& generator) {
  return call_op<"aten.uniform_.default">(t, 0.0, 1.0, generator);
}
Tensor normal(const Tensor& t, const Value& generator) {
  return call_op<"aten.normal_.default">(t, 0.0, 1.0, generator);
}
Tensor integers(const Tensor& t, const Value& low, const Value& high, const Value& generator) {
  return call_op<"aten.random_.from">(t, low, high, generator);
}

template <auto fill>
void run_sized(CompositeCall& call) {
  const Position generator = kSized["generator"];
  call.returns(fill(sized(call, kSized["size"], generator), call[generator]));
}
template <auto fill>
void run_like(CompositeCall& call) {
  const Position generator = kLike["generator"];
  call.returns(fill(like(call, generator), call[generator]));
}
void run_below(CompositeCall& call) {
  const Position generator = kBelow["generator"];
  call.returns(integers(sized(call, kBelow["size"], generator), 0, call[kBelow["high"]], call[generator]));
}
void run_between(CompositeCall& call) {
  const Position generator = kBetween["generator"];
  call.returns(integers(sized(call, kBetween["size"], generator), call[kBetween["low"]], call[kBetween["high"]],
                        call[generator]));
}
void run_like_below(CompositeCall& call) {
  const Position generator = kLikeBelow["generator"];
  call.returns(integers(like(call, generator), 0, call[kLikeBelow["high"]], call[generator]));
}
void run_like_between(CompositeCall& call) {
  const Position generator = kLikeBetween["generator"];
  call.returns(integers(like(call, generator), call[kLikeBetween["low"]], call[kLikeBetween["high"]], call[generator]));
}
void run_like_below_tensor(CompositeCall& call) {
  const Position generator = kLikeBelowTensor["generator"];
  const Scalar high = ops::item(call.tensor(kLikeBelowTensor["high"]));
  call.returns(integers(like(call, generator), 0, Value(high.to_sym_int()), call[generator]));
}
void run_normal_functional(CompositeCall& call) {
  const Tensor t =
      call_op<"aten.empty_like.default">(call[kNormalFunctional["self"]], Value(), Value(), Value(), Value(), Value());
  call.returns(call_op<"aten.normal_.default">(t, call[kNormalFunctional["mean"]], call[kNormalFunctional["std"]],
                                               call[kNormalFunctional["generator"]]));
}

void add(Registry& r, const std::string& schema, CompositeBody body, const std::string& sample) {
  OpEntry& op = r.add(schema).tag(Tag::Random).with_composite(body).sample(sample + ", generator=None", 3, 3);
  const std::string dtype = op.schema.base.starts_with("randint") ? "i64" : "f32";
  r.add_out_alike(op, op.schema.overload + "_out")
      .sample(fmt::format("{}, generator=None, out={}[0]", sample, dtype), 3, 3);
}

}  // namespace

void register_ops(Registry& r) {
  add(r, kSized.with("rand"), run_sized<uniform>, "[2, 3]");
  add(r, kSized.with("randn"), run_sized<normal>, "[2, 3]");
  for (const char* name : {"aten.rand.generator", "aten.randn.generator"}) r.find_mutable(name)->tag(Tag::Factory);
  add(r, kLike.with("rand_like"), run_like<uniform>, "f32[2,3]{1,2}");
  add(r, kLike.with("randn_like"), run_like<normal>, "f32[2,3]{1,2}");
  add(r, kBelow.with(), run_below, "10, [2, 3]");
  add(r, kBetween.with(), run_between, "-5, 5, [2, 3]");
  for (const char* name : {"aten.randint.generator", "aten.randint.low_generator"})
    r.find_mutable(name)->tag(Tag::Factory);
  add(r, kLikeBelow.with(), run_like_below, "i64[2,3]{1,2}, 10");
  add(r, kLikeBetween.with(), run_like_between, "i64[2,3]{1,2}, -5, 5");
  add(r, kLikeBelowTensor.with(), run_like_below_tensor, "i64[2,3]{1,2}, i64[]");
  for (const char* name : {"aten.randint_like.Tensor_generator", "aten.randint_like.Tensor_generator_out"})
    r.find_mutable(name)->tag(Tag::DataDependent);
  r.add(kNormalFunctional).tag(Tag::Random).with_composite(run_normal_functional).sample("f32[2,3]{1,2}, 1.0, 2.0");
}

}  // namespace ersatz::op_with_generator
