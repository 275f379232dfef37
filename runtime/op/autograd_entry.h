// Function pointers through which dispatch and modes call autograd, because autograd (runtime/autograd/record.h) is in
// a higher layer that this folder may not include.
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
/// Implements autograd_keeps_whole. Null until autograd installs it.
using KeepsWhole = bool (*)(const OpEntry& op, std::span<const Value> args);
extern KeepsWhole g_keeps_whole;
/// Implements autograd_sees_parameter. Null until autograd installs it.
using IsLeaf = bool (*)(const Tensor& t);
extern IsLeaf g_is_parameter;
}  // namespace detail

/// Would autograd record this call, made on this thread now, as one backward node? If so, a mode outside of autograd
/// must not decompose the op, because the ops that it is made of may have no derivative.
inline bool autograd_keeps_whole(const OpEntry& op, std::span<const Value> args) {
  return detail::g_keeps_whole && detail::g_keeps_whole(op, args);
}

/// Is `t` a leaf that requires a gradient and is no view? False if autograd is not installed.
inline bool autograd_sees_parameter(const Tensor& t) {
  return t.meta().requires_grad && detail::g_is_parameter && detail::g_is_parameter(t);
}

}  // namespace ersatz
