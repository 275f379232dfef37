// The session of a live crosscheck, with calls reported as by a running program.
#include "tools/live/live_session.h"

#include <gmock/gmock.h>

#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "tests/fake/values_from_c.h"
#include "tracer/records/record_print.h"

namespace ersatz::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A session and functions that report calls to it. A call leaves its arguments unchanged unless the test sets
/// `written`.
class Live : public ToldValues {
 public:
  explicit Live(CrosscheckOptions options = {}) : session(std::move(options)) {
    session.where = [] { return std::string("model.py:7 in forward"); };
  }

  /// Returns the number of findings.
  size_t call(const OpEntry& op, std::vector<ErsatzValue> arguments, std::vector<ErsatzValue> results) {
    LiveOutcome outcome;
    outcome.results = results;
    return told(op, arguments, outcome);
  }
  size_t call(std::string_view op, std::vector<ErsatzValue> arguments, std::vector<ErsatzValue> results) {
    return call(op_named(op), std::move(arguments), std::move(results));
  }
  size_t raising(std::string_view op, std::vector<ErsatzValue> arguments, const char* error, const char* message) {
    LiveOutcome outcome;
    outcome.error = error;
    outcome.message = message;
    return told(op_named(op), arguments, outcome);
  }

  std::vector<FindingField> fields() const {
    std::vector<FindingField> out;
    for (const Finding& f : session.report().findings) out.push_back(f.field);
    return out;
  }
  Finding finding() const { return session.report().findings.at(0); }

  LiveSession session;
  /// The number of the tensor argument whose version the call increases; -1: none.
  int written = -1;

 private:
  size_t told(const OpEntry& op, const std::vector<ErsatzValue>& arguments, LiveOutcome& outcome) {
    if (!session.begin(op, arguments)) return session.skip(&op, op.name, "arguments", 1), 0;
    std::vector<const ErsatzTensorMeta*> after;
    for (const ErsatzValue& v : arguments) {
      if (v.kind == ERSATZ_TENSOR) after.push_back(v.as.meta);
    }
    const std::vector<int64_t> before(after.size(), 3);
    std::vector<int64_t> now = before;
    if (written >= 0) ++now[static_cast<size_t>(written)];
    outcome.after = after;
    outcome.versions_before = before;
    outcome.versions_after = now;
    return session.end(op, RuleContext(), outcome);
  }
};

TEST(LiveSession, CallThatReturnsAsPredictedIsCounted) {
  Live live;
  EXPECT_EQ(live.call("aten.add.Tensor", {live.tensor("f32[2,3]{1,2}"), live.tensor("f32[2,3]{1,2}")},
                      {live.tensor("f32[2,3]{1,2}")}),
            0u);
  const Report report = live.session.report();
  EXPECT_EQ(report.compared, 1);
  EXPECT_TRUE(report.clean());
  EXPECT_THAT(report.findings, IsEmpty());
}

TEST(LiveSession, AReportThatComparedNothingIsNotClean) {
  Live live;
  EXPECT_FALSE(live.session.report().clean());
  EXPECT_THAT(live.session.told("model").text(), HasSubstr("nothing was compared"));
}

TEST(LiveSession, CauseIsOneFindingWithCountAndPlaces) {
  Live live;
  for (int n = 0; n < 3; ++n) {
    EXPECT_EQ(live.call("aten.add.Tensor", {live.tensor("f32[2,3]"), live.tensor("f32[2,3]")},
                        {live.tensor("f32[2,3]{1,2}")}),
              1u);
  }
  EXPECT_THAT(live.fields(), ElementsAre(FindingField::Stride));
  const Finding f = live.finding();
  EXPECT_EQ(f.op, "aten.add.Tensor");
  EXPECT_EQ(f.result, 0);
  EXPECT_EQ(f.predicted, "f32[2,3]{3,1}+0@cpu");
  EXPECT_EQ(f.observed, "f32[2,3]{1,2}+0@cpu");
  EXPECT_EQ(f.source, "model.py:7 in forward");
  EXPECT_THAT(f.repro, HasSubstr("aten.add.Tensor"));
  EXPECT_THAT(live.session.told("model").json(), HasSubstr("\"times\":[3]"));
  EXPECT_FALSE(live.session.report().clean());
}

