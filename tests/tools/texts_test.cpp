// `ersatz explain` on pasted error texts: those of the repository, and texts as chat programs and logs change them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "tests/tools/explained_texts.h"

namespace ersatz::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

std::string committed(const std::string& name) { return ERSATZ_SOURCE_DIR "/tests/data/messages/" + name; }

struct Said {
  std::vector<std::string> files;
  std::string summary, verdict;
  int status;
};

TEST(Texts, TheFirstLineSaysWhatDiffersAndWhose) {
  const std::vector<Said> rows = {
      {{"result.txt"},
       "plant.qr_like.default, a result (buf2): stride (1, 4) from the kernel, (4, 1) from the fake kernel",
       "fake_kernel",
       1},
      {{"result.txt", "result_code.py"},
       "plant.qr_like.default, result 1: stride (1, 4) from the kernel, (4, 1) from the fake kernel",
       "fake_kernel",
       1},
      {{"input.txt"},
       "input arg0_1 of compiled code: stride (1, 6), and the code was compiled for (8, 1): no operator's result, and "
       "no "
       "fake kernel is to blame",
       "input_changed",
       1},
      {{"written_input.txt"},
       "input arg0_1 of compiled code: size (5, 6), and the code was compiled for (4, 6): plant_mut.append_ in the "
       "same "
       "code writes it, and may have changed it in an earlier call",
       "input_written",
       1},
      {{"seam.txt"},
       "input y_1 of compiled code: stride (8, 40, 1), and the code was compiled for (24, 8, 1): plant.paged_attention "
       "made it, outside of this code",
       "input_made",
       1},
      {{"unaligned.txt"},
       "input x of compiled code: storage offset 1 of 4-byte elements, and the code needs it 16 bytes aligned: no "
       "operator's result, and no fake kernel is to blame",
       "input_changed",
       1},
      {{"opcheck_stride.txt"},
       "chk.gelu_t.default, result 0: stride (30, 1, 5) from the kernel, (30, 6, 1) from the fake kernel",
       "fake_kernel",
       1},
      {{"opcheck_float8.txt"},
       "the checked operator: opcheck's own comparison in test_schema failed, since PyTorch cannot compare values of "
       "Float8_e4m3fn; nothing is known to be wrong with the operator",
       "checker_limit",
       0},
      {{"opcheck_passed.txt"},
       "the checked operator: opcheck found nothing in 4 tests with these arguments",
       "nothing_found",
       0},
      {{"opcheck_write.txt"},
       "the checked operator: the kernel writes argument x, and the schema says that it does not",
       "schema",
       1},
      {{"export_guard.txt"},
       "data-dependent: u0 % 4 != 0 decides at /home/user/project/rows_of_four/model.py:7: y.shape[0] % 4 != 0, and u0 "
       "is "
       "a size that depends on data",
       "data_dependent",
       1},
      {{"export_dim.txt"},
       "dynamic dim width: the code does not take every size: it must be a multiple of 2",
       "dynamic_dim",
       1},
      {{"export_draft.txt"},
       "dynamic dims b.shape[0] and a.shape[0]: the code at /home/user/project/two_dims_equal/model.py:6 needs them "
       "equal",
       "dynamic_dim",
       1},
      {{"export_passed.txt"}, "no error: the export passed", "nothing_found", 0},
      {{"onnx.txt"},
       "ONNX export stops at torch.export: data-dependent: Python decides by the value of a tensor at "
       "/home/user/project/out/export/branch_on_sum/model.py:11: y.sum() > 0",
       "tensor_branch",
       1},
  };
  for (const Said& row : rows) {
    std::vector<std::string> arguments = {"explain"};
    for (const std::string& file : row.files) arguments.push_back(committed(file));
    const CommandResult r = run_command(arguments);
    EXPECT_EQ(r.status, row.status) << row.files[0] << r.err;
    EXPECT_THAT(r.out, StartsWith(row.summary + "\n"));
    arguments.erase(arguments.begin());
    EXPECT_EQ(first(arguments)["verdict"], row.verdict) << row.files[0];
  }
}

