#include "kernels/creation/vander.h"

#include "fake/mode/fake_mode.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(Combinations, HasASizeThatDependsOnNoValue) {
  const FakeMode mode;
  const auto chosen = [&](const char* meta, int64_t r, bool with_replacement) {
    return to_string(ops::combinations(mode.make(parse_meta(meta)), r, with_replacement).meta());
  };
  EXPECT_EQ(chosen("f32[5]", 3, false), "f32[10,3]{3,1}+0@cpu");
  EXPECT_EQ(chosen("f32[5]", 3, true), "f32[35,3]{3,1}+0@cpu");
  EXPECT_EQ(chosen("f32[2]", 3, false), "f32[0,3]{3,1}+0@cpu");
  EXPECT_EQ(chosen("f32[0]", 2, true), "f32[0,2]{2,1}+0@cpu");
  // On CUDA the positions are column-major, and so are the elements that they select.
  EXPECT_EQ(chosen("f32[4]@cuda:0", 2, false), "f32[6,2]{1,6}+0@cuda:0");
}
}  // namespace
}  // namespace ersatz
