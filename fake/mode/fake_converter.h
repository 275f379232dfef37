// Converts real tensors to fakes, with one fake per tensor.
//
// Invariants
// C1  A tensor has one fake as long as both live. Two tensors on one storage have two fakes on one fake storage. With a
//     ShapeEnv, a tensor keeps its symbols while it lives (CONV-20 of docs/behaviours.md).
// C2  The memo keeps neither tensors nor fakes alive. Its keys are addresses of tensors' weak cells, which the entries
//     keep alive, and ids of storages. So no key is reused while its entry exists.
// C3  A conversion that raises an error adds no entry for its tensor.
//
// A mutex guards the memo: any thread may convert.
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
  /// The fakes belong to `owner`, whose options are `options`. If `reals` is not null, every fake gets a copy of its
  /// tensor's value. REQUIRES: `owner` and `options` outlive the converter.
  FakeConverter(FakeOwner& owner, const FakeOptions& options, RealValues* reals)
      : owner_(owner), reals_(reals), symbols_(options) {}

  /// Returns the fake of a tensor, as FakeMode::from_tensor describes. `epoch` is the owner's epoch.
  Tensor convert(const Tensor& t, const FromTensorOptions& asked, uint64_t epoch);
  Tensor convert(const Tensor& t) { return convert(t, {.static_shapes = true}, 0); }
  /// Returns the fake of a meta tensor on `device`; the memo has one fake per device.
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
    uint64_t id;  ///< address of the tensor's weak cell, or id of the storage
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
  /// Returns the fake in the memo if it is alive; else an undefined tensor.
  Tensor find(const Tensor& t, Device device) const;
  Tensor convert_to(const Tensor& t, Device device, const FromTensorOptions& asked, int depth);
  /// Returns the fake storage of `storage` on `device`. If there is none, makes one of `nbytes`.
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
