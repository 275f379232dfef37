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

}  // namespace
}  // namespace ersatz
