#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Values split_into(const Value& to) {
  const Value arguments[] = {f32({3}, {1, 2, 3}), 2};
  const std::pair<std::string, Value> keywords[] = {{"out", to}};
  return call(op_named("aten.unsafe_split.Tensor_out"), arguments, keywords);
}

OP_TEST(WrittenForms, WriteEachPieceOfAList) {
  const Tensor first = make("f32[2]{3}"), second = make("f32[0]");
  const std::vector<Value> to{first, second};
  EXPECT_TRUE(split_into(Value::list(to)).empty());
  expect(first).meta("f32[2]{3}").values({1, 2});
  expect(second).meta("f32[1]").values({3});
}
OP_TEST(WrittenForms, RefuseAResultThatIsNone) {
  const Tensor grad = make("f32[1,2,3,3]"), image = make("f32[1,1,4,4]"), weight = make("f32[2,1,2,2]");
  const std::vector<Value> mask{true, false, false};
  const auto pair = [](int64_t n) { return Value::int_list(std::vector<int64_t>{n, n}); };
  const Value arguments[] = {grad, image, weight, pair(2), pair(1), pair(0), Value::list(mask)};
  const std::pair<std::string, Value> keywords[] = {
      {"out0", make("f32[0]")}, {"out1", make("f32[0]")}, {"out2", make("f32[0]")}};
  expect_refused([&] { call(op_named("aten._slow_conv2d_backward.output_mask_out"), arguments, keywords); },
                 ErrorFamily::Runtime, "_slow_conv2d_backward.out_dtype");
}
OP_TEST(WrittenForms, OfSplitCopyKeepDtypeAndSizes) {
  const Tensor wide = make("f64[2,2]"), last = make("f32[1]");
  const Value arguments[] = {f32({3}, {1, 2, 3}), 2};
  const std::vector<Value> to{wide, last};
  const std::pair<std::string, Value> keywords[] = {{"out", Value::list(to)}};
  call(op_named("aten.split_copy.Tensor_out"), arguments, keywords);
  expect(wide).meta("f64[2,2]").values({1, 2, 1, 2});
  expect(last).values({3});
}
}  // namespace
}  // namespace ersatz
