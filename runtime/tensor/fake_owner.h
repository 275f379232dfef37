// The owner of a fake tensor: its fake mode, as far as tensors and dispatch know it.
#pragma once

#include <span>

#include "runtime/base/inline_vec.h"
#include "runtime/base/ref_count.h"

namespace ersatz {

struct OpEntry;
class Value;
using Values = InlineVec<Value, 3>;  // runtime/op/value.h

/// An op on a fake outside of any mode's scope is dispatched to the fake's owner.
class FakeOwner : public RefCounted {
 public:
  virtual void call_owned(const OpEntry& op, std::span<const Value> args, Values& results) = 0;
  /// May the data pointer of a fake be asked for? It is null then; otherwise asking raises DataDependentOutput.
  virtual bool allows_data_pointer() const { return false; }
};

}  // namespace ersatz
