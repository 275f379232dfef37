#include "kernels/linalg/mm.h"

#include "kernels/shape/as_strided.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(MmOnCpu, AccumulatesHalvesInFloat) {
  // A sum of 4096 ones in bf16 would stop at 256, so the sum must be computed in a wider dtype.
  const Tensor ones = tensor_from_values(DType::BF16, std::vector<double>(4096, 1.0), dims({1, 4096}));
  const Tensor column = tensor_from_values(DType::BF16, std::vector<double>(4096, 1.0), dims({4096, 1}));
  expect(ops::mm(ones, column)).meta("bf16[1,1]{1,1}+0@cpu").values({4096});
}

TEST(MmOnCpu, AgreesWithSumInDoubleOnLargeMatrices) {
  const int64_t n = 130;
  Tensor a = make_real_tensor(TensorMeta(DType::F32, dims({n, n}))), b = make_real_tensor(a.meta());
  for (int64_t i = 0; i < n * n; ++i) {
    a.data<float>()[i] = float(i % 7) - 3;
    b.data<float>()[i] = float(i % 11) - 5;
  }
  const Tensor product = ops::mm(a, b);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < n; ++k) sum += double(a.data<float>()[i * n + k]) * b.data<float>()[k * n + j];
      ASSERT_EQ(product.data<float>()[i * n + j], sum) << i << "," << j;
    }
  }
}

TEST(MmOnCpu, CountsTwoOperationsAMultiplication) {
  const OpEntry& op = op_named("aten.mm.default");
  const Value args[] = {Value(ramp("f32[2,3]")), Value(ramp("f32[3,5]"))};
  RuleResult result;
  run_rule(op, args, result);
  RuleCall call{op, args, rule_context(), kCPU, result};
  EXPECT_EQ(to_string(op.flops(call, result).value()), "60");
}
}  // namespace
}  // namespace ersatz
