// Layouts of fake results of composite ops on CUDA, where a library or a kernel without a CPU version decides.
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

class CudaLayout : public testing::Test {
 protected:
  Tensor make(const std::string& text) { return mode.make(meta_of((text + "@cuda:0").c_str())); }
  /// `batch_norm` of an input with parameters and running statistics of one dtype.
  std::string batch_norm(const std::string& input, const std::string& dtype, bool training, double eps = 1e-5) {
    const Tensor p = make(dtype + "[3]");
    return to_string(
        call("aten.batch_norm.default", {make(input), p, p, p, p, training, 0.1, eps, true})[0].tensor().meta());
  }
  FakeMode mode;
};

TEST_F(CudaLayout, CudnnBatchNormIsContiguousOrChannelsLast) {
  for (const bool training : {true, false}) {
    EXPECT_EQ(batch_norm("f32[2,3,4,5]{60,20,1,4}", "f32", training), "f32[2,3,4,5]{60,20,5,1}+0@cuda:0");
    EXPECT_EQ(batch_norm("f32[2,3,4,5]{60,1,15,3}", "f32", training), "f32[2,3,4,5]{60,1,15,3}+0@cuda:0");
    EXPECT_EQ(batch_norm("f16[2,3,4]{12,1,3}", "f32", training), "f16[2,3,4]{12,4,1}+0@cuda:0");
  }
}

TEST_F(CudaLayout, BatchNormOfAtensOwnKernelKeepsStrides) {
  EXPECT_EQ(batch_norm("f32[4,3]{1,4}", "f32", true), "f32[4,3]{1,4}+0@cuda:0");
  EXPECT_EQ(batch_norm("f16[2,3,4]{12,1,3}", "f16", true), "f16[2,3,4]{12,1,3}+0@cuda:0");
  EXPECT_EQ(batch_norm("bf16[2,3,4]{12,1,3}", "f32", true), "bf16[2,3,4]{12,1,3}+0@cuda:0");
  EXPECT_EQ(batch_norm("f32[2,3,4]{12,1,3}", "f32", true, -1e-5), "f32[2,3,4]{12,1,3}+0@cuda:0");
  const Values v = call("aten.batch_norm.default",
                        {make("f32[2,3,4]{12,1,3}"), Value(), Value(), Value(), Value(), true, 0.1, 1e-5, true});
  EXPECT_EQ(to_string(v[0].tensor().meta()), "f32[2,3,4]{12,1,3}+0@cuda:0");
}

TEST_F(CudaLayout, GroupNormIsRowMajor) {
  const Values v = call("aten.group_norm.default", {make("f32[2,6,5,3]{90,1,18,6}"), 2});
  EXPECT_EQ(to_string(v[0].tensor().meta()), "f32[2,6,5,3]{90,15,3,1}+0@cuda:0");
}

}  // namespace
}  // namespace ersatz
