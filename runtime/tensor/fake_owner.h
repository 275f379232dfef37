// The owner of a fake tensor is its fake mode. FakeOwner is the part of a fake mode's interface that tensors and
// dispatch use.
#pragma once

#include <span>

#include "runtime/base/inline_vec.h"
#include "runtime/base/ref_count.h"

namespace ersatz {

struct OpEntry;
class Value;
using Values = InlineVec<Value, 3>;  // runtime/op/value.h

/// A call on a fake outside of every FakeScope is dispatched to the fake's owner.
class FakeOwner : public RefCounted {
 public:
  virtual void call_owned(const OpEntry& op, std::span<const Value> args, Values& results) = 0;
  /// Returns whether `data_ptr` of a fake returns null (true) or raises DataDependentOutput (false).
  virtual bool allows_data_pointer() const { return false; }
};

}  // namespace ersatz
