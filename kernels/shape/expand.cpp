#include "kernels/shape/expand.h"

#include "kernels/shape/output_meta.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_expand {
namespace {

bool is(SymInt v, int64_t n) { return v.is_int() && v.as_int() == n; }

void rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kExpand["self"]);
  const TensorMeta& from = self->meta;
  const std::span<const SymInt> asked = call.ints(kExpand["size"]);
  const int64_t added = static_cast<int64_t>(asked.size()) - from.dim();
  call.require(added >= 0, "C1", "expects at least {} sizes, got {}: self is {}", from.dim(), asked, from);
  TensorMeta& out = start_view(call, self);
  out.sizes.append(asked.begin(), asked.end());
  out.strides.resize(asked.size(), SymInt(0));
  for (int64_t i = static_cast<int64_t>(asked.size()) - 1; i >= 0; --i) {
    const SymInt wanted = asked[i];
    if (i < added) {
      call.require(check_ge(wanted, 0), "C2", "a new dim needs a size that is not negative: got {} in {}", wanted,
                   asked);
      // The stride of a new dim of size 1 is the next dim's size times its stride, or 0 if self is 0-d, as in
      // at::expand.
      if (from.dim() > 0 && is(wanted, 1)) out.strides[i] = out.sizes[i + 1] * out.strides[i + 1];
      continue;
    }
    const SymInt size = from.sizes[i - added];
    if (is(wanted, -1) || sym_eq(wanted, size)) {
      out.sizes[i] = size;
      out.strides[i] = from.strides[i - added];
      continue;
    }
    call.require(check_ge(wanted, 0), "C2", "sizes must be at least -1: got {}", asked);
    call.require(stretches_to(size, wanted), "C3",
                 "only dims of size 1 can be expanded: self is {}, asked {} (dim {}: {} vs {})", from, asked, i, size,
                 wanted);
    if (!is(size, 1) && sym_eq(wanted, size)) out.strides[i] = from.strides[i - added];
  }
}

void expand_as(CompositeCall& call) {
  call.returns(ops::expand(call.tensor(kExpandAs["self"]), call[kExpandAs["other"]].tensor_impl()->meta.sizes));
}
void broadcast_to(CompositeCall& call) {
  call.returns(ops::expand(call.tensor(kBroadcastTo["self"]), call[kBroadcastTo["size"]].as_ints()));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kExpand)
      .tag(Tag::View | Tag::Core)
      .with_rule(rule)
      .sample("f32[3,1], [3, 4]")
      .sample("f32[3], [2, -1]")
      .sample("f32[], [2, 2]")
      .refuses("C1", "f32[2,3], [3]")
      .refuses("C2", "f32[3], [-1, 3]")
      .refuses("C3", "f32[2,3], [4, 3]");
  r.add(kExpandAs).tag(Tag::View).with_composite(expand_as).sample("f32[3,1], f32[3,4]");
  r.add(kBroadcastTo).tag(Tag::View).with_composite(broadcast_to).sample("f32[3,1], [3, 4]");
}

}  // namespace ersatz::op_expand
