#include "kernels/linalg/mm.h"

#include "kernels/shape/as_strided.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Mm, MultipliesMatrices) {
  expect(ops::mm(ramp("f32[2,3]"), ramp("f32[3,2]"))).meta("f32[2,2]{2,1}+0@cpu").values({10, 13, 28, 40});
}

OP_TEST(Mm, TakesTransposedAndGappedOperands) {
  expect(ops::mm(ramp("f64[2,3]{1,2}"), ramp("f64[3,2]{7,2}+3"))).meta("f64[2,2]{2,1}+0@cpu").values({10, 13, 28, 40});
}

TEST(MmOnCpu, TakesExpandedOperands) {
  // Both columns of the second operand are [0, 2, 4] and its rows share memory.
  const Tensor column = tensor_of<float>({0, 2, 4}, {3, 1});
  expect(ops::mm(ramp("f32[2,3]"), make_view(column, parse_meta("f32[3,2]{1,0}")))).values({10, 10, 28, 28});
}

OP_TEST(Mm, SumsOfNothingAreZero) {
  expect(ops::mm(ramp("f32[2,0]"), ramp("f32[0,2]"))).meta("f32[2,2]{2,1}+0@cpu").values({0, 0, 0, 0});
}

OP_TEST(Mm, AnEmptyProductIsOfAnyDtype) {
  expect(ops::mm(ramp("bool[3,4]"), ramp("bool[4,0]"))).meta("bool[3,0]{1,1}+0@cpu");
  expect(ops::mm(ramp("bool[0,4]"), ramp("bool[4,2]"))).meta("bool[0,2]{2,1}+0@cpu");
}

TEST(MmOnCpu, WrapsIntegersAround) {
  const Tensor a = tensor_of<int8_t>({100, 100}, {1, 2}), b = tensor_of<int8_t>({1, 1}, {2, 1});
  expect(ops::mm(a, b)).meta("i8[1,1]{1,1}+0@cpu").values({-56});
}

TEST(MmOnCpu, AccumulatesHalvesInFloat) {
  // 4096 ones: a bf16 sum would stop at 256.
  const Tensor ones = tensor_from_values(DType::BF16, std::vector<double>(4096, 1.0), dims({1, 4096}));
  const Tensor column = tensor_from_values(DType::BF16, std::vector<double>(4096, 1.0), dims({4096, 1}));
  expect(ops::mm(ones, column)).meta("bf16[1,1]{1,1}+0@cpu").values({4096});
}

TEST(MmOnCpu, WritesAnOutOfAnyStrides) {
  const Tensor out = ramp("f32[2,2]{1,5}+1");
  call("aten.mm.out", {Value(ramp("f32[2,3]")), Value(ramp("f32[3,2]")), Value(out)});
  expect(out).meta("f32[2,2]{1,5}+1@cpu").values({10, 13, 28, 40});
}

TEST(MmOnCpu, AgreesWithASumInDoubleOnLargeMatrices) {
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

OP_TEST(Mm, RefusesWhatIsNoPairOfMatrices) {
  expect_refused([] { ops::mm(ramp("f32[3]"), ramp("f32[3,2]")); }, ErrorFamily::Runtime, "mm.C1");
  expect_refused([] { ops::mm(ramp("f32[2,3]"), ramp("f32[2,3]")); }, ErrorFamily::Runtime, "mm.C2");
  expect_refused([] { ops::mm(ramp("f32[2,3]"), ramp("f64[3,2]")); }, ErrorFamily::Runtime, "mm.C3");
}

OP_TEST(Mm, HasNoKernelForBool) {
  expect_refused([] { ops::mm(ramp("bool[2,3]"), ramp("bool[3,2]")); }, ErrorFamily::NotImplemented, "");
}

TEST(MmOnCpu, CountsTwoOperationsAMultiplication) {
  const OpEntry& op = op_named("aten.mm.default");
  const Value args[] = {Value(ramp("f32[2,3]")), Value(ramp("f32[3,5]"))};
  RuleResult result;
  run_rule(op, args, result);
  RuleCall call{op, args, rule_context(), kCPU, result};
  EXPECT_EQ(to_string(op.flops(call, result).value()), "60");
}
OP_TEST(MmOut, MayBeMemoryOfItsOperands) {
  const Tensor a = f32({2, 2}, {1, 2, 3, 4}), part = ops::as_strided(a, dims({1, 2}), dims({2, 1}), 1);
  expect(run("aten.mm.out", {ops::as_strided(a, dims({1, 2}), dims({2, 1})), a}, {{"out", part}})).values({7, 10});
}
OP_TEST(MmOut, HasElementsOfItsOwnUnlessTheyAreZeros) {
  const auto product = [](const char* a, const char* b) {
    return run("aten.mm.out", {ramp(a), ramp(b)}, {{"out", ramp("f32[2,2]{0,1}")}});
  };
  expect(product("f32[2,0]", "f32[0,2]")).meta("f32[2,2]{0,1}").values({0, 0, 0, 0});
  expect_refused([&] { product("f32[2,1]", "f32[1,2]"); }, ErrorFamily::Runtime, "mm.overlap");
}

}  // namespace
}  // namespace ersatz
