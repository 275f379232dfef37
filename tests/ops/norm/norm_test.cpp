#include "kernels/norm/batch_norm.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/shape/as_strided.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

Tensor vec(std::initializer_list<double> v) {
  const SymInt n = int64_t(v.size());
  return tensor_from_values(DType::F32, std::span(v.begin(), v.size()), std::span(&n, 1));
}

TEST(BatchNormInference, UsesRunningStatistics) {
  // Channel 0: (x - 1) / sqrt(4), channel 1: (x - 0) / 1 * 2 + 10.
  auto [out, mean, invstd] = ops::_native_batch_norm_legit_no_training(ramp("f32[1,2,2]"), vec({1, 2}), vec({0, 10}),
                                                                       vec({1, 0}), vec({4, 1}), 0.1, 0.0);
  expect(out).meta("f32[1,2,2]{4,2,1}+0@cpu").values({-0.5, 0, 14, 16});
  expect(mean).meta("f32[0]{1}+0@cpu");
  expect(invstd).meta("f32[0]{1}+0@cpu");
}

TEST(BatchNormInference, KeepsChannelsLast) {
  auto [out, mean, invstd] = ops::_native_batch_norm_legit_no_training(ramp("f32[1,2,2,2]{8,1,4,2}"), Tensor(),
                                                                       Tensor(), vec({0, 4}), vec({1, 1}), 0.1, 0.0);
  expect(out).meta("f32[1,2,2,2]{8,1,4,2}+0@cpu").values({0, 1, 2, 3, 0, 1, 2, 3});
}

TEST(BatchNormInference, MakesOtherLayoutsRowMajorOnTheCpu) {
  auto [out, mean, invstd] = ops::_native_batch_norm_legit_no_training(ramp("f32[2,2]{1,2}"), Tensor(), Tensor(),
                                                                       vec({0, 0}), vec({1, 1}), 0.1, 0.0);
  expect(out).meta("f32[2,2]{2,1}+0@cpu").values({0, 1, 2, 3});
}

TEST(BatchNormInference, SeesChannelsLastBehindOddStridesOfSizeOne) {
  const Value p = Value(shape_only("f32[3]"));
  EXPECT_EQ(
      rule_answer_of("aten._native_batch_norm_legit_no_training.default",
                     {Value(shape_only("f32[1,3,4,3]{9,1,9,3}")), Value(), Value(), p, p, Value(0.1), Value(1e-5)}, 0),
      "f32[1,3,4,3]{36,1,9,3}+0@cpu");
}

TEST(BatchNormInference, SavesFullStatisticsOfF32OnCuda) {
  const char* op = "aten._native_batch_norm_legit_no_training.default";
  const Value p = shape_only("f16[3]@cuda:0");
  const std::vector<Value> args = {Value(shape_only("f16[2,3]{1,2}@cuda:0")), p, p, p, p, Value(0.1), Value(1e-5)};
  EXPECT_EQ(rule_answer_of(op, args, 0), "f16[2,3]{1,2}+0@cuda:0");
  EXPECT_EQ(rule_answer_of(op, args, 1), "f32[3]{1}+0@cuda:0");
}

TEST(BatchNormInference, AcceptsF32ParametersBesideAHalfInput) {
  auto [out, mean, invstd] = ops::_native_batch_norm_legit_no_training(ramp("bf16[1,2]"), vec({1, 1}), vec({0, 0}),
                                                                       vec({0, 0}), vec({1, 1}), 0.1, 0.0);
  expect(out).meta("bf16[1,2]{2,1}+0@cpu").values({0, 1});
  expect(mean).meta("f32[0]{1}+0@cpu");
}

TEST(BatchNormInference, RefusesWhatDoesNotFit) {
  auto run = [](const Tensor& in, const Tensor& weight, const Tensor& mean) {
    ops::_native_batch_norm_legit_no_training(in, weight, Tensor(), mean, vec({1, 1}), 0.1, 1e-5);
  };
  const std::string op = "_native_batch_norm_legit_no_training";
  expect_refused([&] { run(ramp("f32[2]"), Tensor(), vec({1, 1})); }, ErrorFamily::Index, op + ".C1");
  expect_refused([&] { run(ramp("f32[]"), Tensor(), vec({1, 1})); }, ErrorFamily::Runtime, op + ".C1");
  expect_refused([&] { run(ramp("f32[2,2]"), ramp("f64[2]"), vec({1, 1})); }, ErrorFamily::Runtime, op + ".C2");
  expect_refused([&] { run(ramp("f32[2,2]"), Tensor(), vec({1})); }, ErrorFamily::Runtime, op + ".C3");
}

