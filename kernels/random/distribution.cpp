#include "kernels/random/distribution.h"

#include "kernels/shape/output_meta.h"
#include "kernels/written_elements.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_distribution {

Kernel exponential_cpu, geometric_cpu, cauchy_cpu, log_normal_cpu;

namespace {

using Check = void (*)(const RuleCall&);

bool holds_elements(const TensorMeta& t) { return !sym_eq(t.numel(), 0); }

void require_floating(const RuleCall& call) {
  static constexpr Schemas kArgs{kExponential, kCauchy};
  call.require(is_float(call.meta(kArgs["self"]).dtype), "C2", "expects a floating tensor: self is {}",
               call.meta(kArgs["self"]));
}

void check_exponential(const RuleCall& call) {
  call.require(call.real(kExponential["lambd"]) > 0, "C1", "lambd must be positive: got {}",
               call.real(kExponential["lambd"]));
}
void check_geometric(const RuleCall& call) {
  call.require(call.real(kGeometric["p"]) > 0 && call.real(kGeometric["p"]) < 1, "C1",
               "p must lie between 0 and 1: got {}", call.real(kGeometric["p"]));
}
void check_cauchy(const RuleCall& call) {
  call.require(call.real(kCauchy["sigma"]) > 0, "C1", "sigma must be positive: got {}", call.real(kCauchy["sigma"]));
  require_floating(call);
}
void check_log_normal(const RuleCall& call) {
  call.require(call.real(kLogNormal["std"]) > 0, "C1", "std must be positive: got {}", call.real(kLogNormal["std"]));
}

/// The checks that PyTorch makes in its loop over the elements. For an empty tensor, PyTorch does not make them.
void elements_of_exponential(const RuleCall& call) { require_floating(call); }
void elements_of_geometric(const RuleCall& call) { call.require_dtype(call.meta(kGeometric["self"]).dtype, kReals); }
void elements_of_log_normal(const RuleCall& call) { call.require_dtype(call.meta(kLogNormal["self"]).dtype, kFloats); }

template <Check check, Check elements>
void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kEach["self"]);
  check(call);
  if (elements && holds_elements(self)) elements(call);
  answer_like(call, self);
}
template <Check check, Check elements>
void inplace_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kEach["self"]);
  check(call);
  require_own_elements(call, "C4", kEach["self"]);
  if (elements && holds_elements(self)) elements(call);
  call.out.same(call.tensor(kEach["self"]));
}

template <Check check, Check elements = nullptr>
constexpr std::pair<Rule, Rule> kRules{rule<check, elements>, inplace_rule<check, elements>};

}  // namespace

void register_ops(Registry& r) {
  struct Distribution {
    Schema schema;
    std::pair<Rule, Rule> rules;  // first: rule of the functional op; second: rule of the in-place op
    FillKernel kernel;
    const char *sample, *refused;
  };
  for (const Distribution& d :
       {Distribution{kExponential, kRules<check_exponential, elements_of_exponential>, exponential_cpu,
                     "f32[2,3]{1,2}, 2.0", "f32[2], 0.0"},
        Distribution{kGeometric, kRules<check_geometric, elements_of_geometric>, geometric_cpu, "i64[2,3]{1,2}, 0.5",
                     "f32[2], 1.0"},
        Distribution{kCauchy, kRules<check_cauchy>, cauchy_cpu, "f32[2,3]{1,2}, 1.0, 2.0", "f32[2], 0.0, 0.0"},
        Distribution{kLogNormal, kRules<check_log_normal, elements_of_log_normal>, log_normal_cpu,
                     "f32[2,3]{1,2}, 1.0, 2.0", "f32[2], 0.0, 0.0"}}) {
    OpEntry& op = r.add(d.schema)
                      .tag(Tag::Random)
                      .with_rule(d.rules.first)
                      .cpu(d.kernel)
                      .sample(d.sample)
                      .refuses("C1", d.refused);
    r.add_inplace(op, WrittenForm())
        .tag(Tag::Random)
        .with_rule(d.rules.second)
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
