#include "kernels/indexing/scatter.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// PyTorch 2.15 runs these calls as scatter_add and raises another kind of error.
TEST(IndexAdd, BadIndexInFullSlicesIsRuntimeError) {
  const auto family = [](const char* self, int64_t dim, const char* source, const Scalar& alpha, const char* index) {
    try {
      ops::index_add(ramp(self), dim, make(index, {5}), ramp(source), alpha);
    } catch (const Error& e) {
      EXPECT_TRUE(e.value_failure) << e.message;
      return std::string(name(e.family));
    }
    return std::string("nothing refused");
  };
  const std::string runtime(name(ErrorFamily::Runtime)), index(name(ErrorFamily::Index));
  EXPECT_EQ(family("f32[2,3]", 0, "f32[1,3]", 1, "i64[1]"), runtime);
  EXPECT_EQ(family("f32[2,3]", 0, "f32[1,3]", 1.0, "i64[1]"), runtime);
  EXPECT_EQ(family("f32[2,3,4]", 2, "f32[2,3,1]", 1, "i64[1]"), runtime);
  EXPECT_EQ(family("f32[2,3,4]", 1, "f32[2,1,4]", 1, "i64[1]"), index);
  EXPECT_EQ(family("f32[2]", 0, "f32[1]", 1, "i64[1]"), index);
  EXPECT_EQ(family("f32[2,3]", 0, "f32[1,3]", 1, "i32[1]"), index);
  EXPECT_EQ(family("f32[2,3]", 0, "f32[1,3]", 2, "i64[1]"), index);
  EXPECT_EQ(family("f32[2,3]", 0, "f32[1,3]", true, "i64[1]"), index);
}
}  // namespace
}  // namespace ersatz
