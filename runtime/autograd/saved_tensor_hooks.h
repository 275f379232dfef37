// Hooks that store saved tensors in another form: `pack` runs when a call saves a tensor, `unpack` when backward reads
// it.
//
//   const SavedTensorHooks on_disk([](const Tensor& t) { return std::any(write(t)); },
//                                  [](const std::any& file) { return read(std::any_cast<File>(file)); });
//   Tensor y = ops::mul(x, x);  // the saved tensors are written to disk
//
// register_saved_hooks() packs one tensor that a node has saved already, as PyTorch's
// `y.grad_fn._raw_saved_self.register_hooks(pack, unpack)`.
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

class GradNode;
class PackedTensor;  // runtime/autograd/packed_tensor.h

/// Returns a saved tensor of `node`. Its name is that of the operator's argument or result (`self`, `indices`), or
/// `result` (`result1` of several) for a result without a name. The node of a user's function has `tensors`. `item` is
/// the place in a list, or in save_for_backward. While gradients are recorded, the tensor has its history. Raises a
/// Runtime error if the node does not save that name, if it saved None, or if a backward run freed it.
Tensor saved_tensor(GradNode& node, std::string_view name, size_t item = 0);
/// Packs that saved tensor with `pack` now. From now on `unpack` gives it back each time that backward or
/// saved_tensor() reads it. Raises a Runtime error where saved_tensor() does, and if the tensor is packed already.
void register_saved_hooks(GradNode& node, std::string_view name, PackHook pack, UnpackHook unpack, size_t item = 0);

namespace detail {
/// Calls `pack` on `t` with gradients off. Raises a Runtime error if it writes `t`.
Ref<PackedTensor> pack_tensor(const PackHook& pack, const UnpackHook& unpack, const Tensor& t);
}  // namespace detail

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
