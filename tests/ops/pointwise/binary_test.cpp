// Compares the rows of binary_table.def with plain arithmetic in double, over dtypes, layouts and overloads.
#include <gtest/gtest.h>

#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/pointwise.h"
#include "runtime/op/registry.h"
#include "tests/ops/op_test.h"
#include "tests/ops/pointwise/polynomial_reference.h"
#include "tests/ops/pointwise/reference.h"

namespace ersatz::binary_test {
namespace {

using namespace pointwise_test;

struct Row {
  const char* name;
  Tensor (*op)(const Tensor&, const Tensor&);
  DTypeSet dtypes;
  double low, high, tolerance;
};
constexpr Row kRows[] = {
#define BINARY(name, dtypes, promotion, kinds, expression, low, high, tolerance, ...) \
  {#name, static_cast<Tensor (*)(const Tensor&, const Tensor&)>(ops::name), dtypes, low, high, tolerance},
#include "kernels/pointwise/all_rows.def"
};

using Reference = double (*)(double, double);
const std::map<std::string, Reference>& references() {
#define REFERENCE(name, expression) {#name, [](double x, double y) -> double { return expression; }},
  static const std::map<std::string, Reference> all = {
#include "tests/ops/pointwise/binary_references.def"
#undef REFERENCE
  };
  return all;
}

void check(const Row& row, const Tensor& x, const Tensor& y) {
  Tensor z = row.op(x, y);
  std::vector<double> a = values_of(x), b = values_of(y), c = values_of(z);
  const Reference reference = references().at(row.name);
  for (size_t i = 0; i < c.size(); ++i) {
    double p = a[a.size() == c.size() ? i : i % a.size()], q = b[b.size() == c.size() ? i : i % b.size()];
    ASSERT_PRED3(close, c[i], reference(p, q), tolerance(z.dtype()) + row.tolerance)
        << row.name << "(" << p << ", " << q << ") of " << to_string(x.meta()) << " and " << to_string(y.meta());
  }
}

TEST(Binary, EveryRowHasAReference) {
  for (const Row& row : kRows) EXPECT_TRUE(references().count(row.name)) << row.name;
}

TEST(Binary, EveryRowGivesReferenceValues) {
  const SymInt sizes[] = {5, 211}, strides[] = {211, 1};
  for (const Row& row : kRows) {
    for (DType t : {DType::F64, DType::F32, DType::F16, DType::BF16, DType::I64, DType::I16, DType::I32}) {
      if (!row.dtypes.has(t) || (is_integral(t) && row.high < 2)) continue;
      double low = is_integral(t) && row.low > 0 ? 1 : row.low;
      check(row, spread(t, sizes, strides, low, row.high, 1), spread(t, sizes, strides, low, row.high, 2));
    }
  }
}

TEST(Binary, MixedLayoutsAndBroadcastingGiveTheSameValues) {
  const SymInt sizes[] = {67, 130}, rows[] = {130, 1}, columns[] = {1, 67}, gapped[] = {300, 2};
  const SymInt last[] = {130}, one[] = {1};
  for (const Row& row : kRows) {
    DType t = row.dtypes.has(DType::F32) ? DType::F32 : DType::I32;
    double low = is_integral(t) && row.low > 0 ? 1 : row.low;
    Tensor a = spread(t, sizes, rows, low, row.high, 1), b = spread(t, sizes, columns, low, row.high, 2);
    check(row, a, b);
    check(row, b, a);
    check(row, a, spread(t, sizes, gapped, low, row.high, 3));
    check(row, a, spread(t, last, one, low, row.high, 4));
    check(row, b, spread(t, last, one, low, row.high, 4));
  }
}

TEST(Binary, AlphaScalesTheSecondOperand) {
  Tensor a = tensor_of<float>({1, 2}, {2}), b = tensor_of<float>({10, 20}, {2});
  EXPECT_EQ(values_of(ops::add(a, b, Scalar(0.5))), (std::vector<double>{6, 12}));
  EXPECT_EQ(values_of(ops::sub(a, b, Scalar(2))), (std::vector<double>{-19, -38}));
}

TEST(Binary, ANumberDoesNotWidenItsOwnKind) {
  Tensor a = tensor_of<int32_t>({1, 2}, {2});
  EXPECT_EQ(ops::add(a, Scalar(3)).dtype(), DType::I32);
  EXPECT_EQ(ops::add(a, Scalar(0.5)).dtype(), DType::F32);
  EXPECT_EQ(values_of(ops::mul(a, Scalar(2.5))), (std::vector<double>{2.5, 5}));
}

TEST(Binary, SizeOneDimsBesideNumberKeepTheirStrides) {
  const Tensor x = make_real_tensor(parse_meta("f32[2,1,4,4]{16,4,4,1}"));
  const std::string as_they_say = "f32[2,1,4,4]{16,4,4,1}+0@cpu", row_major = "f32[2,1,4,4]{16,16,4,1}+0@cpu";
  EXPECT_EQ(to_string(ops::mul(x, Scalar(2)).meta()), as_they_say);
  EXPECT_EQ(to_string(ops::eq(x, Scalar(2)).meta()), "bool[2,1,4,4]{16,4,4,1}+0@cpu");
  EXPECT_EQ(to_string(ops::pow(x, Scalar(2)).meta()), row_major);
  EXPECT_EQ(to_string(ops::neg(x).meta()), row_major);
}

TEST(Binary, ZeroDimTensorDoesNotWidenItsKind) {
  Tensor a = tensor_of<float>({1, 2}, {2}), b = tensor_of<double>({0.25}, {});
  Tensor c = ops::add(a, b);
  EXPECT_EQ(c.dtype(), DType::F32);
  EXPECT_EQ(values_of(c), (std::vector<double>{1.25, 2.25}));
}

TEST(Binary, DtypesOfTwoTensorsArePromoted) {
  Tensor c = ops::add(tensor_of<uint8_t>({200}, {1}), tensor_of<int8_t>({-100}, {1}));
  EXPECT_EQ(c.dtype(), DType::I16);
  EXPECT_EQ(values_of(c), std::vector<double>{100});
}

TEST(Binary, IntegerSumsWrap) {
  Tensor c = ops::add(tensor_of<int64_t>({INT64_MAX}, {1}), tensor_of<int64_t>({1}, {1}));
  EXPECT_EQ(c.data<int64_t>()[0], INT64_MIN);
}

TEST(Binary, InPlaceWritesItsOperandThroughTransposedView) {
  const SymInt sizes[] = {40, 70}, strides[] = {1, 40};
  Tensor a = spread(DType::F32, sizes, strides, -1, 1, 1), b = spread(DType::F64, sizes, strides, -1, 1, 2);
  std::vector<double> x = values_of(a), y = values_of(b);
  call_op(op_named("aten.add_.Tensor"), a, b, Scalar(1));
  std::vector<double> z = values_of(a);
  for (size_t i = 0; i < z.size(); ++i) ASSERT_NEAR(z[i], x[i] + y[i], 1e-6);
}

TEST(Binary, SizesThatDoNotBroadcastAreRefused) {
  const SymInt two_three[] = {2, 3}, four[] = {4};
  try {
    ops::add(make_real_tensor(TensorMeta(DType::F32, two_three)), make_real_tensor(TensorMeta(DType::F32, four)));
    FAIL() << "add took sizes that do not broadcast";
  } catch (const Error& e) {
    EXPECT_EQ(e.message,
              "add: sizes must broadcast: f32[2,3]@cpu and f32[4]@cpu differ in dim 1 of the result (3 vs 4) [add.C1]");
  }
}

TEST(Binary, BoolsAreNotSubtracted) {
  Tensor b = tensor_of<bool>({true}, {1});
  try {
    ops::sub(b, b);
    FAIL() << "sub took bools";
  } catch (const Error& e) {
    EXPECT_EQ(e.label, "sub.C3");
  }
}

TEST(Binary, AnIntegerSumTakesNoFloatAlpha) {
  Tensor a = tensor_of<int64_t>({1}, {1});
  try {
    ops::add(a, a, Scalar(0.5));
    FAIL() << "add took a float alpha";
  } catch (const Error& e) {
    EXPECT_EQ(e.label, "add.C2");
  }
}

/// The error that a call raises.
template <class F>
Error refusal(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e;
  }
  return Error(ErrorKind::InternalError, ErrorFamily::Runtime, "nothing was raised");
}

TEST(Binary, ComplexNumbersAreNotOrdered) {
  Tensor c = tensor_of<std::complex<float>>({{1, 2}}, {1});
  Error e = refusal([&] { ops::maximum(c, c); });
  EXPECT_EQ(e.label, "maximum.C2");
  EXPECT_EQ(e.family, ErrorFamily::Type);
}

TEST(Binary, HeavisideDoesNotPromote) {
  EXPECT_EQ(refusal([] { ops::heaviside(tensor_of<float>({1}, {1}), tensor_of<double>({1}, {1})); }).label,
            "heaviside.C2");
}

TEST(Binary, IntegerIsNotRaisedToNegativeInteger) {
  EXPECT_EQ(refusal([] { ops::pow(tensor_of<int64_t>({2}, {1}), Scalar(-1)); }).label, "pow.C2");
}

TEST(Binary, NegativeExponentsOfIntegerTensorsLeaveOnlyUnits) {
  Tensor base = tensor_of<int64_t>({2, 1, -1, -1}, {4}), exponent = tensor_of<int64_t>({-1, -5, -3, -2}, {4});
  EXPECT_EQ(values_of(ops::pow(base, exponent)), (std::vector<double>{0, 1, -1, 1}));
}

TEST(Binary, AnIntegerZeroDivisorIsAValueFailure) {
  Tensor a = tensor_of<int64_t>({1, 2}, {2}), b = tensor_of<int64_t>({1, 0}, {2});
  EXPECT_TRUE(refusal([&] { ops::floor_divide(a, b); }).value_failure);
  EXPECT_TRUE(refusal([&] { ops::remainder(a, b); }).value_failure);
  EXPECT_TRUE(refusal([&] { ops::fmod(a, Scalar(0)); }).value_failure);
}

TEST(Binary, DivisionRoundsDownAndRemainderHasDivisorsSign) {
  Tensor a = tensor_of<int64_t>({5, -5, 7, -7}, {4}), b = tensor_of<int64_t>({3, 3, -3, -3}, {4});
  EXPECT_EQ(values_of(ops::floor_divide(a, b)), (std::vector<double>{1, -2, -3, 2}));
  EXPECT_EQ(values_of(ops::remainder(a, b)), (std::vector<double>{2, 1, -2, -1}));
  EXPECT_EQ(values_of(ops::fmod(a, b)), (std::vector<double>{2, -2, 1, -1}));
}

TEST(Binary, ShiftingEverythingOutIsDefined) {
  Tensor a = tensor_of<int64_t>({1, 1, -8, 8}, {4}), n = tensor_of<int64_t>({64, -1, 64, -1}, {4});
  EXPECT_EQ(values_of(ops::bitwise_left_shift(a, n)), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(values_of(ops::bitwise_right_shift(a, n)), (std::vector<double>{0, 0, -1, 0}));
}

TEST(Binary, MaximumGivesNaNAndFmaxTheNumber) {
  Tensor a = tensor_of<float>({NAN, 1}, {2}), b = tensor_of<float>({2, NAN}, {2});
  EXPECT_TRUE(std::isnan(values_of(ops::maximum(a, b))[0]) && std::isnan(values_of(ops::maximum(a, b))[1]));
  EXPECT_EQ(values_of(ops::fmax(a, b)), (std::vector<double>{2, 1}));
}

TEST(Binary, PowersOfANumberAreRowMajor) {
  const SymInt sizes[] = {2, 3}, strides[] = {1, 2};
  Tensor x = spread(DType::F32, sizes, strides, 0, 1);
  Values y = call("aten.pow.Scalar", {Value(2.0), Value(x)});
  EXPECT_TRUE(y[0].tensor().is_contiguous());
}

TEST(Nextafter, NeighbourOfHalvesIsOfTheirOwnType) {
  const auto next = [](DType t, double x, double y) {
    const SymInt one[] = {1};
    const Tensor a = tensor_from_values(t, std::vector<double>{x}, one),
                 b = tensor_from_values(t, std::vector<double>{y}, one);
    return ersatz::elements(ops::nextafter(a, b))[0].real();
  };
  EXPECT_EQ(next(DType::F16, 1, 2), 1.0009765625);
  EXPECT_EQ(next(DType::BF16, 1, 2), 1.0078125);
  EXPECT_EQ(next(DType::F16, 1, -2), 0.99951171875);
  EXPECT_EQ(next(DType::F16, -1, -2), -1.0009765625);
  EXPECT_EQ(next(DType::F16, 0, -2), -5.9604644775390625e-08);
  EXPECT_EQ(next(DType::BF16, 3, 3), 3);
}

}  // namespace
}  // namespace ersatz::binary_test
