// Fake tensors: metadata without data, of any device, whether it is there or not.
//
//   FakeMode mode;
//   FakeScope scope(mode);
//   Tensor x = mode.from_tensor(real);
//   Tensor y = ops::relu(x);            // <ersatz/ops.h>
#pragma once

#include "ersatz/tensor.h"
#include "fake/fake_mode.h"
#include "fake/parameter.h"
#include "fake/run_comparison.h"
#include "fake/wrapper.h"
