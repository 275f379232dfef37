// Converts the arguments of a call to fakes of a mode. Another program makes the call through the C interface of ask.h.
//
// An AskedCall is used for many calls, one after another, and reuses its memory.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fake/ask/ask.h"
#include "fake/mode/fake_mode.h"

namespace ersatz {

/// Converts a tensor's metadata from C. Raises InvalidArgument for an unknown dtype or device, and for a size, stride,
/// offset or rank that is negative or too large.
TensorMeta meta_of(const ErsatzTensorMeta& tensor);
/// Converts a context from C; null gives the defaults. The version of PyTorch is taken from the current RuleContext.
RuleContext context_of(const ErsatzAskContext* context);
/// Converts a value without tensors. A generator becomes None. Raises InvalidArgument if the value contains a tensor or
/// is malformed.
Value value_from_c(const ErsatzValue& value);

class AskedCall {
 public:
  using MetaOf = TensorMeta (*)(const ErsatzTensorMeta&);
  explicit AskedCall(const FakeMode& mode, MetaOf meta_of_tensor = meta_of) : mode_(mode), meta_of_(meta_of_tensor) {}

  /// Converts the arguments of a call of `op` and adds the schema's defaults. Raises InvalidArgument if they do not fit
  /// the schema. REQUIRES: the metadata that `arguments` point to are valid as long as `tensor_meta` is used.
  void set(const OpEntry& op, std::span<const ErsatzValue> arguments);

  /// Returns one value per schema argument. Its tensors are fakes of the mode.
  std::span<const Value> arguments() const { return values_; }
  /// Returns the tensors in arguments() in order, including each element of a list. `tensor_meta(i)` is the metadata
  /// that the caller passed for tensor i.
  std::span<const Tensor> tensors() const { return tensors_; }
  const ErsatzTensorMeta& tensor_meta(size_t tensor) const { return *tensor_metas_[tensor]; }
  /// `with_storage` looks for the caller's number of a storage, `with_object` for the caller's number of a tensor
  /// object. They return the index in tensors() of the first tensor with that number, or -1 if there is none.
  int with_storage(uint64_t storage) const;
  int with_object(uint64_t object) const;
  /// Returns the index in tensors() of this tensor object; -1 if it is no argument.
  int number_of(const TensorImpl* tensor) const;

 private:
  Value value(const ErsatzValue& v, uint32_t depth);
  Tensor tensor(const ErsatzTensorMeta& t);

  FakeMode mode_;
  MetaOf meta_of_;
  std::vector<Value> values_;
  std::vector<Tensor> tensors_;
  std::vector<const ErsatzTensorMeta*> tensor_metas_;
};

}  // namespace ersatz
