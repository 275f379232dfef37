// Tensors that backward needs, kept in another form: packed when a call saves them, unpacked when backward reads them.
//
//   const SavedTensorHooks on_disk([](const Tensor& t) { return std::any(write(t)); },
//                                  [](const std::any& file) { return read(std::any_cast<File>(file)); });
//   Tensor y = ops::mul(x, x);  // what this saves is written
//
// Of nested scopes the innermost packs. A tensor is unpacked each time that backward reads it, and after it was packed
// a write into it is no error: backward computes with what was packed. `pack` runs with gradients off. One thread.
#pragma once

#include <any>
#include <functional>

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Must not write its tensor: Runtime error.
using PackHook = std::function<std::any(const Tensor& saved)>;
/// Returns a tensor: an undefined one is a Type error.
using UnpackHook = std::function<Tensor(const std::any& packed)>;

/// A saved tensor in the form that `pack` gave it.
class PackedTensor final : public RefCounted {
 public:
  PackedTensor(std::any packed, const UnpackHook& unpack) : packed_(std::move(packed)), unpack_(unpack) {}
  Tensor unpacked() const;

 private:
  std::any packed_;
  UnpackHook unpack_;
};

class SavedTensorHooks {
 public:
  /// Runtime error with the message of a DisableSavedTensorHooks in force.
  SavedTensorHooks(PackHook pack, UnpackHook unpack);
  ~SavedTensorHooks();
  SavedTensorHooks(const SavedTensorHooks&) = delete;
  SavedTensorHooks& operator=(const SavedTensorHooks&) = delete;

  Ref<PackedTensor> pack(const Tensor& t) const;

 private:
  PackHook pack_;
  UnpackHook unpack_;
  const SavedTensorHooks* outer_;
};

namespace detail {
extern thread_local constinit const SavedTensorHooks* t_saved_tensor_hooks;
}

/// No hooks may be set until the end of the scope: who tries gets a Runtime error with this message. The same error
/// where hooks are in force already.
class DisableSavedTensorHooks {
 public:
  explicit DisableSavedTensorHooks(std::string message);
  ~DisableSavedTensorHooks();
  DisableSavedTensorHooks(const DisableSavedTensorHooks&) = delete;
  DisableSavedTensorHooks& operator=(const DisableSavedTensorHooks&) = delete;

 private:
  friend class SavedTensorHooks;
  std::string message_;
  const DisableSavedTensorHooks* outer_;
};

/// Until the end of the scope no hook on saved tensors is called, and saved tensors are kept unpacked. Hooks that are
/// set in the scope wait too. A tracer records in it, because hooks belong to the run of the recorded program.
class DeferSavedTensorHooks {
 public:
  DeferSavedTensorHooks();
  ~DeferSavedTensorHooks();
  DeferSavedTensorHooks(const DeferSavedTensorHooks&) = delete;
  DeferSavedTensorHooks& operator=(const DeferSavedTensorHooks&) = delete;

 private:
  const SavedTensorHooks* before_;
  bool deferred_before_;
};

}  // namespace ersatz
