// The place where dispatch hands a call to autograd, which lies above it (runtime/autograd/record.h).
#pragma once

#include <span>

#include "runtime/op/value.h"

namespace ersatz {

struct OpEntry;

using RunCall = void (*)(const OpEntry& op, std::span<const Value> args, Values& results);

namespace detail {
/// Runs a call through `below` and does what autograd has to do for it. Null until it is installed.
using RecordCall = void (*)(const OpEntry& op, std::span<const Value> args, Values& results, RunCall below);
extern RecordCall g_record_call;
}  // namespace detail

}  // namespace ersatz
