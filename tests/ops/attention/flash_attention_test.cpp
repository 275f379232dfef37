#include "kernels/attention/flash_attention.h"
#include "kernels/attention/safe_softmax.h"
#include "kernels/attention/scaled_dot_product_attention.h"
#include "tests/ops/op_calls.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

const double kE = 2.718281828459045;

Tensor keys() { return make("f32[1,1,2,1]", {0, 1}); }
Tensor values() { return make("f32[1,1,2,1]", {0, 1}); }

OP_TEST(Attention, WeighsValuesByTheSoftmaxOfScores) {
  const Tensor query = make("f32[1,1,2,1]", {0, 1});
  expect(ops::scaled_dot_product_attention(query, keys(), values()))
      .meta("f32[1,1,2,1]")
      .values({0.5, kE / (1 + kE)}, 1e-6);
}
OP_TEST(Attention, ScalesScores) {
  const Tensor query = make("f32[1,1,1,1]", {1});
  expect(ops::scaled_dot_product_attention(query, keys(), values(), {.scale = 0.0})).values({0.5});
}
OP_TEST(Attention, HidesLaterKeysWhereItIsCausal) {
  const Tensor query = make("f32[1,1,2,1]", {0, 0});
  expect(ops::scaled_dot_product_attention(query, keys(), values(), {.causal = true})).values({0, 0.5});
  const Tensor flat = make("f32[2,1]", {0, 0}), two = make("f32[2,1]", {0, 1});
  expect(ops::scaled_dot_product_attention(flat, two, two, {.causal = true})).meta("f32[2,1]").values({0, 0.5});
}
OP_TEST(Attention, SeesKeysWhereABoolMaskIsTrue) {
  const Tensor query = make("f32[1,1,2,1]", {0, 0}), mask = boolean({2, 2}, {0, 1, 0, 0});
  expect(ops::scaled_dot_product_attention(query, keys(), values(), {.mask = mask})).values({1, 0});
}
OP_TEST(Attention, OfAFusedCallKeepsTheLayoutOfTheQuery) {
  const Tensor kv = ramp("f32[2,4,7,8]");
  expect(ops::scaled_dot_product_attention(ramp("f32[2,4,5,8]{160,8,32,1}"), kv, kv)).meta("f32[2,4,5,8]{160,8,32,1}");
  expect(ops::scaled_dot_product_attention(ramp("f32[4,5,8]{8,32,1}"), ramp("f32[4,7,8]"), ramp("f32[4,7,8]")))
      .meta("f32[4,5,8]{8,32,1}");
}
OP_TEST(Attention, OfAComposedCallIsRowMajor) {
  const Tensor q = ramp("f32[2,4,5,8]{160,8,32,1}"), k = ramp("f32[2,4,7,8]");
  expect(ops::scaled_dot_product_attention(q, k, ramp("f32[2,4,7,6]"))).meta("f32[2,4,5,6]");
  expect(ops::scaled_dot_product_attention(q, k, ramp("f32[2,4,7,8]{224,56,1,7}"))).meta("f32[2,4,5,8]");
}
OP_TEST(Attention, SharesHeadsOfKeyAndValueOnDemand) {
  const Tensor query = make("f32[1,4,1,1]", {0, 0, 0, 0}), kv = make("f32[1,2,1,1]", {3, 5});
  expect(ops::scaled_dot_product_attention(query, kv, kv, {.grouped = true})).values({3, 3, 5, 5});
}
OP_TEST(Attention, OfNoValuesIsZeroWhateverTheOtherSizes) {
  expect(ops::scaled_dot_product_attention(ramp("f32[3,4]"), ramp("f32[5,4]"), ramp("f32[0,2]")))
      .meta("f32[3,2]")
      .values({0, 0, 0, 0, 0, 0});
}
TEST(AttentionOnCpu, AgreesAcrossBlocksOfQueriesAndKeys) {
  const Tensor q = make("f32[1,2,70,4]"), k = make("f32[1,2,1100,4]"), v = make("f32[1,2,1100,4]");
  const Tensor whole = call_op_all<"aten._scaled_dot_product_attention_math.default">(
                           q, k, v, Tensor(), 0.0, true, Tensor(), std::optional<double>(), false)[0]
                           .take_tensor();
  expect(ops::flash_attention_for_cpu(q, k, v, 0, true).output).values(values_of(whole), 1e-5);
}
OP_TEST(FlashAttention, AnswersTheLogarithmOfEachRowsSum) {
  const Tensor query = make("f32[1,2,1,1]", {0, 0}), kv = make("f32[1,2,2,1]", {1, 1, 1, 1});
  const ops::FlashAttentionResult r = ops::flash_attention_for_cpu(query, kv, kv);
  expect(r.output).meta("f32[1,2,1,1]").values({1, 1});
  expect(r.logsumexp).meta("f32[1,2,1]{2,1,2}").values({std::log(2.0), std::log(2.0)}, 1e-6);
}
OP_TEST(FlashAttention, OfARowThatIsHiddenWholeIsZero) {
  const Tensor query = make("f32[1,1,1,1]", {2}), mask = make("f32[1,2]", {-INFINITY, -INFINITY});
  const ops::FlashAttentionResult r = ops::flash_attention_for_cpu(query, keys(), values(), 0, false, mask);
  expect(r.output).values({0});
  expect(r.logsumexp).values({0});
}
OP_TEST(FlashAttention, OfHalvesAnswersFloatSums) {
  const Tensor t = ramp("bf16[1,1,2,2]");
  const ops::FlashAttentionResult r = ops::flash_attention_for_cpu(t, t, t);
  expect(r.output).meta("bf16[1,1,2,2]");
  expect(r.logsumexp).meta("f32[1,1,2]");
}
OP_TEST(FlashAttention, RefusesAQueryWithoutDimsAsAnIndexError) {
  expect_refused([] { ops::flash_attention_for_cpu(f32({}), keys(), values()); }, ErrorFamily::Index,
                 "_scaled_dot_product_flash_attention_for_cpu.C1");
}
OP_TEST(SafeSoftmax, OfARowOfMinusInfinityIsZero) {
  expect(ops::_safe_softmax(f32({2, 2}, {-INFINITY, -INFINITY, 0, -INFINITY}), 1)).values({0, 0, 1, 0});
  expect(ops::_safe_softmax(f32({2, 2}, {-INFINITY, 0, -INFINITY, 0}), 0)).values({0, 0.5, 0, 0.5});
}
TEST(AttentionChoice, IsFusedWhereTheFusedKernelCanAnswer) {
  const auto choice = [](const Tensor& q, const Tensor& k, const Tensor& v) {
    return call_op_all<"aten._fused_sdp_choice.default">(q, k, v, Tensor(), 0.0, false, std::optional<double>(),
                                                         false)[0]
        .as_int()
        .as_int();
  };
  const Tensor q = ramp("f32[2,4,5,8]"), k = ramp("f32[2,4,7,8]"), one = ramp("f32[2,1,7,8]");
  EXPECT_EQ(choice(q, k, k), 1);
  EXPECT_EQ(choice(q, one, one), 1);
  EXPECT_EQ(choice(q, ramp("f32[2,2,7,8]"), ramp("f32[2,2,7,8]")), 0);
  EXPECT_EQ(choice(q, k, ramp("f32[2,4,7,6]")), 0);
  EXPECT_EQ(choice(ramp("f32[2,4,5,8]{160,40,1,5}"), k, k), 0);
}
TEST(AttentionChoice, IsTheCompositionOnOtherDevices) {
  const Tensor t = shape_only("f32[2,4,5,8]@cuda:0");
  RuleResult result;
  const std::vector<Value> args =
      bind_arguments(op_named("aten._fused_sdp_choice.default").schema, std::vector<Value>{t, t, t}, {});
  run_rule(op_named("aten._fused_sdp_choice.default"), args, result);
  EXPECT_EQ(result.outputs[0].number.as_int().as_int(), 0);
}

}  // namespace
}  // namespace ersatz
