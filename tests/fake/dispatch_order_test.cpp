// The order of steps that answer a fake call, the modes that receive it, and its results.

#include <sstream>

#include "fake/mode/fake_mode_state.h"
#include "runtime/base/log.h"
#include "runtime/sym/sym_expr.h"
#include "tests/fake/checked.h"
#include "tests/fake/log_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

/// Receives every call first, records its name, and passes it on.
class Counting final : public Mode {
 public:
  ModeOrder order() const override { return ModeOrder::Interceptor; }
  std::string_view mode_name() const override { return "counting"; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override {
    seen.push_back(op.name);
    dispatch(op, args, results);
  }
  std::vector<std::string> seen;
};

// DISP-01
TEST(DispatchOrder, MetadataIsAnsweredWithoutACall) {
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[2,3]{1,2}+4@cuda:1"), 4096);
  Counting counting;
  const ModeGuard guard(counting);
  EXPECT_EQ(x.size(1).as_int(), 3);
  EXPECT_EQ(x.stride(-1).as_int(), 2);
  EXPECT_EQ(x.storage_offset().as_int(), 4);
  EXPECT_EQ(x.device(), cuda(1));
  EXPECT_TRUE(counting.seen.empty());
}

// DISP-01: a size without a hint cannot be read as an integer.
TEST(DispatchOrder, SizeWithoutHintIsNoHostInteger) {
  FakeMode mode;
  ShapeEnv env;
  const SymInt u0 = env.symbol("u0");
  const Tensor x = mode.make(TensorMeta(DType::F32, DimVec{u0, 3}), 12 * u0);
  EXPECT_EQ(x.size(1).guard_int(), 3);
  EXPECT_EQ(error_of([&] { x.size(0).guard_int(); }).kind, ErrorKind::GuardOnDataDependent);
}

// DISP-04: known values come before the rule, then the body of a composite op, and the fallback last.
TEST(DispatchOrder, TheFirstStepThatCanAnswers) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  FakeMode mode(options);
  FakeScope scope(mode);
  const Tensor literal = call("aten.lift_fresh.default", {Value(tensor_of<float>({4}, {}))})[0].tensor();
  const Tensor x = mode.make(meta_of("f32[]"));
  EXPECT_EQ(call("aten.item.default", {Value(literal)})[0].as_double(), 4);
  EXPECT_EQ(error_of([&] { call("aten.item.default", {Value(x)}); }).kind, ErrorKind::DataDependentOutput);
  EXPECT_TRUE(mode.fallbacks().empty());
  call_test_op("twice", {x});
  EXPECT_TRUE(mode.fallbacks().empty());
  call_test_op("opaque", {x});
  EXPECT_EQ(mode.fallbacks().size(), 1u);
}

// DISP-04: a fake call converts a real literal, but refuses other real tensors. An in-place view op refuses
// real literals too.
TEST(DispatchOrder, LiteralsEnterBeforeStrangersAreRefused) {
  FakeMode mode;
  FakeScope scope(mode);
  const Tensor wide = ones_f32({2, 3});
  EXPECT_TRUE(mode.owns(call("aten.lift_fresh.default", {Value(wide)})[0].tensor()));
  EXPECT_EQ(error_of([&] { call_test_op("twice", {wide}); }).kind, ErrorKind::InvalidArgument);
}

// MODE-17
TEST(DispatchOrder, AnsweringModeIsInactiveExceptForCompositeParts) {
  FakeMode mode;
  FakeScope scope(mode);
  const Tensor x = mode.make(meta_of("f32[2]"));
  const Values seen = call(test_op("modes_seen"), std::vector<Value>{x});
  EXPECT_FALSE(seen[0].as_bool());  // the rule of modes_seen reads it, and no mode is active in a rule
  EXPECT_TRUE(mode.owns(call_test_op("four", {x})));
  EXPECT_EQ(active_mode(ModeOrder::Fake), &mode.state());
}

// MODE-15: while a rule runs, a fake keeps its device; it is not on meta.
TEST(DispatchOrder, RuleSeesDeviceThatUserSees) {
  static Device seen;
  Planted p("aten.relu.default");
  p.entry.rule = [](RuleCall& call) {
    seen = call.tensor(0)->meta.device;
    call.out.fresh(call.meta(0));
  };
  FakeMode mode;
  EXPECT_EQ(call("aten.relu.default", {mode.make(meta_of("f32[2]@cuda:1"))})[0].tensor().device(), cuda(1));
  EXPECT_EQ(seen, cuda(1));
}

