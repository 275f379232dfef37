// Collectives: their metadata depend on the process group. Values are tested in a group of one process.
#include "runtime/base/context.h"
#include "runtime/base/error.h"
#include "runtime/base/process_group.h"
#include "runtime/op/dispatch.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

class KnownGroup {
 public:
  explicit KnownGroup(ProcessGroup group)
      : guard_([&](RuleContext& c) { c.groups = ProcessGroups::of({std::move(group)}); }) {}

 private:
  ContextGuard guard_;
};

/// The metadata that the rule predicts for the call's first result.
std::string predicted(std::string_view op, std::initializer_list<Value> arguments) {
  const std::vector<Value> given(arguments);
  const std::vector<Value> args = bind_arguments(op_named(op).schema, given);
  RuleResult result;
  run_rule(op_named(op), args, result);
  return to_string(result.outputs[0].meta, MetaStyle::People);
}
Value ints(std::vector<int64_t> v) { return Value::int_list(v); }

OP_TEST(Collective, InGroupOfOneEachIsCopy) {
  const KnownGroup alone({"0", 1, 0, "gloo"});
  const Tensor x = make("f32[2,3]{1,2}", {1, 2, 3, 4, 5, 6});
  expect(run("_c10d_functional.all_reduce.default", {x, "sum", "0"}))
      .meta("f32[2,3]")
      .values({1, 2, 3, 4, 5, 6})
      .not_view_of(x);
  expect(run("_c10d_functional.all_reduce_.default", {x, "sum", "0"})).is(x).values({1, 2, 3, 4, 5, 6});
  expect(run("_c10d_functional.all_gather_into_tensor.default", {x, 1, "0"}))
      .meta("f32[2,3]")
      .values({1, 2, 3, 4, 5, 6});
  expect(run("_c10d_functional.reduce_scatter_tensor.default", {x, "avg", 1, "0"}))
      .meta("f32[2,3]")
      .values({1, 2, 3, 4, 5, 6});
  expect(run("_c10d_functional.all_to_all_single.default", {x, ints({2}), ints({2}), "0"}))
      .meta("f32[2,3]")
      .values({1, 2, 3, 4, 5, 6});
  expect(run("_c10d_functional.broadcast.default", {x, 0, "0"})).meta("f32[2,3]").values({1, 2, 3, 4, 5, 6});
  expect(run("_dtensor.shard_dim_alltoall.default", {x, 0, 1, "0"})).meta("f32[2,3]").values({1, 2, 3, 4, 5, 6});
}
TEST(Collective, SizesGoByTheGroup) {
  const KnownGroup eight({"tp", 8, 5, "fake"});
  EXPECT_EQ(predicted("_c10d_functional.all_gather_into_tensor.default", {make("f32[4,3]{1,4}"), 8, "tp"}),
            "f32[32,3]@cpu");
  EXPECT_EQ(predicted("_c10d_functional.reduce_scatter_tensor.default", {make("f32[16,3]"), "sum", 8, "tp"}),
            "f32[2,3]@cpu");
  EXPECT_EQ(predicted("_c10d_functional.all_to_all_single.default",
                      {make("f32[8,3]"), ints({2, 2, 2, 2, 2, 2, 2, 2}), ints({1, 1, 1, 1, 1, 1, 1, 1}), "tp"}),
            "f32[16,3]@cpu");
  EXPECT_EQ(predicted("_dtensor.shard_dim_alltoall.default", {make("f32[16,3]"), 1, 0, "tp"}), "f32[2,24]@cpu");
}
TEST(Collective, LastRankOfUnevenDimHasRest) {
  const KnownGroup last({"0", 2, 1, "fake"});
  EXPECT_EQ(predicted("_dtensor.shard_dim_alltoall.default", {make("f32[3,5]"), 0, 1, "0"}), "f32[6,2]@cpu");
}
OP_TEST(Collective, AGroupThatWasNotToldIsRefused) {
  const KnownGroup two({"0", 2, 1, "gloo"});
  expect_error([] { run("_c10d_functional.all_reduce.default", {f32({2}), "sum", "1"}); }, "all_reduce.C1", "no group");
  expect_error(
      [] {
        run("_c10d_functional.all_gather_into_tensor.default", {f32({2}), 3, "0"});
      },
      "all_gather_into_tensor.C3", "must be 2");
  expect_error([] { run("_c10d_functional.all_reduce.default", {f32({2}), "band", "0"}); }, "all_reduce.C6", "gloo");
  expect_error([] { run("_c10d_functional.broadcast.default", {make("i16[2]"), 0, "0"}); }, "broadcast.C6", "i16");
}
TEST(Collective, ValuesOfOtherProcessesAreRefusedInWords) {
  const KnownGroup two({"0", 2, 1, "gloo"});
  expect_error(
      [] {
        run("_c10d_functional.all_reduce.default", {f32({2}), "sum", "0"});
      },
      "all_reduce.NYI", "the values of 2 processes are not in this one");
}
TEST(Collective, GroupsAreReadFromText) {
  EXPECT_EQ(parse_process_group("0:2:1:gloo"), (ProcessGroup{"0", 2, 1, "gloo"}));
  EXPECT_EQ(parse_process_group("tp:8:0"), (ProcessGroup{"tp", 8, 0, ""}));
  EXPECT_THROW(parse_process_group("0:2"), Error);
  EXPECT_THROW(parse_process_group("0:two:1"), Error);
  EXPECT_THROW(ProcessGroups::of({{"0", 2, 2, ""}}), Error);
}

}  // namespace
}  // namespace ersatz
