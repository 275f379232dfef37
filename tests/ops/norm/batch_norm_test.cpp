#include "kernels/norm/batch_norm.h"

#include "kernels/shape/as_strided.h"
#include "tests/ops/norm/norm_operands.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

using norm_operands::vec;

TEST(BatchNormInference, SeesChannelsLastDespiteStridesOfSizeOne) {
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

TEST(BatchNormTraining, NormalisesByBatchAndMovesRunningStatistics) {
  const Tensor running_mean = vec({0, 100}), running_var = vec({1, 1});
  const uint32_t version = running_mean.version();
  // Channel 0 has the values 0 and 2, channel 1 has 1 and 3: means 1 and 2, population variance 1, sample variance 2.
  auto [out, mean, invstd] =
      ops::native_batch_norm(ramp("f32[2,2]"), Tensor(), Tensor(), running_mean, running_var, true, 0.5, 0.0);
  expect(out).values({-1, -1, 1, 1});
  expect(mean).meta("f32[2]{1}+0@cpu").values({1, 2});
  expect(invstd).values({1, 1});
  expect(running_mean).values({0.5, 51});
  expect(running_var).values({1.5, 1.5});
  EXPECT_GT(running_mean.version(), version);
}

TEST(BatchNormParameters, EmptyOnesAreNoneOnCudaWithoutCudnn) {
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

// The strides were measured on an H100.
TEST(BatchNormOut, ResultResizedLiesLikeInputOnCuda) {
  const auto written = [](const std::string& device, const char* op, bool statistics, const char* out) {
    const Value x(shape_only("f32[4,3,2]{2,8,1}@" + device)), p(shape_only("f32[3]@" + device));
    std::vector<Value> args = {x, p, p};
    if (statistics) args.insert(args.end(), {p, p});
    args.insert(args.end(), {Value(true), Value(0.1), Value(1e-5), Value(shape_only(out + ("@" + device))), p, p});
    return rule_answer_of(op, args, 0);
  };
  for (const char* op : {"aten.native_batch_norm.out", "aten._native_batch_norm_legit.out",
                         "aten._native_batch_norm_legit.no_stats_out"}) {
    const bool statistics = std::string_view(op).find("no_stats") == std::string_view::npos;
    EXPECT_EQ(written("cuda:0", op, statistics, "f32[0]"), "f32[4,3,2]{2,8,1}+0@cuda:0") << op;
    EXPECT_EQ(written("cuda:0", op, statistics, "f32[4,3,2]"), "f32[4,3,2]{6,2,1}+0@cuda:0") << op;
    EXPECT_EQ(written("cpu", op, statistics, "f32[0]"), "f32[4,3,2]{6,2,1}+0@cpu") << op;
  }
}

TEST(BatchNormWithUpdate, NeedsADenseInputForCudnn) {
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

OP_TEST(BatchNormOut, MayBeWrittenOverADenseInput) {
  Tensor base = f32({5}, {0, 1, 2, 3, 9}), mean = f32({0}), invstd = f32({0});
  const Tensor x = ops::as_strided(base, dims({2, 2}), dims({2, 1}), 0);
  Tensor out = ops::as_strided(base, dims({2, 2}), dims({2, 1}), 1);
  call_op_all<"aten.native_batch_norm.out">(x, Tensor(), Tensor(), f32({2}, {1, 1}), f32({2}, {1, 1}), false, 0.1, 0.0,
                                            out, mean, invstd);
  expect(base).values({0, -1, 0, 1, 2});
}

OP_TEST(BatchNormOut, WritesSavedStatisticsBeforeItReadsTheWeight) {
  Tensor weight = f32({1}, {7}), out = f32({0}), invstd = f32({0});
  call_op_all<"aten.native_batch_norm.out">(f32({2, 1}, {2, 4}), weight, Tensor(), Tensor(), Tensor(), true, 0.1, 0.0,
                                            out, weight, invstd);
  expect(weight).values({3});
  expect(out).values({-3, 3});
}

}  // namespace
}  // namespace ersatz
