#include "kernels/shape/squeeze.h"

#include "kernels/shape/dim_set.h"
#include "kernels/shape/output_meta.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_squeeze {
namespace {

template <ViewKind kind, class F>
void keep_dims(RuleCall& call, F&& may_go) {
  TensorImpl* self = call.tensor(kEach["self"]);
  const TensorMeta& from = self->meta;
  TensorMeta& out = start_view(call, self, kind);
  for (int64_t d = 0; d < from.dim(); ++d) {
    if (may_go(d) && size_eq(from.sizes[d], 1)) continue;
    out.sizes.push_back(from.sizes[d]);
    out.strides.push_back(from.strides[d]);
  }
}

template <ViewKind kind>
void all_rule(RuleCall& call) {
  keep_dims<kind>(call, [](int64_t) { return true; });
}

template <ViewKind kind>
void dim_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kSqueezeDim, kSqueezeInplaceDim};
  const int64_t dim = call.wrap_dim(call.integer(kArgs["dim"]), call.meta(kArgs["self"]).dim());
  keep_dims<kind>(call, [dim](int64_t d) { return d == dim; });
}

template <ViewKind kind>
void dims_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kSqueezeDims, kSqueezeInplaceDims};
  DimSet dims;
  for (SymInt d : call.ints(kArgs["dim"])) {
    const int64_t dim = call.wrap_dim(d.guard_int(), call.meta(kArgs["self"]).dim());
    call.require(dims.insert(dim), "C1", "dim {} occurs twice in {}", dim, call.ints(kArgs["dim"]));
  }
  keep_dims<kind>(call, [&](int64_t d) { return dims.has(d); });
}

template <ViewKind kind>
void unsqueeze_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kUnsqueeze, kUnsqueezeInplace};
  TensorImpl* self = call.tensor(kArgs["self"]);
  const TensorMeta& from = self->meta;
  const int64_t rank = from.dim();
  const int64_t dim = call.wrap_dim(call.integer(kArgs["dim"]), rank + 1);
  TensorMeta& out = start_view(call, self, kind);
  for (int64_t d = 0; d <= rank; ++d) {
    if (d == dim) {
      out.sizes.push_back(1);
      out.strides.push_back(d < rank ? from.sizes[d] * from.strides[d] : SymInt(1));
    }
    if (d < rank) {
      out.sizes.push_back(from.sizes[d]);
      out.strides.push_back(from.strides[d]);
    }
  }
}

}  // namespace

void register_ops(Registry& r) {
  constexpr ViewKind fresh = ViewKind::NewTensor, in_place = ViewKind::InPlace;
  r.add(kSqueeze).tag(Tag::View).with_rule(all_rule<fresh>).sample("f32[1,3,1]");
  r.add(kSqueezeDim)
      .tag(Tag::View | Tag::Core)
      .with_rule(dim_rule<fresh>)
      .sample("f32[1,3,1], -1")
      .sample("f32[1,3,1], 1");
  r.add(kSqueezeDims)
      .tag(Tag::View | Tag::Core)
      .with_rule(dims_rule<fresh>)
      .sample("f32[1,3,1], [0, 1]")
      .refuses("C1", "f32[1,3,1], [0, 0]");
  r.add(kUnsqueeze)
      .tag(Tag::View | Tag::Core)
      .with_rule(unsqueeze_rule<fresh>)
      .sample("f32[2,3], -1")
      .sample("f32[2,3], 0");
  r.add(kSqueezeInplace).tag(Tag::InplaceView).with_rule(all_rule<in_place>).sample("f32[1,3,1]");
  r.add(kSqueezeInplaceDim).tag(Tag::InplaceView).with_rule(dim_rule<in_place>).sample("f32[1,3,1], 0");
  r.add(kSqueezeInplaceDims)
      .tag(Tag::InplaceView)
      .with_rule(dims_rule<in_place>)
      .sample("f32[1,3,1], [0, 2]")
      .refuses("C1", "f32[1,3,1], [0, 0]");
  r.add(kUnsqueezeInplace).tag(Tag::InplaceView).with_rule(unsqueeze_rule<in_place>).sample("f32[2,3], 1");
}

}  // namespace ersatz::op_squeeze
