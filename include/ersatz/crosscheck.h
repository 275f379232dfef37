// CrosscheckMode compares each call's prediction with the result of its kernel and collects the differences in a
// Report. `accuracy.h` compares the values of two runs.
//
//   CrosscheckMode mode;
//   { ModeGuard guard(mode); y = model(x); }   // real results, as without the mode
//   Report report = mode.finish();
#pragma once

#include "ersatz/fake.h"
#include "fake/crosscheck/accuracy.h"
#include "fake/crosscheck/crosscheck_mode.h"
