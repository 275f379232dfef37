// Live runs of several processes: collectives with their groups, and joined reports of all ranks.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "tests/fake/values_from_c.h"
#include "tools/live/live_session.h"

namespace ersatz::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Json = nlohmann::ordered_json;

/// The live session of one of two processes, with functions that report calls to it.
class OfTwo : public ToldValues {
 public:
  explicit OfTwo(int64_t rank, std::string backend = "gloo") {
    session.where = [] { return std::string("model.py:7 in forward"); };
    session.rank_of_process = [rank] { return Rank{rank, 2}; };
    session.group = [rank, backend](const std::string& name) -> std::optional<ProcessGroup> {
      if (name != "0") return std::nullopt;
      return ProcessGroup{name, 2, rank, backend};
    };
  }

  static ErsatzValue text(const char* s) {
    ErsatzValue v = kind(ERSATZ_STRING, static_cast<uint32_t>(std::string_view(s).size()));
    v.as.string = s;
    return v;
  }

  size_t call(std::string_view name, const std::vector<ErsatzValue>& arguments,
              const std::vector<ErsatzValue>& results) {
    const OpEntry& op = op_named(name);
    if (!session.begin(op, arguments)) return session.skip(&op, op.name, "arguments", 1), 0;
    std::vector<const ErsatzTensorMeta*> after;
    for (const ErsatzValue& v : arguments) {
      if (v.kind == ERSATZ_TENSOR) after.push_back(v.as.meta);
    }
    const std::vector<int64_t> versions(after.size(), 3);
    LiveOutcome outcome;
    outcome.results = results;
    outcome.after = after;
    outcome.versions_before = versions;
    outcome.versions_after = versions;
    return session.end(op, RuleContext(), outcome);
  }
  /// Reports a collective whose results agree with its rule.
  void gather() {
    call("_c10d_functional.all_gather_into_tensor.default", {tensor("f32[2,3]{3,1}+0@cpu"), integer(2), text("0")},
         {tensor("f32[4,3]{3,1}+0@cpu")});
  }
  /// Reports a call whose result differs from its rule.
  void wrong() { call("aten.relu.default", {tensor("f32[2]{1}+0@cpu")}, {tensor("f64[2]{1}+0@cpu")}); }

  LiveSession session{CrosscheckOptions()};
};

LiveReport read_back(const LiveReport& r) { return live_report_from_json(r.json(), "report.json"); }

std::string message_of(auto call) {
  try {
    call();
  } catch (const Error& e) {
    return e.message;
  }
  return "no error";
}

TEST(LiveRanks, CollectiveIsPredictedWithItsGroupsSize) {
  OfTwo live(1);
  live.gather();
  // Rank 1 of 2 gets the second part of dim 1: two of five columns.
  EXPECT_EQ(live.call("_dtensor.shard_dim_alltoall.default",
                      {live.tensor("f32[2,5]{5,1}+0@cpu"), OfTwo::integer(0), OfTwo::integer(1), OfTwo::text("0")},
                      {live.tensor("f32[4,2]{2,1}+0@cpu")}),
            0u);
  EXPECT_EQ(live.session.report().compared, 2);
  EXPECT_EQ(live.session.report().mismatched, 0);
}

TEST(LiveRanks, CollectivesFindingHasItsGroupInTheRecord) {
  OfTwo live(1);
  EXPECT_EQ(live.call("_c10d_functional.all_gather_into_tensor.default",
                      {live.tensor("f32[2,3]{3,1}+0@cpu"), OfTwo::integer(2), OfTwo::text("0")},
                      {live.tensor("f32[2,3]{3,1}+0@cpu")}),
            1u);
  const Finding f = live.session.report().findings.at(0);
  EXPECT_EQ(f.field, FindingField::Size);
  EXPECT_THAT(f.repro, HasSubstr(R"("group":{"name":"0","size":2,"rank":1,"backend":"gloo"})"));
}

TEST(LiveRanks, GlooInPlaceOnGappedTensorIsFinding) {
  const auto reduce = [](OfTwo& live, const char* meta) {
    const ErsatzValue t = live.tensor(meta);
    return live.call("_c10d_functional.all_reduce_.default", {t, OfTwo::text("sum"), OfTwo::text("0")}, {t});
  };
  OfTwo live(0), nccl(0, "nccl");
  EXPECT_EQ(reduce(live, "f32[2,2]{2,1}+0@cpu"), 0u);
  EXPECT_EQ(reduce(live, "f32[2,2]{1,2}+0@cpu"), 0u);
  EXPECT_EQ(reduce(live, "f32[2,2]{4,2}+1@cpu"), 1u);
  EXPECT_EQ(reduce(nccl, "f32[2,2]{4,2}+1@cpu"), 0u);
  const Finding f = live.session.report().findings.at(0);
  EXPECT_EQ(f.field, FindingField::OutOfBounds);
  EXPECT_EQ(f.observed, "gloo takes 4 elements in a row from offset 1 on");
  EXPECT_THAT(f.cause, HasSubstr("gloo does not look at the strides"));
  EXPECT_EQ(live.session.report().compared, 3);
  EXPECT_EQ(live.session.report().mismatched, 1);
}

