// Autocast: runs ops in a narrower dtype, `AutocastScope scope(DeviceType::CPU, true, DType::BF16);`.
#pragma once

#include "ersatz/tensor.h"
#include "runtime/op/autocast.h"
