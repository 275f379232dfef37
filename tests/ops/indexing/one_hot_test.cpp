#include "kernels/indexing/one_hot.h"

#include "fake/mode/fake_mode.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(OneHot, KnowsItsSizesIfTheClassesAreGiven) {
  EXPECT_EQ(rule_answer("aten.one_hot.default", {Value(shape_only("i64[2,3]{1,2}@cuda:0")), Value(4)}),
            "i64[2,3,4]{12,4,1}+0@cuda:0");
  const FakeMode mode;
  EXPECT_EQ(to_string(ops::one_hot(mode.make(parse_meta("i64[2]")), 5).meta()), "i64[2,5]{5,1}+0@cpu");
  EXPECT_THROW(ops::one_hot(mode.make(parse_meta("i64[2]"))), Error);
}
}  // namespace
}  // namespace ersatz
