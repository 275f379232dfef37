// Fake tensors have metadata and no data. Their device may be one that this machine lacks.
//
//   FakeMode mode;
//   FakeScope scope(mode);
//   Tensor x = mode.from_tensor(real);
//   Tensor y = ops::relu(x);            // <ersatz/ops.h>
#pragma once

#include "ersatz/tensor.h"
#include "fake/crosscheck/run_comparison.h"
#include "fake/mode/fake_mode.h"
#include "fake/object/capabilities.h"
#include "fake/object/defake.h"
#include "fake/object/parameter.h"
#include "fake/object/tensor_record.h"
#include "fake/object/torch_text.h"
#include "fake/object/wrapper.h"
#include "runtime/tensor/live_objects.h"
