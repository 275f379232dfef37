#include "kernels/norm/batch_norm.h"
#include "kernels/norm/norm.h"
#include "kernels/shape/as_strided.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(BatchNorm, UpdatesRunningStatisticsInTraining) {
  Tensor mean = f32({1}, {0}), var = f32({1}, {1});
  expect(ops::batch_norm(f32({2, 1}, {1, 3}), Tensor(), Tensor(), mean, var, true, 0.5, 0))
      .meta("f32[2,1]")
      .values({-1, 1});
  expect(mean).values({1});
  expect(var).values({1.5});
}
OP_TEST(BatchNorm, ScalesAnEmptyInputByTheFirstChannel) {
  expect(ops::batch_norm(ramp("f32[0,3]"), f32({3}), f32({3}), Tensor(), Tensor(), true, 0.1, 1e-5)).meta("f32[0,3]");
}
TEST(BatchNormOnCpu, UpdatesAnExpandedStatisticChannelByChannel) {
  Tensor mean = make("f32[2]{0}", {0, 0}), var = make("f32[2]{0}", {1, 1});
  ops::native_batch_norm(f32({2, 2}, {1, 2, 1, 2}), Tensor(), Tensor(), mean, var, true, 0.5, 1);
  expect(mean).values({1.25, 1.25});  // 0.5 * 2 + 0.5 * (0.5 * 1 + 0.5 * 0)
}
OP_TEST(BatchNormFunctional, AnswersNewStatisticsAndLeavesTheOld) {
  Tensor mean = f32({1}, {0}), var = make("f32[1]", {1});
  Values v = call_op_all<"aten._native_batch_norm_legit_functional.default">(f32({2, 1}, {1, 3}), Tensor(), Tensor(),
                                                                             mean, var, true, 0.5, 0.0);
  expect(v[0].tensor()).values({-1, 1});
  expect(v[3].tensor()).meta("f32[1]").values({1}).not_view_of(mean);
  expect(v[4].tensor()).values({1.5});
  expect(mean).values({0});
}
TEST(BatchNormOut, GivesWhatItInferredWithOnCuda) {
  const Value p = shape_only("f32[3]@cuda:0"), mean = shape_only("f32[0]@cuda:0"), invstd = shape_only("f32[0]@cuda:0");
  const Value x = shape_only("f32[2,3]@cuda:0"), out = shape_only("f32[2,3]@cuda:0");
  const std::vector<Value> args = {x, p, p, p, p, Value(false), Value(0.1), Value(1e-5), out, mean, invstd};
  EXPECT_EQ(rule_answer_of("aten.native_batch_norm.out", args, 1), "f32[3]{1}+0@cuda:0");
  EXPECT_EQ(rule_answer_of("aten.native_batch_norm.out", args, 2), "f32[3]{1}+0@cuda:0");
}
TEST(BatchNormWithUpdate, WantsADenseInputOnCudaWhereCudnnTakesIt) {
  const auto run = [](const char* input, const char* parameter) {
    const Value p = shape_only(parameter);
    return rule_answer_of("aten._batch_norm_with_update.default",
                          {Value(shape_only(input)), p, p, p, p, Value(0.1), Value(1e-5)}, 0);
  };
  expect_refused([&] { run("f32[2,3,4]{12,1,3}@cuda:0", "f32[3]@cuda:0"); }, ErrorFamily::Runtime,
                 "_batch_norm_with_update.C6");
  EXPECT_EQ(run("f32[2,3,4,5]{60,1,15,3}@cuda:0", "f32[3]@cuda:0"), "f32[2,3,4,5]{60,1,15,3}+0@cuda:0");
  EXPECT_EQ(run("bf16[2,3,4]{12,1,3}@cuda:0", "f32[3]@cuda:0"), "bf16[2,3,4]{12,1,3}+0@cuda:0");
  EXPECT_EQ(run("f32[2,3]{1,2}@cuda:0", "f32[3]@cuda:0"), "f32[2,3]{1,2}+0@cuda:0");
}
TEST(BatchNormNoUpdate, IsNotThereOnCuda) {
  const Value p = shape_only("f32[3]@cuda:0");
  const std::vector<Value> args = {Value(shape_only("f32[2,3]@cuda:0")), p, p, p, p, Value(0.1), Value(1e-5)};
  expect_refused([&] { rule_answer_of("aten._batch_norm_no_update.default", args, 0); }, ErrorFamily::Runtime,
                 "_batch_norm_no_update.C7");
}
OP_TEST(BatchNormOut, LeavesTheStatisticsAloneInInference) {
  Tensor out = f32({0}), mean = f32({5}), invstd = f32({7});
  const Tensor ones = f32({2}, {1, 1}), zeros = f32({2}, {0, 0});
  call_op_all<"aten.native_batch_norm.out">(ramp("f32[2,2]{1,2}"), Tensor(), Tensor(), zeros, ones, false, 0.1, 0.0,
                                            out, mean, invstd);
  expect(out).meta("f32[2,2]").values({0, 1, 2, 3});
  expect(mean).meta("f32[5]");
}
OP_TEST(BatchNormWithUpdate, ReservesNothingOnTheCpu) {
  Tensor mean = f32({1}, {0}), var = f32({1}, {1});
  Values v =
      call_op_all<"aten._batch_norm_with_update.default">(f32({2, 1}, {1, 3}), Tensor(), Tensor(), mean, var, 0.5, 0.0);
  expect(v[0].tensor()).values({-1, 1});
  expect(v[3].tensor()).meta("u8[0]");
  expect(mean).values({1});
}
OP_TEST(InstanceNorm, NormalisesEachChannelOfEachImage) {
  Tensor mean = f32({1}, {0}), var = f32({1}, {1});
  expect(ops::instance_norm(f32({2, 1, 2}, {1, 3, 10, 30}), Tensor(), Tensor(), mean, var, true, 0.5, 0))
      .meta("f32[2,1,2]")
      .values({-1, 1, -1, 1});
  expect(mean).values({5.5});  // 0.5 * (2 + 20) / 2
}
OP_TEST(InstanceNorm, MakesChannelsLastRowMajor) {
  expect(ops::instance_norm(ramp("f32[2,3,4,5]{60,1,15,3}"), Tensor(), Tensor(), Tensor(), Tensor(), true, 0.1, 1e-5))
      .meta("f32[2,3,4,5]");
}
OP_TEST(LayerNorm, NormalisesTheLastDims) {
  const SymInt two = 2;
  expect(ops::layer_norm(f32({2, 2}, {1, 3, 5, 9}), std::span(&two, 1), f32({2}, {1, 2}), f32({2}, {0, 1}), 0))
      .meta("f32[2,2]")
      .values({-1, 3, -1, 3});
}
OP_TEST(GroupNorm, KeepsChannelsLastAndFillsTheRest) {
  expect(ops::group_norm(ramp("f32[2,4,3,3]{36,1,12,4}"), 2)).meta("f32[2,4,3,3]{36,1,12,4}");
  expect(ops::group_norm(ramp("f32[2,4,3]{1,6,2}"), 2)).meta("f32[2,4,3]");
}
OP_TEST(RmsNorm, DividesByTheRootOfTheMeanSquare) {
  expect(ops::rms_norm(f32({1, 2}, {3, 4}), dims({2}), f32({2}, {1, 2}), 0.0))
      .meta("f32[1,2]")
      .values({0.848528, 2.262742});
}
OP_TEST(RmsNorm, KeepsMemoryFormatsOnly) {
  expect(ops::rms_norm(ramp("f32[2,3,4,5]{60,1,15,3}"), dims({5}))).meta("f32[2,3,4,5]{60,1,15,3}");
  expect(ops::rms_norm(ramp("f32[3,5]{1,3}"), dims({5}))).meta("f32[3,5]");
}
OP_TEST(RmsNorm, RefusesTooFewDimsAsAValue) {
  expect_refused([] { ops::rms_norm(ramp("f32[3]"), dims({1, 3})); }, ErrorFamily::Value, "rms_norm.C3");
}
OP_TEST(BatchNormOut, MayBeWrittenOverADenseInput) {
  Tensor base = f32({5}, {0, 1, 2, 3, 9}), mean = f32({0}), invstd = f32({0});
  const Tensor x = ops::as_strided(base, dims({2, 2}), dims({2, 1}), 0);
  Tensor out = ops::as_strided(base, dims({2, 2}), dims({2, 1}), 1);
  call_op_all<"aten.native_batch_norm.out">(x, Tensor(), Tensor(), f32({2}, {1, 1}), f32({2}, {1, 1}), false, 0.1, 0.0,
                                            out, mean, invstd);
  expect(base).values({0, -1, 0, 1, 2});
}
OP_TEST(BatchNormOut, IsNotWrittenOverAnInputWithOtherStrides) {
  Tensor base = f32({5}), mean = f32({0}), invstd = f32({0});
  const Tensor x = ops::as_strided(base, dims({2, 2}), dims({1, 2}), 0);
  Tensor out = ops::as_strided(base, dims({2, 2}), dims({2, 1}), 1);
  expect_refused(
      [&] {
        call_op_all<"aten.native_batch_norm.out">(x, Tensor(), Tensor(), f32({2}), f32({2}), false, 0.1, 0.0, out, mean,
                                                  invstd);
      },
      ErrorFamily::Runtime, "native_batch_norm.overlap");
}
OP_TEST(BatchNormOut, WritesSavedStatisticsBeforeItReadsTheWeight) {
  Tensor weight = f32({1}, {7}), out = f32({0}), invstd = f32({0});
  call_op_all<"aten.native_batch_norm.out">(f32({2, 1}, {2, 4}), weight, Tensor(), Tensor(), Tensor(), true, 0.1, 0.0,
                                            out, weight, invstd);
  expect(weight).values({3});
  expect(out).values({-3, 3});
}
OP_TEST(BatchNormWithUpdate, TakesAReserveOfAnyDtype) {
  Tensor out = f32({0}), mean = f32({0}), invstd = f32({0}), reserve = i64({0}, {});
  call_op_all<"aten._batch_norm_with_update.out">(f32({2, 1}, {1, 3}), Tensor(), Tensor(), f32({1}, {0}), f32({1}, {1}),
                                                  0.5, 0.0, out, mean, invstd, reserve);
  expect(out).values({-1, 1});
}

}  // namespace
}  // namespace ersatz
