#include "kernels/guard/assertion.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// SYM-03 for sizes that are numbers. The test for symbols is in tests/fake/data_dependent_test.cpp.
OP_TEST(ConstrainRange, HoldsNumbersToTheirRange) {
  for (const char* op : {"aten.sym_constrain_range.default", "aten.sym_constrain_range_for_size.default"}) {
    EXPECT_NO_THROW(call(op, {5, Value(), 8}));
    expect_error(
        [&] {
          call(op, {5, 1, 4});
        },
        std::string(op + 5).substr(0, std::string(op + 5).find('.')) + ".C2",
        "Invalid value range for 5 between [1, 4].");
    expect_error(
        [&] {
          call(op, {5, 7, 3});
        },
        std::string(op + 5).substr(0, std::string(op + 5).find('.')) + ".C1",
        "Max must be greater than or equal to min. Got min=7 max=3");
  }
  expect_error(
      [] {
        call("aten.sym_constrain_range_for_size.default", {1, Value(), 2});
      },
      "sym_constrain_range_for_size.C3", "must be greater than 2. got: 2");
}
TEST(AssertAsyncOnCpu, FailsOnAValueOfZero) {
  try {
    ops::assert_async(i64({}, {0}), "nothing is left");
    ADD_FAILURE() << "passed";
  } catch (const Error& e) {
    EXPECT_TRUE(e.value_failure);
    EXPECT_NE(e.message.find("nothing is left"), std::string::npos);
  }
}

}  // namespace
}  // namespace ersatz
