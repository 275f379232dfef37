// The error of operators that are registered so that their calls have a clear error, but are not supported.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Raises an error of class NotImplemented with the label `<op>.NYI`. For rules that refuse every call.
[[noreturn]] inline void refuse_always(const RuleCall& call, ErrorKind kind, std::string_view words,
                                       std::string_view suggestion) {
  Error e(kind, ErrorFamily::NotImplemented, fmt::format("{}: {} [{}.NYI]", call.op.name, words, call.op.base()));
  e.op = call.op.base();
  e.label = fmt::format("{}.NYI", call.op.base());
  e.suggestion = suggestion;
  throw e;
}

}  // namespace ersatz
