// The owner of a fake tensor: the interface of its fake mode for tensors and dispatch.
#pragma once

#include <span>

#include "runtime/base/inline_vec.h"
#include "runtime/base/ref_count.h"

namespace ersatz {

struct OpEntry;
class Value;
using Values = InlineVec<Value, 3>;  // runtime/op/value.h

/// A call on a fake outside of every mode's scope is dispatched to the fake's owner.
class FakeOwner : public RefCounted {
 public:
  virtual void call_owned(const OpEntry& op, std::span<const Value> args, Values& results) = 0;
  /// Does `data_ptr` of a fake return null (true) or raise DataDependentOutput (false)?
  virtual bool allows_data_pointer() const { return false; }
};

}  // namespace ersatz
