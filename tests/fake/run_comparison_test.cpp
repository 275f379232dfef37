#include "fake/crosscheck/run_comparison.h"

#include "tests/fake/crosscheck_ops.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Returns a mode without propagate_real, whatever the default is.
FakeMode without_values() {
  FakeOptions options;
  options.propagate_real = false;
  return FakeMode(options);
}

Value ints(std::initializer_list<int64_t> v) { return Value::int_list(std::vector<int64_t>(v)); }

// XCHK-15: a function runs for real and then in a fake mode. The results of both runs are compared one by one.
TEST(RunComparison, AnOddlyStridedConversionPasses) {
  const FakeMode mode = without_values();
  const auto half_of_strided = [](std::span<const Value>) {
    const Values x = call("aten.empty_strided.default", {ints({1, 3, 427, 640}), ints({0, 1, 1920, 3})});
    const Values y = call("aten.to.dtype", {x[0], Value(DType::F16)});
    return std::vector<Value>{y[0]};
  };
  EXPECT_THAT(compare_runs(mode, {}, half_of_strided), IsEmpty());
}

// XCHK-15: each result that differs is named; a number agrees with any number.
TEST(RunComparison, EachLeafThatDiffersIsNamed) {
  const FakeMode mode = without_values();
  const std::vector<Value> args{ones_f32({2, 3})};
  const auto f = [](std::span<const Value> a) {
    const Value wrong = call(crosscheck_op("claims"), std::vector<Value>{a[0], "stride"})[0];
    const Value right = call_test_op("twice", {a[0]});
    return std::vector<Value>{Value(3), Value::list(std::vector<Value>{right, wrong})};
  };
  EXPECT_THAT(compare_runs(mode, args, f),
              ElementsAre("leaf 2: Stride mismatch! Strides are [1, 2] and [3, 1] (mismatched at 0)!"));
  const auto count = [](std::span<const Value> a) {
    if (a[0].tensor().is_fake()) return std::vector<Value>{a[0]};
    return std::vector<Value>{Value(1), a[0]};
  };
  EXPECT_THAT(compare_runs(mode, args, count),
              ElementsAre("mismatch in number of returns: 1 and 2",
                          testing::StartsWith("leaf 0: mismatched number of tensor outputs: ")));
}

TEST(RunComparison, ErrorOfFakeRunAloneIsDifference) {
  const FakeMode mode = without_values();
  const auto size_of_data = [](std::span<const Value> a) {
    return std::vector<Value>{call("aten.nonzero.default", {a[0]})[0]};
  };
  EXPECT_THAT(compare_runs(mode, std::vector<Value>{ones_f32({2})}, size_of_data),
              ElementsAre(testing::StartsWith("only the fake run raises: nonzero")));
}

}  // namespace
}  // namespace ersatz