TEST(Texts, ARecordedPredictionIsNamed) {
  const std::vector<std::string> files = {committed("result.txt"), committed("result_code.py"),
                                          committed("result_graph.txt")};
  const CommandResult r = run_command({"explain", files[0], files[1], files[2]});
  EXPECT_THAT(r.out, HasSubstr("  graph:      getitem_1: f32[4, 4][4, 1]cpu, as expected"));
  EXPECT_THAT(r.out, HasSubstr("ersatz.torch.validate(torch.ops.plant.qr_like, [(torch.randn(6, 4),)])"));
  const json answer = first(files);
  EXPECT_EQ(answer["op"], "plant.qr_like.default");
  EXPECT_EQ(answer["result"], 1);
  EXPECT_EQ(answer["field"], "stride");
  EXPECT_EQ(answer["actual"]["strides"], json({"1", "4"}));
  EXPECT_EQ(answer["expected"]["strides"], json({"4", "1"}));
  EXPECT_EQ(answer["asserted"]["is"], "result");
  EXPECT_EQ(answer["fake_wrong"], true);
}

std::string with_graph(const std::string& annotation) {
  return "AssertionError: expected size 4==4, stride 1==4 at dim=0; expected size 4==4, stride 4==1 at dim=1\n"
         "Error in op: torch.ops.my.turn.default\n\n"
         "    turn: \"" +
         annotation + "\" = torch.ops.my.turn.default(x);  x = None\n";
}

TEST(Texts, GraphWithRecordedLayoutAcquitsFakeKernel) {
  const std::string predicted = scratch_file("texts/predicted.txt", with_graph("f32[4, 4][4, 1]cpu"));
  EXPECT_EQ(first({predicted})["verdict"], "fake_kernel");
  const std::string changed = scratch_file("texts/changed.txt", with_graph("f32[4, 4][1, 4]cpu"));
  const json answer = first({changed});
  EXPECT_EQ(answer["verdict"], "laid_out_by_compiler");
  EXPECT_EQ(answer["fake_wrong"], false);
}

/// Generated code with `call`, an assertion on its result, and the message of the failed assertion.
std::string code_of(const std::string& call, const std::string& assertion, const std::string& message) {
  return "    def call(self, args):\n"
         "        arg0_1, arg1_1 = args\n"
         "        assert_size_stride(arg0_1, (6, 4), (1, 6), 'input')\n"
         "        assert_size_stride(arg1_1, (6, 4), (4, 1), 'input')\n"
         "        buf0 = " +
         call + "\n        " + assertion +
         "\n        return (buf0, )\n\n"
         "def get_args():\n"
         "    arg0_1 = rand_strided((6, 4), (1, 6), device='cpu', dtype=torch.complex64)\n"
         "    arg1_1 = rand_strided((6, 4), (4, 1), device='cpu', dtype=torch.float32)\n"
         "    return [arg0_1]\n"
         "AssertionError: " +
         message + "\n";
}

TEST(Texts, RuleOfOperatorOfPyTorchsIsAsked) {
  // Eager's angle of a transposed complex tensor is contiguous; PyTorch 2.15 predicts the input's strides.
  const std::string code =
      code_of("torch.ops.aten.angle.default(arg0_1)",
              "assert_size_stride(buf0, (6, 4), (1, 6), 'torch.ops.aten.angle.default')",
              "expected size 6==6, stride 4==1 at dim=0; expected size 4==4, stride 1==6 at dim=1\n"
              "Error in op: torch.ops.aten.angle.default");
  const json wrong = first({scratch_file("texts/angle.py.txt", code)});
  EXPECT_THAT(wrong["summary"].get<std::string>(),
              StartsWith("aten.angle.default, result 0: stride (4, 1) from the kernel, as ersatz's rule says"));
  EXPECT_EQ(wrong["fake_wrong"], true);
  EXPECT_EQ(wrong["rule"], "f32[6,4]{4,1}+0@cpu");

  const std::string other = code_of(
      "torch.ops.aten.abs.default(arg1_1)", "assert_size_stride(buf0, (6, 4), (4, 1), 'torch.ops.aten.abs.default')",
      "expected size 6==6, stride 1==4 at dim=0; expected size 4==4, stride 6==1 at dim=1\n"
      "Error in op: torch.ops.aten.abs.default");
  const json right = first({scratch_file("texts/abs.py.txt", other)});
  EXPECT_EQ(right["fake_wrong"], false);
  EXPECT_EQ(right["verdict"], "laid_out_by_compiler");
}

