// Random ops on a CUDA device draw the CPU's numbers.
#include "runtime/op/dispatch.h"
#include "runtime/tensor/generator.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

TEST(CudaRandom, UniformNumbersAreTheCpus) {
  expect_agree("aten.rand.default", "[1025]");
  expect_agree("aten.rand.default", "[7, 3], dtype=f64");
  expect_agree("aten.rand.default", "[7, 3], dtype=c64");
  expect_agree("aten.rand_like.default", "bf16[33,5]{1,33}");
  expect_agree("aten.uniform_.default", "f16[9,7]{1,9}, -1.0, 3.0");
  expect_agree("aten.rand.out", "[4, 5], out=f32[4,5]{1,4}");
  expect_agree("aten.rand.default", "[0, 3]");
}

TEST(CudaRandom, NormalNumbersAreTheCpus) {
  expect_agree("aten.randn.default", "[1023]");
  expect_agree("aten.randn.default", "[5], dtype=f64");
  expect_agree("aten.randn.default", "[7, 3], dtype=c128");
  expect_agree("aten.normal_.default", "f16[9,7]{1,9}, 2.0, 0.5");
  expect_agree("aten.normal_.default", "c64[9], 2.0, 0.5");
  expect_agree("aten.normal.Tensor_Tensor", "f32[300,1], f32[3]", 0, 2);
  expect_agree("aten.normal.Tensor_float", "c64[5], 2.0");
  expect_agree("aten.log_normal_.default", "f32[33], 0.5, 1.5");
}

TEST(CudaRandom, IntegersAndPermutationsAreTheCpus) {
  expect_agree("aten.randint.low", "-4611686018427387904, 9223372036854775807, [601]");
  expect_agree("aten.randint.default", "2, [33], dtype=bool");
  expect_agree("aten.randint.low_out", "-5, 5, [4, 3], out=f16[4,3]{1,4}");
  expect_agree("aten.randperm.default", "1000");
  expect_agree("aten.randperm.out", "9, out=f32[9]{2}");
}

TEST(CudaRandom, BoundMayBeTensorOfCpu) {
  const Tensor like = tensor_of<float>({0, 0, 0}, {3}), high = tensor_of<int64_t>({1000}, {});
  Tensor drawn[2];
  for (int i = 0; i < 2; ++i) {
    manual_seed(5);
    const Value args[] = {Value(tensor_on(i == 0 ? kCPU : cuda(0), like)), Value(high), {}, {}, {}, {}, {}};
    Values results;
    dispatch(op_named("aten.randint_like.Tensor"), args, results);
    drawn[i] = tensor_on(kCPU, results[0].tensor());
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(drawn[0].data<float>()[i], drawn[1].data<float>()[i]);
}

TEST(CudaRandom, OtherDistributionsAreTheCpus) {
  expect_agree("aten.exponential_.default", "f32[501]{2}, 2.0");
  expect_agree("aten.geometric_.default", "i32[501], 0.1");
  expect_agree("aten.cauchy_.default", "f64[31], 1.0, 2.0");
}

TEST(CudaRandom, DrawsWithProbabilitiesAreTheCpus) {
  expect_agree("aten.bernoulli.default", "f32[301,3]{1,301}", 0, 1);
  expect_agree("aten.bernoulli_.Tensor", "i64[40,3], f64[3]", 0, 1);
  expect_agree("aten.bernoulli_.float", "u8[1001], 0.3");
  expect_agree("aten.native_dropout.default", "f32[40,9]{1,40}, 0.25, True");
  expect_agree("aten.native_dropout.default", "c64[40], 0.25, True");
  expect_agree("aten.native_dropout.default", "bf16[40,3], 1.0, True");
  expect_agree("aten.native_dropout.default", "f16[40,3], 0.5, False");
}

TEST(CudaRandom, BadProbabilitiesAndDeviationsAreNamed) {
  expect_agree("aten.bernoulli.default", "f32[30]", -2, 2);
  expect_agree("aten.normal.float_Tensor", "1.0, f32[30]", -2, 2);
}

TEST(CudaRandom, EachDeviceHasItsGeneratorAndOneSeed) {
  manual_seed(7);
  const GeneratorState here = default_generator(kCPU).state();
  Values results;
  ContextGuard guard([](RuleContext& c) { c.default_device = cuda(0); });
  const SymInt sizes[] = {9};
  const Value args[] = {Value(std::span<const SymInt>(sizes)), Value(), Value(), Value(), Value()};
  dispatch(op_named("aten.rand.default"), args, results);
  EXPECT_EQ(default_generator(kCPU).state(), here);
  EXPECT_EQ(default_generator(cuda(0)).state(), (GeneratorState{7, 3}));
}

}  // namespace
}  // namespace ersatz
