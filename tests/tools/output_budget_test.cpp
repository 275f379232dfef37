#include "tools/output/output_budget.h"

#include <gtest/gtest.h>

namespace ersatz::tools {
namespace {

TEST(OutputBudget, ALongFindingIsCutBetweenCharacters) {
  OutputBudget budget;
  std::string text(kMostOfFinding - 1, 'a');
  const std::string cut = plain(budget.fit(text + "\xC3\xA9 and more\n"));
  EXPECT_EQ(cut.substr(0, kMostOfFinding + 3), text + "...\n");
  EXPECT_NE(cut.find("more bytes of this finding"), std::string::npos);
}

TEST(OutputBudget, WhatComesAfterAFullReportIsCounted) {
  OutputBudget budget;
  const std::string finding(kMostOfFinding - 1, 'a');  // with its line end it has exactly the largest size
  size_t fitted = 0;
  while (!budget.fit(finding).empty()) ++fitted;
  EXPECT_EQ(fitted, kMostOfReport / kMostOfFinding);
  EXPECT_TRUE(budget.fit("short", 4).empty());
  EXPECT_EQ(budget.rest().substr(0, 15), "5 more findings");
}

TEST(OutputBudget, AWholeTextIsNeverCut) {
  OutputBudget budget(true);
  const std::string finding(kMostOfReport, 'a');
  EXPECT_EQ(plain(budget.fit(finding)), finding + "\n");
  EXPECT_TRUE(budget.fits_repro(0, finding.size()));
  EXPECT_EQ(budget.rest(), "");
}

TEST(OutputBudget, ReproThatWouldBeCutHasNoRoom) {
  const OutputBudget budget;
  EXPECT_TRUE(budget.fits_repro(96, kMostOfFinding - 96));
  EXPECT_FALSE(budget.fits_repro(97, kMostOfFinding - 96));
}

}  // namespace
}  // namespace ersatz::tools