TEST(LiveRanks, AReportSaysWhichRankItIsOf) {
  OfTwo live(1);
  live.gather();
  const LiveReport told = live.session.told("train.py");
  EXPECT_THAT(told.text(), HasSubstr("train.py, rank 1 of 2\n"));
  const Json json = Json::parse(told.json());
  EXPECT_EQ(json.value("rank", -1), 1);
  EXPECT_EQ(json.value("world_size", -1), 2);
}

TEST(LiveRanks, SubclassCallsAreReportedOnceAndNotSkipped) {
  OfTwo live(0);
  live.gather();
  live.session.count_subclass("DTensor", "aten.mm.default");
  live.session.count_subclass("DTensor", "aten.mm.default");
  live.session.count_subclass("FakeTensor", "aten.mm.default");
  const LiveReport told = live.session.told("train.py");
  EXPECT_TRUE(told.report.clean());
  EXPECT_THAT(told.text(), HasSubstr("DTensor: a tensor subclass, judged are the calls that it makes: 2 calls "
                                     "(aten.mm.default 2)\n"));
  EXPECT_THAT(told.text(), HasSubstr("FakeTensor: nothing is computed: 1 call (aten.mm.default 1)\n"));
}

TEST(LiveRanks, ReportsOfAllRanksAreJoined) {
  OfTwo zero(0), one(1);
  zero.gather(), zero.wrong();
  one.gather(), one.wrong(), one.wrong(), one.gather();
  one.session.skip(nullptr, "c10d.barrier.default", "refused by name", 1);
  one.session.count_subclass("DTensor", "aten.mm.default");
  const LiveReport told =
      join_ranks({read_back(one.session.told("train.py")), read_back(zero.session.told("train.py"))});
  EXPECT_EQ(told.report.compared, 6);
  EXPECT_EQ(told.report.mismatched, 3);
  EXPECT_EQ(told.report.judged_by(Witness::Eager), 6);
  EXPECT_EQ(told.report.skipped_total(), 1);
  ASSERT_EQ(told.report.findings.size(), 1u);
  EXPECT_THAT(told.times, ElementsAre(3));
  EXPECT_THAT(told.ranks.at(0), ElementsAre(0, 1));
  EXPECT_THAT(told.text(), HasSubstr("train.py, 2 ranks\n  rank 0: 2 compared, 1 mismatched, 0 skipped\n  rank 1: 4 "
                                     "compared, 2 mismatched, 1 skipped (unsupported 1)\n"));
  EXPECT_THAT(told.text(), HasSubstr("model.py:7 in forward, on ranks 0, 1"));
  const Json json = Json::parse(told.json());
  EXPECT_EQ(json.value("world_size", 0), 2);
  EXPECT_EQ(json.at("ranks").size(), 2u);
  EXPECT_EQ(json.at("findings").at(0).at("ranks").dump(), "[0,1]");
  EXPECT_EQ(json.at("sources").value("rule", 0), 6);
  EXPECT_EQ(json.at("skipped_calls").at("refused by name").value("c10d.barrier.default", 0), 1);
  EXPECT_EQ(json.at("subclass_calls").at("DTensor").value("aten.mm.default", 0), 1);
}

TEST(LiveRanks, ReportsThatAreNoRunAreNotJoined) {
  OfTwo zero(0), one(1);
  zero.gather(), one.gather();
  const auto joined = [&](std::vector<LiveReport> reports) {
    return message_of([&] { join_ranks(std::move(reports)); });
  };
  const LiveReport a = read_back(zero.session.told("train.py")), b = read_back(one.session.told("train.py"));
  EXPECT_EQ(joined({a}), "merge: rank 1 of 2 is missing");
  EXPECT_EQ(joined({b}), "merge: rank 0 of 2 is missing");
  EXPECT_EQ(joined({a, b, b}), "merge: rank 1 is there twice");
  EXPECT_EQ(joined({a, read_back(one.session.told("other.py"))}),
            "merge: reports of different runs: train.py and other.py");
  LiveSession alone{CrosscheckOptions()};
  EXPECT_THAT(message_of([&] { read_back(alone.told("train.py")); }), HasSubstr("a live run of one process"));
  EXPECT_THAT(message_of([&] { live_report_from_json("{\"command\":\"crosscheck\"}", "x.json"); }),
              HasSubstr("x.json: no JSON report of a live crosscheck"));
  EXPECT_EQ(message_of([&] { read_back(join_ranks({a, b})); }), "report.json: a report that is joined already");
}

}  // namespace
}  // namespace ersatz::tools
