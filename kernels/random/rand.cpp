#include "kernels/random/rand.h"

#include "kernels/shape/copy_layout.h"
#include "kernels/shape/output_meta.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_rand {

void run_rand(KernelCall& call);
void run_randn(KernelCall& call);
void run_uniform(KernelCall& call);
void run_normal(KernelCall& call);

namespace {

// ATen looks at the dtype of a normal draw only where there is something to draw.
template <bool normal>
void require_dtype(const RuleCall& call, const TensorMeta& out) {
  if (normal && sym_eq(out.numel(), 0)) return;
  call.require_dtype(out.dtype, kFloatsAndComplexes);
}

// (size, options) and (size, out)
template <bool normal>
void sized_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kRand, kRandn};
  TensorMeta& out = start_factory(call, kArgs["dtype"], call.context.default_dtype, call.device);
  set_sizes(call, out, call.ints(kArgs["size"]));
  require_dtype<normal>(call, out);
}
template <bool normal>
void sized_out_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kRandOut, kRandnOut};
  require_dtype<normal>(call, resized_out(call, kArgs["out"], call.ints(kArgs["size"]), SharedElements::Refused));
}

// (self, options, format) and (self, format, out)
template <bool normal>
void like_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kRandLike, kRandnLike};
  const TensorMeta& from = call.meta(kArgs["self"]);
  TensorMeta& out = start_factory(call, kArgs["dtype"], from.dtype, from.device);
  out.sizes = from.sizes;
  out.strides = copy_strides(call, from, call[kArgs["memory_format"]], "C3");
  require_dtype<normal>(call, out);
}
template <bool normal>
void like_out_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kRandLikeOut, kRandnLikeOut};
  require_dtype<normal>(call, resized_out(call, kArgs["out"], call.meta(kArgs["self"]).sizes, SharedElements::Refused));
}

void require_apart(const RuleCall& call) {
  const TensorMeta& self = call.meta(kDraws["self"]);
  call.require(self.is_symbolic() || internal_overlap(self) != Overlap::Yes, "C4",
               "elements of self share memory, clone it before writing: self is {}", self);
}

void check_uniform(const RuleCall& call) {
  call.require_dtype(call.meta(kUniform["self"]).dtype, kFloatsAndComplexes);
  call.require(call.real(kUniform["from"]) <= call.real(kUniform["to"]), "C1", "expects from <= to: {} and {}",
               call.real(kUniform["from"]), call.real(kUniform["to"]));
  for (Position i : {kUniform["from"], kUniform["to"]})
    require_fits(call, call.scalar(i), call.meta(kUniform["self"]).dtype, "C2");
}

void uniform_rule(RuleCall& call) {
  check_uniform(call);
  const TensorMeta& self = call.meta(kUniform["self"]);
  answer_like(call, self);
}

void uniform_inplace_rule(RuleCall& call) {
  check_uniform(call);
  require_apart(call);
  call.out.same(call.tensor(kUniform["self"]));
}

void normal_rule(RuleCall& call) {
  call.require_dtype(call.meta(kNormalInplace["self"]).dtype, kFloatsAndComplexes);
  call.require(call.real(kNormalInplace["std"]) >= 0, "C1", "std must not be negative: got {}",
               call.real(kNormalInplace["std"]));
  require_apart(call);
  call.out.same(call.tensor(kNormalInplace["self"]));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kRand)
      .tag(Tag::Factory | Tag::Random | Tag::Core)
      .with_rule(sized_rule<false>)
      .every_device(run_rand)
      .sample("[2, 3]")
      .refuses("C1", "[-1]");
  r.add(kRandOut).tag(Tag::Random).with_rule(sized_out_rule<false>).every_device(run_rand).sample("[2, 3], out=f32[0]");
  r.add(kRandn)
      .tag(Tag::Factory | Tag::Random | Tag::Core)
      .with_rule(sized_rule<true>)
      .every_device(run_randn)
      .sample("[2, 3]")
      .refuses("C1", "[-1]");
  r.add(kRandnOut)
      .tag(Tag::Random)
      .with_rule(sized_out_rule<true>)
      .every_device(run_randn)
      .sample("[2, 3], out=f32[0]");
  r.add(kRandLike)
      .tag(Tag::Random)
      .with_rule(like_rule<false>)
      .every_device(run_rand)
      .sample("f32[2,3]{1,2}")
      .refuses("C3", "f32[2], memory_format=channels_last");
  r.add(kRandLikeOut)
      .tag(Tag::Random)
      .with_rule(like_out_rule<false>)
      .every_device(run_rand)
      .sample("f32[2,3], out=f32[0]");
  r.add(kRandnLike)
      .tag(Tag::Random)
      .with_rule(like_rule<true>)
      .every_device(run_randn)
      .sample("f32[2,3]{1,2}")
      .refuses("C3", "f32[2], memory_format=channels_last");
  r.add(kRandnLikeOut)
      .tag(Tag::Random)
      .with_rule(like_out_rule<true>)
      .every_device(run_randn)
      .sample("f32[2,3], out=f32[0]");
  OpEntry& uniform = r.add(kUniform)
                         .tag(Tag::Random)
                         .with_rule(uniform_rule)
                         .every_device(run_uniform)
                         .sample("f32[2,3]{1,2}, -1.0, 1.0")
                         .refuses("C1", "f32[2], 1.0, 0.0");
  r.add_inplace(uniform, WrittenForm())
      .tag(Tag::Random)
      .with_rule(uniform_inplace_rule)
      .every_device(run_uniform)
      .sample("f32[2,3], -1.0, 1.0")
      .refuses("C1", "f32[2], 1.0, 0.0")
      .refuses("C4", "f32[2]{0}");
  r.add_out(uniform, "out", kGeneratedForm).tag(Tag::Random);
  r.add(kNormalInplace)
      .tag(Tag::Random)
      .with_rule(normal_rule)
      .every_device(run_normal)
      .sample("f32[2,3], 1.0, 2.0")
      .refuses("C1", "f32[2], 0.0, -1.0")
      .refuses("C4", "f32[2]{0}");
}

}  // namespace ersatz::op_rand

namespace ersatz::ops {

Tensor uniform_(const Tensor& self, double from, double to) {
  return call_op<"aten.uniform_.default">(self, from, to, std::nullopt);
}
}  // namespace ersatz::ops
