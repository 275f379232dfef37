#include "kernels/linalg/check_errors.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(CheckErrors, PassesZeros) { ops::_linalg_check_errors(make("i32[2]", {0, 0}), "linalg.inv", false); }
TEST(CheckErrors, RefusesWhatFailed) {
  expect_refused(
      [] {
        ops::_linalg_check_errors(make("i32[2]", {0, 3}), "linalg.inv", false);
      },
      ErrorFamily::Runtime, "_linalg_check_errors.value");
  expect_refused([] { ops::_linalg_check_errors(make("i32[]", {1}), "linalg.cholesky", true); }, ErrorFamily::Runtime,
                 "_linalg_check_errors.value");
}
OP_TEST(CheckErrors, RefusesOtherDtypes) {
  const Tensor info = ramp("i64[2]");
  expect_refused([&] { ops::_linalg_check_errors(info, "linalg.inv", false); }, ErrorFamily::Runtime,
                 "_linalg_check_errors.C1");
}
OP_TEST(CheckErrors, RefusesElementsThatAreNotSideBySide) {
  const Tensor info = make("i32[2]{2}", {0, 0});
  expect_refused([&] { ops::_linalg_check_errors(info, "linalg.inv", false); }, ErrorFamily::Runtime,
                 "_linalg_check_errors.C2");
}

}  // namespace
}  // namespace ersatz