TEST(Texts, LibrarysLayoutIsNoFakeKernelsFault) {
  const std::string code =
      code_of("extern_kernels.convolution(arg0_1, arg1_1, stride=(1, 1))", "assert_size_stride(buf0, (6, 4), (4, 1))",
              "expected size 6==6, stride 1==4 at dim=0; expected size 4==4, stride 6==1 at dim=1");
  const json answer = first({scratch_file("texts/library.txt", code)});
  EXPECT_EQ(answer["verdict"], "laid_out_by_compiler");
  EXPECT_EQ(answer["fake_wrong"], false);
  EXPECT_EQ(answer["asserted"]["is"], "buffer");
}

TEST(Texts, AGroupedAssertionNamesTheInputThatFits) {
  const std::string line =
      "  File \"c.py\", line 9, in call\n"
      "    assert_size_stride_grouped((a_1, b_1, c_1), ((3, 4), (3, ), (16, 4)), ((4, 1), (1, ), (4, 1)), 'input')\n";
  const std::string said = "\nError in op: input\n";
  const json one = first(
      {scratch_file("texts/one.txt", line + "AssertionError: expected size 32==16, stride 4==4 at dim=0" + said)});
  EXPECT_EQ(one["asserted"]["name"], "c_1");
  EXPECT_EQ(one["actual"]["sizes"], json({"32", "4"}));
  const json two = first({scratch_file("texts/two.txt", line + "AssertionError: wrong number of dimensions1" + said)});
  EXPECT_EQ(two["asserted"]["candidates"], json({"a_1", "c_1"}));
  EXPECT_THAT(two["summary"].get<std::string>(), StartsWith("one of the inputs a_1, c_1 of compiled code: 1 dim"));
}

TEST(Texts, GradientStridesOfDdpAreNoError) {
  const json answer = first({scratch_file(
      "texts/ddp.txt",
      "[rank1]: [W reducer.cpp:327] Warning: Grad strides do not match bucket view strides. This may indicate x\n"
      "grad.sizes() = [64, 32, 1, 1], strides() = [32, 1, 1, 1]\n"
      "bucket_view.sizes() = [64, 32, 1, 1], strides() = [32, 1, 32, 32] (function operator())\n")});
  EXPECT_EQ(answer["verdict"], "gradient_layout");
  EXPECT_EQ(answer["fake_wrong"], false);
  EXPECT_THAT(
      answer["summary"].get<std::string>(),
      HasSubstr(
          "a gradient of size (64, 32, 1, 1) has stride (32, 1, 1, 1), its DDP bucket (32, 1, 32, 32), in dims of "
          "size 1 alone"));
}

TEST(Texts, OfOlderVersionsNameNoOperator) {
  // In PyTorch 2.0 to 2.5, neither the assertion nor its message names the operator.
  const json answer = first({scratch_file("texts/older.txt",
                                          "  File \"/tmp/torchinductor_root/dd/cdd.py\", line 395, in call\n"
                                          "    assert_size_stride(buf4, (16, 64, 128), (8192, 1, 64))\n"
                                          "AssertionError: expected size 64==64, stride 128==1 at dim=1\n")});
  EXPECT_EQ(answer["verdict"], "unknown");
  EXPECT_TRUE(answer["fake_wrong"].is_null());
  EXPECT_EQ(answer["summary"],
            "a tensor of compiled code, a result (buf4): stride (8192, 128, 64), and the code expects (8192, 1, 64)");
  const json input = first({scratch_file("texts/older_input.txt",
                                         "  File \"/tmp/torchinductor_root/dd/cdd.py\", line 39, in call\n"
                                         "    assert_size_stride(primals_1, (14, 14), (14, 1))\n"
                                         "AssertionError: expected size 14==14, stride 1==14 at dim=0\n")});
  EXPECT_EQ(input["asserted"]["is"], "input");
  const json opcheck =
      first({scratch_file("texts/below.txt",
                          "OpCheckError: opcheck(op, ...): test_faketensor failed with\n"
                          "Stride mismatch! Strides are (96, 8, 24, 1) and (96, 32, 8, 1) (mismatched at 1)!\n")});
  EXPECT_EQ(opcheck["verdict"], "fake_kernel");
  EXPECT_EQ(opcheck["actual"], "(96, 8, 24, 1)");
}

