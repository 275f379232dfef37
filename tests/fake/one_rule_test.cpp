// Each op has one rule for metadata, and real calls allocate their results by it.
#include "tests/fake/checked.h"

namespace ersatz {
namespace {

// BEY-02: a real call allocates its outputs with the metadata that the rule returns.
TEST(OneRule, TheLauncherAllocatesWhatTheRuleAnswers) {
  Planted p("aten.relu.default");
  p.entry.rule = [](RuleCall& call) {
    TensorMeta meta = call.meta(0);
    meta.strides = DimVec{1, 2};
    call.out.fresh(meta);
  };
  EXPECT_EQ(to_string(call("aten.relu.default", {Value(ones_f32({2, 3}))})[0].tensor().meta()), "f32[2,3]{1,2}+0@cpu");
}

// BEY-02: every kernel has a rule, or its entry declares why it has none.
TEST(OneRule, EveryShippedKernelHasRuleOrDeclaration) {
  int kernels = 0;
  for (const OpEntry* op : registry().all()) {
    if (op->schema.ns != "aten" || !op->has_kernel(DeviceType::CPU)) continue;
    ++kernels;
    const bool declared =
        op->tags.has(Tag::DataDependent) || op->tags.has(Tag::ScalarRead) || op->fallback != FallbackPolicy::Rule;
    EXPECT_TRUE(op->rule || declared) << op->name;
  }
  EXPECT_GT(kernels, 300);
}

}  // namespace
}  // namespace ersatz
