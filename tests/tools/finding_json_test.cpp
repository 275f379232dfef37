// A finding as JSON and back.
#include "tools/output/finding_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

Finding whole() {
  Finding f;
  f.node = "relu_1";
  f.op = "aten.relu.default";
  f.result = 2;
  f.field = FindingField::DynamicSize;
  f.predicted = "f32[u0]";
  f.observed = "f32[3]";
  f.witness = Witness::Declaration;
  f.verdict = "significant";
  f.words = "Sizes differ";
  f.cause = "the rule answered";
  f.source = "train.py:12 in forward: y = mix(x)";
  f.args = {"f32[2,3]{3,1}+0@cpu", "2.0"};
  f.repro = "graph():\n  return\n";
  return f;
}

TEST(FindingJson, IsReadAsItWasWritten) {
  const Json json = to_json(whole());
  const Json again = to_json(finding_from_json(Json::parse(json.dump())));
  EXPECT_EQ(again.dump(), json.dump());
  EXPECT_EQ(to_string(finding_from_json(json)), to_string(whole()));
}

TEST(FindingJson, EveryFieldAndWitnessHasAName) {
  for (int field = 0; field < kFindingFieldCount; ++field) {
    for (int witness = 0; witness <= static_cast<int>(Witness::Declaration); ++witness) {
      Finding f;
      f.field = static_cast<FindingField>(field);
      f.witness = static_cast<Witness>(witness);
      const Finding read = finding_from_json(to_json(f));
      EXPECT_EQ(read.field, f.field);
      EXPECT_EQ(read.witness, f.witness);
    }
  }
}

TEST(FindingJson, TheKeysOfAReportAreThese) {
  std::string keys;
  const Json json = to_json(whole());
  for (const auto& [key, value] : json.items()) keys += key + " ";
  EXPECT_EQ(keys, "node op result field predicted observed witness verdict words cause source args repro ");
}

TEST(FindingJson, MissingKeysAreDefaultsUnknownOnesIgnored) {
  const Finding f = finding_from_json({{"op", "aten.add.Tensor"}, {"field", "stride"}, {"calls", 7}});
  EXPECT_EQ(f.op, "aten.add.Tensor");
  EXPECT_EQ(f.field, FindingField::Stride);
  EXPECT_EQ(f.result, -1);
  EXPECT_EQ(f.witness, Witness::None);
  EXPECT_TRUE(f.args.empty());
}

TEST(FindingJson, RefusesNamesThatThereAreNot) {
  for (const char* key : {"field", "witness"}) {
    try {
      finding_from_json({{key, "colour"}});
      FAIL() << key;
    } catch (const Error& e) {
      EXPECT_THAT(e.message, HasSubstr("'colour' is no name that findings use"));
    }
  }
}

TEST(FindingJson, MergedReportHasFindingsOfItsShards) {
  const std::string record =
      R"({"format":2,"id":"a","op":"mylib.mix.default","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8}],"kwargs":{},)"
      R"("out":[{"t":"f32[3]{1}+0@cpu","s":1,"n":12}],"fake":{"out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8}]},)"
      R"("schema":"mylib::mix(Tensor x) -> Tensor"})"
      "\n";
  const std::string file = scratch_file("finding_json.jsonl", record), shard = scratch_file("finding_json.json", "");
  const Json whole = run_command({"validate", file, "--json"}).json();
  run_command({"validate", file, "--shard", "1/1", "--json", "-o", shard});
  const Json merged = run_command({"merge", shard, "--json"}).json();
  ASSERT_EQ(whole["findings"].size(), 1u);
  EXPECT_EQ(merged["findings"].dump(), whole["findings"].dump());
}

}  // namespace
}  // namespace ersatz::tools
