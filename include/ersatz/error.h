// The errors of ersatz: `Error` and its kinds. Every refusal is one line that says what, where and what would work.
// `DeferredError`: one of an earlier call on a device, unless a `ChecksAtOnce` lives.
#pragma once

#include "runtime/base/error.h"
#include "runtime/base/suggestion.h"
#include "runtime/op/value_checks.h"
