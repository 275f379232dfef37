// The errors of ersatz: `Error` and its kinds. A message is one line with the mistake, its place, and a suggestion. A
// call on a GPU may raise a `DeferredError`, which describes an earlier call, unless a `ChecksAtOnce` is alive.
#pragma once

#include "runtime/base/error.h"
#include "runtime/base/suggestion.h"
#include "runtime/op/value_checks.h"
