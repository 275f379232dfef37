// If a run has no finding and is not clean, closing line and JSON of every command give one text with the reason.
#include "fake/crosscheck/not_clean.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using Json = nlohmann::json;

std::string library(const char* name) { return std::string(ERSATZ_BINARY_DIR "/lib/") + name + ".so"; }

/// The JSON report of a program, whose exit status is `status`.
Json report(const std::vector<std::string>& words, int status) {
  const CommandResult r = run_program(words);
  EXPECT_EQ(r.status, status) << r.out << r.err;
  return r.json();
}

TEST(NotClean, NamesCallsAndOpsThatNothingJudged) {
  OwnCalls own;
  EXPECT_EQ(why_not_clean(1, own), "");
  EXPECT_EQ(why_not_clean(0, own), "nothing was compared");
  own.unjudged["a.b.default"] = {1, "no fake kernel"};
  EXPECT_EQ(why_not_clean(0, own), "1 call of a.b.default was not judged");
  own.unjudged["a.c.default"] = {2, ""};
  own.unjudged["a.d.default"] = {0, "no samples"};
  EXPECT_EQ(why_not_clean(7, own),
            "3 calls of a.b.default, a.c.default were not judged, and no call of a.d.default was compared");
  own = {};
  for (char c = 'a'; c <= 'i'; ++c) own.unjudged[std::string("x.") + c].calls = 0;
  EXPECT_EQ(why_not_clean(7, own), "no call of x.a, x.b, x.c, x.d, x.e, x.f, x.g, x.h and 1 other op was compared");
}

TEST(NotClean, ValidateOwnCountsCallsOfPluginOps) {
  const Json all = report({"validate", "--plugin", library("demo_ops"), "--json"}, 0);
  int64_t calls = 0;
  for (const Json& row : all["ops"]) calls += row["agreed"].get<int64_t>() + row["refused"].get<int64_t>();
  EXPECT_GT(calls, 0);
  EXPECT_EQ(all["own"], Json({{"judged", calls}, {"known", 0}, {"unjudged", Json::object()}}));
  EXPECT_FALSE(all.contains("not_clean"));
  // `relu` is an operator of ersatz, so it is not counted as the user's own.
  EXPECT_EQ(report({"validate", "aten.relu.default", "--dtype", "f32", "--json"}, 0)["own"]["judged"], 0);
}

TEST(NotClean, PluginOpWithoutSamplesIsUnjudgedInOwn) {
  const Json none = report({"validate", "perilous::no_sample", "--plugin", library("perilous_ops"), "--json"}, 1);
  EXPECT_EQ(none["status"], "unjudged");
  EXPECT_EQ(none["not_clean"], "no call of perilous.no_sample.default was compared");
  EXPECT_EQ(none["own"]["unjudged"], Json({{"perilous.no_sample.default", 0}}));
  EXPECT_THAT(none["own"]["why"]["perilous.no_sample.default"].get<std::string>(), HasSubstr("has no samples"));
}

TEST(NotClean, RecordedCallsOfUnregisteredOpsAreOwn) {
  const std::string agrees =
      R"({"format":2,"id":"a","op":"mylib.mix.default","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8}],"kwargs":{},)"
      R"("out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8}],"fake":{"out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8}]},)"
      R"("schema":"mylib::mix(Tensor x) -> Tensor"})";
  std::string refused = agrees;
  const size_t fake = refused.find("\"fake\":");
  refused.replace(fake, refused.find("\"schema\"") - fake, R"("fake":{"fake_err":"RuntimeError"},)");
  const Json both = report({"validate", scratch_file("own_calls.jsonl", agrees + "\n" + refused + "\n"), "--json"}, 1);
  EXPECT_EQ(both["own"]["judged"], 1) << both;
  EXPECT_EQ(both["own"]["unjudged"], Json({{"mylib.mix.default", 1}}));
  EXPECT_EQ(both["not_clean"], "1 call of mylib.mix.default was not judged");
}

TEST(NotClean, MergeEndsAsTheWholeRunDoes) {
  const std::string shard = scratch_file("not_clean_shard.json", "");
  for (const char* plugin : {"demo_ops", "misfit_ops", "perilous_ops"}) {
    std::vector<std::string> words{"validate", "--plugin", library(plugin), "--dtype", "f32", "--json", "-o", shard};
    if (std::string_view(plugin) == "perilous_ops") words.insert(words.begin() + 1, "perilous::no_sample");
    const int status = run_program(words).status;
    EXPECT_EQ(report({"merge", shard, "--json"}, status)["status"], Json::parse(read_bytes(shard))["status"]) << plugin;
  }
}

TEST(NotClean, AnUnusedRowOfWaiversIsTheReason) {
  const std::vector<std::string> words{"crosscheck", committed_program("mlp"), "--waivers",
                                       scratch_file("not_clean_waivers", "aten.tanh.default stride nobody knows\n")};
  EXPECT_THAT(run_program(words).out, EndsWith("; not clean: a row of waivers is unused or has expired\n"));
  std::vector<std::string> json = words;
  json.emplace_back("--json");
  const Json unused = report(json, 1);
  EXPECT_EQ(unused["status"], "unjudged");  // the status `findings` requires a finding
  EXPECT_GT(unused["compared"], 0);
  EXPECT_EQ(unused["mismatched"], 0);
}

}  // namespace
}  // namespace ersatz::tools
