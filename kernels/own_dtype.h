// A check that several `out=` forms make before they look at other arguments.
#pragma once

#include <string_view>

#include "runtime/op/op_entry.h"
#include "runtime/op/rule.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// [out_dtype]: the tensor `written`, called `named` in the error, has dtype `result`.
inline void require_own_dtype(const RuleCall& call, std::string_view named, const TensorMeta& written, DType result) {
  call.require(written.dtype == result, "out_dtype", "{} must have dtype {}, it is {}", named, name(result), written);
}
/// The tensor at position `written` has dtype `result`; the error uses the argument's name in the schema.
inline void require_own_dtype(const RuleCall& call, Position written, DType result) {
  require_own_dtype(call, call.op.schema.arguments[written].name, call.meta(written), result);
}

}  // namespace ersatz
