// What ersatz raises: `Error` and its kinds. Every refusal is one line that says what, where and what would work.
#pragma once

#include "runtime/base/error.h"
#include "runtime/base/suggestion.h"
