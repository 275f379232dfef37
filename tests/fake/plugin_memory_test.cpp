// Under crosscheck, memory that a plugin's kernel allocates through ersatz has guard zones and a fill.
#include "tests/fake/checked.h"
#include "tests/fake/faulty_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

Tensor ramp() { return tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3}); }

/// Returns the checks of bytes that were skipped, with their reasons.
std::string unchecked(const Report& report) {
  std::string out;
  for (const Unchecked& u : report.coverage.total().unchecked) {
    if (u.check == Check::Values) continue;
    out += fmt::format("{} {} {};", name(u.check), name(u.reason), u.times);
  }
  return out;
}

TEST(PluginMemory, AWriteBehindOrBeforeItIsFound) {
  for (int64_t beside : {int64_t(6), int64_t(-1)}) {
    const Checked c = check_call(faulty("beside"), {ramp(), Value(beside)});
    EXPECT_TRUE(one_finding(c.report, "faulty.beside.default", FindingField::OutOfBounds)) << beside;
    EXPECT_EQ(c.report.mismatched, 1);
    EXPECT_EQ(c.report.findings[0].predicted, "writes stay within the 24 bytes of the result");
  }
}

TEST(PluginMemory, TheNearestByteIsNamed) {
  const Checked behind = check_call(faulty("beside"), {ramp(), Value(int64_t(6))});
  EXPECT_EQ(behind.report.findings.at(0).observed, "byte 1 behind its buffer was written");
  EXPECT_EQ(behind.report.findings.at(0).result, 0);
  const Checked before = check_call(faulty("beside"), {ramp(), Value(int64_t(-2))});
  EXPECT_EQ(before.report.findings.at(0).observed, "byte 5 before its buffer was written");
}

TEST(PluginMemory, WriteBesideScratchMemoryIsFound) {
  const Checked c = check_call(faulty("scratch"), {ramp()});
  EXPECT_TRUE(one_finding(c.report, "faulty.scratch.default", FindingField::OutOfBounds));
  EXPECT_EQ(c.report.findings[0].result, -1);
  EXPECT_EQ(c.report.findings[0].predicted, "writes stay within the 16 bytes of memory that the kernel allocated");
  EXPECT_EQ(c.report.mismatched, 1);
}

TEST(PluginMemory, WriteIntoResultWithoutElementsIsFound) {
  EXPECT_TRUE(one_finding(check_call(faulty("past_nothing"), {ramp()}).report, "faulty.past_nothing.default",
                          FindingField::OutOfBounds));
}

TEST(PluginMemory, AnElementThatIsNeverWrittenIsFound) {
  const Checked c = check_call(faulty("skips"), {ramp()});
  EXPECT_TRUE(one_finding(c.report, "faulty.skips.default", FindingField::Unwritten));
  EXPECT_EQ(c.report.findings[0].observed, "1 of 6 elements are not, the first one 20 bytes into the storage");
  EXPECT_EQ(c.report.mismatched, 1);
}

TEST(PluginMemory, ElementsEqualToACheckFillAreWritten) {
  const Checked c = check_call(faulty("fills"), {ramp()});
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.judged_by(Witness::Kernel), 1);
}

TEST(PluginMemory, SecondRunStartsFromTheFirstRunsValues) {
  const Tensor acc = ramp();
  const Checked c = check_call(faulty("adds_and_skips"), {acc});
  EXPECT_TRUE(one_finding(c.report, "faulty.adds_and_skips.default", FindingField::Unwritten));
  EXPECT_EQ(acc.data<float>()[0], 2.0f);
  EXPECT_EQ(acc.version(), 1u);
}

TEST(PluginMemory, SoundKernelHasNoFindingAndNothingUnchecked) {
  const Checked c = check_call(faulty("sound"), {ramp()});
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.compared, 1);
  EXPECT_EQ(unchecked(c.report), "");
}

TEST(PluginMemory, ResultsInTheKernelsMemoryAreReportedUnchecked) {
  const Checked c = check_call(faulty("own"), {ramp()});
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(unchecked(c.report), "unwritten own_results 1;out_of_bounds own_results 1;");
}

TEST(PluginMemory, OnlyResultsInWatchedMemoryAreWatched) {
  const Checked c = check_call(faulty("one_of_each"), {ramp()});
  EXPECT_TRUE(one_finding(c.report, "faulty.one_of_each.default", FindingField::Unwritten));
  EXPECT_EQ(c.report.findings[0].result, 1);
  EXPECT_EQ(unchecked(c.report), "unwritten own_results 1;out_of_bounds own_results 1;");
}

TEST(PluginMemory, AnOpWithoutResultsHasNothingUnchecked) {
  load_plugin(ERSATZ_BINARY_DIR "/lib/demo_ops.so");
  EXPECT_EQ(unchecked(check_call(op_named("demo.add_into.default"), {ramp(), ramp()}).report), "");
}

TEST(PluginMemory, SwitchedOffIsToldAndKeepsQuiet) {
  CrosscheckOptions options;
  options.poison = options.guards = false;
  const Checked c = check_call(faulty("skips"), {ramp()}, {}, options);
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(unchecked(c.report), "unwritten switched_off 1;out_of_bounds switched_off 1;");
}

TEST(PluginMemory, FillsAloneFindWhatIsNeverWritten) {
  CrosscheckOptions options;
  options.guards = false;
  EXPECT_TRUE(one_finding(check_call(faulty("skips"), {ramp()}, {}, options).report, "faulty.skips.default",
                          FindingField::Unwritten));
}

TEST(PluginMemory, FallbackThatWritesBesideItIsHarmlessError) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  const FakeMode mode(options);
  const Error e = error_of([&] {
    call(faulty("beside_unruled"), std::vector<Value>{mode.make(meta_of("f32[2,3]")), Value(int64_t(6))});
  });
  EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
  EXPECT_THAT(e.message, HasSubstr("beside_unruled: the kernel asked for 24 bytes, and byte 1 behind its buffer was "
                                   "written (from the kernel of faulty.beside_unruled.default, run on made-up inputs"));
}

TEST(PluginMemory, UnruledOpThatWritesBesideItIsFound) {
  const Checked c = check_call(faulty("beside_unruled"), {ramp(), Value(int64_t(6))});
  EXPECT_TRUE(one_finding(c.report, "faulty.beside_unruled.default", FindingField::OutOfBounds));
}

}  // namespace
}  // namespace ersatz
