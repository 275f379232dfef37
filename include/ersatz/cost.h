// What a run would cost: bytes that live at once, floating point operations. Both are modes, over fake and real calls.
#pragma once

#include "ersatz/tensor.h"
#include "fake/observe/flop_counter.h"
#include "fake/observe/memory_meter.h"
