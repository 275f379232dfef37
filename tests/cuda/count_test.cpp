// bincount and histc on a CUDA device: many bins, few bins, and the dtypes that only CUDA counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/shape/copy.h"
#include "runtime/base/context.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

using testing::ElementsAre;

TEST(CudaBincount, FewAndManyBins) {
  const char* op = "aten.bincount.default";
  expect_agree_for(kIntegers, op, "*[5000]", 0, 3);
  expect_agree(op, "i64[20000]", 0, 8191);
  expect_agree(op, "i64[20000]", 0, 20000);
  expect_agree(op, "i32[300]{2}, None, 9000", 0, 5);
  expect_agree(op, "i64[0], None, 5");
  expect_agree(op, "i64[0], f32[0], 0");
}

TEST(CudaBincount, SumsWeights) {
  const char* op = "aten.bincount.default";
  for (const char* weights : {"f32", "f64", "f16", "i64", "bool"}) {
    expect_agree(op, "i64[900], " + std::string(weights) + "[900]{2}, 7", 0, 50);
  }
  const ContextGuard deterministic([](RuleContext& c) { c.deterministic = true; });
  expect_agree(op, "i64[900], f32[900]", 0, 5);
}

TEST(CudaBincount, RefusesNegativeNumbers) { expect_agree("aten.bincount.default", "i64[90]", -3, 5); }

TEST(CudaHistc, FewAndManyBins) {
  const char* op = "aten.histc.default";
  for (const char* dtype : {"f32", "f64"}) {
    const std::string t = dtype;
    expect_agree(op, t + "[50,300], 1");
    expect_agree(op, t + "[50,300]{1,50}, 100");
    expect_agree(op, t + "[50,300], 9000, -1, 1.5");
    expect_agree(op, t + "[0], 3");
    expect_agree(op, t + "[7], 3", 1, 1);
    expect_agree("aten.histc.out", t + "[50,300], 4, out=" + t + "[4]{2}");
  }
}

TEST(CudaHistc, LeavesNanOutOfAGivenRangeOnly) {
  const Tensor t = tensor_of<float>({1, NAN, 3, INFINITY}, {4});
  const OpEntry& op = op_named("aten.histc.default");
  expect_agree(op, std::vector<Value>{Value(t), Value(2), Value(0), Value(4)}, "given");
  expect_agree(op, std::vector<Value>{Value(t), Value(2), Value(0), Value(0)}, "own");
}

std::vector<int64_t> counted(const Tensor& self, const Value& bins, const Value& low, const Value& high) {
  const Tensor found = call("aten.histc.default", {Value(tensor_on(cuda(0), self)), bins, low, high})[0].tensor();
  EXPECT_EQ(name(found.dtype()), name(self.dtype()));
  const Tensor wide = ops::to(tensor_on(kCPU, found), DType::I64);
  const int64_t* data = wide.data<int64_t>();
  return {data, data + wide.numel().as_int()};
}

TEST(CudaHistc, CountsIntegers) {
  const Tensor t = tensor_of<int64_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {3, 4});
  EXPECT_THAT(counted(t, 3, 0, 0), ElementsAre(4, 4, 4));
  EXPECT_THAT(counted(t, 2, 1.9, 5), ElementsAre(2, 3)) << "the ends are integers: 1 to 5";
  EXPECT_THAT(counted(tensor_of<uint8_t>({200, 255, 0}, {3}), 2, 0, 0), ElementsAre(1, 2));
  EXPECT_THAT(counted(tensor_of<int8_t>({-128, 127, 127}, {3}), 256, 0, 0).back(), 2);
  EXPECT_THAT(counted(tensor_of<int32_t>({7, 7}, {2}), 3, 0, 0), ElementsAre(0, 2, 0));
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(counted(tensor_of<int64_t>({most, most}, {2}), 2, 0, 0), ElementsAre(0, 2));
}

}  // namespace
}  // namespace ersatz
