// Compares the rows of unary_table.def with the standard library, over dtypes and layouts.
#include <gtest/gtest.h>

#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/pointwise.h"
#include "runtime/op/registry.h"
#include "tests/ops/op_test.h"
#include "tests/ops/pointwise/reference.h"

namespace ersatz::unary_test {
namespace {

using namespace pointwise_test;

struct Row {
  const char* name;
  Tensor (*op)(const Tensor&);
  DTypeSet dtypes;
  double low, high, tolerance;
};
constexpr Row kRows[] = {
#define UNARY(name, forms, dtypes, promotion, kinds, expression, low, high, tolerance, ...) \
  {#name, ops::name, dtypes, low, high, tolerance},
#include "kernels/pointwise/all_rows.def"
};

using Reference = double (*)(double);
const std::map<std::string, Reference>& references() {
#define REFERENCE(name, expression) {#name, []([[maybe_unused]] double x) -> double { return expression; }},
  static const std::map<std::string, Reference> all = {
#include "tests/ops/pointwise/unary_references.def"
#undef REFERENCE
  };
  return all;
}

/// Runs the row on a tensor and compares each element with the reference at the rounded input.
void check(const Row& row, DType dtype, std::span<const SymInt> sizes, std::span<const SymInt> strides) {
  Tensor x = spread(dtype, sizes, strides, row.low, row.high);
  Tensor y = row.op(x);
  std::vector<double> in = values_of(x), out = values_of(y);
  const Reference reference = references().at(row.name);
  for (size_t i = 0; i < in.size(); ++i) {
    ASSERT_PRED3(close, out[i], reference(in[i]), tolerance(y.dtype()) + row.tolerance)
        << row.name << "(" << in[i] << ") of " << to_string(x.meta());
  }
}

TEST(Unary, EveryRowHasAReference) {
  for (const Row& row : kRows) EXPECT_TRUE(references().count(row.name)) << row.name;
}

TEST(Unary, EveryRowGivesReferenceValues) {
  const SymInt sizes[] = {5, 211}, strides[] = {211, 1};
  for (const Row& row : kRows) {
    for (DType t : {DType::F64, DType::F32, DType::F16, DType::BF16, DType::I64, DType::I8, DType::I16, DType::I32}) {
      if (row.dtypes.has(t) && !(is_integral(t) && (row.low > -1 || row.high < 2))) check(row, t, sizes, strides);
    }
  }
}

// The standard library's Bessel functions raise for large arguments, so the kernel uses the asymptotic series of Ai
// there.
TEST(Unary, AiryAiIsFiniteFarLeft) {
  const Tensor y = ops::special_airy_ai(tensor_of<double>({-19.9, -20.1, -100, -1e4, -1e6}, {5}));
  const double expected[] = {-0.072738820111011394, -0.24536173925299883, 0.17675339323955288, 0.027057383604642579,
                             -0.0021912611413430574};
  for (size_t i = 0; i < 5; ++i) EXPECT_NEAR(y.data<double>()[i], expected[i], 1e-15);
}

// The expected values are the true ones: PyTorch's functions have errors of up to 3e-6 at these points.
TEST(Unary, BesselAndAiryFunctionsAreTheTrueValues) {
  struct Points {
    Tensor (*op)(const Tensor&);
    std::vector<double> at, expected;
  };
  for (const Points& p :
       {Points{ops::special_airy_ai,
               {-12.5, -3, -2.25, 1.5},
               {-0.27627456138116025, -0.37881429367765807, 0.061598658777005278, 0.07174949700810541}},
        Points{ops::special_bessel_j0,
               {0.5, 5.25, 7.5, 40},
               {0.9384698072408129, -0.093080989639317873, 0.2663396578803784, 0.0073668905842372896}},
        Points{ops::special_bessel_j1,
               {0.5, 5.25, -8, 40},
               {0.24226845767487389, -0.34501397857943768, -0.23463634685391462, 0.126038318037585}},
        Points{ops::special_bessel_y0,
               {0.5, 5.25, 7.5, 40},
               {-0.44451873350670656, -0.33477723515498113, 0.11731328614820863, 0.12593641705826093}},
        Points{ops::special_bessel_y1,
               {0.5, 5.25, 7.5, 40},
               {-1.4714723926702431, 0.061861000898943727, -0.25912851048611625, -0.0057935058215496329}}}) {
    const Tensor y = p.op(f64({4}, p.at));
    for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(y.data<double>()[i], p.expected[i], 2e-14) << "at " << p.at[i];
  }
}

TEST(Unary, BesselKIsFiniteNearZero) {
  const Tensor x = tensor_of<double>({1e-310, 1e-300, 1e-10, 2e-9}, {4});
  const Tensor k0 = ops::special_modified_bessel_k0(x), k1 = ops::special_modified_bessel_k1(x);
  const double zeroth[] = {713.9173103, 690.8914594, 23.1417826, 20.1460503};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(k0.data<double>()[i], zeroth[i], 1e-6);
  EXPECT_NEAR(k1.data<double>()[2] * 1e-10, 1, 1e-12);
}

ErrorFamily written_family(const char* op, const Tensor& x, const Tensor& out) {
  try {
    run(op, {x}, {{"out", out}});
  } catch (const Error& e) {
    return e.family;
  }
  ADD_FAILURE() << op << " was not refused";
  return ErrorFamily::Index;
}

TEST(Unary, RefusalsBeforeTheCheckOfOut) {
  const Tensor z = make("c64[2]"), truth = make("bool[2]"), whole = make("i64[2]"), out = make("f32[2]");
  for (const char* op : {"aten.ceil.out", "aten.floor.out", "aten.trunc.out", "aten.relu.out"}) {
    EXPECT_EQ(written_family(op, z, out), ErrorFamily::NotImplemented) << op;
  }
  EXPECT_EQ(written_family("aten.neg.out", truth, out), ErrorFamily::NotImplemented);
  EXPECT_EQ(written_family("aten.neg.out", whole, out), ErrorFamily::Runtime);
  EXPECT_EQ(written_family("aten.abs.out", truth, out), ErrorFamily::Runtime);
  EXPECT_EQ(written_family("aten.abs.out", z, make("c128[2]")), ErrorFamily::Runtime);
}

TEST(Unary, LayoutDoesNotChangeValues) {
  const SymInt sizes[] = {67, 3, 40}, permuted[] = {1, 2680, 67}, gapped[] = {260, 82, 2}, broadcast[] = {0, 41, 1};
  for (const Row& row : kRows) {
    DType t = row.dtypes.has(DType::F32) ? DType::F32 : DType::I32;
    using Strides = std::span<const SymInt>;
    for (Strides strides : {Strides(permuted), Strides(gapped), Strides(broadcast)}) check(row, t, sizes, strides);
  }
}

TEST(Unary, InPlaceAndOutGiveTheSameValues) {
  const SymInt sizes[] = {4, 9}, strides[] = {1, 4};
  for (const Row& row : kRows) {
    if (!row.dtypes.has(DType::F64)) continue;
    Tensor x = spread(DType::F64, sizes, strides, row.low, row.high);
    Tensor y = row.op(x);
    const OpEntry* out = registry().find(std::string("aten.") + row.name + ".out");
    if (out) {
      Tensor given = make_real_tensor(TensorMeta(y.dtype(), sizes));
      const std::pair<std::string, Value> keywords[] = {{"out", given}};
      const Value positional[] = {x};
      call(*out, positional, keywords);
      EXPECT_EQ(values_of(given), values_of(y)) << row.name;
    }
    const OpEntry* inplace = registry().find(std::string("aten.") + row.name + "_.default");
    if (inplace && y.dtype() == DType::F64) {
      call_op(*inplace, x);
      EXPECT_EQ(values_of(x), values_of(y)) << row.name;
    }
  }
}

TEST(Unary, ComplexAngleIsRowMajorOnCpu) {
  const Tensor z = make_real_tensor(parse_meta("c64[2,3]{1,2}+0@cpu"));
  EXPECT_EQ(to_string(ops::angle(z).meta()), "f32[2,3]{3,1}+0@cpu");
  const Tensor x = make_real_tensor(parse_meta("f32[2,3]{1,2}+0@cpu"));
  EXPECT_EQ(to_string(ops::angle(x).meta()), "f32[2,3]{1,2}+0@cpu");
  EXPECT_EQ(to_string(ops::log_sigmoid(x).meta()), "f32[2,3]{3,1}+0@cpu");
}
TEST(Unary, ComplexTanhMatchesTheStandardLibrary) {
  Tensor x = tensor_of<std::complex<double>>({{0.5, -1.25}, {-2, 0.75}}, {2});
  Tensor y = ops::tanh(x);
  for (int i = 0; i < 2; ++i) {
    const std::complex<double> expected = std::tanh(x.data<std::complex<double>>()[i]);
    EXPECT_LT(std::abs(y.data<std::complex<double>>()[i] - expected), 1e-12);
  }
}

TEST(Unary, AbsOfComplexIsReal) {
  Tensor y = ops::abs(tensor_of<std::complex<float>>({{3, -4}}, {1}));
  EXPECT_EQ(y.dtype(), DType::F32);
  EXPECT_EQ(y.data<float>()[0], 5);
}

TEST(Unary, IntegersGiveDefaultDtypeWhereResultIsFloat) {
  Tensor x = tensor_of<int64_t>({0, 1}, {2});
  EXPECT_EQ(ops::exp(x).dtype(), DType::F32);
  ContextGuard guard([](RuleContext& c) { c.default_dtype = DType::F64; });
  EXPECT_EQ(ops::exp(x).dtype(), DType::F64);
  EXPECT_EQ(ops::exp(x).data<double>()[1], std::exp(1.0));
}

TEST(Unary, DtypeWithoutKernelIsRefusedAsNotImplemented) {
  try {
    ops::neg(tensor_of<bool>({true}, {1}));
    FAIL() << "neg took a bool";
  } catch (const Error& e) {
    EXPECT_EQ(e.family, ErrorFamily::NotImplemented);
    EXPECT_EQ(e.message, "neg: not implemented for bool on cpu");
  }
}

TEST(Unary, ReluKeepsNaN) {
  Tensor y = ops::relu(tensor_of<float>({NAN, -1, 2}, {3}));
  EXPECT_TRUE(std::isnan(y.data<float>()[0]));
  EXPECT_EQ(y.data<float>()[1], 0);
  EXPECT_EQ(y.data<float>()[2], 2);
}

/// The label of the error that a call raises.
std::string refusal(const char* op, const Tensor& self) {
  try {
    call_op(op_named(op), self);
  } catch (const Error& e) {
    return e.label;
  }
  return "none";
}

TEST(Unary, ComplexNumbersHaveNoInPlaceAbs) {
  Tensor x = tensor_of<std::complex<float>>({{1, 2}}, {1});
  EXPECT_EQ(refusal("aten.abs_.default", x), "abs_.C2");
  EXPECT_EQ(refusal("aten.isposinf.default", x), "isposinf.C2");
  EXPECT_EQ(refusal("aten.isneginf.default", x), "isneginf.C2");
}

TEST(Unary, NaNAndInfinitiesAreTold) {
  Tensor x = tensor_of<float>({NAN, INFINITY, -INFINITY, 1}, {4});
  EXPECT_EQ(values_of(ops::isnan(x)), (std::vector<double>{1, 0, 0, 0}));
  EXPECT_EQ(values_of(ops::isinf(x)), (std::vector<double>{0, 1, 1, 0}));
  EXPECT_EQ(values_of(ops::isposinf(x)), (std::vector<double>{0, 1, 0, 0}));
  EXPECT_EQ(values_of(ops::isneginf(x)), (std::vector<double>{0, 0, 1, 0}));
  EXPECT_EQ(values_of(ops::isfinite(x)), (std::vector<double>{0, 0, 0, 1}));
}

TEST(Unary, SignOfNanIsZero) {
  Tensor x = tensor_of<float>({NAN, -0.f, -2}, {3});
  EXPECT_EQ(values_of(ops::sign(x)), (std::vector<double>{0, 0, -1}));
  EXPECT_EQ(values_of(ops::signbit(tensor_of<float>({-0.f, 0.f}, {2}))), (std::vector<double>{1, 0}));
}

TEST(Unary, SquareOfABoolIsAnInteger) {
  Tensor y = ops::square(tensor_of<bool>({true, false}, {2}));
  EXPECT_EQ(y.dtype(), DType::I64);
  EXPECT_EQ(values_of(y), (std::vector<double>{1, 0}));
}

TEST(Unary, DigammaHasItsPoles) {
  Tensor y = ops::digamma(tensor_of<double>({0.0, -0.0, -1, -0.5}, {4}));
  EXPECT_EQ(y.data<double>()[0], -INFINITY);
  EXPECT_EQ(y.data<double>()[1], INFINITY);
  EXPECT_TRUE(std::isnan(y.data<double>()[2]));
  EXPECT_NEAR(y.data<double>()[3], 0.03648997397857652, 1e-14);
}

}  // namespace
}  // namespace ersatz::unary_test
