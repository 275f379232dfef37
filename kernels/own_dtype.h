// What several `out=` forms ask before they look at other arguments.
#pragma once

#include "runtime/op/op_entry.h"
#include "runtime/op/rule.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// [out_dtype]: the argument that is written has the result's dtype.
inline void require_own_dtype(const RuleCall& call, Position written, DType result) {
  call.require(call.meta(written).dtype == result, "out_dtype", "{} must have dtype {}, it is {}",
               call.op.schema.arguments[written].name, name(result), call.meta(written));
}

}  // namespace ersatz
