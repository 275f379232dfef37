// positive returns self. conj_physical returns self if it is real, else a new tensor of conjugates.
#include "kernels/pointwise/identity.h"

#include "kernels/pointwise/elementwise.h"
#include "runtime/op/argument_tag.h"
#include "runtime/op/derived.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_identity {
namespace {

constexpr uint8_t kOperands[] = {kConjPhysical["self"]};

void positive_rule(RuleCall& call) {
  if (call.meta(kPositive["self"]).dtype == DType::Bool) {
    call.refuse(ErrorFamily::NotImplemented, "C1", "bool tensors have no sign: the input is {}",
                call.meta(kPositive["self"]));
  }
  call.out.same(call.tensor(kPositive["self"]));
}

void conj_physical_rule(RuleCall& call) {
  const DType dtype = call.meta(kConjPhysical["self"]).dtype;
  if (is_complex(dtype)) return pointwise::answer_elementwise(call, kOperands, dtype, dtype);
  call.out.same(call.tensor(kConjPhysical["self"]));
}

void conj_physical_inplace_rule(RuleCall& call) {
  if (is_complex(call.meta(kConjPhysical["self"]).dtype)) return derived_inplace_rule(call);
  call.out.same(call.tensor(kConjPhysical["self"]));
}

/// The rule of conj_physical.out. A resized `out` gets dense strides in the order of self's strides.
void conj_physical_out_rule(RuleCall& call) {
  TensorMeta result = call.meta(kConjPhysical["self"]);
  result.strides = preserved_strides(result.sizes, result.strides);
  answer_out(call, result, kConjPhysical.out(), WrittenForm());
}

void run(KernelCall& call) {
  pointwise::run_row(call, pointwise::Row::_conj_physical, kOperands,
                     call[kConjPhysical["self"]].tensor_impl()->meta.dtype);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kPositive).tag(Tag::View).with_rule(positive_rule).sample("f32[2,3]{1,2}").refuses("C1", "bool[2]");
  OpEntry& op = r.add(kConjPhysical)
                    .tag(Tag::Pointwise)
                    .tag(kMayReturnArgument)
                    .with_rule(conj_physical_rule)
                    .every_device(run)
                    .dtypes(kAllDTypes)
                    .sample("c64[2,3]{1,2}")
                    .sample("f32[2,3]");
  r.add_inplace(op).with_rule(conj_physical_inplace_rule);
  r.add_out(op, "out", WrittenForm()).with_rule(conj_physical_out_rule);
}

}  // namespace ersatz::op_identity