TEST(LiveSession, UnpredictedAliasOfAnArgumentIsAFinding) {
  Live live;
  const ErsatzValue x = live.tensor("f32[4]");
  const ErsatzValue on_x = Live::of(live.meta("f32[4]", x.as.meta->storage));
  EXPECT_EQ(live.call("aten.neg.default", {x}, {on_x}), 1u);
  EXPECT_THAT(live.fields(), ElementsAre(FindingField::Alias));
}

TEST(LiveSession, AViewOnItsArgumentAgrees) {
  Live live;
  const ErsatzValue x = live.tensor("f32[2,3]");
  EXPECT_EQ(live.call("aten.t.default", {x}, {Live::of(live.meta("f32[3,2]{1,3}", x.as.meta->storage))}), 0u);
  EXPECT_EQ(live.session.report().compared, 1);
}

TEST(LiveSession, UndeclaredVersionChangeIsAnUndeclaredWrite) {
  Live live;
  live.written = 1;
  EXPECT_EQ(live.call("aten.add.Tensor", {live.tensor("f32[2]"), live.tensor("f32[2]")}, {live.tensor("f32[2]")}), 1u);
  EXPECT_THAT(live.fields(), ElementsAre(FindingField::UndeclaredWrite));
  EXPECT_EQ(live.finding().observed, "its version moves from 3 to 4");
}

TEST(LiveSession, InPlaceCallMayMoveItsArgumentsVersion) {
  Live live;
  live.written = 0;
  const ErsatzValue x = live.tensor("f32[2]");
  EXPECT_EQ(live.call("aten.neg_.default", {x}, {x}), 0u);
  EXPECT_EQ(live.session.report().compared, 1);
}

TEST(LiveSession, ValueRefusalMayBeOfItsFamilyOnly) {
  Live live;
  const auto findings = [&](const char* op, std::initializer_list<ErsatzValue> arguments, const char* raised) {
    return live.raising(op, arguments, raised, "");
  };
  const char* const loss = "aten.multilabel_margin_loss_forward.default";
  EXPECT_EQ(findings(loss, {live.tensor("i8[3]"), live.tensor("i64[3]"), Live::integer(1)}, "RuntimeError"), 0u);
  EXPECT_EQ(findings(loss, {live.tensor("i8[3]"), live.tensor("i64[3]"), Live::integer(1)}, "NotImplementedError"), 0u);
  EXPECT_EQ(findings(loss, {live.tensor("i8[3]"), live.tensor("i64[3]"), Live::integer(1)}, "IndexError"), 1u);
  EXPECT_EQ(findings(loss, {live.tensor("i8[3]"), live.tensor("c64[3]"), Live::integer(1)}, "RuntimeError"), 1u)
      << "complex labels are refused before any is read";
  EXPECT_EQ(findings("aten.mm.default", {live.tensor("bool[2,2]"), live.tensor("bool[2,2]")}, "RuntimeError"), 1u)
      << "mm looks at no value";
}

TEST(LiveSession, WhereInputIsResizedEagerMayDoAnything) {
  Live live;
  const ErsatzValue x = live.tensor("f64[3,3]"), none = live.tensor("f64[0]");
  EXPECT_EQ(live.raising("aten.geqrf.a", {x, none, x}, "IndexError", ""), 0u);
  EXPECT_EQ(live.call("aten.geqrf.a", {x, none, x}, {live.tensor("f64[3,3]"), live.tensor("f64[3]")}), 0u);
  EXPECT_EQ(live.session.report().compared, 0);
  EXPECT_EQ(live.raising("aten.geqrf.a", {x, none, x}, "RuntimeError", ""), 0u);
  EXPECT_EQ(live.session.report().compared, 1);
}