// MODE-15: a fake keeps its device also if the call fails.
TEST(DispatchOrder, FakeShowsItsDeviceAroundAFailingCall) {
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[2]@cuda:0")), y = mode.make(meta_of("f32[3]@cuda:0"));
  EXPECT_EQ(error_of([&] { call_test_op("add", {x, y}); }).kind, ErrorKind::InvalidArgument);
  EXPECT_EQ(x.device(), cuda(0));
  EXPECT_EQ(call_test_op("twice", {x}).device(), cuda(0));
  EXPECT_EQ(call("aten.add.Tensor", {x, x})[0].tensor().device(), cuda(0));
  EXPECT_EQ(x.device(), cuda(0));
}

// DISP-08
TEST(DispatchOrder, AnOpIsRegisteredOnce) {
  test_op("twice");
  const Error e = error_of([] { registry().add("faketest::twice(Tensor self) -> Tensor"); });
  EXPECT_THAT(e.message, HasSubstr("duplicate registration: the operator faketest.twice.default"));
}

// DISP-09, DISP-14
TEST(DispatchOrder, RuleErrorIsLoggedAndPassesUnchanged) {
  LogText log_text(LogLevel::Debug);
  FakeMode mode;
  const Tensor a = ones_f32({2}), b = ones_f32({3});
  const Error real = error_of([&] { call_test_op("add", {a, b}); });
  const Error fake = error_of([&] { call_test_op("add", {mode.from_tensor(a), mode.from_tensor(b)}); });
  EXPECT_EQ(fake.message, real.message);
  EXPECT_EQ(fake.kind, real.kind);
  EXPECT_THAT(log_text.text(), HasSubstr("faketest.add.default raised InvalidArgument: " + fake.message));
  EXPECT_TRUE(mode.fallbacks().empty());
}

// DISP-14
TEST(DispatchOrder, DebugLogsCallsUnderTheirComposite) {
  LogText log_text(LogLevel::Debug);
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[2]")), y = mode.make(meta_of("f32[3]"));
  error_of([&] { call_test_op("add", {x, y}); });
  call_test_op("four", {x});
  const std::string text = log_text.text();
  EXPECT_THAT(text, HasSubstr("\nfake: faketest.four.default(f32[2]{1}+0@cpu)\n"
                              "fake:   faketest.twice.default(f32[2]{1}+0@cpu)\n"
                              "fake:   faketest.twice.default(f32[2]{1}+0@cpu)\n"));
}

// DISP-09: if a rule does not support a call, the call raises and does not fall back.
TEST(DispatchOrder, RuleThatSupportsNoCallHasNoFallback) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  FakeMode mode(options);
  const Tensor b = mode.make(meta_of("bool[1,1]"));
  EXPECT_EQ(error_of([&] { call("aten.mm.default", {Value(b), Value(b)}); }).kind, ErrorKind::NotSupported);
  EXPECT_TRUE(mode.fallbacks().empty());
}

// DISP-10
TEST(DispatchOrder, ResultsKeepTheirStructure) {
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[4,6]"));
  const Values parts = call("aten.split.Tensor", {Value(x), Value(int64_t(2))});
  ASSERT_EQ(parts.size(), 1u);
  ASSERT_EQ(parts[0].as_list().size(), 2u);
  EXPECT_TRUE(mode.owns(parts[0].as_list()[1].tensor()));
  const Values norm = call("aten.native_layer_norm.default",
                           {Value(x), Value::int_list(std::vector<int64_t>{6}), Value(), Value(), Value(1e-5)});
  EXPECT_EQ(norm.size(), 3u);
  EXPECT_EQ(call("aten.sym_size.int", {Value(x), Value(int64_t(1))})[0], Value(int64_t(6)));
}

// DISP-15
TEST(DispatchOrder, CountersTellHowCallsCameAndWhoAnswered) {
  FakeOptions options;
  options.count_sources = true;
  FakeMode mode(options);
  const Tensor x = mode.make(meta_of("f32[2]"));
  call_test_op("twice", {x});
  {
    FakeScope scope(mode);
    call_test_op("twice", {x});
    call_test_op("four", {x});
  }
  const std::map<std::string, int64_t> expected{
      {"answered.composite", 1}, {"answered.rule", 4}, {"calls.mode", 4}, {"calls.tensor", 1}};
  EXPECT_EQ(mode.counters(), expected);
}

// DISP-11
TEST(DispatchOrder, InterceptorsSeeACallBeforeTheFakeMode) {
  FakeMode mode;
  FakeScope scope(mode);
  Counting counting;
  const ModeGuard guard(counting);
  const Tensor x = call("aten.zeros.default", {Value::int_list(std::vector<int64_t>{2})})[0].tensor();
  EXPECT_TRUE(mode.owns(x));
  EXPECT_EQ(counting.seen, std::vector<std::string>{"aten.zeros.default"});
  {
    SuspendModes no_dispatch;
    EXPECT_TRUE(mode.owns(call("aten.zeros_like.default", {Value(x)})[0].tensor()));
  }
  EXPECT_EQ(counting.seen.size(), 1u);
}

}  // namespace
}  // namespace ersatz
