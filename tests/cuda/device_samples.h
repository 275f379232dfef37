// Calls made on the CPU and on a CUDA device, and compared.
//
// test_cuda runs on the machine's GPU. Without a GPU it runs the same kernels, compiled for the host, on the emulated
// device (tests/emulated_cuda/). A test with ERSATZ_NEEDS_GPU() is skipped there, and counted.
#pragma once

#include <gtest/gtest.h>

#include "runtime/op/literal.h"
#include "runtime/op/op_entry.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Returns whether cuda:0 is a real GPU.
bool has_gpu();

/// Returns a copy of `t` on another device, with the same elements, sizes, strides and offset. `arguments_on` keeps
/// shared storages shared. It also replaces device arguments, and gives factories the device.
Tensor tensor_on(Device device, const Tensor& t);
std::vector<Value> arguments_on(Device device, std::span<const Value> args);

/// Runs the call on the CPU and on cuda:0 (from copies of the arguments) and compares. Dtypes and sizes must be equal,
/// values within the tolerance of the dtype and the op, and all arguments equal afterwards. Errors must be equal: the
/// same text if calls check at once, the same op and family if the host waits for the device. Values of random ops are
/// compared too, because both devices draw the same stream. A call whose dtype CUDA's rule refuses counts as agreement.
void expect_agree(const OpEntry& op, std::span<const Value> args, const std::string& what);
/// Takes the op's name, and arguments in literal spelling (docs/text-form.md): `f32[3,4]{1,3}, [0], True`.
void expect_agree(std::string_view op, std::string_view arguments, double low = -2, double high = 2);
/// expect_agree() for each of the dtypes, which replaces `*` in the arguments.
void expect_agree_for(DTypeSet dtypes, std::string_view op, std::string_view arguments, double low = -2,
                      double high = 2);

}  // namespace ersatz

#define ERSATZ_NEEDS_GPU() \
  if (!::ersatz::has_gpu()) GTEST_SKIP() << "no device"
