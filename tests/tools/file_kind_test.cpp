// `ersatz FILE` prints the kind of a file, and `ersatz` alone lists the commands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tools/command_line.h"
#include "tracer/archive/zip_writer.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;

struct Row {
  std::string file;
  std::string bytes;
  std::string said;  ///< on stdout
  int status;
};

std::string named(const std::string& name, const std::string& bytes) { return scratch_file("kinds/" + name, bytes); }

std::string zip_of(const std::vector<std::string>& names) {
  const std::string path = named("made.zip", "");
  ZipWriter zip(path);
  const std::byte byte{'x'};
  for (const std::string& name : names) zip.add(name, std::span(&byte, 1));
  zip.finish();
  return read_bytes(path);
}

TEST(FileKind, WithoutArgumentsEachUsableFileHasALine) {
  const CommandResult r = run_command({});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.out, HasSubstr("a .pt2 archive                      ersatz crosscheck model.pt2\n"));
  EXPECT_THAT(r.out, HasSubstr("any other file                      ersatz FILE"));
}

TEST(FileKind, FilesThatCommandsTake) {
  const std::string mlp = committed_program("mlp");
  const CommandResult archive = run_command({mlp});
  EXPECT_EQ(archive.status, 0);
  EXPECT_THAT(archive.out, HasSubstr(mlp + ": an exported program (.pt2 archive of torch.export.save)\n"));
  EXPECT_THAT(archive.out, HasSubstr("  ersatz crosscheck " + mlp + " "));

  const std::string text = named("relu.txt", "graph(%x: f32[3]):\n  %y: f32[3] = aten.relu.default(%x)\n  return %y\n");
  EXPECT_THAT(run_command({text}).out, HasSubstr("a program in ersatz's text form\n"));
  const std::string record = named("a.jsonl", R"({"id":"a","op":"aten.relu.default","args":[],"kwargs":{},"out":[]})");
  EXPECT_THAT(run_command({record}).out, HasSubstr("recorded operator calls (JSON lines)\n  ersatz crosscheck "));
  const std::string folder = std::filesystem::path(named("folder/a.jsonl", "")).parent_path().string();
  EXPECT_THAT(run_command({folder}).out, HasSubstr(": a folder of recorded calls\n"));
}

TEST(FileKind, UnusableFilesAreNamedWithAWayOn) {
  const std::vector<Row> rows = {
      {"state.pth", zip_of({"archive/data.pkl", "archive/data/0"}), "a file of torch.save", 2},
      {"script.pt", zip_of({"m/data.pkl", "m/constants.pkl", "m/code/__torch__.py"}), "a TorchScript module", 2},
      {"old.pt2", zip_of({"serialized_exported_program.json"}), "an exported program of PyTorch 2.8 or older", 2},
      {"other.zip", zip_of({"readme.txt"}), "a ZIP archive without a program in it", 2},
      {"cut.zip", zip_of({"readme.txt"}).substr(0, 40), "a damaged ZIP archive", 2},
      {"legacy.pth", std::string("\x80\x02") + "}q\x01.", "a Python pickle", 2},
      {"model.onnx", std::string("\x08\x0a\x12\x07") + "pytorch", "an ONNX model", 2},
      {"trace.log", "V1126 17:53:13.123000 9 torch/_logging/structured.py:29] {\"str\": [\"a\", 0]}\n",
       "a TORCH_TRACE log without graphs", 0},
      {"graph.txt", "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[3]\"):\n",
       "a printed FX graph", 0},
      {"model.py",
       "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
       "    def forward(self, x):\n        return x.relu()\n",
       "a Python program", 2},
      {"train.py", "import torch\n", "a Python program", 2},
      {"report.json", R"({"command": "crosscheck", "status": "clean"})", "a report of ersatz (JSON)", 2},
      {"empty", "", "an empty file", 2},
      {"pasted.txt", "# mine\n\nimport torch\n", "a Python program", 2},
      {"page.txt", "A page about tensors.\nimport torch\n", "not recognised", 2},
      {"noise", "\x01\x02\x03", "not recognised", 2},
  };
  for (const Row& row : rows) {
    const std::string path = named(row.file, row.bytes);
    const CommandResult r = run_command({path});
    EXPECT_EQ(r.status, row.status) << row.file << r.out << r.err;
    EXPECT_THAT(r.out, HasSubstr(path + ": " + row.said)) << r.err;
  }
  EXPECT_THAT(run_command({named("state.pth", zip_of({"archive/data.pkl"}))}).out, HasSubstr("torch.export.save("));
}

TEST(FileKind, ErrorTextsAreForExplain) {
  const std::pair<std::string, std::string> cases[] = {
      {"    assert_size_stride(buf9, (2, 3), (3, 1))\n", "code that Inductor generated"},
      {"AssertionError: expected size 16==16, stride 1==64 at dim=1\n", "an assertion of compiled code"},
      {"OpCheckError: opcheck(op, ...): test_schema failed with x\n", "a report of torch.library.opcheck"},
      {"Could not guard on data-dependent expression Eq(u0, 1)\n", "an error of torch.export or torch.compile"}};
  for (const auto& [bytes, name] : cases) {
    const std::string path = named("said.txt", bytes);
    const CommandResult r = run_command({path});
    EXPECT_EQ(r.status, 0) << bytes;
    EXPECT_THAT(r.out, HasSubstr(path + ": " + name + "\n  ersatz explain " + path)) << bytes;
  }
  // A script that mentions an error text is still a script.
  const std::string script = named("mentions.py", "import torch\n# Could not guard on data-dependent expression u0\n");
  EXPECT_THAT(run_command({script}).out, HasSubstr(": a Python program\n"));
}

TEST(FileKind, WordThatIsNoFileIsUnknownCommand) {
  EXPECT_THAT(run_command({"crosschek"}).err, HasSubstr("there is no command crosschek; did you mean crosscheck?"));
}

}  // namespace
}  // namespace ersatz::tools
