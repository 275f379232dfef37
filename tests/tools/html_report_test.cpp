// `ersatz crosscheck --html`: one page without network or script, with any names in the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/tools/command_line.h"
#include "tools/output/html_page.h"
#include "tools/report/layout_picture.h"

namespace ersatz::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const char* const kHostile =
    "graph(%\"<script>alert(1)</script>\": f32[4,8]{1,4}):\n"
    "  %\"\\\"><img src=x onerror=alert(2)>\": f32[4,8] = aten.add.Tensor(%\"<script>alert(1)</script>\", 1)"
    " {name=\"'</title><script>alert(3)</script>\", at=\"</pre><b onclick='x'>.py:1\"}\n"
    "  %u: tensor = \"<i>.<b>.default\"(%\"\\\"><img src=x onerror=alert(2)>\")\n"
    "  return %u\n";

std::string page_of(const std::string& program, std::string* file = nullptr) {
  const std::string out = scratch_file("page.html", "");
  const CommandResult r =
      run_command({"crosscheck", scratch_file("page <b>&'.txt", program), "--keep-going", "--html", "-o", out});
  EXPECT_EQ(r.status, 1) << r.err;
  if (file) *file = out;
  return read_bytes(out);
}

TEST(HtmlReport, ShowsTheFindingItsGraphAndBothLayouts) {
  const std::string page = page_of("graph(%x: f32[2,3]{1,2}):\n  %a: f32[2,3] = aten.abs.default(%x)\n  return %a\n");
  EXPECT_THAT(page, HasSubstr("<h1 class=\"bad\">first divergence: aten.abs.default stride at a; 1 finding"));
  EXPECT_THAT(page, HasSubstr("aria-label=\"graph around a\""));
  EXPECT_THAT(page, HasSubstr("aria-label=\"memory of f32[2,3]{1,2}+0@cpu\""));
  EXPECT_THAT(page, HasSubstr("aria-label=\"memory of f32[2,3]{3,1}+0@cpu\""));
  EXPECT_THAT(page, HasSubstr("The smallest program that shows it"));
  EXPECT_THAT(page, HasSubstr("<h2>Coverage</h2>"));
}

TEST(HtmlReport, EscapesNamesAndPathsOfAHostileProgram) {
  const std::string page = page_of(kHostile);
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
  for (const char* markup : {"<script", "<img", "<b ", "<b>&", "<i>", "<script>alert(3)"}) {
    EXPECT_EQ(page.substr(page.find("<body>")).find(markup), std::string::npos) << markup;
  }
}