TEST(LiveSession, OperatorsRefusedByNameAreNotJudged) {
  Live live;
  std::string why;
  EXPECT_EQ(
      live.session.own.entry("aten.mkldnn_rnn_layer.default", "aten::mkldnn_rnn_layer(Tensor input) -> Tensor", why),
      nullptr);
  EXPECT_THAT(why, HasSubstr("refused by name"));
  EXPECT_NE(live.session.own.entry("mylib.layer.default", "mylib::layer(Tensor input) -> Tensor", why), nullptr);
}

TEST(LiveSession, ACallWithoutEnoughMemoryIsNotJudged) {
  Live live;
  EXPECT_EQ(live.raising("aten.neg.default", {live.tensor("f32[2]")}, "RuntimeError",
                         "DefaultCPUAllocator: can't allocate memory: you tried to allocate 39200000000 bytes."),
            0u);
  EXPECT_EQ(live.session.report().compared, 0);
  EXPECT_THAT(live.session.told("model").text(),
              HasSubstr("not compared, there was not enough memory: 1 call (aten.neg.default 1)"));
}

TEST(LiveSession, DataDependentSizesAreComparedIfKnown) {
  Live live;
  const ErsatzValue x = live.tensor("f32[2,3]");
  EXPECT_EQ(live.call("aten.nonzero.default", {x}, {live.tensor("i64[4,2]{1,4}")}), 0u);
  EXPECT_EQ(live.call("aten.nonzero.default", {x}, {live.tensor("i64[7,2]{1,7}")}), 1u) << "x has six elements";
  EXPECT_EQ(live.call("aten.nonzero.default", {x}, {live.tensor("i32[4,2]{1,4}")}), 1u);
  EXPECT_THAT(live.fields(), ElementsAre(FindingField::Size, FindingField::DType));
}

TEST(LiveSession, ErrorsAreComparedByTheirClass) {
  Live live;
  const auto raising = [&](const char* sizes, const char* error) {
    return live.raising("aten.add.Tensor", {live.tensor("f32[2]"), live.tensor(sizes)}, error, "said so");
  };
  EXPECT_EQ(raising("f32[3]", "RuntimeError"), 0u);
  EXPECT_EQ(raising("f32[2]", "RuntimeError"), 1u) << "the rule takes the call";
  EXPECT_THAT(live.fields(), ElementsAre(FindingField::Error));
}

TEST(LiveSession, StopsAtFirstFindingWhereAskedFor) {
  CrosscheckOptions options;
  options.stop_at_first = true;
  Live live(options);
  try {
    live.call("aten.neg.default", {live.tensor("f32[2]")}, {live.tensor("f64[2]")});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::MetadataMismatch);
    EXPECT_THAT(e.message, HasSubstr("aten.neg.default, result 0: dtype"));
    EXPECT_EQ(e.source, "model.py:7 in forward");
  }
}

TEST(LiveSession, UnjudgedCallIsNamedAndReportNotClean) {
  Live live;
  live.call("aten.neg.default", {live.tensor("f32[2]")}, {live.tensor("f32[2]")});
  EXPECT_TRUE(live.session.report().clean());
  live.session.skip(nullptr, "mylib.foo.default", "no fake kernel", 1);
  const Report report = live.session.report();
  EXPECT_FALSE(report.clean());
  EXPECT_EQ(report.skipped_total(), 1);
  EXPECT_THAT(live.session.told("model").text(), HasSubstr("not judged: 1 call of mylib.foo.default (no fake kernel)"));
}

