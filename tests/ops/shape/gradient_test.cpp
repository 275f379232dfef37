#include "kernels/shape/gradient.h"

#include "fake/mode/fake_mode.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Tensor nth(std::string_view op, std::initializer_list<std::pair<std::string, Value>> keywords, size_t n = 0) {
  const Value self = f32({4}, {1, 2, 4, 9});
  const std::vector<std::pair<std::string, Value>> named(keywords);
  return call(op_named(op), std::span(&self, 1), named)[0].as_list()[n].tensor();
}
OP_TEST(Gradient, HasOneTensorForEachDim) {
  const Value self = ramp("i64[2,3]{1,2}");
  const Values r = call(op_named("aten.gradient.scalarint"), std::span(&self, 1));
  ASSERT_EQ(r[0].as_list().size(), 2U);
  expect(r[0].as_list()[0].tensor()).meta("f32[2,3]").values({3, 3, 3, 3, 3, 3});
  expect(r[0].as_list()[1].tensor()).meta("f32[2,3]").values({1, 1, 1, 1, 1, 1});
}
OP_TEST(Gradient, Refuses) {
  expect_refused([&] { call("aten.gradient.scalarint", {ramp("u8[3]")}); }, ErrorFamily::NotImplemented, "gradient.C1");
  expect_refused(
      [&] {
        nth("aten.gradient.tensorarrayint", {{"spacing", Value::list({})}, {"dim", 0}});
      },
      ErrorFamily::Runtime, "gradient.C2");
  expect_refused([&] { nth("aten.gradient.scalarint", {{"edge_order", 0}}); }, ErrorFamily::Runtime, "gradient.C3");
  expect_refused([&] { nth("aten.gradient.array", {{"dim", ints({0, 0})}}); }, ErrorFamily::Runtime, "gradient.C4");
  expect_refused([&] { call("aten.gradient.scalarint", {ramp("f32[1]")}); }, ErrorFamily::Runtime, "gradient.C5");
}
TEST(Gradient, RefusesPlacesOnAnotherDevice) {
  FakeMode mode;
  const FakeScope scope(mode);
  const Value self = mode.make(parse_meta("f32[4]")), at = mode.make(parse_meta("f32[4]@cuda:0"));
  expect_refused(
      [&] {
        run("aten.gradient.tensorarray", {self}, {{"spacing", Value::list(std::span(&at, 1))}, {"dim", ints({0})}});
      },
      ErrorFamily::Runtime, "gradient.C7");
}

}  // namespace
}  // namespace ersatz
