#include "tools/output/text_room.h"

#include <gtest/gtest.h>

namespace ersatz::tools {
namespace {

TEST(TextRoom, ALongFindingIsCutBetweenCharacters) {
  TextRoom room;
  std::string text(kMostOfFinding - 1, 'a');
  const std::string cut = plain(room.fit(text + "\xC3\xA9 and more\n"));
  EXPECT_EQ(cut.substr(0, kMostOfFinding + 3), text + "...\n");
  EXPECT_NE(cut.find("more bytes of this finding"), std::string::npos);
}

TEST(TextRoom, WhatComesAfterAFullReportIsCounted) {
  TextRoom room;
  const std::string finding(kMostOfFinding - 1, 'a');  // the line end is the last byte
  size_t fitted = 0;
  while (!room.fit(finding).empty()) ++fitted;
  EXPECT_EQ(fitted, kMostOfReport / kMostOfFinding);
  EXPECT_TRUE(room.fit("short", 4).empty());
  EXPECT_EQ(room.rest().substr(0, 15), "5 more findings");
}

TEST(TextRoom, AWholeTextIsNeverCut) {
  TextRoom room(true);
  const std::string finding(kMostOfReport, 'a');
  EXPECT_EQ(plain(room.fit(finding)), finding + "\n");
  EXPECT_TRUE(room.has_room_for_repro(0, finding.size()));
  EXPECT_EQ(room.rest(), "");
}

TEST(TextRoom, ReproThatWouldBeCutHasNoRoom) {
  const TextRoom room;
  EXPECT_TRUE(room.has_room_for_repro(96, kMostOfFinding - 96));
  EXPECT_FALSE(room.has_room_for_repro(97, kMostOfFinding - 96));
}

}  // namespace
}  // namespace ersatz::tools
