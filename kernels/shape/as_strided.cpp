#include "kernels/shape/as_strided.h"

#include "kernels/shape/output_meta.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_as_strided {
namespace {

bool negative(SymInt v) { return v.is_int() && v.as_int() < 0; }

template <ViewKind kind>
void rule(RuleCall& call) {
  static constexpr Schemas kArgs{kAsStrided, kAsStridedInplace};
  TensorImpl* self = call.tensor(kArgs["self"]);
  const std::span<const SymInt> sizes = call.ints(kArgs["size"]), strides = call.ints(kArgs["stride"]);
  call.require(sizes.size() == strides.size(), "C1", "expects as many strides as sizes: {} vs {}", sizes, strides);
  TensorMeta& out = start_view(call, self, kind);
  out.sizes.append(sizes.begin(), sizes.end());
  out.strides.append(strides.begin(), strides.end());
  if (call.has(kArgs["storage_offset"])) out.offset = call.sym(kArgs["storage_offset"]);
  for (size_t d = 0; d < sizes.size(); ++d) {
    call.require(!negative(sizes[d]), "C2", "sizes must not be negative: got {}", sizes);
    call.require(!negative(strides[d]), "C2", "strides must not be negative: got {}", strides);
  }
  call.require(!negative(out.offset), "C2", "storage offset must not be negative: got {}", out.offset);
  const SymInt needed = storage_bytes_needed(out), there = self->storage->nbytes();
  call.require(check_le(needed, there), "C3",
               "sizes {}, strides {} and offset {} must stay within the storage: {} bytes vs {}", sizes, strides,
               out.offset, needed, there);
}

void slice_inverse_rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kSliceInverse["self"]);
  const TensorMeta& src = call.meta(kSliceInverse["src"]);
  TensorMeta& out = start_view(call, self, ViewKind::NewTensor);
  out.sizes = src.sizes;
  out.strides = src.strides;
  out.offset = src.offset;
  const SymInt needed = storage_bytes_needed(out), there = self->storage->nbytes();
  call.require(check_le(needed, there), "C3", "src, {}, must stay within the storage of self: {} bytes vs {}", src,
               needed, there);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kAsStrided)
      .tag(Tag::View | Tag::Core)
      .with_rule(rule<ViewKind::NewTensor>)
      .sample("f32[4,6], [2, 3], [1, 2]")
      .sample("f32[4,6], [3], [0], 5")
      .refuses("C1", "f32[4], [2], [1, 1]")
      .refuses("C2", "f32[4], [2], [-1]")
      .refuses("C3", "f32[4], [5], [1]");
  r.add(kAsStridedInplace)
      .tag(Tag::InplaceView)
      .with_rule(rule<ViewKind::InPlace>)
      .sample("f32[4,6], [2, 3], [1, 2]")
      .refuses("C3", "f32[4], [5], [1]");
  r.add(kSliceInverse)
      .tag(Tag::View)
      .with_rule(slice_inverse_rule)
      .sample("f32[4,6], f32[3,6], 0, 1, 4")
      .refuses("C3", "f32[2], f32[4], 0, 1, 3");
}

}  // namespace ersatz::op_as_strided