TEST(Texts, SplitGraphsInputIsSeenByNoGuard) {
  const std::string dynamo =
      "  File \"/x/site-packages/torch/_dynamo/eval_frame.py\", line 5, in _fn\n    return fn()\n";
  const std::string piece = "  File \"<eval_with_key>.7\", line 9, in forward\n    submod_2 = self.submod_2(y)\n";
  const std::string fails =
      "  File \"/x/vllm_cache/c.py\", line 9, in call\n    assert_size_stride(arg0_1, (5, 3), (3, 1), 'input')\n"
      "AssertionError: expected size 5==5, stride 1==3 at dim=0\nError in op: input\n";
  EXPECT_EQ(first({scratch_file("texts/whole.txt", dynamo + fails)})["fake_wrong"], false);
  const json split = first({scratch_file("texts/split.txt", dynamo + piece + fails)});
  EXPECT_TRUE(split["fake_wrong"].is_null());
  EXPECT_THAT(split["summary"].get<std::string>(), HasSubstr("it was made before this code ran"));
}

TEST(Texts, GeneratedCodeAloneListsWhatItExpects) {
  const CommandResult r = run_command({"explain", committed("result_code.py")});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out,
              StartsWith("generated code that asserts 3 results of 1 operator and 1 input; it has no error in it\n"));
  EXPECT_THAT(r.out,
              HasSubstr("  buf2:       plant.qr_like.default, result 1: size (4, 4), stride (4, 1), torch.float32\n"));
}

