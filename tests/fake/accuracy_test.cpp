// Comparison of whole runs (fake/crosscheck/accuracy.h): closeness, errors against an f64 run, cosine, lists and maps.
#include "fake/crosscheck/accuracy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fake/crosscheck/cpu_run.h"
#include "fake/mode/fake_mode.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Tensor f32(std::initializer_list<float> values) {
  return tensor_of<float>(values, {static_cast<int64_t>(values.size())});
}

/// Returns `n` ones.
Tensor ones(DType dtype, int64_t n) { return converted(ones_f32({n}), dtype); }

// DBG-21: tol is an absolute and a relative tolerance; its default is 1e-4
TEST(Accuracy, TheToleranceIsAbsoluteAndRelative) {
  EXPECT_TRUE(same(f32({0, 1000}), f32({0.00009f, 1000.09f})));
  EXPECT_FALSE(same(f32({0}), f32({0.00011f})));
  EXPECT_TRUE(same(f32({1000}), f32({1009}), {.tol = 1e-2}));
  const Accuracy a = same(f32({1, 2}), f32({1, 2.5}));
  EXPECT_FALSE(a);
  EXPECT_THAT(a.said, ElementsAre("Accuracy failed: allclose not within tol=0.0001"));
  EXPECT_THAT(same(f32({1}), f32({1})).said, IsEmpty());
}

// DBG-21: the dtypes must be equal, unless exact_dtype is false
TEST(Accuracy, AnotherDtypeIsRefusedUnlessRelaxed) {
  const Tensor wide = tensor_of<double>({1, 2}, {2});
  const Accuracy a = same(f32({1, 2}), wide);
  EXPECT_FALSE(a);
  EXPECT_THAT(a.said, ElementsAre("dtype mismatch f32, f64"));
  EXPECT_TRUE(same(f32({1, 2}), wide, {.exact_dtype = false}));
  EXPECT_FALSE(same(f32({1, 3}), wide, {.exact_dtype = false}));
}

TEST(Accuracy, OtherSizesAreNoClosenessToAskFor) {
  EXPECT_THAT(same(f32({1, 2}), f32({1})).said, ElementsAre("shape mismatch f32[2]{1}+0@cpu, f32[1]{1}+0@cpu"));
}

// DBG-21: NaN is close to NaN only with equal_nan; an infinity is close only to itself
TEST(Accuracy, NanAndInfinity) {
  EXPECT_FALSE(same(f32({NAN}), f32({NAN})));
  EXPECT_TRUE(same(f32({NAN}), f32({NAN}), {.equal_nan = true}));
  EXPECT_FALSE(same(f32({NAN}), f32({1}), {.equal_nan = true}));
  EXPECT_TRUE(same(f32({INFINITY}), f32({INFINITY})));
  EXPECT_FALSE(same(f32({INFINITY}), f32({1e30f})));
  EXPECT_FALSE(same(f32({1}), f32({INFINITY})));
}

/// Returns `n` ones, with `error` added to the first.
Tensor ones_but(int64_t n, double error) {
  Tensor t = ones(DType::F32, n);
  t.data<float>()[0] += static_cast<float>(error);
  return t;
}

// DBG-22: the result's error against the f64 run may be twice the reference's error; three times if
// there are fewer than 1000 elements
TEST(Accuracy, F64RunDecidesWhereReferenceIsNotClose) {
  const auto judge = [](int64_t n, double theirs, double mine) {
    const Tensor f64 = ones(DType::F64, n);
    return static_cast<bool>(same(ones_but(n, theirs), ones_but(n, -mine), {}, f64));
  };
  EXPECT_TRUE(judge(1000, 0.5, 0.99));
  EXPECT_FALSE(judge(1000, 0.5, 1.01));
  EXPECT_TRUE(judge(999, 0.5, 1.49));
  EXPECT_FALSE(judge(999, 0.5, 1.51));
  EXPECT_FALSE(judge(1000, 0, 0.001));
}

// DBG-22: the allowed error is factor * reference error + tol / 10; the factor is two, or three with tol >= 0.02
TEST(Accuracy, TheToleranceWidensWhatTheF64RunAllows) {
  const Tensor f64 = ones(DType::F64, 1000);
  const auto judge = [&](double tol, double mine) {
    return static_cast<bool>(same(ones_but(1000, 1), ones_but(1000, -mine), {.tol = tol}, f64));
  };
  // One error e among 1000 elements has an RMSE of 0.0316 e, so tol / 10 = 0.001 allows 0.0316 more for e.
  EXPECT_TRUE(judge(0.01, 2.03));
  EXPECT_FALSE(judge(0.01, 2.04));
  EXPECT_TRUE(judge(0.02, 3.06));
  EXPECT_FALSE(judge(0.02, 3.07));
}

// DBG-22: the factor is three for bf16 too, and for 4-D results of 1x1 pixels
TEST(Accuracy, HalvesAndSinglePixelsMayMissThreefold) {
  const Tensor f64 = ones(DType::F64, 1000);
  const auto bf16 = [](double error) { return converted(ones_but(1000, error), DType::BF16); };
  EXPECT_TRUE(same(bf16(0.5), bf16(-1.4375), {}, f64));
  EXPECT_FALSE(same(bf16(0.5), bf16(-1.5625), {}, f64));
  const auto as = [](const Tensor& t, int64_t h) {
    return make_view(t, TensorMeta(t.dtype(), DimVec{1000 / h, 1, h, 1}));
  };
  EXPECT_TRUE(same(as(ones_but(1000, 0.5), 1), as(ones_but(1000, -1.4), 1), {}, as(f64, 1)));
  EXPECT_FALSE(same(as(ones_but(1000, 0.5), 2), as(ones_but(1000, -1.4), 2), {}, as(f64, 2)));
}