TEST(BatchNormTraining, NormalisesByTheBatchAndMovesTheRunningStatistics) {
  const Tensor running_mean = vec({0, 100}), running_var = vec({1, 1});
  const uint32_t version = running_mean.version();
  // Channel 0 holds 0 and 2, channel 1 holds 1 and 3: means 1 and 2, population variance 1, sample variance 2.
  auto [out, mean, invstd] =
      ops::native_batch_norm(ramp("f32[2,2]"), Tensor(), Tensor(), running_mean, running_var, true, 0.5, 0.0);
  expect(out).values({-1, -1, 1, 1});
  expect(mean).meta("f32[2]{1}+0@cpu").values({1, 2});
  expect(invstd).values({1, 1});
  expect(running_mean).values({0.5, 51});
  expect(running_var).values({1.5, 1.5});
  EXPECT_GT(running_mean.version(), version);
}

TEST(BatchNormTraining, WorksWithoutRunningStatistics) {
  Values out = call("aten._native_batch_norm_legit.no_stats",
                    {Value(ramp("f64[2,2]{1,2}")), Value(), Value(), Value(true), Value(0.1), Value(0.0)});
  expect(out[0].tensor()).meta("f64[2,2]{2,1}+0@cpu").values({-1, -1, 1, 1});
}

TEST(BatchNormTraining, RefusesAnEmptyBatch) {
  expect_refused(
      [] {
        ops::native_batch_norm(ramp("f32[0,2]"), Tensor(), Tensor(), vec({0, 0}), vec({1, 1}), true, 0.1, 1e-5);
      },
      ErrorFamily::Runtime, "native_batch_norm.C4");
}

TEST(BatchNormTraining, RefusesOneRunningStatisticWithoutTheOther) {
  expect_refused(
      [] {
        ops::native_batch_norm(ramp("f32[2,2]"), Tensor(), Tensor(), vec({0, 0}), Tensor(), true, 0.1, 1e-5);
      },
      ErrorFamily::Value, "native_batch_norm.C5");
}

Tensor inferred(const Tensor& in, const Tensor& weight, const Tensor& bias) {
  return std::get<0>(
      ops::_native_batch_norm_legit_no_training(in, weight, bias, f32({2}, {1, 0}), f32({2}, {4, 1}), 0.1, 0.0));
}

OP_TEST(BatchNormParameters, EmptyOnesAreNoneBesideADenseInput) {
  expect(inferred(ramp("f32[1,2,2]"), f32({0}), f32({0, 7}))).meta("f32[1,2,2]").values({-0.5, 0, 2, 3});
  expect(inferred(ramp("f32[1,2,2,1]{4,1,2,4}"), f32({0}), f32({0}))).values({-0.5, 0, 2, 3});
}

OP_TEST(BatchNormParameters, EmptyOnesAreNoneInTraining) {
  Tensor mean = f32({2}, {0, 0}), var = f32({2}, {1, 1});
  expect(std::get<0>(ops::native_batch_norm(ramp("f32[2,2]"), f32({0}), f32({0}), mean, var, true, 0.5, 0)))
      .values({-1, -1, 1, 1});
}

OP_TEST(BatchNormParameters, EmptyOnesDoNotFitAnInputWithOtherStrides) {
  const std::string op = "_native_batch_norm_legit_no_training";
  expect_error([] { inferred(ramp("f32[2,2]{1,2}"), f32({0}), Tensor()); }, op + ".C3", "weight must be 1-d");
  expect_error([] { inferred(ramp("f32[2,2]{1,2}"), Tensor(), f32({0})); }, op + ".C3", "bias must be 1-d");
}

OP_TEST(BatchNormParameters, EmptyOnesDoNotFitBesideAStridedOne) {
  expect_error([] { inferred(ramp("f32[2,2]"), f32({0}), make("f32[2]{2}")); },
               "_native_batch_norm_legit_no_training.C3", "weight must be 1-d");
}

OP_TEST(BatchNormParameters, OneElementServesEveryChannelOfAnInputWithOtherStrides) {
  expect(inferred(ramp("f32[2,2]{1,2}"), f32({1}, {2}), f32({1}, {10}))).values({9, 12, 11, 16});
}

