// Fallback of plugins' ops: without a declaration, with `zeros` and with `refuse`; and the device of their results.
#include "tests/fake/checked.h"
#include "tests/fake/faulty_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

FakeMode mode_with(FallbackPolicy policy) {
  FakeOptions options;
  options.fallback = policy;
  return FakeMode(options);
}

std::string predicted(const FakeMode& mode, const OpEntry& op, const char* meta) {
  return to_string(call(op, std::vector<Value>{mode.make(meta_of(meta))})[0].tensor().meta());
}

TEST(PluginFallback, UndeclaredOpRunsIfTheModeAllowsIt) {
  EXPECT_EQ(faulty("undeclared").fallback, FallbackPolicy::Rule);
  EXPECT_EQ(predicted(mode_with(FallbackPolicy::Zeros), faulty("undeclared"), "f32[2,3]"), "f32[2,3]{3,1}+0@cpu");
}

TEST(PluginFallback, UndeclaredOpIsRefusedElsewhereWithARemedy) {
  const Error e = error_of([] { predicted(mode_with(FallbackPolicy::Rule), faulty("undeclared"), "f32[2,3]"); });
  EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator);
  EXPECT_THAT(e.message,
              HasSubstr("it declares no policy: zeros, declared by it or chosen for the mode, would allow it"));
}

TEST(PluginFallback, AnOpThatDeclaresRefuseNeverRuns) {
  EXPECT_EQ(faulty("unwilling").fallback, FallbackPolicy::Refuse);
  const Error e = error_of([] { predicted(mode_with(FallbackPolicy::Zeros), faulty("unwilling"), "f32[2,3]"); });
  EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator);
  EXPECT_THAT(e.message, HasSubstr("the op declares that it must not run on made-up inputs"));
}

TEST(PluginFallback, CrosscheckProbesWhatDeclaresNothing) {
  const Checked c = check_call(faulty("undeclared"), {ones_f32({2, 3})});
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.judged_by(Witness::Kernel), 1);
}

TEST(PluginFallback, CrosscheckNeverProbesWhatDeclaresRefuse) {
  const Checked c = check_call(faulty("unwilling"), {ones_f32({2, 3})});
  EXPECT_TRUE(c.report.findings.empty());
  EXPECT_EQ(c.report.compared, 0);
  EXPECT_EQ(c.report.skipped[static_cast<size_t>(SkipReason::Unsupported)], 1);
  EXPECT_EQ(to_string(c.outcome.fake[0].tensor().meta()), "f32[2,3]{3,1}+0@cpu");  // of the real result
}

TEST(PluginDevice, UnnamedDeviceIsThatOfTheFirstTensor) {
  const FakeMode mode;
  EXPECT_EQ(predicted(mode, faulty("stack_two"), "f32[3]@cuda:1"), "f32[2,3]{3,1}+0@cuda:1");
  EXPECT_EQ(predicted(mode, faulty("stack_two"), "f32[3]"), "f32[2,3]{3,1}+0@cpu");
}

TEST(PluginDevice, NamedDeviceIsUsedWithoutTensorArguments) {
  EXPECT_EQ(predicted(FakeMode(), faulty("to_host"), "f32[3]@cuda:1"), "f32[3]{1}+0@cpu");
}

}  // namespace
}  // namespace ersatz
