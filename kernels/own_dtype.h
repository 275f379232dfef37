// What several `out=` forms ask before they look at other arguments.
#pragma once

#include <string_view>

#include "runtime/op/op_entry.h"
#include "runtime/op/rule.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// [out_dtype]: a tensor that is written, `named` in the schema, has the result's dtype.
inline void require_own_dtype(const RuleCall& call, std::string_view named, const TensorMeta& written, DType result) {
  call.require(written.dtype == result, "out_dtype", "{} must have dtype {}, it is {}", named, name(result), written);
}
/// The same of an argument.
inline void require_own_dtype(const RuleCall& call, Position written, DType result) {
  require_own_dtype(call, call.op.schema.arguments[written].name, call.meta(written), result);
}

}  // namespace ersatz