TEST(LiveSession, CallExcludedByNameLeavesTheReportClean) {
  Live live;
  live.session.excluded = {"mylib.*"};
  live.call("aten.neg.default", {live.tensor("f32[2]")}, {live.tensor("f32[2]")});
  live.session.skip(nullptr, "mylib.foo.default", "no fake kernel", 1);
  EXPECT_TRUE(live.session.report().clean());
  EXPECT_THAT(live.session.told("model").text(),
              HasSubstr("not compared, excluded by name: 1 call (mylib.foo.default 1)"));
}

/// A custom operator whose fake kernel predicts a tensor with metadata `predicted`.
class OwnOperator {
 public:
  OwnOperator(Live& live, std::string_view predicted) : predicted_(predicted) {
    std::string why;
    op = live.session.own.entry("mylib.scale.default", "mylib::scale(Tensor x, float by) -> Tensor", why);
    live.session.own.ask_on_meta = [this, &live](const OpEntry& entry, const AskedCall& call) {
      ++asked;
      const std::vector<ErsatzValue> results = {live.tensor(predicted_)};
      LiveOutcome outcome;
      outcome.results = results;
      return std::optional(prediction_of(entry, call, outcome));
    };
    live.session.own.ask = [this](const std::string& line, bool) {
      ++asked_behind_a_call;
      CallRecord record = parse_call_record(line, "the call");
      RecordedResult& result = record.fake.emplace().results.emplace_back();
      result.kind = RecordedResult::Kind::Tensor;
      result.tensor.meta = parse_meta(predicted_);
      result.tensor.nbytes = storage_bytes_needed(result.tensor.meta).as_int();
      result.tensor.storage = 100;
      return FakeKernelAnswer{print_call_record(record), "", false};
    };
  }
  const OpEntry* op = nullptr;
  int asked = 0, asked_behind_a_call = 0;

 private:
  std::string predicted_;
};

TEST(LiveSession, OwnFakeKernelIsAskedOncePerMetadata) {
  Live live;
  OwnOperator own(live, "f32[2,3]");
  ASSERT_NE(own.op, nullptr);
  for (int n = 0; n < 3; ++n)
    EXPECT_EQ(live.call(*own.op, {live.tensor("f32[2,3]"), Live::number(2)}, {live.tensor("f32[2,3]")}), 0u);
  EXPECT_EQ(own.asked, 1);
  EXPECT_EQ(own.asked_behind_a_call, 0);
  live.call(*own.op, {live.tensor("f32[2,3]"), Live::number(3)}, {live.tensor("f32[2,3]")});
  EXPECT_EQ(own.asked, 2) << "another number is another call";
  const Report report = live.session.report();
  EXPECT_EQ(report.own.judged, 4);
  EXPECT_EQ(report.own.known, 2);
  EXPECT_EQ(report.compared, 4);
  EXPECT_TRUE(report.clean());
}

TEST(LiveSession, OwnOperatorAgainstItsFakeKernelIsFinding) {
  Live live;
  OwnOperator own(live, "f32[2,3]");
  EXPECT_EQ(live.call(*own.op, {live.tensor("f32[2,3]"), Live::number(2)}, {live.tensor("f32[2,3]{1,2}")}), 1u);
  EXPECT_THAT(live.fields(), ElementsAre(FindingField::Stride));
  EXPECT_EQ(live.finding().op, "mylib.scale.default");
  EXPECT_EQ(live.finding().predicted, "f32[2,3]{3,1}+0@cpu");
  EXPECT_EQ(own.asked_behind_a_call, 1) << "a prediction from the meta device is asked for again before it is believed";
  EXPECT_FALSE(live.session.report().clean());
}

TEST(LiveSession, UnreadableSchemaIsReportedWithItsReason) {
  Live live;
  std::string why;
  EXPECT_EQ(live.session.own.entry("mylib.bad.default", "mylib::bad(Frob x) -> Tensor", why), nullptr);
  EXPECT_THAT(why, HasSubstr("its schema cannot be read here"));
}

}  // namespace
}  // namespace ersatz::tools
