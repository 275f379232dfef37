// A report's lines in each output form.
#include "tools/output/document.h"

#include <gtest/gtest.h>

namespace ersatz::tools {
namespace {

Document a_report() {
  Document report;
  report.add(Mark::Finding, "finding:", "x\n  arg 0\n");
  report.add_row("y", "a.py:1");
  report.closing = "crosscheck: 1 compared";
  report.data["status"] = "findings";
  return report;
}

std::string row(std::string_view text, std::string_view source, size_t columns) {
  Document report;
  report.add_row(text, source);
  return for_terminal(report, columns, false);
}

TEST(Document, AsText) {
  EXPECT_EQ(plain(a_report()), "finding: x\n  arg 0\ny  # a.py:1\ncrosscheck: 1 compared\n");
  EXPECT_EQ(plain(Document()), "");
  EXPECT_EQ(plain(Document("one\n\ntwo")), "one\n\ntwo\n");
}

TEST(Document, TerminalColoursHeadsSourcesAndClosingLine) {
  EXPECT_EQ(for_terminal(a_report(), 0, true),
            "\033[1;31mfinding:\033[0m x\n  arg 0\ny\033[2m  # a.py:1\033[0m\n"
            "\033[1;31mcrosscheck: 1 compared\033[0m\n");
  Document clean, program = "graph():\n  return\nfinding: no mark\n";
  clean.closing = "fake: 1 nodes";
  clean.data["status"] = "clean";
  EXPECT_EQ(for_terminal(clean, 0, true), "\033[32mfake: 1 nodes\033[0m\n");
  EXPECT_EQ(for_terminal(program, 0, true), plain(program));
}

TEST(Document, ANarrowTerminalCutsSourcesAlone) {
  EXPECT_EQ(row("f32[2,3]{3,1}+0@cpu", "model.py:17: y = x", 35), "f32[2,3]{3,1}+0@cpu  # model.py:...\n");
  EXPECT_EQ(row("f32[2,3]{3,1}+0@cpu    ", "model.py:17: y = x", 20), "f32[2,3]{3,1}+0@cpu\n");
  EXPECT_EQ(row("a line without a source", "", 5), "a line without a source\n");
  EXPECT_EQ(row("a  # of a program's text", "", 5), "a  # of a program's text\n");
  EXPECT_EQ(row("a", "b", 0), "a  # b\n");
}

TEST(Document, LinesHaveTheIndentationOfTheirKind) {
  Document report = "finding: a";
  report.add_term("predicted", "f32[2]", 10);
  report.add_term("eager", "f32[3]\nand more", 10);
  report.add(Document::Kind::Below, "in run 1");
  report.add_row("u0", "a.py:1", Document::Kind::Below);
  report.add_code("x\n  y\n");
  report.add_code("graph():\n  return\n", Document::Kind::Program);
  EXPECT_EQ(
      plain(report),
      "finding: a\n  predicted: f32[2]\n  eager:     f32[3]\nand more\n  in run 1\n  u0  # a.py:1\n    x\n      y\n"
      "graph():\n  return\n");
  const Document::Line& eager = report.lines()[2];
  EXPECT_EQ(eager.term(), "eager");
  EXPECT_EQ(eager.said(), "f32[3]");
  EXPECT_EQ(report.lines()[3].kind, Document::Kind::Top);
  EXPECT_EQ(report.lines()[4].words(), "in run 1");
}

TEST(Document, JoinsOthersWithTheirMarksAndClosingLine) {
  Document both = "first\n";
  both.add(a_report());
  EXPECT_EQ(plain(both), "first\n" + plain(a_report()));
  EXPECT_EQ(both.lines()[1].mark, Mark::Finding);
  EXPECT_EQ(both.lines()[1].marked, 8u);
  both.add("last");
  EXPECT_EQ(both.closing, "crosscheck: 1 compared");
}

TEST(Document, IsCutBetweenCharacters) {
  Document report = "ab\ncd\xC3\xA9\nef\n";
  report.cut(6);  // in the middle of the third character of line 2
  EXPECT_EQ(plain(report), "ab\ncd...\n");
  report = "ab\ncd\n";
  report.cut(2);
  EXPECT_EQ(plain(report), "ab...\n");
  report = "ab\ncd\n";
  report.cut(3);
  EXPECT_EQ(plain(report), "ab\n...\n");
}

TEST(Document, LineMovesWithItsSpelledOutParts) {
  Document report;
  report.add_term("a\033b", "c\033d");
  report.make_printable();
  EXPECT_EQ(report.lines()[0].text, "  a\\x1bb: c\\x1bd");
  EXPECT_EQ(report.lines()[0].term(), "a\\x1bb");
  EXPECT_EQ(report.lines()[0].said(), "c\\x1bd");
}

TEST(Document, SpellsOutWhatATerminalWouldObey) {
  Document report;
  report.add(Mark::Finding, "finding:", "a\033[31mb");
  report.add_row("x\033y", "z\033");
  report.make_printable();
  EXPECT_EQ(plain(report).find('\033'), std::string::npos);
  EXPECT_EQ(report.lines()[0].text.substr(0, report.lines()[0].marked), "finding:");
  EXPECT_EQ(report.lines()[1].text.substr(report.lines()[1].source, 5), "  # z");
}

}  // namespace
}  // namespace ersatz::tools
