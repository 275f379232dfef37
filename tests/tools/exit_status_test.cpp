// The exit status of each command, as docs/glossary.md lists them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

struct Row {
  const char* what;
  std::vector<std::string> arguments;
  int status;
  std::string said;  ///< on stdout or stderr
};

void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const CommandResult r = run_command(row.arguments);
    EXPECT_EQ(r.status, row.status) << row.what << "\n" << r.out << r.err;
    EXPECT_THAT(r.out + r.err, testing::HasSubstr(row.said)) << row.what;
    if (row.status == 2) {
      EXPECT_LE(std::count(r.err.begin(), r.err.end(), '\n'), 1) << row.what << ": " << r.err;
    }
  }
}

std::string text(const std::string& name, const std::string& body) { return scratch_file("exits/" + name, body); }

const std::string kRelu = "graph(%x: f32[3]):\n  %y: f32[3] = aten.relu.default(%x)\n  return %y\n";

TEST(ExitStatus, OfAProgram) {
  const std::string good = text("good.txt", kRelu);
  const std::string wrong =
      text("wrong.txt", "graph(%x: f32[3]):\n  %y: f32[4] = aten.relu.default(%x)\n  return %y\n");
  const std::string silent =
      text("silent.txt", "graph(%x: f32[3]):\n  %y: tensor = aten.relu.default(%x)\n  return %y\n");
  const std::string missing =
      text("missing.txt", "graph(%x: f32[3]):\n  %y: f32[3] = nobody.has.default(%x)\n  return %y\n");
  const std::string by_name =
      text("by_name.txt", "graph(%x: f32[3]):\n  %y: f32[3] = quantized.relu.default(%x)\n  return %y\n");
  const std::string refused =
      text("refused.txt", "graph(%x: f32[3], %w: f32[4]):\n  %y: f32[3] = aten.add.Tensor(%x, %w)\n  return %y\n");
  expect_rows({
      {"agrees", {"crosscheck", good}, 0, "1 compared, 0 mismatched"},
      {"differs", {"crosscheck", wrong}, 1, "1 compared, 1 mismatched"},
      {"nobody speaks for it", {"crosscheck", silent}, 1, "nothing was compared"},
      {"an operator is missing", {"crosscheck", missing}, 2, "missing: nobody.has.default"},
      {"an operator is refused by name", {"crosscheck", by_name}, 2, "refused by name: quantised dtypes"},
      {"fake, refused by name", {"fake", by_name}, 2, "1 operator is missing, 1 of them refused by name"},
      {"and left out, nothing is left", {"crosscheck", missing, "--keep-going"}, 1, "unsupported 1"},
      {"a call is refused that was recorded", {"crosscheck", refused}, 1, "add.C1"},
      {"fake", {"fake", good}, 0, "fake: 1 nodes"},
      {"fake, missing", {"fake", missing}, 2, "missing: nobody.has.default"},
      {"fake, missing, kept going", {"fake", missing, "--keep-going"}, 0, "missing operators: nobody.has.default 1"},
      {"fake, refused", {"fake", refused}, 2, "ersatz: node "},
      {"fake of a wrong record", {"fake", wrong}, 0, "f32[3]"},
      {"show", {"show", missing}, 0, "nobody.has.default"},
  });
}

TEST(ExitStatus, OfArguments) {
  const std::string good = text("good.txt", kRelu);
  expect_rows({
      {"no device",
       {"crosscheck", good, "--device", "tpu"},
       2,
       "--device tpu: there are cpu, cuda, cuda:N, meta, and as devices of metadata xpu"},
      {"--backend of no device",
       {"fake", good, "--backend", "sm_90"},
       2,
       "no --device is given: give --device cuda beside it"},
      {"--backend of the cpu", {"fake", good, "--device", "cpu", "--backend", "sm_90"}, 2, "--device cuda beside it"},
      {"no reference", {"crosscheck", good, "--reference", "f16"}, 2, "--reference: 'f16' is none"},
      {"no day", {"crosscheck", good, "--today", "tomorrow"}, 2, "--today: 'tomorrow' is no day"},
      {"no plugin", {"fake", good, "--plugin", "/no/such.so"}, 2, "/no/such.so"},
      {"no facts", {"crosscheck", good, "--facts", "/no/such.json"}, 2, "/no/such.json"},
      {"no waivers", {"crosscheck", good, "--waivers", "/no/such"}, 2, "/no/such"},
      {"no output", {"show", good, "-o", "/no/such/file"}, 2, "/no/such/file"},
      {"a folder as output", {"fake", good, "-o", "/tmp"}, 2, "/tmp"},
      {"no input", {"show", "/no/such/file"}, 2, "/no/such/file"},
      {"a folder as input", {"fake", "/tmp"}, 2, "is a folder"},
      {"no format", {"show", good, "--format", "xml"}, 2, "--format"},
      {"a number that is none", {"crosscheck", good, "--seed", "x"}, 2, "--seed"},
      {"no operator", {"ops", "nosuchoperator"}, 2, "no operator is named nosuchoperator"},
      {"an operator", {"ops", "relu"}, 0, "aten::relu"},
      {"no shell", {"completion", "fish"}, 2, "fish not in {bash,zsh,man,ops}"},
      {"help", {"crosscheck", "--help"}, 0, "Examples:"},
      {"version", {"--version"}, 0, "ersatz "},
  });
}

TEST(ExitStatus, OfRecordedCalls) {
  const auto record = [](const std::string& op, const std::string& result) {
    return R"({"id":"r/1","op":")" + op +
           R"(","args":[{"t":"f32[1]{1}+0@cpu","s":0,"n":4}],"kwargs":{},"out":[{"t":")" + result +
           R"(","s":1,"n":4}]})" + "\n";
  };
  const std::string good = record("aten.relu.default", "f32[1]{1}+0@cpu");
  const std::string missing = record("nobody.has.default", "f32[1]{1}+0@cpu");
  expect_rows({
      {"agree", {"crosscheck", text("good.jsonl", good)}, 0, "1 compared, 0 mismatched"},
      {"differ", {"crosscheck", text("bad.jsonl", record("aten.relu.default", "i32[1]{1}+0@cpu"))}, 1, "1 mismatched"},
      {"missing in a named file", {"crosscheck", text("missing.jsonl", good + missing)}, 2, "nobody.has.default"},
      {"no JSON", {"crosscheck", text("broken.jsonl", good + "{\"op\":\n")}, 2, "broken.jsonl:2: "},
      {"none is chosen", {"crosscheck", text("good.jsonl", good), "--only", "abs"}, 1, "0 compared"},
      {"meta has no answers", {"crosscheck", text("good.jsonl", good), "--device", "meta"}, 2, "--device meta"},
  });
  const std::string file = text("folder/calls.jsonl", good + missing);
  // In a folder, missing operators do not make the input unusable, but the custom operator's call is unjudged.
  expect_rows({{"missing in a folder", {"crosscheck", file.substr(0, file.rfind('/'))}, 1, "missing: nobody.has"}});
}

}  // namespace
}  // namespace ersatz::tools
