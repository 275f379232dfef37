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

OP_TEST(Foreach, GivesEachTensorWhatItsOwnCallGives) {
  const auto sums = results("aten._foreach_add.List", {tensors({ramp("f32[2,2]{1,2}"), ramp("i64[2]")}),
                                                       tensors({f32({2}, {10, 20}), f32({}, {0.5})}), 2});
  ASSERT_EQ(sums.size(), 2U);
  expect(sums[0]).meta("f32[2,2]{1,2}").values({20, 41, 22, 43});
  expect(sums[1]).meta("f32[2]").values({1, 2});
}
OP_TEST(Foreach, TakesANumberOfTheListForEachTensor) {
  const auto products =
      results("aten._foreach_mul.ScalarList", {tensors({ramp("f32[3]"), ramp("i64[2]")}), tensors({2, 0.5})});
  expect(products[0]).meta("f32[3]").values({0, 2, 4});
  expect(products[1]).meta("f32[2]").values({0, 0.5});
}
OP_TEST(Foreach, TakesATensorForAll) {
  const auto sums = results("aten._foreach_add.Tensor", {tensors({ramp("f32[2]"), ramp("f64[2]")}), f32({}, {3})});
  expect(sums[0]).meta("f32[2]").values({3, 4});
  expect(sums[1]).meta("f64[2]").values({3, 4});
}
OP_TEST(Foreach, InPlaceWritesEachTensorAsOftenAsItIsThere) {
  const Tensor x = ramp("f32[3]"), y = ramp("f64[2]");
  EXPECT_TRUE(call("aten._foreach_add_.Scalar", {tensors({x, y, x}), 2}).empty());
  expect(x).meta("f32[3]").values({4, 5, 6});
  expect(y).meta("f64[2]").values({2, 3});
}
OP_TEST(Foreach, MaximumIsABound) {
  expect(results("aten._foreach_maximum.Scalar", {tensors({ramp("f32[3]")}), 1})[0]).values({1, 1, 2});
  expect(results("aten._foreach_minimum.List", {tensors({ramp("f32[3]")}), tensors({f32({}, {1})})})[0])
      .values({0, 1, 1});
}
OP_TEST(Foreach, PowTakesANumberAsExponent) {
  expect(results("aten._foreach_pow.Scalar", {tensors({ramp("i64[3]")}), 2})[0]).meta("i64[3]").values({0, 1, 4});
}
OP_TEST(Foreach, CopyAndZeroHaveForms) {
  const Tensor x = ramp("f32[2]");
  const auto copies = results("aten._foreach_copy.default", {tensors({x}), tensors({i64({}, {7})})});
  expect(copies[0]).meta("f32[2]").values({7, 7}).not_view_of(x);
  EXPECT_TRUE(results("aten._foreach_copy.default", {tensors({}), tensors({})}).empty());
  call("aten._foreach_zero_.default", {tensors({x})});
  expect(x).values({0, 0});
}
OP_TEST(Foreach, NormIsThatOfAllDims) {
  expect(results("aten._foreach_norm.Scalar", {tensors({f32({2, 1}, {3, 4})})})[0]).meta("f32[]").values({5});
  expect(results("aten._foreach_norm.Scalar", {tensors({f32({2}, {3, -4})}), 1, DType::F64})[0])
      .meta("f64[]")
      .values({7});
}
OP_TEST(Foreach, MaxIsThatOfAllDims) {
  expect(results("aten._foreach_max.default", {tensors({ramp("i64[2,3]")})})[0]).meta("i64[]").values({5});
}
OP_TEST(Foreach, PowsumIsThatOfAllDims) {
  expect(results("aten._foreach_powsum.Scalar", {tensors({f32({2}, {3, -4})})})[0]).meta("f32[]").values({25});
}
OP_TEST(Foreach, ProductsAndPowersTakeTheirOperandsInOrder) {
  expect(results("aten._foreach_mm.default", {tensors({f32({1, 2}, {1, 2})}), tensors({f32({2, 1}, {3, 4})})})[0])
      .meta("f32[1,1]")
      .values({11});
  expect(results("aten._foreach_pow.ScalarAndTensor", {2, tensors({i64({3}, {0, 1, 3})})})[0])
      .meta("i64[3]")
      .values({1, 2, 8});
}
TEST(Foreach, TakesTheNumbersOfATensor) {
  const Tensor x = f32({2}, {1, 1}), ones = f32({2}, {1, 1});
  const Value lists[] = {tensors({x, x}), tensors({ones, ones}), tensors({ones, ones})};
  const auto sums = results("aten._foreach_addcmul.Tensor", {lists[0], lists[1], lists[2], f32({2}, {2, 3})});
  expect(sums[0]).values({3, 3});
  expect(sums[1]).values({4, 4});
  call("aten._foreach_addcdiv_.Tensor", {tensors({x}), tensors({ones}), tensors({ones}), f32({1}, {5})});
  expect(x).values({6, 6});
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
OP_TEST(Foreach, Refuses) {
  const Tensor x = ramp("f32[2]");
  expect_refused([&] { call("aten._foreach_abs.default", {tensors({})}); }, ErrorFamily::Runtime, "_foreach_abs.C1");
  expect_refused(
      [&] {
        call("aten._foreach_mul.List", {tensors({x, x}), tensors({x})});
      },
      ErrorFamily::Runtime, "_foreach_mul.C2");
  expect_refused(
      [&] {
        call("aten._foreach_mul_.Tensor", {tensors({x}), x});
      },
      ErrorFamily::Runtime, "_foreach_mul_.C3");
}

// OPS-19
TEST(Foreach, EachResultIsOnTheDeviceOfItsPosition) {
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
