// A check of a written argument's dtype that several `out=` overloads make before they check other arguments.
#pragma once

#include <string_view>

#include "runtime/op/op_entry.h"
#include "runtime/op/rule.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// Requires [out_dtype]: `written` has dtype `result`. The error text names the tensor `named`.
inline void require_own_dtype(const RuleCall& call, std::string_view named, const TensorMeta& written, DType result) {
  call.require(written.dtype == result, "out_dtype", "{} must have dtype {}, it is {}", named, name(result), written);
}
/// Requires [out_dtype]: the argument at position `written` has dtype `result`. The error has the argument's name.
inline void require_own_dtype(const RuleCall& call, Position written, DType result) {
  require_own_dtype(call, call.op.schema.arguments[written].name, call.meta(written), result);
}

}  // namespace ersatz