TEST(HtmlReport, NeedsNoNetwork) {
  const std::string page = page_of(kHostile);
  for (const char* outside : {"http:", "https:", "src=\"", "href=", "url(/", "@import"}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

/// On a narrow screen each row of a table is a block, and each cell begins with the name of its column.
TEST(HtmlReport, CellsNameTheirColumns) {
  const std::string page = page_of("graph(%x: f32[2,3]{1,2}):\n  %a: f32[2,3] = aten.abs.default(%x)\n  return %a\n");
  for (const char* column : {"node", "operator", "field", "predicted", "observed", "witness", "source"}) {
    EXPECT_THAT(page, HasSubstr(std::string("<td data-is=\"") + column + "\">")) << column;
  }
  EXPECT_THAT(page, Not(HasSubstr("<td>")));
  EXPECT_THAT(page,
              HasSubstr("<dt>predicted</dt><dd>f32[2,3]{1,2}+0@cpu</dd><dt>record</dt><dd>f32[2,3]{3,1}+0@cpu</dd>"));
}

TEST(HtmlReport, IsAFormatOfEachCommand) {
  const CommandResult format = run_command({"crosscheck", committed_program("mlp"), "--format", "html"});
  EXPECT_EQ(format.out, run_command({"crosscheck", committed_program("mlp"), "--html"}).out);
  const CommandResult r = run_command({"propagate", committed_program("mlp"), "--format", "html"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("<title>ersatz propagate</title>"));
  EXPECT_THAT(r.out, HasSubstr("<h1 class=\"good\">propagate: 1 run, 0 data-dependent points, 0 findings</h1>"));
  EXPECT_THAT(r.out, HasSubstr("<dt>run 1</dt><dd>inputs: "));
  EXPECT_THAT(r.out, Not(HasSubstr("<pre>")));
}

TEST(HtmlReport, TextPageHasItsHeadsTermsAndCode) {
  Document document = "finding: a.b.default: <stride>";
  document.add_term("predicted", "x", 10);
  document.add_term("eager", "y", 10);
  document.add(Document::Kind::Below, "no name: here");
  document.add(Document::Kind::Below, "repro:");
  document.add_code("line 1\n  line 2\n");
  document.add("  alone");
  document.closing = "validate: 1 ops";
  document.data = {{"command", "validate"}, {"status", "findings"}};
  const std::string page = document_page(document);
  EXPECT_THAT(page,
              HasSubstr("<h1 class=\"bad\">validate: 1 ops</h1><section><h2>finding: a.b.default: &lt;stride&gt;</h2>"
                        "<dl class=\"sides\"><dt>predicted</dt><dd>x</dd><dt>eager</dt><dd>y</dd></dl>"
                        "<p class=\"row\">no name: here</p><p class=\"row\">repro:</p><pre>line 1\n  line 2\n</pre>"
                        "</section><p>  alone</p></body>"));
}

TEST(HtmlReport, OfAProgramIsItsText) {
  const CommandResult r = run_command({"show", committed_program("mlp"), "--format", "html"});
  EXPECT_THAT(r.out, HasSubstr("<pre>ersatz program 2\n"));
  EXPECT_THAT(r.out, HasSubstr(" = aten.addmm.default("));
  EXPECT_THAT(r.out, Not(HasSubstr("<h2>")));
}

TEST(HtmlReport, AndJsonExcludeEachOther) {
  EXPECT_EQ(run_command({"crosscheck", committed_program("mlp"), "--html", "--json"}).status, 2);
}

TEST(LayoutPicture, ShowsWhichElementLiesWhere) {
  const std::string picture = layout_picture("f32[2,2]{1,2}+1@cpu");
  const size_t gap = picture.find("class=\"gap\""), first = picture.find(">0,0<"), second = picture.find(">1,0<"),
               third = picture.find(">0,1<");
  EXPECT_LT(gap, first);
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
}

TEST(LayoutPicture, CountsElementsThatShareAPlace) {
  EXPECT_THAT(layout_picture("f32[3]{0}+0@cpu"), HasSubstr(">0 +2<"));
}

TEST(LayoutPicture, OfWhatIsNoTensorIsNone) {
  EXPECT_EQ(layout_picture("raises (runtime)"), "");
  EXPECT_EQ(layout_picture("f32[0]{1}+0@cpu"), "");
}

std::string browser() {
  const char* path = std::getenv("PATH");
  std::string folders = path ? path : "";
  for (size_t at = 0; at < folders.size();) {
    const size_t end = std::min(folders.find(':', at), folders.size());
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
      const std::string file = folders.substr(at, end - at) + "/" + name;
      if (std::filesystem::exists(file)) return file;
    }
    at = end + 1;
  }
  return "";
}

TEST(HtmlReport, OpensInABrowserAtBothWidths) {
  const std::string chromium = browser();
  if (chromium.empty()) GTEST_SKIP() << "no Chromium here";
  std::string file;
  page_of(kHostile, &file);
  for (const char* size : {"1100,1400", "390,1400"}) {
    const std::string shot = scratch_file("page.png", ""), dom = scratch_file("page.dom", "");
    const std::string command = chromium + " --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir=" +
                                scratch_file("profile/x", "") + ".d --window-size=" + size;
    ASSERT_EQ(std::system((command + " --screenshot=" + shot + " file://" + file + " >/dev/null 2>&1").c_str()), 0);
    ASSERT_EQ(std::system((command + " --dump-dom file://" + file + " >" + dom + " 2>/dev/null").c_str()), 0);
    EXPECT_GT(read_bytes(shot).size(), 10000u);
    const std::string seen = read_bytes(dom);
    EXPECT_THAT(seen, HasSubstr("first divergence: aten.add.Tensor stride"));
    EXPECT_THAT(seen, Not(HasSubstr("<script")));
    EXPECT_THAT(seen, Not(HasSubstr("<img")));
  }
}

}  // namespace
}  // namespace ersatz::tools
