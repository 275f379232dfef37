#include "kernels/linalg/check_errors.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(CheckErrors, PassesZeros) { ops::_linalg_check_errors(make("i32[2]", {0, 0}), "linalg.inv", false); }
}  // namespace
}  // namespace ersatz
