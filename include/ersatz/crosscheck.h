// Fake beside real: what each call's prediction and its kernel disagree about, collected in a report; one run's values
// beside another's.
//
//   CrosscheckMode mode;
//   { ModeGuard guard(mode); y = model(x); }   // real results, as without the mode
//   Report report = mode.finish();
#pragma once

#include "ersatz/fake.h"
#include "fake/crosscheck/accuracy.h"
#include "fake/crosscheck/crosscheck_mode.h"
