// What ersatz raises: `Error` and its kinds. Every refusal is one line that says what, where and what would work.
#pragma once

#include "runtime/error.h"
#include "runtime/suggestion.h"