// DBG-22: the message of a failure has both errors, shape, dtype, multiplier and tolerance
TEST(Accuracy, FailureBeforeF64RunSaysBothErrors) {
  const Accuracy a = same(f32({1.5f, 1}), f32({3, 1}), {}, tensor_of<double>({1, 1}, {2}));
  EXPECT_THAT(a.said, ElementsAre("RMSE (res-fp64): 1.41421, (ref-fp64): 0.35355, shape [2], dtype f32, multiplier 3, "
                                  "tol 0.0001"));
}

// DBG-22: a third run that is not in f64 has no effect
TEST(Accuracy, AReferenceOfAnotherDtypeDecidesNothing) {
  EXPECT_FALSE(same(f32({1.5f}), f32({1.4f}), {}, f32({1.45f})));
}

// DBG-23: only the angle counts, not the length; a cosine below 0.99 is in the message
TEST(Accuracy, TheCosineIsOfTheAngle) {
  const AccuracyOptions options{.cosine = true};
  EXPECT_TRUE(same(f32({1, 2}), f32({10, 20}), options));
  EXPECT_TRUE(same(f32({1, 0}), f32({1, 0.14f}), options));
  const Accuracy a = same(f32({1, 0}), f32({1, 1}), options);
  EXPECT_FALSE(a);
  EXPECT_THAT(a.said, ElementsAre("Similarity score=0.707107"));
}

// DBG-23: zeros and NaN have no angle, and are equal to themselves
TEST(Accuracy, WhatHasNoAngleIsComparedFirst) {
  EXPECT_TRUE(same(f32({0, 0}), f32({0, 0}), {.cosine = true}));
  EXPECT_TRUE(same(f32({NAN, 1}), f32({NAN, 1}), {.cosine = true}));
  EXPECT_FALSE(same(f32({NAN, 1}), f32({1, 1}), {.cosine = true}));
}

// DBG-23: bools are compared as bytes, also with `cosine`
TEST(Accuracy, BoolsAreBytes) {
  const Tensor a = tensor_of<bool>({true, false}, {2}), b = tensor_of<bool>({true, true}, {2});
  EXPECT_TRUE(same(a, a, {.cosine = true}));
  EXPECT_THAT(same(a, b, {.cosine = true}).said, ElementsAre("Accuracy failed: the bytes of bool tensors differ"));
}

// DBG-24: lists are compared item by item; different lengths fail
TEST(Accuracy, ListsAgreeWhereTheirItemsDo) {
  const Value a = Value::list(std::vector<Value>{f32({1}), 2});
  EXPECT_TRUE(same(a, Value::list(std::vector<Value>{f32({1}), 2})));
  EXPECT_FALSE(same(a, Value::list(std::vector<Value>{f32({2}), 2})));
  EXPECT_THAT(same(a, Value::list(std::vector<Value>{f32({1})})).said, ElementsAre("Length mismatch"));
}

// DBG-24: each item of a list is compared with the item of the f64 run's list at the same position
TEST(Accuracy, ListsTakeTheItemsOfTheF64Run) {
  const auto list = [](Tensor t) { return Value::list(std::vector<Value>{std::move(t)}); };
  EXPECT_TRUE(same(list(f32({1.5f})), list(f32({0.6f})), {}, list(tensor_of<double>({1}, {1}))));
}

// DBG-24: maps must have equal keys; the message names the key that fails
TEST(Accuracy, MapsNameTheKey) {
  const NamedValues a = {{"loss", f32({1})}, {"step", 3}};
  EXPECT_TRUE(same(a, a));
  EXPECT_THAT(same(a, {{"loss", f32({2})}, {"step", 3}}).said,
              ElementsAre("Accuracy failed: allclose not within tol=0.0001", "Accuracy failed for key name loss"));
  EXPECT_THAT(same(a, {{"loss", f32({1})}}).said, ElementsAre("keys mismatch"));
}

// DBG-24: values that are no tensors or floats must be equal, unless ignore_non_float is set
TEST(Accuracy, PlainValuesAreEqual) {
  EXPECT_TRUE(same(3, 3));
  EXPECT_TRUE(same(Value(), Value()));
  EXPECT_THAT(same(3, 4).said, ElementsAre(HasSubstr("3 != 4")));
  EXPECT_FALSE(same("a", "b"));
  EXPECT_TRUE(same(3, 4, {.ignore_non_float = true}));
  EXPECT_TRUE(same(tensor_of<int64_t>({1}, {1}), tensor_of<int64_t>({5}, {1}), {.ignore_non_float = true}));
  EXPECT_TRUE(same(0.5, 0.50001));
  EXPECT_FALSE(same(0.5, 0.6, {.ignore_non_float = true}));
}

// DBG-24: a fake, or a value of a kind that no run returns, raises
TEST(Accuracy, FakesAndOtherKindsAreRefused) {
  EXPECT_THAT(error_of([] { same(DType::F32, DType::F32); }).message, HasSubstr("unsupported type"));
  const FakeMode mode;
  const Tensor fake = mode.from_tensor(f32({1}));
  EXPECT_THAT(error_of([&] { same(fake, f32({1})); }).message, HasSubstr("has no values to compare"));
  EXPECT_THAT(error_of([&] { same(f32({1}), fake); }).message, HasSubstr("has no values to compare"));
}

}  // namespace
}  // namespace ersatz
