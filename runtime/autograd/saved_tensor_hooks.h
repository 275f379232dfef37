// Hooks that store saved tensors in another form: `pack` runs when a call saves a tensor, `unpack` when backward reads
// it.
//
//   const SavedTensorHooks on_disk([](const Tensor& t) { return std::any(write(t)); },
//                                  [](const std::any& file) { return read(std::any_cast<File>(file)); });
//   Tensor y = ops::mul(x, x);  // the saved tensors are written to disk
//
// Inside nested scopes only the innermost hooks run. A tensor is unpacked each time that backward reads it. A write
// into a packed tensor is no error: backward computes with the packed form. `pack` runs with gradients off. The scope
// holds for its thread.
#pragma once

#include <any>
#include <functional>

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Returns another form of `saved`. If it writes `saved`, a Runtime error is raised.
using PackHook = std::function<std::any(const Tensor& saved)>;
/// Returns the saved tensor. If it is undefined, a Type error is raised.
using UnpackHook = std::function<Tensor(const std::any& packed)>;

class PackedTensor;  // runtime/autograd/packed_tensor.h

class SavedTensorHooks {
 public:
  /// Raises a Runtime error with the message of the enclosing DisableSavedTensorHooks, if there is one.
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

/// Scope in which SavedTensorHooks cannot be constructed: they raise a Runtime error with this message. The constructor
/// raises the same error if hooks are active already.
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

/// Scope in which no hook on saved tensors runs, and saved tensors are kept unpacked. Hooks that are constructed inside
/// the scope do not run there either. A tracer records in this scope, because hooks belong to the run of the recorded
/// program.
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
