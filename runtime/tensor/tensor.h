// The tensor handle, real or fake.
//
// `Tensor` is a shared handle to one `TensorImpl`, which has metadata, a storage and, if it is fake, its fake mode.
// Copying a handle copies no data. A null handle is an undefined tensor (`!t`).
//
// Invariants, in addition to T1-T4 of tensor_meta.h:
// T5  impl.storage is never null. A fake's storage has no bytes; a real tensor's storage has, except on meta.
// T6  `fake_mode` is set iff the tensor is fake. A fake keeps its mode alive, but a mode keeps no tensor alive.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "runtime/base/call_stack.h"
#include "runtime/base/object_pool.h"
#include "runtime/tensor/storage.h"
#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

class FakeOwner;  // runtime/tensor/fake_owner.h
class TensorImpl;
class TensorExtra;  // rarely used state: known value, real tensor, memos

class TensorImpl final : public RefCounted, public Pooled<TensorImpl> {
 public:
  TensorMeta meta;
  Ref<Storage> storage;
  Ref<FakeOwner> fake_mode;
  Ref<TensorExtra> extra;    ///< null until it is needed
  Ref<RefCounted> autograd;  ///< an AutogradMeta (runtime/autograd); null if the tensor needs none

  /// Returns a number that no other tensor of the process ever has; the first call makes it. It identifies the tensor
  /// without keeping it alive. Any thread may call it.
  uint64_t identity() const {
    const uint64_t known = identity_.load(std::memory_order_relaxed);
    return known ? known : make_identity();
  }

  TensorImpl(TensorMeta&& m, Ref<Storage> s);
  TensorImpl(TensorMeta&& m, Ref<Storage> s, Ref<FakeOwner> owner);
  TensorImpl(const TensorMeta& m, Ref<Storage> s, Ref<FakeOwner> owner);
  ~TensorImpl() override;

 private:
  uint64_t make_identity() const;
  mutable std::atomic<uint64_t> identity_{0};  ///< 0 until identity() is called
};

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Ref<TensorImpl> impl) : impl_(std::move(impl)) {}
  Tensor(TensorMeta meta, Ref<Storage> storage) : impl_(make_ref<TensorImpl>(std::move(meta), std::move(storage))) {}

  explicit operator bool() const { return static_cast<bool>(impl_); }
  TensorImpl* impl() const { return impl_.get(); }
  const Ref<TensorImpl>& ref() const { return impl_; }
  /// Returns the pointer without releasing the reference: the caller now owns the reference.
  TensorImpl* release() && { return impl_.detach(); }
  /// Returns whether both handles refer to one TensorImpl.
  bool is(const Tensor& o) const { return impl_ == o.impl_; }

  const TensorMeta& meta() const { return impl_->meta; }
  DType dtype() const { return impl_->meta.dtype; }
  Device device() const { return impl_->meta.device; }
  int64_t dim() const { return impl_->meta.dim(); }
  std::span<const SymInt> sizes() const { return impl_->meta.sizes; }
  std::span<const SymInt> strides() const { return impl_->meta.strides; }
  SymInt size(int64_t d) const;  ///< d may be negative; raises an Index error if it is out of range
  SymInt stride(int64_t d) const;
  SymInt storage_offset() const { return impl_->meta.offset; }
  SymInt numel() const { return impl_->meta.numel(); }
  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;

  const Ref<Storage>& storage() const { return impl_->storage; }
  bool shares_storage(const Tensor& o) const { return impl_->storage == o.impl_->storage; }
  uint32_t version() const { return impl_->storage->version(); }
  bool is_fake() const { return static_cast<bool>(impl_->fake_mode); }

  /// Returns the address of the first element. Raises DataDependentOutput for fakes and meta tensors.
  std::byte* raw_data() const;
  /// Returns the address of the first element as T*. Raises an error unless dtype() is T's and the tensor is on the
  /// CPU.
  template <class T>
  T* data() const {
    return reinterpret_cast<T*>(typed_data(dtype_of<T>));
  }
  /// Returns the value of a CPU tensor with one element. A fake without a known value raises DataDependentOutput.
  double item_double() const;
  int64_t item_int() const;

 private:
  std::byte* typed_data(DType expected) const;
  Ref<TensorImpl> impl_;
};

/// An unbacked symbol that represents a number computed from a fake's data. It is valid until the fake is written.
struct DataMemo {
  uint8_t slot = 0;      ///< MemoSlot (runtime/op/data_symbols.h)
  uint32_t version = 0;  ///< the storage's version when the symbol was made
  uint64_t epoch = 0;    ///< the mode's epoch when the symbol was made
  SymInt symbol;
};

/// Rarely used state of a tensor.
class TensorExtra final : public RefCounted, public Pooled<TensorExtra> {
 public:
  Tensor constant;              ///< for a fake: its known value, a real CPU tensor of one element
  Tensor real;                  ///< for a fake in a mode that propagates real values: its real tensor
  Ref<CallStack> made_at;       ///< for a fake in a mode that keeps creation stacks
  std::vector<DataMemo> memos;  ///< for a fake in a mode with a ShapeEnv
  bool is_parameter = false;
};

/// Makes a real tensor with uninitialised bytes for all of its elements. On meta it has no bytes.
Tensor make_real_tensor(TensorMeta meta);
/// Makes a view of `base` that shares its storage. REQUIRES: the elements fit into the storage (the rule has checked
/// it).
Tensor make_view(const Tensor& base, TensorMeta meta);
/// Makes a contiguous CPU tensor of these values, for tests and examples: `tensor_of<float>({1,2,3}, {3})`.
template <class T>
Tensor tensor_of(std::initializer_list<T> values, std::initializer_list<int64_t> sizes);
Tensor tensor_from_values(DType dtype, std::span<const double> values, std::span<const SymInt> sizes);

/// Returns the metadata and, for a real tensor, the values. A fake has none: `FakeTensor(f32[2,2]@cuda:0)`.
std::string to_string(const Tensor& t);

template <class T>
Tensor tensor_of(std::initializer_list<T> values, std::initializer_list<int64_t> sizes) {
  DimVec dims;
  for (int64_t s : sizes) dims.push_back(s);
  Tensor t = make_real_tensor(TensorMeta(dtype_of<T>, dims));
  if (t.numel().as_int() != static_cast<int64_t>(values.size())) {
    fail_argument("tensor_of: {} values for {} elements", values.size(), t.numel().as_int());
  }
  std::copy(values.begin(), values.end(), t.data<T>());
  return t;
}

}  // namespace ersatz
