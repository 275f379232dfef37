// Faults planted in rules and kernels of the library: crosscheck must name the op and the field of each.
#include <algorithm>

#include "runtime/tensor/allocator.h"
#include "tests/fake/checked.h"

namespace ersatz {
namespace {

Rule g_rule;  // the original rule of the changed op
FillKernel g_kernel;

constexpr auto kClone = "aten.clone.default";

AliasFact own() { return {AliasFact::Kind::Own, -1}; }
AliasFact of_argument(int n) { return {AliasFact::Kind::Argument, n}; }

Checked clone(std::vector<ResultFacts> facts = {}) {
  return check_call(op_named(kClone), {ones_f32({2, 3})}, std::move(facts));
}

TEST(Planted, NothingIsFoundWhereNothingIsPlanted) {
  const Checked c = clone(eager("f32[2,3]", own()));
  EXPECT_EQ(c.report.compared, 1);
  EXPECT_EQ(c.report.judged_by(Witness::Eager), 1);
  EXPECT_TRUE(c.report.clean());
}

TEST(Planted, WrongDTypeInRuleIsFound) {
  Planted p(kClone);
  g_rule = p.rule;
  p.entry.rule = [](RuleCall& call) {
    g_rule(call);
    call.out.outputs[0].meta.dtype = DType::F64;
  };
  const Checked c = clone(eager("f32[2,3]"));
  EXPECT_TRUE(one_finding(c.report, kClone, FindingField::DType));
  EXPECT_EQ(c.report.findings[0].predicted, "f64[2,3]{3,1}+0@cpu");
  EXPECT_EQ(c.report.findings[0].observed, "f32[2,3]{3,1}+0@cpu");
  EXPECT_EQ(c.report.findings[0].witness, Witness::Eager);
  EXPECT_EQ(c.report.mismatched, 1);
}

TEST(Planted, AWrongSizeInARuleIsFound) {
  Planted p("aten.permute.default");
  g_rule = p.rule;
  p.entry.rule = [](RuleCall& call) {
    g_rule(call);
    call.out.outputs[0].meta.sizes[0] = 1;
  };
  const Checked c =
      check_call(p.entry, {ones_f32({2, 3}), Value::int_list(std::vector<int64_t>{1, 0})}, eager("f32[3,2]{1,3}"));
  EXPECT_TRUE(one_finding(c.report, "aten.permute.default", FindingField::Size));
}

TEST(Planted, AWrongStrideInARuleIsFound) {
  Planted p("aten.transpose.int");
  g_rule = p.rule;
  p.entry.rule = [](RuleCall& call) {
    g_rule(call);
    call.out.outputs[0].meta.strides = DimVec{2, 1};
  };
  const Checked c = check_call(p.entry, {ones_f32({2, 3}), Value(0), Value(1)}, eager("f32[3,2]{1,3}"));
  EXPECT_TRUE(one_finding(c.report, "aten.transpose.int", FindingField::Stride));
}

TEST(Planted, AWrongOffsetInARuleIsFound) {
  Planted p("aten.slice.Tensor");
  g_rule = p.rule;
  p.entry.rule = [](RuleCall& call) {
    g_rule(call);
    call.out.outputs[0].meta.offset = 0;
  };
  const Checked c = check_call(p.entry, {ones_f32({4}), Value(0), Value(2), Value(4)}, eager("f32[2]{1}+2"));
  EXPECT_TRUE(one_finding(c.report, "aten.slice.Tensor", FindingField::Offset));
}

TEST(Planted, AWrongDeviceInARuleIsFound) {
  Planted p(kClone);
  g_rule = p.rule;
  p.entry.rule = [](RuleCall& call) {
    g_rule(call);
    call.out.outputs[0].meta.device = cuda(0);
  };
  EXPECT_TRUE(one_finding(clone(eager("f32[2,3]")).report, kClone, FindingField::Device));
}

TEST(Planted, ViewRuleThatAnswersFreshTensorIsFound) {
  Planted p("aten.view.default");
  g_rule = p.rule;
  p.entry.rule = [](RuleCall& call) {
    g_rule(call);
    call.out.outputs[0].kind = OutputSpec::Kind::Fresh;
  };
  const Checked c = check_call(p.entry, {ones_f32({2, 3}), Value::int_list(std::vector<int64_t>{6})},
                               eager("f32[6]", of_argument(0)));
  EXPECT_TRUE(one_finding(c.report, "aten.view.default", FindingField::Alias));
}

TEST(Planted, CopyRuleReturningViewIsFoundBySchema) {
  Planted p(kClone);
  g_rule = p.rule;
  p.entry.rule = [](RuleCall& call) {
    g_rule(call);
    call.out.outputs[0].kind = OutputSpec::Kind::View;
    call.out.outputs[0].source = call.tensor(0);
  };
  const Checked c = clone();
  EXPECT_TRUE(one_finding(c.report, kClone, FindingField::Alias));
  EXPECT_EQ(c.report.findings[0].witness, Witness::Declaration);
}

TEST(Planted, DeclaredWriteThatMovesNoVersionIsFound) {
  Planted p("aten.copy_.default");
  p.entry.written.clear();
  const Checked c = check_call(p.entry, {ones_f32({3}), ones_f32({3})});
  ASSERT_FALSE(c.report.findings.empty());
  EXPECT_EQ(c.report.findings[0].field, FindingField::Mutation);
  EXPECT_EQ(c.report.findings[0].op, "aten.copy_.default");
}

TEST(Planted, ARuleThatRefusesOnlyFakesIsFound) {
  Planted p(kClone);
  g_rule = p.rule;
  p.entry.rule = [](RuleCall& call) {
    call.require(!call.tensor(0)->fake_mode, "C9", "no fakes");
    g_rule(call);
  };
  const Checked c = clone();
  EXPECT_TRUE(one_finding(c.report, kClone, FindingField::Error));
  EXPECT_EQ(c.report.findings[0].observed, "passes");
  ASSERT_EQ(c.outcome.fake.size(), 1u);  // the fake side has taken over the real metadata
  EXPECT_EQ(to_string(c.outcome.fake[0].tensor().meta()), "f32[2,3]{3,1}+0@cpu");
}

TEST(Planted, ErrorOfAnotherFamilyThanEagersIsFound) {
  Planted p("aten.transpose.int");
  p.entry.rule = [](RuleCall& call) { call.require(false, "C9", "out of range"); };
  ErrorFact fact;
  fact.family = ErrorFamily::Index;
  fact.message = "Dimension out of range";
  const Checked c = check_call(p.entry, {ones_f32({2, 3}), Value(0), Value(5)}, {}, {}, fact);
  EXPECT_TRUE(one_finding(c.report, "aten.transpose.int", FindingField::Error));
}

TEST(Planted, ElementThatKernelLeavesUnwrittenIsFound) {
  Planted p(kClone);
  p.entry.fill_kernels[0] = [](KernelCall& call) {
    float* to = call.outputs[0].data<float>();
    for (int i = 0; i < 5; ++i) to[i] = 1;
  };
  const Checked c = clone();
  EXPECT_TRUE(one_finding(c.report, kClone, FindingField::Unwritten));
  EXPECT_EQ(c.report.findings[0].observed, "1 of 6 elements are not, the first one 20 bytes into the storage");
}

TEST(Planted, AWriteToAnInputIsFound) {
  Planted p(kClone);
  g_kernel = p.kernel;
  p.entry.fill_kernels[0] = [](KernelCall& call) {
    g_kernel(call);
    call.tensor(0).data<float>()[4] = 7;
  };
  const Checked c = clone();
  EXPECT_TRUE(one_finding(c.report, kClone, FindingField::UndeclaredWrite));
}

TEST(Planted, AWriteBesideTheWrittenViewIsFound) {
  Planted p("aten.copy_.default");
  g_kernel = p.kernel;
  p.entry.fill_kernels[0] = [](KernelCall& call) {
    g_kernel(call);
    call.tensor(0).data<float>()[-1] = 7;
  };
  const Tensor base = ones_f32({4});
  const Checked c = check_call(p.entry, {make_view(base, meta_of("f32[2]{1}+2")), ones_f32({2})});
  EXPECT_TRUE(one_finding(c.report, "aten.copy_.default", FindingField::UndeclaredWrite));
  EXPECT_THAT(c.report.findings[0].observed, testing::HasSubstr("byte 6 of its storage"));
}

TEST(Planted, AWriteBehindAResultIsFound) {
  Planted p(kClone);
  g_kernel = p.kernel;
  p.entry.fill_kernels[0] = [](KernelCall& call) {
    g_kernel(call);
    reinterpret_cast<std::byte*>(call.outputs[0].data<float>())[24] = std::byte{1};
  };
  const Checked c = clone();
  EXPECT_TRUE(one_finding(c.report, kClone, FindingField::OutOfBounds));
  EXPECT_EQ(c.report.findings[0].observed, "byte 1 behind its buffer was written");
}

int64_t bytes_of_a_result(bool guards) {
  CrosscheckOptions options;
  options.guards = guards;
  const Tensor x = ones_f32({2, 3});
  const int64_t before = host_allocator().figures().live_bytes;
  const Checked c = check_call(op_named(kClone), {x}, {}, std::move(options));
  return host_allocator().figures().live_bytes - before;
}

TEST(Planted, WithoutGuardsAResultTakesItsBytesAlone) {
  EXPECT_EQ(bytes_of_a_result(false), 24);
  EXPECT_GT(bytes_of_a_result(true), 24);
}

TEST(Planted, AWriteBeforeAResultIsFound) {
  Planted p(kClone);
  g_kernel = p.kernel;
  p.entry.fill_kernels[0] = [](KernelCall& call) {
    g_kernel(call);
    reinterpret_cast<std::byte*>(call.outputs[0].data<float>())[-2] = std::byte{1};
  };
  const Checked c = clone();
  EXPECT_TRUE(one_finding(c.report, kClone, FindingField::OutOfBounds));
  EXPECT_EQ(c.report.findings[0].observed, "byte 2 before its buffer was written");
}

// Faults in elementwise ops, whose rules and kernels come from tables.

TEST(PlantedInARow, AWrongResultTypeIsFound) {
  Planted p("aten.add.Tensor");
  g_rule = p.rule;
  p.entry.rule = [](RuleCall& call) {
    g_rule(call);
    call.out.outputs[0].meta.dtype = DType::F64;
  };
  const Checked c = check_call(p.entry, {ones_f32({2}), ones_f32({2})}, eager("f32[2]"));
  EXPECT_TRUE(one_finding(c.report, "aten.add.Tensor", FindingField::DType));
}

TEST(PlantedInARow, ABroadcastThatGoesWrongIsFound) {
  Planted p("aten.mul.Tensor");
  g_rule = p.rule;
  p.entry.rule = [](RuleCall& call) {
    g_rule(call);
    call.out.outputs[0].meta = call.meta(1);
  };
  const Checked c = check_call(p.entry, {ones_f32({2, 3}), ones_f32({3})}, eager("f32[2,3]"));
  EXPECT_TRUE(one_finding(c.report, "aten.mul.Tensor", FindingField::Size));
}

TEST(PlantedInARow, ALayoutThatForgetsItsOperandsIsFound) {
  Planted p("aten.relu.default");
  g_rule = p.rule;
  p.entry.rule = [](RuleCall& call) {
    g_rule(call);
    call.out.outputs[0].meta.strides = DimVec{3, 1};
  };
  const Tensor x(meta_of("f32[2,3]{1,2}"), ones_f32({6}).storage());
  EXPECT_TRUE(
      one_finding(check_call(p.entry, {x}, eager("f32[2,3]{1,2}")).report, "aten.relu.default", FindingField::Stride));
}

TEST(PlantedInARow, AKernelThatStopsOneShortIsFound) {
  Planted p("aten.relu.default");
  p.entry.fill_kernels[0] = [](KernelCall& call) {
    const float* from = call.tensor(0).data<float>();
    std::copy_n(from, call.tensor(0).numel().as_int() - 1, call.outputs[0].data<float>());
  };
  const Checked c = check_call(p.entry, {ones_f32({1000})}, eager("f32[1000]"));
  EXPECT_TRUE(one_finding(c.report, "aten.relu.default", FindingField::Unwritten));
  EXPECT_EQ(c.report.findings[0].observed, "1 of 1000 elements are not, the first one 3996 bytes into the storage");
}

TEST(PlantedInARow, InPlaceOpThatReturnsAnotherTensorIsFound) {
  Planted p("aten.relu_.default");
  p.entry.rule = [](RuleCall& call) { call.out.fresh(call.meta(0)); };
  const Checked c = check_call(p.entry, {ones_f32({3})});
  ASSERT_FALSE(c.report.findings.empty());
  EXPECT_EQ(c.report.findings[0].field, FindingField::Alias);
  EXPECT_EQ(c.report.findings[0].predicted, "is the written argument (the schema declares it)");
}

}  // namespace
}  // namespace ersatz
