// The cost of a run: MemoryMeter counts bytes that are live at once, FlopCounter counts floating point operations, and
// TimedRun measures seconds. The first two are modes, which count calls on real and on fake tensors.
#pragma once

#include "ersatz/tensor.h"
#include "fake/observe/flop_counter.h"
#include "fake/observe/memory_meter.h"
#include "fake/observe/timed_run.h"
