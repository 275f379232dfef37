// Elementwise prims: what they refuse that ATen takes, and where they answer otherwise.
#include "runtime/op/dispatch.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(ElementwisePrims, AddOfTensorsOfOneShapeIsThatOfAten) {
  expect(run("prims.add.default", {make("f32[2,3]{1,2}", {1, 2, 3, 4, 5, 6}), f32({2, 3}, {1, 1, 1, 1, 1, 1})}))
      .meta("f32[2,3]{1,2}")
      .values({2, 3, 4, 5, 6, 7});
  expect(run("prims.add.default", {i64({2}, {1, 2}), 1.5})).meta("f32[2]").values({2.5, 3.5});
}
OP_TEST(ElementwisePrims, AddNeitherBroadcastsNorPromotes) {
  expect_error([] { run("prims.add.default", {f32({2, 3}), f32({3})}); }, "add.C1", "one shape");
  expect_error([] { run("prims.add.default", {f32({2}), i64({2}, {1, 2})}); }, "add.C2", "one dtype");
  expect(run("prims.add.default", {f32({2}, {1, 2}), f32({}, {3})})).meta("f32[2]").values({4, 5});
}
OP_TEST(ElementwisePrims, IntegersAreDividedTowardsZero) {
  expect(run("prims.div.default", {i64({2}, {-7, 7}), i64({2}, {2, 2})})).meta("i64[2]").values({-3, 3});
  expect(run("prims.div.default", {i64({1}, {-7}), 2.5})).meta("f32[1]").values({-2});
}
OP_TEST(ElementwisePrims, ConvertElementTypeAlwaysCopies) {
  const Tensor a = make("f32[2,3]{1,2}", {1, 2, 3, 4, 5, 6});
  expect(run("prims.convert_element_type.default", {a, DType::F32}))
      .meta("f32[2,3]{1,2}")
      .values({1, 2, 3, 4, 5, 6})
      .not_view_of(a);
  expect(run("prims.convert_element_type.default", {a, DType::I8})).meta("i8[2,3]{1,2}").values({1, 2, 3, 4, 5, 6});
}

}  // namespace
}  // namespace ersatz
