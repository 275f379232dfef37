// Devices that the module was not compiled for are refused before the first launch. Each error is one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/cuda/machine_code.h"
#include "runtime/cuda/status.h"
#include "tests/cuda/fake_driver.h"

namespace ersatz {
namespace {

using namespace cuda_module;
using testing::HasSubstr;

std::string refusal(int device) {
  try {
    require_usable(device);
  } catch (const Error& e) {
    EXPECT_EQ(name(e.kind), name(ErrorKind::NotSupported));
    return e.message;
  }
  return "";
}

TEST(CudaMachineCode, RunsOnLaterMinorVersionsOfItsMajor) {
  EXPECT_TRUE(has_machine_code("80,90", 80));
  EXPECT_TRUE(has_machine_code("80,90", 86));
  EXPECT_FALSE(has_machine_code("86,90", 80));
  EXPECT_FALSE(has_machine_code("80,90", 75));
}

TEST(CudaMachineCode, LastCapabilityRunsOnLaterOnesAsPtx) {
  EXPECT_TRUE(has_machine_code("80,90", 120));
  EXPECT_TRUE(has_machine_code("80", 90));
  EXPECT_FALSE(has_machine_code("90", 80));
}

TEST(CudaMachineCode, DeviceWithoutItIsToldWhatToBuild) {
  FakeDriver fake;
  fake.capability[0] = fake.capability[1] = 75;
  const std::string why =
      "cuda:0 (Card 0) has compute capability 7.5, and this module has code for 80,90: build it with "
      "-DERSATZ_CUDA_ARCHS=75";
  EXPECT_EQ(refuse_devices_without_code(2), why);
  EXPECT_EQ(refusal(0), why);
}

TEST(CudaMachineCode, OneSuchDeviceLeavesTheOtherUsable) {
  FakeDriver fake;
  fake.capability[1] = 75;
  EXPECT_EQ(refuse_devices_without_code(2), "");
  EXPECT_EQ(refusal(0), "");
  EXPECT_THAT(refusal(1), HasSubstr("cuda:1 (Card 1) has compute capability 7.5"));
}

}  // namespace
}  // namespace ersatz
