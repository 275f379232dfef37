#include "kernels/shape/transpose.h"

#include "kernels/shape/output_meta.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_transpose {
namespace {

template <ViewKind kind>
void t_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kT, kTInplace};
  TensorImpl* self = call.tensor(kArgs["self"]);
  const TensorMeta& from = self->meta;
  call.require(from.dim() <= 2, "C1", "expects at most 2 dims: self is {}", from);
  TensorMeta& out = start_alias(call, self, kind);
  if (from.dim() == 2) {
    std::swap(out.sizes[0], out.sizes[1]);
    std::swap(out.strides[0], out.strides[1]);
  }
}

template <ViewKind kind>
void transpose_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kTransposeInt, kTransposeInplace};
  TensorImpl* self = call.tensor(kArgs["self"]);
  const int64_t rank = self->meta.dim();
  const int64_t dim0 = call.wrap_dim(call.integer(kArgs["dim0"]), rank);
  const int64_t dim1 = call.wrap_dim(call.integer(kArgs["dim1"]), rank);
  TensorMeta& out = start_alias(call, self, kind);
  if (dim0 != dim1) {
    std::swap(out.sizes[dim0], out.sizes[dim1]);
    std::swap(out.strides[dim0], out.strides[dim1]);
  }
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kT)
      .tag(Tag::View)
      .with_rule(t_rule<ViewKind::NewTensor>)
      .sample("f32[2,3]")
      .sample("f32[3]")
      .refuses("C1", "f32[2,3,4]");
  r.add(kTInplace)
      .tag(Tag::InplaceView)
      .with_rule(t_rule<ViewKind::InPlace>)
      .sample("f32[2,3]")
      .refuses("C1", "f32[2,3,4]");
  r.add(kTransposeInt).tag(Tag::View).with_rule(transpose_rule<ViewKind::NewTensor>).sample("f32[2,3,4], 0, -1");
  r.add(kTransposeInplace)
      .tag(Tag::InplaceView)
      .with_rule(transpose_rule<ViewKind::InPlace>)
      .sample("f32[2,3,4], 0, -1");
}

}  // namespace ersatz::op_transpose
