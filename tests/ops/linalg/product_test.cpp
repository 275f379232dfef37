#include "kernels/linalg/addmm.h"
#include "kernels/linalg/bmm.h"
#include "kernels/linalg/mm.h"
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
  EXPECT_EQ(op.flops(call, result), 60);
}

OP_TEST(Addmm, AddsABroadcastRow) {
  expect(ops::addmm(ramp("f32[2]"), ramp("f32[2,3]"), ramp("f32[3,2]")))
      .meta("f32[2,2]{2,1}+0@cpu")
      .values({10, 14, 28, 41});
}

OP_TEST(Addmm, ScalesBothTerms) {
  expect(ops::addmm(ramp("f64[2,1]"), ramp("f64[2,3]"), ramp("f64[3,2]"), 10, 0.5)).values({5, 6.5, 24, 30});
}

TEST(AddmmOnCpu, IgnoresSelfWhenBetaIsZero) {
  const Tensor nan = tensor_of<float>({NAN, NAN}, {2});
  expect(ops::addmm(nan, ramp("f32[2,3]"), ramp("f32[3,2]"), 0)).values({10, 13, 28, 40});
}

TEST(AddmmOnCpu, WorksInPlace) {
  const Tensor self = ramp("f32[2,2]{1,2}");
  call("aten.addmm_.default", {Value(self), Value(ramp("f32[2,3]")), Value(ramp("f32[3,2]"))});
  expect(self).meta("f32[2,2]{1,2}+0@cpu").values({10, 14, 30, 43});
}

OP_TEST(Addmm, RefusesOperandsThatDoNotFit) {
  const Tensor row = ramp("f32[2]"), a = ramp("f32[2,3]"), b = ramp("f32[3,2]");
  expect_refused([&] { ops::addmm(row, row, b); }, ErrorFamily::Runtime, "addmm.C1");
  expect_refused([&] { ops::addmm(row, a, a); }, ErrorFamily::Runtime, "addmm.C2");
  expect_refused([&] { ops::addmm(row, a, ramp("f64[3,2]")); }, ErrorFamily::Runtime, "addmm.C3");
  expect_refused([&] { ops::addmm(ramp("f32[3]"), a, b); }, ErrorFamily::Runtime, "addmm.C4");
  expect_refused([&] { ops::addmm(row, a, b, 1, std::complex<double>(1, 2)); }, ErrorFamily::Runtime, "addmm.C5");
}

TEST(AddmmOnCpu, CarriesASymbolicBatch) {
  ShapeEnv env;
  env.symbol("s0", 4);
  EXPECT_EQ(rule_answer("aten.addmm.default", {Value(shape_only("f32[16]")), Value(shape_only("f32[s0,8]", &env)),
                                               Value(shape_only("f32[8,16]{1,8}"))}),
            "f32[s0,16]{16,1}+0@cpu");
  EXPECT_TRUE(env.guards().empty());
}

OP_TEST(Bmm, MultipliesEachPair) {
  expect(ops::bmm(ramp("f32[2,1,2]"), ramp("f32[2,2,1]"))).meta("f32[2,1,1]{1,1,1}+0@cpu").values({1, 13});
}

OP_TEST(Bmm, AnswersTheSecondDTypeForEmptyBatches) {
  expect(ops::bmm(ramp("f32[0,2,3]"), ramp("f64[0,3,2]"))).meta("f64[0,2,2]{4,2,1}+0@cpu");
}

OP_TEST(Bmm, OfEmptyMatricesTakesNoTimeHoweverManyThereAre) {
  expect(ops::bmm(make("f32[1099511627776,0,0]", {}), make("f32[1099511627776,0,3]", {})))
      .meta("f32[1099511627776,0,3]");
}

OP_TEST(Bmm, RefusesOperandsThatDoNotFit) {
  expect_refused([] { ops::bmm(ramp("f32[2,3]"), ramp("f32[3,2]")); }, ErrorFamily::Runtime, "bmm.C1");
  expect_refused([] { ops::bmm(ramp("f32[2,2,3]"), ramp("f32[1,3,2]")); }, ErrorFamily::Runtime, "bmm.C2");
  expect_refused([] { ops::bmm(ramp("f32[1,2,3]"), ramp("f64[1,3,2]")); }, ErrorFamily::Runtime, "bmm.C3");
}

OP_TEST(Baddbmm, AddsABroadcastTensor) {
  expect(ops::baddbmm(ramp("f32[2,1,1]"), ramp("f32[2,1,2]"), ramp("f32[2,2,1]"), 10, 2)).values({2, 36});
}

OP_TEST(Baddbmm, RefusesWhatDoesNotExpand) {
  const Tensor a = ramp("f32[2,1,2]"), b = ramp("f32[2,2,1]");
  expect_refused([&] { ops::baddbmm(ramp("f32[3,1,1]"), a, b); }, ErrorFamily::Runtime, "baddbmm.C4");
  expect_refused([&] { ops::baddbmm(ramp("f32[1]"), a, b, std::complex<double>(0, 1)); }, ErrorFamily::Runtime,
                 "baddbmm.C5");
}
OP_TEST(BmmOut, MayBeElementsThatShareMemory) {
  Tensor out = make("f32[1,1,2]{0,0,0}");
  run("aten.bmm.out", {f32({1, 1, 1}, {2}), f32({1, 1, 2}, {3, 4})}, {{"out", out}});
  expect(out).values({8, 8});
}

}  // namespace
}  // namespace ersatz
