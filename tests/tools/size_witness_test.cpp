// `ersatz crosscheck --sizes`: symbolic results compared with runs on numbers, and planted faults.
#include <gtest/gtest.h>

#include <functional>

#include "tests/tools/command_line.h"
#include "tools/program/program_input.h"
#include "tools/size_coverage/size_witness.h"

namespace ersatz::tools {
namespace {

const FakeRunOptions kSymbolic = [] {
  FakeRunOptions how;
  how.symbolic = true;
  return how;
}();

/// A program on x with n elements and y with m: views, a sum that requires equal sizes, and slices.
std::string program_text() {
  return scratch_file("sizes.txt",
                      "ersatz program 1\n\n"
                      "graph(%x: f32[4,6]{6,1}+0@cpu, %y: f32[4,6]{6,1}+0@cpu):\n"
                      "  %permute: f32[6,4]{1,6}+0@cpu ~x = aten.permute.default(%x, [1, 0])\n"
                      "  %slice: f32[2,4]{1,6}+2@cpu ~x = aten.slice.Tensor(%permute, 0, 2, 4)\n"
                      "  %relu: f32[4,6]{6,1}+0@cpu = aten.relu.default(%y)\n"
                      "  %avg: f32[1,4,3]{12,3,1}+0@cpu = aten.unsqueeze.default(%relu, 0)\n"
                      "  %pool: f32[1,4,3]{12,3,1}+0@cpu = aten.avg_pool1d.default(%avg, [2], [2])\n"
                      "  %add: f32[4,6]{6,1}+0@cpu = aten.add.Tensor(%x, %relu)\n"
                      "  return %slice, %pool, %add\n");
}

std::function<Program()> loader() {
  const std::string path = program_text();
  const std::vector<std::string> words{"x:0=n:1..20", "x:1=k:4..20", "y:0=n", "y:1=m:4..20"};
  return [path, dynamic = parse_dynamic_inputs(words)] { return load_dynamic(path, dynamic); };
}

SizeWitness witness(const SizeCover& cover) { return witness_sizes(loader(), cover, kSymbolic, 24, 0); }

/// The findings of the comparison after `spoil` changed a correct SizeCover.
std::vector<Finding> planted(const std::function<void(SizeCover&)>& spoil) {
  SizeCover cover = cover_sizes(loader(), kSymbolic, 8);
  EXPECT_EQ(witness(cover).mismatched, 0);
  spoil(cover);
  const SizeWitness found = witness(cover);
  EXPECT_GT(found.mismatched, 0);
  return found.findings;
}

FakeRow& row(SizeCover& cover, const std::string& name) {
  for (FakeRow& r : cover.cases[0].summary.rows) {
    if (r.name == name) return r;
  }
  throw std::runtime_error(name);
}

TEST(SizeWitness, CaseAnswersEqualTheProgramOnNumbers) {
  const SizeCover cover = cover_sizes(loader(), kSymbolic, 8);
  const SizeWitness found = witness(cover);
  EXPECT_EQ(found.bindings.size(), 24U);
  EXPECT_GT(found.compared, 24 * 4);
  EXPECT_EQ(found.mismatched, 0);
  EXPECT_EQ(found.undecided, 0);
}

TEST(SizeWitness, ARuleThatReadsAHintIsFound) {
  const auto findings = planted([](SizeCover& c) { row(c, "relu").meta = "f32[4,m]{m,1}+0@cpu"; });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].node, "relu");
  EXPECT_EQ(findings[0].field, FindingField::Size);
}

TEST(SizeWitness, AStrideTakenFromAHintIsFound) {
  const auto findings = planted([](SizeCover& c) { row(c, "permute").meta = "f32[k,n]{1,6}+0@cpu"; });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].node, "permute");
  EXPECT_EQ(findings[0].field, FindingField::Stride);
}

TEST(SizeWitness, CeilForFloorIsFound) {
  const auto findings = planted([](SizeCover& c) {
    std::string& meta = row(c, "pool").meta;
    EXPECT_EQ(meta, "f32[1,n,(m//2)]{n*(m//2),(m//2),1}+0@cpu");
    meta = "f32[1,n,((m+1)//2)]{n*((m+1)//2),((m+1)//2),1}+0@cpu";
  });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].node, "pool");
  EXPECT_EQ(findings[0].field, FindingField::Size);
}

TEST(SizeWitness, ALostGuardIsFound) {
  const auto findings = planted([](SizeCover& c) {
    c.cases.resize(1);
    c.cases[0].conditions.clear();
  });
  ASSERT_GE(findings.size(), 1U);
  EXPECT_EQ(findings[0].field, FindingField::Error);
  EXPECT_NE(findings[0].observed.find("[add.C1]"), std::string::npos) << findings[0].observed;
}

