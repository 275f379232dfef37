#include "kernels/shape/set.h"

#include "kernels/shape/functional_forms.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

// The ops are composites, because they change a tensor's storage in real and fake runs, which a rule cannot do.

namespace ersatz::op_set {
namespace {

/// Gives `self` the given storage and layout. Forgets the known value of a fake, because its elements have changed.
void put_on(TensorImpl* self, Ref<Storage> storage, const DimVec& sizes, DimVec strides, SymInt offset) {
  self->meta.sizes = sizes;
  self->meta.strides = std::move(strides);
  self->meta.offset = offset;
  const SymInt needed = storage_bytes_needed(self->meta);
  const SymInt have = storage->nbytes();
  if (needed.is_symbolic() || have.is_symbolic()) {
    storage->resize(sym_max(needed, have));
  } else if (needed.as_int() > have.as_int()) {
    storage->resize(needed);
  }
  self->storage = std::move(storage);
  self->storage->bump_version();
  if (self->extra) self->extra->constant = Tensor();
}

/// Returns the bytes that a storage needs for elements of self's dtype in the layout of `source`.
SymInt bytes_needed(const TensorMeta& self, TensorMeta source) {
  source.dtype = self.dtype;
  return storage_bytes_needed(source);
}

void require_one_device(const CompositeCall& call) {
  static constexpr Schemas kArgs{kSetInplaceSourceTensor, kSetInplaceSourceTensorStorageOffset};
  const TensorMeta &self = call.meta(kArgs["self"]), &source = call.meta(kArgs["source"]);
  call.require(self.device == source.device, "C1", "self and source must be on one device: {} vs {}", self, source);
}

void set_empty(CompositeCall& call) {
  TensorImpl* self = call[kSetInplace["self"]].tensor_impl();
  Ref<Storage> empty =
      self->storage->has_bytes() ? Storage::allocate(0, self->meta.device) : Storage::make_fake(0, self->meta.device);
  put_on(self, std::move(empty), DimVec{SymInt(0)}, DimVec{SymInt(1)}, 0);
  call.returns(call[kSetInplace["self"]]);
}

void set_tensor(CompositeCall& call) {
  require_one_device(call);
  TensorImpl *self = call[kSetInplaceSourceTensor["self"]].tensor_impl(),
             *source = call[kSetInplaceSourceTensor["source"]].tensor_impl();
  // PyTorch does not grow the storage if self has the sizes and strides of source already.
  const bool same_place =
      sym_eq(self->meta.sizes, source->meta.sizes) && sym_eq(self->meta.strides, source->meta.strides);
  const SymInt needed = bytes_needed(self->meta, source->meta), have = source->storage->nbytes();
  call.require(!same_place || needed.is_symbolic() || have.is_symbolic() || needed.as_int() <= have.as_int(), "C4",
               "the storage of source has {} bytes, its elements as {} need {}: source is {}", have,
               name(self->meta.dtype), needed, source->meta);
  if (self != source) put_on(self, source->storage, source->meta.sizes, source->meta.strides, source->meta.offset);
  call.returns(call[kSetInplaceSourceTensor["self"]]);
}

void set_part(CompositeCall& call) {
  require_one_device(call);
  call.require(is_contiguous(call.meta(kSetInplaceSourceTensorStorageOffset["source"])), "C2",
               "source must be row-major: {}", call.meta(kSetInplaceSourceTensorStorageOffset["source"]));
  const std::span<const SymInt> sizes = call.ints(kSetInplaceSourceTensorStorageOffset["size"]),
                                strides = call.ints(kSetInplaceSourceTensorStorageOffset["stride"]);
  call.require(strides.empty() || strides.size() == sizes.size(), "C3", "as many strides as sizes: {} and {}", sizes,
               strides);
  bool negative = size_lt(call.sym(kSetInplaceSourceTensorStorageOffset["storage_offset"]), 0);
  for (SymInt v : sizes) negative = negative || size_lt(v, 0);
  for (SymInt v : strides) negative = negative || size_lt(v, 0);
  call.require(!negative, "C3", "offset, sizes and strides must not be negative: {}, {}, {}",
               call.sym(kSetInplaceSourceTensorStorageOffset["storage_offset"]), sizes, strides);
  put_on(call[kSetInplaceSourceTensorStorageOffset["self"]].tensor_impl(),
         call[kSetInplaceSourceTensorStorageOffset["source"]].tensor_impl()->storage, DimVec(sizes),
         strides.empty() ? contiguous_strides(sizes) : DimVec(strides),
         call.sym(kSetInplaceSourceTensorStorageOffset["storage_offset"]));
  call.returns(call[kSetInplaceSourceTensorStorageOffset["self"]]);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kSetInplace).tag(Tag::InplaceView).with_composite(set_empty).sample("f32[2,3]");
  r.add(kSetInplaceSourceTensor)
      .tag(Tag::InplaceView)
      .with_composite(set_tensor)
      .sample("f32[2,3], f32[4,2]{1,4}+2")
      .refuses("C4", "f32[3], f16[3]");
  r.add(kSetInplaceSourceTensorStorageOffset)
      .tag(Tag::InplaceView)
      .with_composite(set_part)
      .sample("f32[2], f32[8], 2, [2, 2], [3, 1]")
      .refuses("C2", "f32[2], f32[2,2]{1,2}, 0, [2]")
      .refuses("C3", "f32[2], f32[8], -2, [2]")
      .refuses("C3", "f32[2], f32[8], 0, [2], [1, 1]");
  OpEntry& emptied = r.add(kSet).with_composite(write_copy).sample("f32[2,3]");
  r.add_out_alike(emptied, "out").with_composite(write_result).sample("f32[2,3], out=f32[2]");
  OpEntry& moved = r.add(kSetSourceTensor).with_composite(write_copy).sample("f32[2,3], f32[4,2]{1,4}+2");
  r.add_out_alike(moved, "source_Tensor_out")
      .with_composite(write_result)
      .sample("f32[2,3], f32[4,2]{1,4}, out=f32[2]")
      .refuses("out_dtype", "f32[2], f32[3], out=f64[3]");
}

}  // namespace ersatz::op_set
