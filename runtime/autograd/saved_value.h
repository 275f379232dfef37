// What a node keeps of its call for backward: numbers, metadata, tensors.
#pragma once

#include "runtime/autograd/autograd_meta.h"
#include "runtime/autograd/formula.h"
#include "runtime/autograd/saved_tensor_hooks.h"

namespace ersatz {

/// May a tensor of the dtype have a gradient?
inline bool is_differentiable(DType t) { return is_float(t) || is_complex(t); }

/// A tensor that backward needs. It is kept without its history, so that no tensor keeps itself alive; a leaf that
/// requires a gradient is kept as it is.
struct SavedTensor {
  Tensor data;               ///< undefined where it is packed, or where there was none
  Ref<PackedTensor> packed;  ///< what a hook made of it
  Edge edge;                 ///< of the tensor that was saved; empty for a result of the call itself
  uint32_t version = 0;
  int16_t result = -1;  ///< number among the call's results; -1: an argument
};

/// A value of a call that its formulas read: a number, a list, a tensor or a list of tensors.
struct SavedValue {
  Value plain;  ///< what is no tensor
  InlineVec<SavedTensor, 1> tensors;
  bool is_list = false;

  /// Keeps a part of an argument or of result number `result`. A tensor that the call writes (`is_written`) is copied
  /// first. Raises a Runtime error for a tensor of inference mode.
  void keep(SavedPart::What what, const Value& v, int16_t result, bool is_written);
  /// What was kept. While gradients are recorded, tensors have their history again; `node` is that of results. Raises a
  /// Runtime error where a tensor was written since.
  Value unpack(GradNode& node) const;
};

}  // namespace ersatz