TEST(SizeWitness, ALostAliasIsFound) {
  const auto findings = planted([](SizeCover& c) { row(c, "slice").alias.clear(); });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].field, FindingField::Alias);
}

TEST(SizeWitness, TwoCasesForOneSizeChoiceAreFound) {
  const auto findings = planted([](SizeCover& c) { c.cases.push_back(c.cases[0]); });
  ASSERT_GE(findings.size(), 1U);
  EXPECT_NE(findings[0].predicted.find("case 1 applies"), std::string::npos);
}

TEST(SizeWitness, SizesWithoutCaseAreCountedAsGuardedOut) {
  SizeCover cover = cover_sizes(loader(), kSymbolic, 1);
  const SizeWitness found = witness(cover);
  EXPECT_EQ(found.mismatched, 0);
  EXPECT_GT(found.compared, 0);
  EXPECT_GT(found.guarded_out, 0);
}

TEST(SizeWitness, TheCommandAddsItToItsReport) {
  const CommandResult r =
      run_command({"crosscheck", committed_program("mlp"), "--sizes", "5", "--dynamic", "x:0=batch:1..64", "--json"});
  EXPECT_EQ(r.status, 0) << r.out;
  const nlohmann::json symbolic = r.json()["symbolic"];
  EXPECT_EQ(symbolic["results"], 10);
  EXPECT_EQ(symbolic["sizes"], 5);
  EXPECT_EQ(symbolic["compared"], 50);
  EXPECT_EQ(symbolic["mismatched"], 0);
  EXPECT_EQ(symbolic["guarded_out"], 0);
  EXPECT_EQ(symbolic["undecided"], 0);
  EXPECT_EQ(symbolic["kernels"], nlohmann::json::parse(R"({"bindings":5,"compared":50,"mismatched":0,"refused":0})"));
}

