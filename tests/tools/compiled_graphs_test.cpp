// Findings and counts of compiled graphs in the report of a live run.
#include "tools/live/compiled_graphs.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tools/live/live_session.h"

namespace ersatz::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Report report_with(std::string_view op, Witness witness, std::string predicted = "f32[2]{1}+0@cpu") {
  Report r;
  r.nodes = 3;
  r.count_compared(witness, 3, 1);
  Finding f;
  f.op = op;
  f.field = FindingField::Stride;
  f.witness = witness;
  f.predicted = std::move(predicted);
  r.findings.push_back(f);
  return r;
}

std::vector<std::string> ops(const Report& report) {
  std::vector<std::string> out;
  for (const Finding& f : report.findings) out.push_back(f.op);
  return out;
}

TEST(CompiledGraphs, FindingOfTwoStagesIsOneMadeTwice) {
  CompiledGraphs compiled;
  compiled.add(report_with("aten.sin.default", Witness::Record), {});
  compiled.add(report_with("aten.sin.default", Witness::Record), {.graphs = 1, .nodes = 3});
  Report report;
  std::vector<int64_t> times;
  Waivers none;
  compiled.add_to(report, &times, {}, none);
  EXPECT_THAT(ops(report), ElementsAre("aten.sin.default"));
  EXPECT_THAT(times, ElementsAre(2));
  EXPECT_EQ(report.compared, 6);
}

TEST(CompiledGraphs, FindingsAboutGraphsComeBeforeThoseAboutRuns) {
  LiveSession session{CrosscheckOptions()};
  session.compiled.add(report_with("torch.compile", Witness::Eager), {.runs = 1, .inputs = 2});
  session.compiled.add(report_with("aten.sin.default", Witness::Record), {.graphs = 1, .nodes = 3});
  EXPECT_THAT(ops(session.report()), ElementsAre("aten.sin.default", "torch.compile"));
}

TEST(CompiledGraphs, WaiversCountForThem) {
  CompiledGraphs compiled;
  compiled.add(report_with("aten.sin.default", Witness::Record), {.graphs = 1, .nodes = 3});
  Waivers waivers = Waivers::parse("aten.sin.default stride it is known\n", "waivers.txt");
  Report report;
  compiled.add_to(report, nullptr, {}, waivers);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.compared, 3);
  EXPECT_EQ(report.waived, 1);
  EXPECT_EQ(report.mismatched, 0);
}

TEST(CompiledGraphs, OperatorWithAJudgedCallIsNotUnjudged) {
  Report graph;
  graph.count_compared(Witness::Record);
  graph.own.unjudged["mylib.a.default"] = {1, "there is no rule of it here"};
  graph.own.unjudged["mylib.b.default"] = {1, "there is no rule of it here"};
  CompiledGraphs compiled;
  compiled.add(graph, {});  // adds the graph of the joint stage
  compiled.add(graph, {.graphs = 1, .nodes = 2});
  Report report;
  Waivers none;
  compiled.add_to(report, nullptr, {"mylib.a.default"}, none);
  EXPECT_EQ(report.unjudged(), "1 call of mylib.b.default was not judged");
}

TEST(CompiledGraphs, ReportSaysWhatWasJudgedAndSumsRanks) {
  const auto of_rank = [](int64_t rank) {
    LiveSession session{CrosscheckOptions()};
    session.rank_of_process = [rank] { return Rank{rank, 2}; };
    session.note_rank();
    session.compiled.add(report_with("aten.sin.default", Witness::Record), {.graphs = 1, .nodes = 3});
    session.compiled.add(Report(), {.runs = 1, .inputs = 2});
    return live_report_from_json(session.told("train.py").json(), "rank.json");
  };
  const LiveReport joined = join_ranks({of_rank(0), of_rank(1)});
  EXPECT_THAT(
      joined.text(),
      HasSubstr("compiled: 2 graphs, 6 calls judged as they were compiled; 4 inputs of 2 runs compared with what "
                "the code was compiled for, what its kernels do is not seen\n"));
  const auto json = nlohmann::ordered_json::parse(joined.json());
  EXPECT_EQ(json.at("compiled").dump(), R"({"graphs":2,"nodes":6,"runs":2,"inputs":4})");
}

}  // namespace
}  // namespace ersatz::tools