/// The text with `change` applied to each line.
std::string each_line(const std::string& text, const std::function<std::string(const std::string&)>& change) {
  std::string out;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    out += change(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

TEST(Texts, WhatSurroundsTheLinesDoesNotMatter) {
  const std::vector<std::function<std::string(const std::string&)>> changes = {
      [](const std::string& t) { return each_line(t, [](const std::string& l) { return "> " + l; }); },
      [](const std::string& t) { return each_line(t, [](const std::string& l) { return "[rank3]: " + l; }); },
      [](const std::string& t) { return each_line(t, [](const std::string& l) { return "E   " + l; }); },
      [](const std::string& t) { return each_line(t, [](const std::string& l) { return l + "\r"; }); },
      [](const std::string& t) {
        return each_line(t, [](const std::string& l) { return "\x1b[31m" + l + "\x1b[0m"; });
      },
      [](const std::string& t) {
        return each_line(
            t, [](const std::string& l) { return "E1126 12:42:04.402000 15716 torch/_guards.py:379] [0/0_1] " + l; });
      },
      [](const std::string& t) {
        return each_line(
            t, [](const std::string& l) { return "(EngineCore_0 pid=123) ERROR 11-26 12:00:00 [core.py:590] " + l; });
      },
      [](const std::string& t) {
        return each_line(t, [](const std::string& l) { return "2026-11-26T12:00:00.1234567Z " + l; });
      },
      [](const std::string& t) {
        return replaced(replaced(replaced(replaced(t, "&", "&amp;"), "<", "&lt;"), ">", "&gt;"), "\"", "&quot;");
      },
      [](const std::string& t) { return "Hello, since an hour I get this:\n\n```\n" + t + "```\nAny idea?\n"; },
  };
  for (const char* name : {"result.txt", "input.txt", "seam.txt", "opcheck_float8.txt", "export_guard.txt",
                           "export_dim.txt", "export_draft.txt", "onnx.txt"}) {
    const std::string text = read_bytes(committed(name));
    const json plain = first({committed(name)});
    for (size_t i = 0; i < changes.size(); ++i) {
      const json changed = first({scratch_file(fmt::format("texts/{}-{}", i, name), changes[i](text))});
      ASSERT_TRUE(changed.is_object()) << name << " change " << i;
      EXPECT_EQ(changed["summary"], plain["summary"]) << name << " change " << i;
    }
  }
}

TEST(Texts, ComeFromStdinToo) {
  const CommandResult r = run_program({"explain", "-"}, read_bytes(committed("opcheck_stride.txt")));
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_THAT(r.out, StartsWith("chk.gelu_t.default, result 0: stride"));
}

TEST(Texts, ModelIsNamedInTheNextCommand) {
  const std::string guard = committed("export_guard.txt");
  const CommandResult r = run_command({"explain", "--error", guard, "--model", "models.py:Net"});
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_THAT(r.out, HasSubstr("python -m ersatz export models.py:Net --inputs NAME"));
  EXPECT_EQ(run_command({"explain", guard, "--model", "models.py:Net"}).out, r.out);
  EXPECT_THAT(run_command({"explain", guard, "--model", "Net"}).err, HasSubstr("a module, a colon and a name"));
  EXPECT_THAT(run_command({"explain", "add", "f32[2], 1", "--model", "a:b"}).err, HasSubstr("is for an error text"));
  EXPECT_THAT(run_command({"explain", "add", "f32[2]", "--error", guard}).err, HasSubstr("with the operator add"));
  EXPECT_THAT(run_command({"explain", "--error", "none.txt"}).err, HasSubstr("none.txt: no such file"));
  EXPECT_THAT(run_command({"explain"}).err, HasSubstr("OP or a file with an error text is required"));
}

TEST(Texts, OthersAreRefusedInOneLine) {
  for (const std::string& bytes : {std::string("the fog comes\n"), std::string(), std::string("import torch\n")}) {
    const CommandResult r = run_command({"explain", scratch_file("texts/other.txt", bytes)});
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr("no error text that ersatz knows"));
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
  EXPECT_THAT(run_command({"explain", "add"}).err, HasSubstr("explain add: no such file, and as an operator it needs"));
  EXPECT_EQ(run_command({"explain", "add", "f32[2]", "f32[2]"}).status, 2);
}

TEST(Texts, CutAnywhereTheyAreExplainedOrRefused) {
  for (const char* name :
       {"result.txt", "result_code.py", "opcheck_stride.txt", "export_guard.txt", "export_draft.txt"}) {
    const std::string text = read_bytes(committed(name));
    for (size_t size = 0; size < text.size(); size += 37) {
      const CommandResult r = run_command({"explain", scratch_file("texts/cut.txt", text.substr(0, size))});
      EXPECT_LE(r.status, 2) << name << " cut at " << size << r.err;
      EXPECT_TRUE(r.status != 2 || r.out.empty()) << r.out;
    }
  }
}

TEST(Texts, LongLinesAndDeepBracketsTakeNoTime) {
  const std::string deep = "AssertionError: expected size 1==2, stride 1==1 at dim=0\n    assert_size_stride(" +
                           std::string(1 << 20, '(') + "\n";
  const std::string many = "Constraints violated (x)!\n" + std::string(size_t(8) << 20, 'a') + "\n";
  std::string unclosed = "expected size 1==2, stride 1==1 at dim=0\n";
  for (int i = 0; i < 20000; ++i) unclosed += "buf0 = torch.ops.a.b.default(((((((\n";
  const std::string tower =
      code_of("torch.ops.aten.abs.default(arg0_1)", "assert_size_stride(buf0, (9**9**9**9, 4), (4, 1))",
              "expected size 6==9, stride 1==4 at dim=0");
  for (const std::string& text : {deep, many, unclosed, tower}) {
    EXPECT_LE(run_command({"explain", scratch_file("texts/long.txt", text)}).status, 2);
  }
}

}  // namespace
}  // namespace ersatz::tools