// The program has no recorded metadata, so at its own sizes nothing can be compared.
TEST(SizeWitness, ComparisonsAtOtherSizesCount) {
  const std::string silent =
      scratch_file("silent_sizes.txt", "graph(%x: f32[4,6]):\n  %y: tensor = aten.relu.default(%x)\n  return %y\n");
  EXPECT_EQ(run_command({"crosscheck", silent}).status, 1);
  const CommandResult r = run_command({"crosscheck", silent, "--sizes", "3", "--dynamic", "x:0=n:1..20"});
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_EQ(r.out.find("nothing was compared"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("crosscheck: 0 compared, 0 mismatched, 1 skipped (unwitnessed 1); 6 compared at other sizes\n"),
            std::string::npos)
      << r.out;
}

// The runs with symbols and with numbers agree here, so only results of kernels can differ.
TEST(SizeWitness, KernelsAreHeldAgainstTheAnswersWithSymbols) {
  SizeCover cover = cover_sizes(loader(), kSymbolic, 8);
  const CrosscheckRunOptions kernels;
  const SizeWitness good = witness_sizes(loader(), cover, kSymbolic, 24, 0, &kernels);
  EXPECT_EQ(good.kernels.mismatched, 0);
  EXPECT_GT(good.kernels.bindings, 1);
  EXPECT_GT(good.kernels.compared, good.kernels.bindings);
  Program program = loader()();
  row(cover, "slice").meta = "f32[1]{1}+0@cpu";
  const KernelsAtSizes wrong = run_kernels(std::move(program), cover.cases[0], kernels);
  ASSERT_EQ(wrong.mismatched, 1);
  EXPECT_EQ(wrong.findings[0].node, "slice");
  EXPECT_EQ(wrong.findings[0].witness, Witness::Record);
}

TEST(SizeWitness, DataDependentSizesStaySymbolsOnNumbers) {
  const std::string program = scratch_file("picked.txt",
                                           "ersatz program 1\n\n"
                                           "graph(%x: f32[4,3]{3,1}+0@cpu):\n"
                                           "  %m: bool[4,3]{3,1}+0@cpu = aten.gt.Scalar(%x, 0)\n"
                                           "  %s: f32[5]{1}+0@cpu = aten.masked_select.default(%x, %m)\n"
                                           "  %y: f32[4,3]{3,1}+0@cpu = aten.add.Scalar(%x, 1)\n"
                                           "  %r: f32[5,4]{4,1}+0@cpu = aten.new_zeros.default(%s, [5, 4])\n"
                                           "  %c: f32[17]{1}+0@cpu = aten.cat.default([%s, %s])\n"
                                           "  return %c, %y, %r\n");
  const CommandResult r = run_command({"crosscheck", program, "--sizes", "4", "--dynamic", "x:0=n:1..9", "--json"});
  const nlohmann::json symbolic = r.json()["symbolic"];
  EXPECT_EQ(symbolic["compared"], 20) << r.out;
  EXPECT_EQ(symbolic["mismatched"], 0) << r.out;
  EXPECT_EQ(symbolic["undecided"], 0) << r.out;
  EXPECT_EQ(symbolic["kernels"]["bindings"], 4) << r.out;
  EXPECT_EQ(symbolic["kernels"]["mismatched"], 0) << r.out;
}

/// A program that selects the least element of x and broadcasts it against y. Its size depends on data and is 1 in
/// every run.
std::string one_picked() {
  return scratch_file("one.txt",
                      "ersatz program 1\n\n"
                      "graph(%x: f32[4]{1}+0@cpu, %y: f32[3]{1}+0@cpu):\n"
                      "  %least: f32[]{}+0@cpu = aten.min.default(%x)\n"
                      "  %m: bool[4]{1}+0@cpu = aten.eq.Tensor(%x, %least)\n"
                      "  %s: f32[1]{1}+0@cpu = aten.masked_select.default(%x, %m)\n"
                      "  %sum: f32[3]{1}+0@cpu = aten.add.Tensor(%s, %y)\n"
                      "  return %sum\n");
}
KernelsAtSizes kernels_of(const std::string& program, const std::function<void(SizeCase&)>& spoil) {
  const auto load = [&] { return load_dynamic(program, {}); };
  SizeCover cover = cover_sizes(load, kSymbolic, 8);
  EXPECT_FALSE(cover.cases[0].summary.stopped);
  spoil(cover.cases[0]);
  return run_kernels(load(), cover.cases[0], {});
}

TEST(SizeWitness, ADroppedAssumptionIsFoundByTheKernels) {
  const KernelsAtSizes kept = kernels_of(one_picked(), [](SizeCase&) {});
  EXPECT_EQ(kept.compared, 0);
  EXPECT_NE(kept.refused.find("does not hold of these data"), std::string::npos) << kept.refused;
  const KernelsAtSizes dropped = kernels_of(one_picked(), [](SizeCase& c) {
    c.asserts.clear();
    c.assumptions.clear();
  });
  ASSERT_GT(dropped.mismatched, 0);
  EXPECT_EQ(dropped.findings[0].node, "sum");
}

TEST(SizeWitness, CountRememberedAcrossWriteIsFoundByKernels) {
  const std::string program = scratch_file("memo.txt",
                                           "ersatz program 1\n\n"
                                           "graph(%x: f32[4]{1}+0@cpu):\n"
                                           "  %a: i64[4,1]{1,4}+0@cpu = aten.nonzero.default(%x)\n"
                                           "  %z: f32[4]{1}+0@cpu = aten.zero_.default(%x)\n"
                                           "  %b: i64[0,1]{1,1}+0@cpu = aten.nonzero.default(%x)\n"
                                           "  %c: i64[4,1]{1,1}+0@cpu = aten.cat.default([%a, %b])\n"
                                           "  return %c\n");
  const KernelsAtSizes good = kernels_of(program, [](SizeCase&) {});
  EXPECT_EQ(good.compared, 2);
  EXPECT_EQ(good.mismatched, 0);
  const KernelsAtSizes stale = kernels_of(program, [](SizeCase& c) {
    FakeRow &b = c.summary.rows[2], &cat = c.summary.rows[3];
    EXPECT_EQ(b.meta, "i64[u1,1]{1,u1}+0@cpu");
    EXPECT_EQ(cat.meta, "i64[u0+u1,1]{1,1}+0@cpu");
    b.meta = "i64[u0,1]{1,u0}+0@cpu";
    cat.meta = "i64[2*u0,1]{1,1}+0@cpu";
  });
  ASSERT_EQ(stale.mismatched, 1);
  EXPECT_EQ(stale.findings[0].node, "c");
}

TEST(SizeWitness, CostlyKernelsDoNotRun) {
  FakeSummary s;
  EXPECT_TRUE(affordable(s));
  s.flops = 2 * kMostKernelFlops;
  EXPECT_FALSE(affordable(s));
  s.flops = 0;
  s.peak_bytes = kMostKernelBytes + 1;
  EXPECT_FALSE(affordable(s));
}

TEST(SizeWitness, WithoutRealRunsNoKernelsRun) {
  const CommandResult r = run_command(
      {"crosscheck", committed_program("mlp"), "--sizes", "3", "--dynamic", "x:0=batch:1..64", "--no-real", "--json"});
  EXPECT_EQ(r.json()["symbolic"]["compared"], 30);
  EXPECT_EQ(r.json()["symbolic"]["kernels"]["bindings"], 0);
}

TEST(SizeWitness, DynamicWithoutSizesIsRefused) {
  EXPECT_EQ(run_command({"crosscheck", committed_program("mlp"), "--dynamic", "x:0=n"}).status, 2);
}

}  // namespace
}  // namespace ersatz::tools
