// Calls made on the CPU and on a CUDA device, and compared.
//
// test_cuda runs on the machine's GPU, or where there is none on the emulated device (tests/emulated_cuda/): the same
// kernels, compiled for the host. What only a GPU can answer says so with ERSATZ_NEEDS_GPU() and is skipped, and
// counted, elsewhere.
#pragma once

#include <gtest/gtest.h>

#include "runtime/op/literal.h"
#include "runtime/op/op_entry.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Is a real GPU behind cuda:0?
bool has_gpu();

/// The same elements, sizes, strides and offset on another device. Tensors that shared a storage share one there when
/// `arguments_on` moves them together. Devices among the arguments, and factories without one, follow.
Tensor tensor_on(Device device, const Tensor& t);
std::vector<Value> arguments_on(Device device, std::span<const Value> args);

/// Runs the call on the CPU and on cuda:0 (from copies of the arguments) and expects equal dtypes and sizes, values
/// within the dtype's and the op's tolerance, equal contents of every argument afterwards, or the same refusal: in the
/// same words where calls check at once, of the same op and family where the device is waited for. Values of random ops
/// are compared too: both devices draw the same stream. A call whose dtype CUDA's rule does not take is agreed.
void expect_agree(const OpEntry& op, std::span<const Value> args, const std::string& what);
/// The same from an op's name and arguments in literal spelling (docs/text-form.md): `f32[3,4]{1,3}, [0], True`.
void expect_agree(std::string_view op, std::string_view arguments, double low = -2, double high = 2);
/// The same for each of the dtypes: `*` in the arguments stands for it.
void expect_agree_for(DTypeSet dtypes, std::string_view op, std::string_view arguments, double low = -2,
                      double high = 2);

}  // namespace ersatz

#define ERSATZ_NEEDS_GPU() \
  if (!::ersatz::has_gpu()) GTEST_SKIP() << "no device"
