// Archives with several programs, from which --program picks one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/tools/command_line.h"
#include "tracer/archive/zip_archive.h"
#include "tracer/archive/zip_writer.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const size_t at = text.find(what);
  return at == text.npos ? text : text.replace(at, what.size(), with);
}

/// An archive with a program for each of these operators, under the operator's name.
std::string archive_of(const std::vector<std::string>& ops) {
  const std::string path = scratch_file("archive_programs/several.pt2", "");
  ZipWriter zip(path);
  std::set<std::string> written;
  for (const std::string& op : ops) {
    const std::string text = scratch_file("archive_programs/" + op + ".txt",
                                          "ersatz program 2\n\ngraph(%x: f32[3,4]{4,1}+0@cpu):\n"
                                          "  %y: f32[3,4]{4,1}+0@cpu = aten." +
                                              op + ".default(%x)\n  return %y\n");
    const std::string alone = scratch_file("archive_programs/" + op + ".pt2", "");
    EXPECT_EQ(run_command({"show", text, "-o", alone}).status, 0);
    const auto archive = ZipArchive::open(alone);
    for (const ZipArchive::Entry& e : archive->entries()) {
      const std::string root = e.name.substr(0, e.name.find('/'));
      std::string name = "several" + e.name.substr(root.size());
      name = replaced(replaced(name, "/models/model.json", "/models/" + op + ".json"), "/model_", "/" + op + "_");
      if (!written.insert(name).second) continue;
      const std::string bytes = archive->read(e);
      zip.add(name, std::as_bytes(std::span(bytes)));
    }
  }
  zip.finish();
  return path;
}

TEST(ArchivePrograms, OneIsPickedByItsName) {
  const std::string path = archive_of({"sin", "cos"});
  for (const std::string command : {"show", "fake", "crosscheck"}) {
    const CommandResult none = run_command({command, path});
    EXPECT_EQ(none.status, 2) << command;
    EXPECT_THAT(none.err, HasSubstr("several.pt2: holds 2 programs; --program picks one: sin, cos")) << command;
    EXPECT_THAT(run_command({command, path, "--program", "tan"}).err,
                HasSubstr("no program is called tan; there are sin, cos"))
        << command;
    const CommandResult one = run_command({command, path, "--program", "cos"});
    EXPECT_NE(one.status, 2) << command << one.err;
  }
  EXPECT_THAT(run_command({"show", path, "--program", "cos"}).out, HasSubstr("aten.cos.default(%x)"));
  EXPECT_THAT(run_command({"diff", path + "::sin", path + "::cos"}).out,
              HasSubstr("aten.sin.default -> aten.cos.default"));
}

}  // namespace
}  // namespace ersatz::tools
