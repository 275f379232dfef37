#include "kernels/attention/flash_attention.h"

#include <cmath>

#include "tests/ops/attention/small_operands.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

using small_operands::keys;
using small_operands::values;

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

}  // namespace
}  // namespace ersatz
