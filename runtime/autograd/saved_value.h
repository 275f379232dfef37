// Values that a node saves from its call for backward: numbers, metadata and tensors.
#pragma once

#include "runtime/autograd/autograd_meta.h"
#include "runtime/autograd/formula.h"
#include "runtime/autograd/packed_tensor.h"

namespace ersatz {

/// Returns whether a tensor of this dtype can have a gradient.
inline bool is_differentiable(DType t) { return is_float(t) || is_complex(t); }

/// A tensor saved for backward. It has no history, because a result with its grad_fn would keep itself alive. Only a
/// leaf that requires a gradient is saved unchanged.
struct SavedTensor {
  Tensor data;               ///< undefined if `packed` is set, or if the value was None
  Ref<PackedTensor> packed;  ///< the form that a pack hook returned
  Edge edge;                 ///< gradient edge of the saved tensor; empty for a result of the call itself
  uint32_t version = 0;
  int16_t result = -1;  ///< index among the call's results; -1 for an argument
};

/// A value of the forward call that the formulas read: a number, a list, a tensor or a list of tensors.
struct SavedValue {
  Value plain;  ///< a value that is not a tensor
  InlineVec<SavedTensor, 1> tensors;
  bool is_list = false;

  /// Saves `v`, or the metadata of `v` that `what` names. `v` is the call's result number `result`, or an argument if
  /// `result` is -1. A tensor that the call will write (`is_written`) is cloned first. Raises a Runtime error for an
  /// inference tensor.
  void keep(SavedPart::What what, const Value& v, int16_t result, bool is_written);
  /// Returns the saved value. While gradients are recorded, its tensors have their history again: saved results get
  /// `node` as grad_fn. Raises a Runtime error if a tensor was written after it was saved.
  Value unpack(GradNode& node) const;
};

/// A node whose saved tensors can be found by name (saved_tensor_hooks.h).
class SavingNode : public GradNode {
 public:
  /// Returns whether the node saves tensors called `name`. Sets `found` to the tensor at index `item`, or leaves it
  /// null if the node saved None or has freed the tensor.
  virtual bool find_saved(std::string_view name, size_t item, SavedTensor*& found) = 0;
  /// Returns whether a backward run has freed the saved tensors.
  virtual bool is_freed() const = 0;
};

}  // namespace ersatz
