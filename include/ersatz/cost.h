// The cost of a run: bytes that live at once, floating point operations (both are modes, over fake and real calls), and
// the seconds that it took.
#pragma once

#include "ersatz/tensor.h"
#include "fake/observe/flop_counter.h"
#include "fake/observe/memory_meter.h"
#include "fake/observe/timed_run.h"
