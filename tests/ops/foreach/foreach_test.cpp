#include "fake/mode/fake_mode.h"
#include "tests/ops/foreach/tensor_lists.h"

namespace ersatz {
namespace {

std::vector<Tensor> results(std::string_view op, std::initializer_list<Value> arguments) {
  std::vector<Tensor> out;
  const Values answer = call(op, arguments);
  for (const Value& v : answer[0].as_list()) out.push_back(v.tensor());
  return out;
}

OP_TEST(Foreach, InPlaceWritesARepeatedTensorRepeatedly) {
  const Tensor x = ramp("f32[3]"), y = ramp("f64[2]");
  EXPECT_TRUE(call("aten._foreach_add_.Scalar", {tensors({x, y, x}), 2}).empty());
  expect(x).meta("f32[3]").values({4, 5, 6});
  expect(y).meta("f64[2]").values({2, 3});
}
OP_TEST(Foreach, CopyAndZeroHaveForms) {
  const Tensor x = ramp("f32[2]");
  const auto copies = results("aten._foreach_copy.default", {tensors({x}), tensors({i64({}, {7})})});
  expect(copies[0]).meta("f32[2]").values({7, 7}).not_view_of(x);
  EXPECT_TRUE(results("aten._foreach_copy.default", {tensors({}), tensors({})}).empty());
  call("aten._foreach_zero_.default", {tensors({x})});
  expect(x).values({0, 0});
}
Values write_sizes(const Value& of, const Value& to) {
  const std::pair<std::string, Value> keywords[] = {{"out", to}};
  return call(op_named("aten._foreach_abs.out"), std::span(&of, 1), keywords);
}
OP_TEST(Foreach, WritesEachResultToItsOut) {
  const Tensor x = f32({2}, {-1, 2}), to = make("f32[0]"), same = make("f64[2]{3}");
  EXPECT_TRUE(write_sizes(tensors({x, f64({2}, {-3, 4})}), tensors({to, same})).empty());
  expect(to).meta("f32[2]").values({1, 2});
  expect(same).meta("f64[2]{3}").values({3, 4});
  expect_refused(
      [&] {
        write_sizes(tensors({x}), tensors({to, to}));
      },
      ErrorFamily::Runtime, "_foreach_abs.out_length");
  expect_refused([&] { write_sizes(tensors({x}), tensors({same})); }, ErrorFamily::Runtime, "_foreach_abs.out_dtype");
}
// OPS-19
TEST(Foreach, EachResultIsOnDeviceOfItsPosition) {
  FakeMode mode;
  const FakeScope scope(mode);
  const Tensor x = mode.make(parse_meta("f32[2]@cuda:0")), y = mode.make(parse_meta("f32[3]")),
               number = mode.make(parse_meta("f64[]"));
  const auto sums = results("aten._foreach_add.List", {tensors({x, y}), tensors({number, y})});
  EXPECT_EQ(to_string(sums[0].meta()), "f32[2]{1}+0@cuda:0");
  EXPECT_EQ(to_string(sums[1].meta()), "f32[3]{1}+0@cpu");
  EXPECT_TRUE(call("aten._foreach_add_.List", {tensors({y, x}), tensors({y, x})}).empty());
  EXPECT_TRUE(results("aten._foreach_copy.default", {tensors({}), tensors({})}).empty());
  expect_refused(
      [&] {
        call("aten._foreach_add.List", {tensors({x}), tensors({mode.make(parse_meta("f32[2]"))})});
      },
      ErrorFamily::Runtime, "add.device");
}

}  // namespace
}  // namespace ersatz