TEST(BatchNormParameters, EmptyOnesAreNoneOnCudaUnlessCudnnTakesTheCall) {
  const auto run = [](const char* op, const char* input, const char* weight) {
    const Value p = shape_only("f32[3]@cuda:0");
    return rule_answer_of(op, {Value(shape_only(input)), Value(shape_only(weight)), p, p, p, Value(0.1), Value(1e-5)},
                          0);
  };
  EXPECT_EQ(run("aten._native_batch_norm_legit_no_training.default", "f32[2,3,4]@cuda:0", "f32[0]@cuda:0"),
            "f32[2,3,4]{12,4,1}+0@cuda:0");
  EXPECT_EQ(run("aten._batch_norm_with_update.default", "f32[2,3]@cuda:0", "f32[0]@cuda:0"), "f32[2,3]{3,1}+0@cuda:0");
  expect_refused([&] { run("aten._batch_norm_with_update.default", "f32[2,3,4]@cuda:0", "f32[0]@cuda:0"); },
                 ErrorFamily::Runtime, "_batch_norm_with_update.C3");
}

TEST(LayerNormOnCpu, NormalisesEachRow) {
  auto [out, mean, rstd] = ops::native_layer_norm(ramp("f32[2,2]"), dims({2}), vec({2, 2}), vec({0, 1}), 0.0);
  expect(out).meta("f32[2,2]{2,1}+0@cpu").values({-2, 3, -2, 3});
  expect(mean).meta("f32[2,1]{1,1}+0@cpu").values({0.5, 2.5});
  expect(rstd).meta("f32[2,1]{1,1}+0@cpu").values({2, 2});
}

OP_TEST(LayerNorm, MakesAPermutedInputRowMajor) {
  auto [out, mean, rstd] = ops::native_layer_norm(ramp("f32[2,2]{1,2}"), dims({2}), Tensor(), Tensor(), 0.0);
  expect(out).meta("f32[2,2]{2,1}+0@cpu").values({-1, 1, -1, 1});
}

TEST(LayerNormOnCpu, StaysAccurateFarFromZero) {
  const Tensor in = tensor_of<float>({1000000, 1000002}, {1, 2});
  auto [out, mean, rstd] = ops::native_layer_norm(in, dims({2}), Tensor(), Tensor(), 0.0);
  expect(out).values({-1, 1});
  expect(mean).values({1000001});
}

TEST(LayerNormOnCpu, KeepsStatisticsInF32WhereParametersAre) {
  auto [out, mean, rstd] = ops::native_layer_norm(ramp("bf16[2,2]"), dims({2}), vec({1, 1}), Tensor(), 0.0);
  expect(out).meta("bf16[2,2]{2,1}+0@cpu");
  expect(mean).meta("f32[2,1]{1,1}+0@cpu");
  auto [out2, mean2, rstd2] = ops::native_layer_norm(ramp("bf16[2,2]"), dims({2}), Tensor(), Tensor(), 0.0);
  expect(mean2).meta("bf16[2,1]{1,1}+0@cpu");
}

TEST(LayerNormOnCpu, RefusesWhatDoesNotFit) {
  const Tensor in = ramp("f32[2,3]");
  expect_refused([&] { ops::native_layer_norm(in, dims({2}), Tensor(), Tensor(), 1e-5); }, ErrorFamily::Runtime,
                 "native_layer_norm.C1");
  expect_refused(
      [&] {
        ops::native_layer_norm(in, dims({3}), vec({1, 1}), Tensor(), 1e-5);
      },
      ErrorFamily::Runtime, "native_layer_norm.C2");
  expect_refused([&] { ops::native_layer_norm(in, dims({3}), ramp("f64[3]"), Tensor(), 1e-5); }, ErrorFamily::Runtime,
                 "native_layer_norm.C3");
}
OP_TEST(LayerNormOut, IsWrittenWhenTheInputHasBeenRead) {
  Tensor base = f32({3}, {1, 3, 9}), mean = f32({0}), rstd = f32({0});
  const Tensor x = ops::as_strided(base, dims({1, 2}), dims({2, 1}), 0);
  Tensor shifted = ops::as_strided(base, dims({1, 2}), dims({2, 1}), 1),
         resized = ops::as_strided(base, dims({0}), dims({1}), 1);
  call_op_all<"aten.native_layer_norm.out">(x, dims({2}), Tensor(), Tensor(), 0.0, shifted, mean, rstd);
  expect(base).values({1, -1, 1});
  call_op_all<"aten.native_layer_norm.out">(x, dims({2}), Tensor(), Tensor(), 0.0, resized, mean, rstd);
  expect(resized).meta("f32[1,2]{2,1}+1");
  expect(base).values({1, 1, -1});
}

}  // namespace
}  // namespace ersatz
