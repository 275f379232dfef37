#include "runtime/op/registry.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(SynonymSchemas, AreThoseOfTheOpUnderAnotherName) {
  EXPECT_EQ(to_string(op_named("aten.clip_.Tensor").schema),
            "aten::clip_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)");
}

}  // namespace
}  // namespace ersatz
