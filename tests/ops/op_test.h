// How tests of ops are written.
//
//   OP_TEST(Cat, JoinsAlongDim) {
//     expect(ops::cat({f32({2, 1}, {1, 2}), f32({2, 2}, {3, 4, 5, 6})}, /*dim=*/1))
//         .meta("f32[2,3]")
//         .values({1, 3, 4, 2, 5, 6});
//   }
//   OP_TEST(Cat, RefusesUnequalOtherDims) {
//     expect_error([] { ops::cat({f32({2, 3}), f32({4, 3})}, 1); }, "cat.C2", "dim 0: 2 vs 4");
//   }
//
// OP_TEST makes Cat.JoinsAlongDim/cpu, with real tensors, and Cat.JoinsAlongDim/fake, with fakes under a fake mode. In
// the fake run `.values` is ignored, `.meta` is checked, and an error must have the message of the real run. A body
// that reads values tests `is_fake_run()`. A body that cannot run with fakes is a plain TEST.
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <vector>

#include "runtime/op/registry.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

// These functions make tensors. Without given values, elements are drawn from [-2, 2], equally in every run.

/// `make("f32[2,3]{1,2}+4", {1, 2, 3, 4, 5, 6})`: any layout; values in row-major order.
Tensor make(std::string_view meta);
Tensor make(std::string_view meta, std::vector<double> values);
Tensor make_complex(std::string_view meta, std::vector<std::complex<double>> values);
Tensor f32(std::vector<int64_t> sizes);
Tensor f32(std::vector<int64_t> sizes, std::vector<double> values);
Tensor f64(std::vector<int64_t> sizes, std::vector<double> values);
Tensor i64(std::vector<int64_t> sizes, std::vector<double> values);
Tensor boolean(std::vector<int64_t> sizes, std::vector<double> values);

/// Elements in row-major order; bools as 0 and 1, real numbers with imaginary part 0. REQUIRES: a real CPU tensor.
std::vector<std::complex<double>> elements(const Tensor& t);
/// The first element at which the two differ by more than `relative * max(|b|, 1)`, or -1. NaN equals NaN.
int64_t first_difference(const std::vector<std::complex<double>>& a, const std::vector<std::complex<double>>& b,
                         double relative);
/// The tolerance for a dtype: 0 for integers, 1e-9 for f64, 1e-5 for f32, 2e-3 for f16, 2e-2 for bf16.
double default_tolerance(DType t);

/// True in the fake run of an OP_TEST.
bool is_fake_run();

class Expectation {
 public:
  Expectation(Tensor t, const char* file, int line) : tensor_(std::move(t)), file_(file), line_(line) {}
  /// Expects this metadata in canonical spelling; row-major strides, offset 0 and cpu may be left out. Strides of empty
  /// tensors and of dims of size 1 are ignored.
  Expectation& meta(std::string_view text);
  Expectation& values(std::vector<double> expected, double relative = -1);
  Expectation& complex_values(std::vector<std::complex<double>> expected, double relative = -1);
  /// Expects that the tensor shares the storage of `base`; `not_view_of` expects that it does not.
  Expectation& view_of(const Tensor& base);
  Expectation& not_view_of(const Tensor& other);
  /// Expects that the tensor is the object `other`.
  Expectation& is(const Tensor& other);

 private:
  Tensor tensor_;
  const char* file_;
  int line_;
};
Expectation expect(Tensor t, const char* file = __builtin_FILE(), int line = __builtin_LINE());

/// Expects that `f` raises an Error with exactly this label and a message that contains `text`.
void expect_error(const std::function<void()>& f, std::string_view label, std::string_view text = "");

/// The first result of a boxed call, arguments as a user writes them: `run("aten.add.Tensor", {x, 2})`.
Tensor run(std::string_view op, std::initializer_list<Value> positional,
           std::initializer_list<std::pair<std::string, Value>> keywords = {});

bool register_op_test(const char* suite, const char* name, const char* file, int line, void (*body)());

}  // namespace ersatz

#define OP_TEST(suite, name)                                                                   \
  static void op_test_##suite##_##name();                                                      \
  [[maybe_unused]] static const bool op_test_made_##suite##_##name =                           \
      ::ersatz::register_op_test(#suite, #name, __FILE__, __LINE__, op_test_##suite##_##name); \
  static void op_test_##suite##_##name()
