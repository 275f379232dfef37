#include "kernels/shape/conjugate.h"

#include "kernels/shape/clone.h"
#include "kernels/shape/output_meta.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/view_dtype.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_conjugate {
namespace {

void conj_view_rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kConj["self"]);
  call.require(is_complex(self->meta.dtype), "C1", "expects a complex tensor: self is {}", self->meta);
  TensorMeta& out = start_alias(call, self);
  out.conj = !out.conj;
}

void neg_view_rule(RuleCall& call) {
  TensorMeta& out = start_alias(call, call.tensor(kNegView["self"]));
  out.neg = !out.neg;
}

void conj(CompositeCall& call) {
  if (is_complex(call.meta(kConjugate["self"]).dtype)) return call.returns(ops::_conj(call.tensor(kConjugate["self"])));
  call.returns(call[kConjugate["self"]]);
}

void resolve_conj(CompositeCall& call) {
  if (call.meta(kConjugate["self"]).conj) return call.returns(ops::clone(call.tensor(kConjugate["self"])));
  call.returns(call[kConjugate["self"]]);
}

void resolve_neg(CompositeCall& call) {
  if (call.meta(kConjugate["self"]).neg) return call.returns(ops::clone(call.tensor(kConjugate["self"])));
  call.returns(call[kConjugate["self"]]);
}

/// Returns a view of the real parts (index 0) or of the imaginary parts (index 1) of a complex tensor.
Tensor part(const Tensor& self, int64_t index) { return ops::select(ops::view_as_real(self), self.dim(), index); }

void real(CompositeCall& call) {
  if (!is_complex(call.meta(kConjugate["self"]).dtype)) return call.returns(call[kConjugate["self"]]);
  const Tensor self = call.tensor(kConjugate["self"]);
  call.returns(part(self.meta().conj ? ops::_conj(self) : self, 0));
}

void imag(CompositeCall& call) {
  const Tensor self = call.tensor(kImag["self"]);
  if (!is_complex(self.dtype()))
    call.refuse(ErrorFamily::Type, "C1", "expects a complex tensor: self is {}", self.meta());
  call.returns(self.meta().conj ? ops::_neg_view(part(ops::_conj(self), 1)) : part(self, 1));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kConj).tag(Tag::View).with_rule(conj_view_rule).sample("c64[2,3]{1,2}").refuses("C1", "f32[2]");
  r.add(kNegView).tag(Tag::View).with_rule(neg_view_rule).sample("f32[2,3]{1,2}");
  struct Composite {
    const char* name;
    CompositeBody body;
  };
  for (const Composite& c : {Composite{"conj", conj}, Composite{"resolve_conj", resolve_conj},
                             Composite{"resolve_neg", resolve_neg}, Composite{"real", real}}) {
    r.add(kConjugate.with(c.name)).tag(Tag::View).with_composite(c.body).sample("c64[2,3]{1,2}").sample("f32[2,3]");
  }
  r.add(kImag).tag(Tag::View).with_composite(imag).sample("c64[2,3]{1,2}").refuses("C1", "f32[2]");
}

}  // namespace ersatz::op_conjugate
