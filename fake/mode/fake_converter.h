// From real tensors to fakes, identity kept.
//
// Invariants
// C1  The same tensor gives the same fake while both live; two tensors on one storage give two fakes on one fake
//     storage. With a ShapeEnv its symbols are the same as long as the tensor lives (CONV-20 of docs/behaviours.md).
// C2  The memo keeps neither side alive. Its keys are never reused while they are in it: a tensor's weak cell, which
//     the entry holds, and a storage's id.
// C3  A conversion that is refused leaves no entry.
//
// The memo is guarded by a mutex: any thread may convert.
#pragma once

#include <mutex>
#include <unordered_map>

#include "fake/mode/input_symbols.h"
#include "runtime/tensor/fake_owner.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

class RealValues;

class FakeConverter {
 public:
  /// `owner` is what the fakes belong to, `options` are its own; both outlive the converter, which is a part of it.
  /// With `reals` every fake carries a copy of the tensor's value.
  FakeConverter(FakeOwner& owner, const FakeOptions& options, RealValues* reals)
      : owner_(owner), reals_(reals), symbols_(options) {}

  /// `epoch` is the owner's.
  Tensor convert(const Tensor& t, const FromTensorOptions& asked, uint64_t epoch);
  Tensor convert(const Tensor& t) { return convert(t, {.static_shapes = true}, 0); }
  /// The fake of a meta tensor on another device. The memo tells devices apart.
  Tensor convert_meta(const Tensor& t, Device device);
  size_t tensor_memo_size();
  size_t storage_memo_size();

 private:
  struct TensorEntry {
    WeakRef<TensorImpl> from, fake;
  };
  struct StorageEntry {
    WeakRef<Storage> from, fake;
  };
  struct Key {
    uint64_t id;  ///< address of the weak cell, or id of the storage
    Device device;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& k) const {
      const uint64_t device = static_cast<uint64_t>(k.device.type) * 128 + static_cast<uint64_t>(k.device.index);
      return std::hash<uint64_t>()(k.id ^ (device << 48));
    }
  };

  static Key key_of(const Tensor& t, Device device) {
    return {reinterpret_cast<uint64_t>(t.impl()->weak_cell()), device};
  }
  /// The fake that is in the memo and lives, or undefined.
  Tensor find(const Tensor& t, Device device) const;
  Tensor convert_to(const Tensor& t, Device device, const FromTensorOptions& asked, int depth);
  /// Made with `nbytes` where there is none yet.
  Ref<Storage> storage_of(const Ref<Storage>& storage, SymInt nbytes, Device device);
  void purge_if_grown();
  void purge();

  FakeOwner& owner_;
  RealValues* const reals_;
  std::mutex mutex_;
  InputSymbols symbols_;
  std::unordered_map<Key, TensorEntry, Hash> tensors_;
  std::unordered_map<Key, StorageEntry, Hash> storages_;
  size_t purge_at_ = 64;
};

}  // namespace ersatz
