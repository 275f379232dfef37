#include "kernels/random/distribution.h"

#include "kernels/shape/output_meta.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_distribution {

void exponential_cpu(KernelCall& call);
void geometric_cpu(KernelCall& call);
void cauchy_cpu(KernelCall& call);
void log_normal_cpu(KernelCall& call);

namespace {

using Check = void (*)(const RuleCall&);

bool holds_elements(const TensorMeta& t) { return !sym_eq(t.numel(), 0); }

void require_floating(const RuleCall& call) {
  call.require(is_float(call.meta(0).dtype), "C2", "expects a floating tensor: self is {}", call.meta(0));
}

void check_exponential(const RuleCall& call) {
  call.require(call.real(1) > 0, "C1", "lambd must be positive: got {}", call.real(1));
  if (holds_elements(call.meta(0))) require_floating(call);
}
void check_geometric(const RuleCall& call) {
  call.require(call.real(1) > 0 && call.real(1) < 1, "C1", "p must lie between 0 and 1: got {}", call.real(1));
  if (holds_elements(call.meta(0))) call.require_dtype(call.meta(0).dtype, kReals);
}
void check_cauchy(const RuleCall& call) {
  call.require(call.real(2) > 0, "C1", "sigma must be positive: got {}", call.real(2));
  require_floating(call);
}
void check_log_normal(const RuleCall& call) {
  call.require(call.real(2) > 0, "C1", "std must be positive: got {}", call.real(2));
  if (holds_elements(call.meta(0))) call.require_dtype(call.meta(0).dtype, kFloats);
}

template <Check check>
void rule(RuleCall& call) {
  check(call);
  const TensorMeta& self = call.meta(0);
  answer_like(call, self);
}
template <Check check>
void inplace_rule(RuleCall& call) {
  check(call);
  const TensorMeta& self = call.meta(0);
  call.require(self.is_symbolic() || internal_overlap(self) != Overlap::Yes, "C4",
               "elements of self share memory, clone it before writing: self is {}", self);
  call.out.same(call.tensor(0));
}

}  // namespace

void register_ops(Registry& r) {
  struct Distribution {
    const char* schema;
    Rule rule, inplace;
    FillKernel kernel;
    const char *sample, *refused;
  };
  for (const Distribution& d :
       {Distribution{"exponential(Tensor self, float lambd=1.", rule<check_exponential>,
                     inplace_rule<check_exponential>, exponential_cpu, "f32[2,3]{1,2}, 2.0", "f32[2], 0.0"},
        Distribution{"geometric(Tensor self, float p", rule<check_geometric>, inplace_rule<check_geometric>,
                     geometric_cpu, "i64[2,3]{1,2}, 0.5", "f32[2], 1.0"},
        Distribution{"cauchy(Tensor self, float median=0., float sigma=1.", rule<check_cauchy>,
                     inplace_rule<check_cauchy>, cauchy_cpu, "f32[2,3]{1,2}, 1.0, 2.0", "f32[2], 0.0, 0.0"},
        Distribution{"log_normal(Tensor self, float mean=1., float std=2.", rule<check_log_normal>,
                     inplace_rule<check_log_normal>, log_normal_cpu, "f32[2,3]{1,2}, 1.0, 2.0", "f32[2], 0.0, 0.0"}}) {
    OpEntry& op = r.add(fmt::format("aten::{}, *, Generator? generator=None) -> Tensor", d.schema), __FILE__)
                      .tag(Tag::Random)
                      .with_rule(d.rule)
                      .cpu(d.kernel)
                      .sample(d.sample)
                      .refuses("C1", d.refused);
    r.add_inplace(op, WrittenForm())
        .tag(Tag::Random)
        .with_rule(d.inplace)
        .cpu(d.kernel)
        .sample(d.sample)
        .refuses("C1", d.refused);
    r.add_out(op, "out", kGeneratedForm).tag(Tag::Random);
  }
  for (const char* name : {"aten.exponential.default", "aten.cauchy.default"}) {
    OpEntry& op = *r.find_mutable(name);
    op.refuses("C2", "i64[2]");
  }
  for (const char* name : {"aten.exponential_.default", "aten.cauchy_.default", "aten.log_normal_.default"}) {
    OpEntry& op = *r.find_mutable(name);
    op.refuses("C4", "f32[2]{0}");
  }
}

}  // namespace ersatz::op_distribution

namespace ersatz::ops {

Tensor exponential_(const Tensor& self, double lambd) {
  return call_op<"aten.exponential_.default">(self, lambd, std::nullopt);
}
Tensor geometric_(const Tensor& self, double p) { return call_op<"aten.geometric_.default">(self, p, std::nullopt); }
Tensor cauchy_(const Tensor& self, double median, double sigma) {
  return call_op<"aten.cauchy_.default">(self, median, sigma, std::nullopt);
}
Tensor log_normal_(const Tensor& self, double mean, double std) {
  return call_op<"aten.log_normal_.default">(self, mean, std, std::nullopt);
}

}  // namespace ersatz::ops
