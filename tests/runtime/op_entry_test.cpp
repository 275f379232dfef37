#include "runtime/op/op_entry.h"

#include <gtest/gtest.h>

namespace ersatz {
namespace {

TEST(OpEntry, KernelServesDeviceThatItIsGivenFor) {
  const auto serves = [](const OpEntry& op) {
    return std::pair(op.has_kernel(DeviceType::CPU), op.has_kernel(DeviceType::CUDA));
  };
  OpEntry fills, returns, on_cuda, everywhere;
  EXPECT_EQ(serves(fills.cpu([](KernelCall&) {})), std::pair(true, false));
  EXPECT_EQ(serves(returns.cpu_returns([](KernelCall&, Values&) {})), std::pair(true, false));
  EXPECT_EQ(serves(on_cuda.cuda([](KernelCall&) {})), std::pair(false, true));
  EXPECT_EQ(serves(everywhere.every_device([](KernelCall&) {})), std::pair(true, true));
}

TEST(OpEntry, CudaTakesTheCpusDtypesUnlessDeclared) {
  const DTypeSet floats{DType::F32, DType::F64}, single{DType::F32};
  OpEntry alike, apart;
  alike.dtypes(floats);
  apart.dtypes(floats).dtypes_on_cuda(single);
  EXPECT_EQ(alike.dtypes_on(DeviceType::CPU), floats);
  EXPECT_EQ(alike.dtypes_on(DeviceType::CUDA), floats);
  EXPECT_EQ(apart.dtypes_on(DeviceType::CPU), floats);
  EXPECT_EQ(apart.dtypes_on(DeviceType::CUDA), single);
}

}  // namespace
}  // namespace ersatz
