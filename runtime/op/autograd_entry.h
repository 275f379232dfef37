// The function pointer by which dispatch calls autograd, a higher layer (runtime/autograd/record.h).
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
}  // namespace detail

}  // namespace ersatz
