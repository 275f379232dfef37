// If a call writes an element several times, any of the writes may be the last, so a difference there is no finding.
// All other elements are compared.
#include "tests/device/hidden_device.h"

namespace ersatz {
namespace {

/// A kernel that adds 10 to one element of the result.
template <int64_t kElement>
void off_by_ten(KernelCall& call) {
  sound_kernel(call);
  device_data<float>(call.outputs[0])[kElement] += 10;
}

/// Returns four indices: 1 occurs twice, 0 and 2 once, 3 never.
Tensor twice_at_one() { return tensor_of<int64_t>({1, 0, 1, 2}, {4}); }
Tensor four() { return tensor_of<float>({1, 2, 3, 4}, {4}); }

Value list_of(const Tensor& t) {
  const Value items[] = {t};
  return Value::list(items);
}

struct Writing {
  std::string op;
  std::vector<Value> arguments;
};

std::vector<Writing> writing_calls() {
  const Value index = list_of(twice_at_one());
  return {{"aten.scatter.src", {four(), 0, twice_at_one(), four()}},
          {"aten.scatter_.src", {four(), 0, twice_at_one(), four()}},
          {"aten.scatter.src_out", {four(), 0, twice_at_one(), four(), tensor_of<float>({0, 0, 0, 0}, {4})}},
          {"aten.index_copy.default", {four(), 0, twice_at_one(), four()}},
          {"aten.index_put.default", {four(), index, four(), false}},
          {"aten.index_put_.default", {four(), index, four(), false}},
          {"aten.put.default", {four(), twice_at_one(), four(), false}}};
}

TEST(RepeatedWrites, ElementThatIsWrittenTwiceIsNotCompared) {
  for (const Writing& w : writing_calls()) {
    const PlantedOnDevice p(w.op, off_by_ten<1>);
    const Checked c = check_on_device(w.op, w.arguments);
    EXPECT_TRUE(c.report.clean()) << w.op;
    EXPECT_EQ(c.report.values_compared, 1) << w.op;
  }
}

TEST(RepeatedWrites, OneWrittenOnceOrNeverIsCompared) {
  for (const Writing& w : writing_calls()) {
    for (const FillKernel kernel : {off_by_ten<2>, off_by_ten<3>}) {
      const PlantedOnDevice p(w.op, kernel);
      EXPECT_FALSE(check_on_device(w.op, w.arguments).report.clean()) << w.op;
    }
  }
}

TEST(RepeatedWrites, SumsAreComparedWhereverTheyAre) {
  const PlantedOnDevice p("aten.index_put.default", off_by_ten<1>);
  const Checked c = check_on_device("aten.index_put.default", {four(), list_of(twice_at_one()), four(), true});
  EXPECT_EQ(c.report.findings.size(), 1u);
}

TEST(RepeatedWrites, StridesThatNameAPlaceTwiceMakeThem) {
  // The elements of the view are at places 0 1 / 1 2 of the memory, so place 1 is written twice.
  const int64_t size[] = {2, 2}, stride[] = {1, 1};
  const std::vector<Value> arguments = {four(), tensor_of<float>({5, 6, 7, 8}, {2, 2}), Value::int_list(size),
                                        Value::int_list(stride), Value()};
  {
    const PlantedOnDevice p("aten.as_strided_scatter.default", off_by_ten<1>);
    EXPECT_TRUE(check_on_device("aten.as_strided_scatter.default", arguments).report.clean());
  }
  const PlantedOnDevice p("aten.as_strided_scatter.default", off_by_ten<2>);
  EXPECT_FALSE(check_on_device("aten.as_strided_scatter.default", arguments).report.clean());
}

/// Returns an `out` of four elements in three places; two elements share the middle one.
Tensor shared_places() {
  const Tensor memory = tensor_of<float>({0, 0, 0}, {3});
  TensorMeta meta = memory.meta();
  meta.sizes = DimVec{2, 2};
  meta.strides = DimVec{1, 1};
  return make_view(memory, std::move(meta));
}

TEST(RepeatedWrites, ElementsThatSharePlacesInArgumentShareThem) {
  {
    const PlantedOnDevice p("aten.norm.out", off_by_ten<1>);
    const Checked c =
        check_on_device("aten.norm.out", {tensor_of<float>({1, 2, 3, 4}, {2, 2, 1}), 2.0,
                                          Value::int_list(std::array<int64_t, 1>{2}), false, shared_places()});
    EXPECT_TRUE(c.report.clean());
    EXPECT_EQ(c.report.values_compared, 1);
  }
  const PlantedOnDevice p("aten.norm.out", off_by_ten<2>);
  const Checked c =
      check_on_device("aten.norm.out", {tensor_of<float>({1, 2, 3, 4}, {2, 2, 1}), 2.0,
                                        Value::int_list(std::array<int64_t, 1>{2}), false, shared_places()});
  EXPECT_EQ(c.report.findings.size(), 1u);
}

}  // namespace
}  // namespace ersatz
