// The function pointers by which dispatch and modes call autograd, a higher layer (runtime/autograd/record.h).
#pragma once

#include <span>

#include "runtime/op/value.h"

namespace ersatz {

struct OpEntry;

using RunCall = void (*)(const OpEntry& op, std::span<const Value> args, Values& results);

namespace detail {
/// Runs a call through `below` and records its derivative. Null until autograd installs it.
using RecordCall = void (*)(const OpEntry& op, std::span<const Value> args, Values& results, RunCall below);
extern RecordCall g_record_call;
/// Null until autograd installs it.
using KeepsWhole = bool (*)(const OpEntry& op, std::span<const Value> args);
extern KeepsWhole g_keeps_whole;
/// Null until autograd installs it.
using IsLeaf = bool (*)(const Tensor& t);
extern IsLeaf g_is_parameter;
}  // namespace detail

/// Would the call, made on this thread now, get a node of its own? A mode above autograd must not take it apart: the
/// parts of an operator with a derivative may have none.
inline bool autograd_keeps_whole(const OpEntry& op, std::span<const Value> args) {
  return detail::g_keeps_whole && detail::g_keeps_whole(op, args);
}

/// Does `t` require a gradient, and is it neither computed nor a view? False where autograd is not there.
inline bool autograd_sees_parameter(const Tensor& t) {
  return t.meta().requires_grad && detail::g_is_parameter && detail::g_is_parameter(t);
}

}  // namespace ersatz
