// A call that somebody outside asks about: its arguments as fakes of a mode, made from what ask.h hands over, and the
// answer of the rules. An object serves any number of calls, one after the other, and reuses its memory.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fake/ask/ask.h"
#include "fake/mode/fake_mode.h"

namespace ersatz {

/// What ask.h hands over, as ours. InvalidArgument: a dtype or device that does not exist here, a negative size, stride
/// or rank.
TensorMeta meta_of(const ErsatzTensorMeta& tensor);
RuleContext context_of(const ErsatzAskContext* context);
/// A value without tensors in it; of a generator nothing is left. InvalidArgument: it has some, or is malformed.
Value told_value(const ErsatzValue& value);

class AskedCall {
 public:
  using MetaOf = TensorMeta (*)(const ErsatzTensorMeta&);
  explicit AskedCall(const FakeMode& mode, MetaOf meta_of_told = meta_of) : mode_(mode), meta_of_(meta_of_told) {}

  /// Completes the arguments by the schema. Raises InvalidArgument where they do not fit it.
  void set(const OpEntry& op, std::span<const ErsatzValue> arguments);

  /// The complete arguments; their tensors are fakes of the mode.
  std::span<const Value> arguments() const { return values_; }
  /// The tensors among them, lists flattened, in order, and what they were made from.
  std::span<const Tensor> tensors() const { return tensors_; }
  const ErsatzTensorMeta& told(size_t tensor) const { return *told_[tensor]; }
  /// The number of the tensor argument of that storage, or that is that object; -1: none.
  int with_storage(uint64_t storage) const;
  int with_object(uint64_t object) const;
  /// The number of an argument's own tensor; -1: it is none of them.
  int number_of(const TensorImpl* tensor) const;

 private:
  Value value(const ErsatzValue& v, uint32_t depth);
  Tensor tensor(const ErsatzTensorMeta& t);

  FakeMode mode_;
  MetaOf meta_of_;
  std::vector<Value> values_;
  std::vector<Tensor> tensors_;
  std::vector<const ErsatzTensorMeta*> told_;
};

}  // namespace ersatz
