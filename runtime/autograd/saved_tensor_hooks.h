// Hooks that store saved tensors in another form: `pack` runs when a call saves a tensor, `unpack` when backward reads
// it.
//
//   const SavedTensorHooks on_disk([](const Tensor& t) { return std::any(write(t)); },
//                                  [](const std::any& file) { return read(std::any_cast<File>(file)); });
//   Tensor y = ops::mul(x, x);  // the saved tensors are written to disk
//
// register_saved_hooks() packs one tensor that a node has already saved, like PyTorch's
// `y.grad_fn._raw_saved_self.register_hooks(pack, unpack)`.
//
// Scopes belong to their thread and nest; only the innermost scope's hooks run. `pack` runs under NoGrad. A tensor is
// unpacked each time that backward reads it. A write into a tensor that was packed is no error, because backward
// computes with the packed form.
#pragma once

#include <any>
#include <functional>

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Returns another form of `saved`. A hook that writes `saved` causes a Runtime error.
using PackHook = std::function<std::any(const Tensor& saved)>;
/// Returns the tensor that was packed. If the hook returns an undefined tensor, a Type error is raised.
using UnpackHook = std::function<Tensor(const std::any& packed)>;

class GradNode;
class PackedTensor;  // runtime/autograd/packed_tensor.h

/// Returns a saved tensor of `node`. `name` is the name of the operator's argument or result (`self`, `indices`). A
/// result without a name is `result`, or `result0`, `result1` if there are several. The node of a user's Function has
/// the name `tensors`. `item` is the index in a list, or in save_for_backward. While gradients are recorded, the tensor
/// has its history. Raises a Runtime error if the node saves nothing by that name, if it saved None, or if a backward
/// run freed the tensor.
Tensor saved_tensor(GradNode& node, std::string_view name, size_t item = 0);
/// Packs the tensor that saved_tensor(node, name, item) returns. From then on, backward and saved_tensor() read the
/// result of `unpack`. Raises the Runtime errors of saved_tensor(), and one if the tensor is packed already.
void register_saved_hooks(GradNode& node, std::string_view name, PackHook pack, UnpackHook unpack, size_t item = 0);

namespace detail {
/// Calls `pack` on `t` under NoGrad. Raises a Runtime error if `pack` writes `t`.
Ref<PackedTensor> pack_tensor(const PackHook& pack, const UnpackHook& unpack, const Tensor& t);
}  // namespace detail

class SavedTensorHooks {
 public:
  /// Raises a Runtime error, with the message of the DisableSavedTensorHooks, if one is alive on this thread.
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

/// Scope in which the constructor of SavedTensorHooks raises a Runtime error with this message. The constructor of
/// DisableSavedTensorHooks raises the same error if hooks are active already.
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

/// Scope in which no SavedTensorHooks run, even hooks that are constructed inside it, and saved tensors are kept
/// unpacked. A tracer records in this scope, because the hooks are to run when the recorded program runs.
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
