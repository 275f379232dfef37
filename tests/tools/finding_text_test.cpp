// A finding in text: the predicted and the observed metadata are on two lines.
#include "tools/output/finding_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

Finding finding(FindingField field, const char* predicted, Witness witness, const char* observed) {
  Finding f;
  f.node = "y";
  f.op = "aten.demo.default";
  f.result = 0;
  f.field = field;
  f.predicted = predicted;
  f.witness = witness;
  f.observed = observed;
  return f;
}

std::string lines(const Finding& f) { return plain(finding_lines("finding: " + head_of(f), sides_of(f))); }

TEST(FindingText, SidesBeginAtOneColumn) {
  EXPECT_EQ(lines(finding(FindingField::Stride, "f32[2,3]{3,1}+0@cpu", Witness::Eager, "f32[2,3]{1,2}+0@cpu")),
            "finding: y = aten.demo.default, result 0: stride\n"
            "  predicted: f32[2,3]{3,1}+0@cpu\n"
            "  eager:     f32[2,3]{1,2}+0@cpu\n");
  EXPECT_EQ(lines(finding(FindingField::Error, "passes", Witness::Declaration, "raises")),
            "finding: y = aten.demo.default, result 0: error\n"
            "  expected: passes\n"
            "  found:    raises\n");
}

TEST(FindingText, ValuesAreComputedAndDifferenceIsSaidOnce) {
  EXPECT_EQ(lines(finding(FindingField::Value, "1 of 2 elements differ by up to 1, the first at [1]: 2", Witness::Eager,
                          "3")),
            "finding: y = aten.demo.default, result 0: value: 1 of 2 elements differ by up to 1, the first at [1]\n"
            "  computed: 2\n"
            "  eager:    3\n");
  EXPECT_EQ(lines(finding(FindingField::Value, "2 of 4 elements differ by up to 1, the first at [0,1]: 2 on cuda:0",
                          Witness::Device, "3 on the cpu")),
            "finding: y = aten.demo.default, result 0: value: 2 of 4 elements differ by up to 1, the first at [0,1]\n"
            "  computed: 2 on cuda:0\n"
            "  cpu:      3 on the cpu\n");
}

/// The finding has metadata with five dims and a long node name, as exporters write them.
TEST(FindingText, OfAReportFitsEightyColumns) {
  const CommandResult r =
      run_command({"crosscheck", scratch_file("wide.txt",
                                              "graph(%x: f32[8,64,12,56,56]{2408448,1,200704,3584,64}):\n"
                                              "  %batch_norm_relu_12: f32[8,64,12,56,56] = aten.relu.default(%x)\n"
                                              "  return %batch_norm_relu_12\n")});
  EXPECT_EQ(r.status, 1) << r.err;
  const size_t begin = r.out.find("finding: ");
  const std::string said = r.out.substr(begin, r.out.find("  Stride mismatch!") - begin);
  EXPECT_EQ(said,
            "finding: batch_norm_relu_12 = aten.relu.default, result 0: stride\n"
            "  predicted: f32[8,64,12,56,56]{2408448,1,200704,3584,64}+0@cpu\n"
            "  record:    f32[8,64,12,56,56]{2408448,37632,3136,56,1}+0@cpu\n");
}

}  // namespace
}  // namespace ersatz::tools
