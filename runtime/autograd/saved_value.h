// Values that a node saves from its call for backward: numbers, metadata and tensors.
#pragma once

#include "runtime/autograd/autograd_meta.h"
#include "runtime/autograd/formula.h"
#include "runtime/autograd/packed_tensor.h"

namespace ersatz {

/// May a tensor of the dtype have a gradient?
inline bool is_differentiable(DType t) { return is_float(t) || is_complex(t); }

/// A tensor saved for backward. It is saved without its history, so that no tensor keeps itself alive. A leaf that
/// requires a gradient is saved itself.
struct SavedTensor {
  Tensor data;               ///< undefined if `packed` has it, or if the value was None
  Ref<PackedTensor> packed;  ///< the form that a pack hook returned
  Edge edge;                 ///< gradient edge of the saved tensor; empty for a result of the call itself
  uint32_t version = 0;
  int16_t result = -1;  ///< index among the call's results; -1: an argument
};

/// A value of a call that its formulas read: a number, a list, a tensor or a list of tensors.
struct SavedValue {
  Value plain;  ///< a value that is not a tensor
  InlineVec<SavedTensor, 1> tensors;
  bool is_list = false;

  /// Saves `v` or the metadata of it that `what` names. `v` is result number `result`, or an argument if that is -1. A
  /// tensor that the call writes (`is_written`) is cloned first. Raises a Runtime error for an inference tensor.
  void keep(SavedPart::What what, const Value& v, int16_t result, bool is_written);
  /// Returns the saved value. While gradients are recorded, its tensors have their history again; `node` is the grad_fn
  /// of saved results. Raises a Runtime error if a tensor was written since.
  Value unpack(GradNode& node) const;
};

/// A node with saved tensors that have names (saved_tensor_hooks.h).
class SavingNode : public GradNode {
 public:
  /// Sets `found` to the saved tensor; leaves it null if the node saved None under the name, or freed it. Returns
  /// whether the node saves tensors under the name.
  virtual bool find_saved(std::string_view name, size_t item, SavedTensor*& found) = 0;
  /// Did a backward run free what was saved?
  virtual bool is_freed() const = 0;
};

}  // namespace ersatz
