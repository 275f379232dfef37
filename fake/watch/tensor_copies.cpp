#include "fake/watch/tensor_copies.h"

#include "runtime/autograd/view_nodes.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/fake_owner.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

Tensor TensorCopies::of(const Tensor& t) {
  if (const auto known = tensors_.find(t.impl()); known != tensors_.end()) return known->second;
  TensorMeta meta = t.meta();
  if (device_) meta.device = *device_;
  Ref<Storage>& storage = storages_[t.storage().get()];
  if (!storage) {  // a full copy, because an undeclared write to a lazy copy would change the original's bytes
    const int64_t nbytes = t.storage()->nbytes().guard_int();
    storage = Storage::allocate(nbytes, meta.device);
    if (bytes_ && t.storage()->has_bytes()) {
      copy_bytes(storage->data(), meta.device, t.storage()->data(), t.device(), nbytes);
    }
  }
  const Tensor copy(make_ref<TensorImpl>(std::move(meta), storage, Ref<FakeOwner>()));
  tensors_.emplace(t.impl(), copy);
  if (autograd_) set_copied_autograd(copy, t, copied_autograd(t, [&](const Tensor& other) { return of(other); }));
  return copy;
}

std::vector<Value> TensorCopies::of(std::span<const Value> values) {
  std::vector<Value> copies;
  copies.reserve(values.size());
  for (const Value& v : values) {
    if (v.is_tensor()) {
      copies.emplace_back(of(v.tensor()));
    } else if (v.kind() == Value::Kind::List) {
      copies.push_back(Value::list(of(v.as_list())));
    } else if (v.kind() == Value::Kind::Device && device_ && !v.as_device().is_meta()) {
      copies.emplace_back(*device_);
    } else {
      copies.push_back(v);
    }
  }
  return copies;
}

Tensor on_host(const Tensor& t) {
  if (!t.device().is_cuda()) return t;
  TensorMeta meta = t.meta();
  meta.device = kCPU;
  meta.offset = 0;
  Ref<Storage> storage = Storage::allocate(storage_bytes_needed(meta).as_int(), kCPU);
  copy_bytes(storage->data(), kCPU, t.raw_data(), t.device(), storage->nbytes().as_int());
  return Tensor(std::move(meta), std::move(storage));
}

}  // namespace ersatz
