// Inputs of recorded calls without recorded values, and the values that they get before a run.
#include "tracer/records/recorded_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "tracer/records/call_record.h"

namespace ersatz {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

/// The tensors of a recorded call, filled with the values of the record. `any` is true if the record has values.
struct Filled {
  std::vector<Tensor> tensors;
  bool any = false;
  template <class T>
  std::vector<T> values(size_t k) const {
    const T* data = reinterpret_cast<const T*>(tensors[k].storage()->data());
    return std::vector<T>(data, data + tensors[k].storage()->nbytes().as_int() / static_cast<int64_t>(sizeof(T)));
  }
};

Filled filled(const std::string& op, const std::string& args, uint64_t seed = 0) {
  const CallRecord record = parse_call_record(
      R"({"id":"f/1","op":")" + op + R"(","args":[)" + args + R"(],"kwargs":{},"out":[]})", "calls.jsonl:1");
  Filled f;
  f.tensors = make_recorded_tensors(record);
  std::vector<Value> bound;
  for (const RecordedArgument& a : record.args) bound.push_back(argument_value(a, f.tensors));
  f.any = fill_unrecorded(record, f.tensors, *registry().find(op), bound, seed);
  return f;
}

std::string tensor(const std::string& meta, int storage, int bytes, const std::string& values = "") {
  return R"({"t":")" + meta + R"(+0@cpu","s":)" + std::to_string(storage) + R"(,"n":)" + std::to_string(bytes) +
         (values.empty() ? "" : R"(,"v":[)" + values + "]") + "}";
}

TEST(FillUnrecorded, GivesSeededNumbersToTensorsWithoutValues) {
  const std::string x = tensor("f32[8]{1}", 0, 32);
  const std::vector<float> first = filled("aten.neg.default", x).values<float>(0);
  EXPECT_THAT(first, Each(testing::AllOf(testing::Ge(-1.0f), testing::Lt(1.0f), testing::Ne(0.0f))));
  EXPECT_EQ(filled("aten.neg.default", x).values<float>(0), first);
  EXPECT_NE(filled("aten.neg.default", x, 1).values<float>(0), first);
}

TEST(FillUnrecorded, GivesEachStorageNumbersOfItsOwn) {
  const Filled f = filled("aten.mul.Tensor", tensor("f32[8]{1}", 0, 32) + "," + tensor("f32[8]{1}", 1, 32));
  EXPECT_NE(f.values<float>(0), f.values<float>(1));
}

TEST(FillUnrecorded, KeepsRecordedValuesAndZeros) {
  const Filled f = filled("aten.neg.default", tensor("f32[2]{2}", 0, 16, "3.0,4.0"));
  EXPECT_THAT(f.values<float>(0), ElementsAre(3, 0, 4, 0));
  EXPECT_FALSE(f.any);
}

TEST(FillUnrecorded, KeepsPositionsInTheDimThatTheyIndex) {
  const Filled f =
      filled("aten.index_select.default", tensor("f32[5,3]{3,1}", 0, 60) + ",1," + tensor("i64[64]{1}", 1, 512));
  EXPECT_THAT(f.values<int64_t>(1), Each(testing::AllOf(testing::Ge(0), testing::Lt(3))));
  EXPECT_THAT(f.values<int64_t>(1), testing::Contains(2));
}

TEST(FillUnrecorded, GivesAFactorisationWhatTheOpDeclares) {
  EXPECT_THAT(filled("aten.linalg_cholesky_ex.default", tensor("f32[2,2]{2,1}", 0, 16)).values<float>(0),
              ElementsAre(1, 0, 0, 1));
}

TEST(FillUnrecorded, KeepsZerosOfAStorageOfTwoDTypes) {
  const Filled f = filled("aten.where.self", tensor("bool[4]{1}", 0, 16) + "," + tensor("f32[4]{1}", 0, 16) + "," +
                                                 tensor("f32[4]{1}", 1, 16));
  EXPECT_THAT(f.values<float>(1), Each(0.0f));
  EXPECT_THAT(f.values<float>(2), Each(testing::Ne(0.0f)));
}

}  // namespace
}  // namespace ersatz
