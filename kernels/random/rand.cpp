#include "kernels/random/rand.h"

#include <cmath>

#include "kernels/random/draw.h"
#include "kernels/shape/output_meta.h"
#include "kernels/shape/scalar_fit.h"
#include "kernels/written_elements.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_rand {
namespace {

// For normal numbers, ATen checks the dtype only if the result has elements.
template <bool normal>
void require_dtype(const RuleCall& call, const TensorMeta& out) {
  call.require_dtype(out.dtype, normal && sym_eq(out.numel(), 0) ? kEveryDType : kFloatsAndComplexes);
}

/// If elements of `out` share memory, ATen raises the error about its dtype before the error about memory.
void require_dtype_of_shared(const RuleCall& call, std::span<const SymInt> sizes) {
  const TensorImpl* out = out_of_factory(call);
  if (!out || internal_overlap(out->meta) != Overlap::Yes || !same_sizes(out->meta.sizes, sizes)) return;
  call.require_dtype_first(out->meta.dtype, kFloatsAndComplexes);
}

template <bool normal>
void sized_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kRand, kRandn};
  require_dtype_of_shared(call, call.ints(kArgs["size"]));
  require_dtype<normal>(call, answer_sized(call, kArgs["dtype"], call.context.default_dtype, call.device,
                                           call.ints(kArgs["size"]), SharedElements::Refused));
}

template <bool normal>
void like_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kRandLike, kRandnLike};
  require_dtype_of_shared(call, call.meta(kArgs["self"]).sizes);
  require_dtype<normal>(call, answer_factory_like(call, kArgs["dtype"], kArgs["memory_format"], "C3"));
}

void check_uniform(const RuleCall& call) {
  const TensorMeta& self = call.meta(kUniform["self"]);
  const DType dtype = real_dtype(self.dtype);
  const double from = call.real(kUniform["from"]), to = call.real(kUniform["to"]);
  call.require_dtype(self.dtype, kFloatsAndComplexes);
  if (is_complex(self.dtype) && size_eq(self.numel(), 0)) return;  // ATen does not check the bounds in this case
  for (const double bound : {from, to}) {
    call.require(std::isfinite(bound), "C2", "bounds must be finite: they are {} and {}", from, to);
    require_fits(call, Scalar(bound), dtype, "C2");
  }
  call.require(from <= to, "C1", "expects from <= to: {} and {}", from, to);
  call.require(std::isfinite(to - from), "C2", "the bounds lie too far apart: {} and {}", from, to);
  require_fits(call, Scalar(to - from), dtype, "C2");
}

void uniform_rule(RuleCall& call) {
  check_uniform(call);
  const TensorMeta& self = call.meta(kUniform["self"]);
  answer_like(call, self);
}

void uniform_inplace_rule(RuleCall& call) {
  check_uniform(call);
  require_own_elements(call, "C4", kDraws["self"]);
  call.out.same(call.tensor(kUniform["self"]));
}

void normal_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kNormalInplace["self"]);
  call.require(call.real(kNormalInplace["std"]) >= 0, "C1", "std must not be negative: got {}",
               call.real(kNormalInplace["std"]));
  if (!sym_eq(self.numel(), 0)) call.require_dtype(self.dtype, kFloatsAndComplexes);
  require_own_elements(call, "C4", kDraws["self"]);
  call.out.same(call.tensor(kNormalInplace["self"]));
}

Generator& generator(const KernelCall& call) {
  return generator_or_default(call[kDraws["generator"]].as_generator(), call.outputs[0].device());
}

void run_rand(KernelCall& call) { draw_uniform(call.outputs[0], default_generator(call.outputs[0].device())); }
void run_randn(KernelCall& call) { draw_normal(call.outputs[0], default_generator(call.outputs[0].device())); }
void run_uniform(KernelCall& call) {
  draw_uniform(call.outputs[0], generator(call), call.real(kUniform["from"]), call.real(kUniform["to"]));
}
void run_normal(KernelCall& call) {
  draw_normal(call.outputs[0], generator(call), call.real(kNormalInplace["mean"]), call.real(kNormalInplace["std"]));
}

template <bool normal>
void add(Registry& r, const Schema& sized, const Schema& like, FillKernel kernel) {
  OpEntry& op = r.add(sized)
                    .tag(Tag::Factory | Tag::Random | Tag::Core)
                    .with_rule(sized_rule<normal>)
                    .every_device(kernel)
                    .sample("[2, 3]")
                    .refuses("C1", "[-1]");
  r.add_out_alike(op, "out").sample("[2, 3], out=f32[0]");
  OpEntry& alike = r.add(like)
                       .tag(Tag::Random)
                       .with_rule(like_rule<normal>)
                       .every_device(kernel)
                       .sample("f32[2,3]{1,2}")
                       .refuses("C3", "f32[2], memory_format=channels_last");
  r.add_out_alike(alike, "out").sample("f32[2,3], out=f32[0]");
}

}  // namespace

void register_ops(Registry& r) {
  add<false>(r, kRand, kRandLike, run_rand);
  add<true>(r, kRandn, kRandnLike, run_randn);
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
