// Parsers of error texts: assertions, generated code, reports of opcheck, and errors of export.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracer/messages/export_text.h"
#include "tracer/messages/generated_code.h"
#include "tracer/messages/gradient_text.h"
#include "tracer/messages/message_kind.h"
#include "tracer/messages/onnx_text.h"
#include "tracer/messages/opcheck_text.h"
#include "tracer/messages/python_text.h"
#include "tracer/pasted/clean_lines.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Strings = std::vector<std::string>;

std::vector<Assertion> assertions_in(std::string_view text) {
  const Strings lines = pasted::plain_lines(text);
  return assertions_of(lines, frames_of(lines));
}

TEST(PythonText, BracketsAndArguments) {
  EXPECT_EQ(closing_bracket("f(a, (b), 'c)')", 1), 14u);
  EXPECT_EQ(closing_bracket("f(a", 1), std::string_view::npos);
  EXPECT_EQ(closing_bracket("(a]", 0), std::string_view::npos);
  EXPECT_EQ(closing_bracket(std::string(1000, '(') + std::string(1000, ')'), 0), std::string_view::npos);
  EXPECT_THAT(split_arguments("buf0, (4, ), [1, 2], 'a, b', x=3, "),
              ElementsAre("buf0", "(4, )", "[1, 2]", "'a, b'", "x=3"));
  EXPECT_THAT(*items_of("(s77, (-3) + s77)"), ElementsAre("s77", "(-3) + s77"));
  EXPECT_FALSE(items_of("s77"));
  EXPECT_FALSE(items_of("(a), b"));
  EXPECT_EQ(integer_in(" 9223372036854775807"), INT64_MAX);
  EXPECT_FALSE(integer_in("9223372036854775808"));
  EXPECT_FALSE(integer_in("4x"));
}

TEST(MessageLines, WhatSurroundsALineIsTakenAway) {
  EXPECT_THAT(pasted::plain_lines("\xef\xbb\xbf> > a\r\n"), ElementsAre("a"));
  EXPECT_THAT(pasted::plain_lines("V1126 12:00:00.000000 123 torch/a.py:29] [0/0_1] [__graph_code]  b"),
              ElementsAre(" b"));
  EXPECT_THAT(pasted::plain_lines("[rank0]: \x1b[1;31mE1126 1:2:3.4 5 torch/a.py:29] c\x1b[0m"), ElementsAre("c"));
  EXPECT_THAT(pasted::plain_lines("\xe2\x80\x9c&lt;lambda&gt;\xe2\x80\x9d"), ElementsAre("\"<lambda>\""));
  EXPECT_THAT(pasted::plain_lines("E       a\n2026-11-26T12:00:00Z b\n(EngineCore_0 pid=12) [31mc[0m\n[rank3]: d"),
              ElementsAre("    a", "b", "c", "d"));
  // Brackets of Python code must not be removed as colour codes of a terminal.
  EXPECT_THAT(pasted::plain_lines("a = b[3]\nc = d[0/e]"), ElementsAre("a = b[3]", "c = d[0/e]"));
}

TEST(AssertionText, TheTensorsNumbersComeFirst) {
  const auto found = assertions_in(
      "AssertionError: expected size 4==3, stride 6==6 at dim=0; expected size 6==6, stride 1==12 at dim=1\n"
      "Error in op: torch.ops.my.op.default\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].op, "my.op.default");
  ASSERT_EQ(found[0].dims.size(), 2u);
  EXPECT_EQ(found[0].dims[0].size, 4);
  EXPECT_EQ(found[0].dims[0].expected_size, 3);
  EXPECT_EQ(found[0].dims[1].dim, 1);
  EXPECT_EQ(found[0].dims[1].expected_stride, 12);
}

TEST(AssertionText, OtherMessages) {
  const auto rank = assertions_in("AssertionError: wrong number of dimensions2 for op: torch.ops.my.op.default\n");
  ASSERT_EQ(rank.size(), 1u);
  EXPECT_EQ(rank[0].rank, 2);
  EXPECT_EQ(rank[0].op, "my.op.default");
  const auto dtype = assertions_in(
      "RuntimeError: expected dtype torch.float8_e4m3fn but got torch.float64\nError in op: torch.ops.my.op.default\n");
  ASSERT_EQ(dtype.size(), 1u);
  EXPECT_EQ(dtype[0].expected_dtype, "torch.float8_e4m3fn");
  EXPECT_EQ(dtype[0].dtype, "torch.float64");
  const auto aligned = assertions_in(
      "AssertionError: \nError in op: torch.ops.my.op.default\n"
      "Expect the tensor to be 16 bytes aligned. Fail due to storage_offset=1 itemsize=4\n");
  ASSERT_EQ(aligned.size(), 1u);
  EXPECT_EQ(aligned[0].op, "my.op.default");
  EXPECT_EQ(aligned[0].alignment, 16);
  EXPECT_EQ(aligned[0].offset, 1);
  EXPECT_EQ(aligned[0].item_bytes, 4);
  EXPECT_THAT(assertions_in("RuntimeError: shape mismatch, expected size 4 but got 3\n"), IsEmpty());
}

TEST(AssertionText, TheLineThatRaisedAndItsFrame) {
  const auto found = assertions_in(
      "  File \"/tmp/torchinductor_me/ab/cab.py\", line 95, in call\n"
      "    assert_tensor_metadata(buf0, ((-3) + s77, s27), (s27, 1), torch.float32, 'torch.ops.my.op.default')\n"
      "  File \"/usr/lib/python3/site-packages/torch/_inductor/runtime/runtime_utils.py\", line 114, in x\n"
      "    torch._C._dynamo.guards.assert_size_stride(\n"
      "AssertionError: expected size 9==8, stride 12==12 at dim=0\n");
  ASSERT_EQ(found.size(), 1u);
  ASSERT_TRUE(found[0].call);
  EXPECT_THAT(found[0].call->names, ElementsAre("buf0"));
  EXPECT_THAT(found[0].call->sizes[0], ElementsAre("(-3) + s77", "s27"));
  EXPECT_EQ(found[0].call->dtype, "torch.float32");
  ASSERT_TRUE(found[0].frame);
  EXPECT_EQ(found[0].frame->line, 95);
  EXPECT_TRUE(is_generated(*found[0].frame));
  EXPECT_EQ(found[0].op, "my.op.default");  // from the assertion's call, because the message has none
}

TEST(Traceback, WhoseCodeItIs) {
  const auto is_users = [](const char* file) { return !is_library({file, 1, "f", "", 0}); };
  for (const char* file : {"/home/me/model.py", "/home/me/torch/model.py", "C:/me/train.py",
                           "/usr/lib/python3.11/site-packages/transformers/models/bert/modeling_bert.py"}) {
    EXPECT_TRUE(is_users(file)) << file;
  }
  for (const char* file : {"/x/site-packages/torch/_ops.py", "/home/me/pytorch/torch/nn/modules/module.py", "<string>",
                           "/opt/conda/lib/python3.8/runpy.py", "_export/non_strict_utils.py", "torch/_dynamo/x.py"}) {
    EXPECT_FALSE(is_users(file)) << file;
  }
  const auto frames = frames_of({"  File \"C:\\me\\train.py\", line 3, in f", "    y = x"});
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].file, "C:/me/train.py");
}

TEST(AssertionText, ACallThatIsNoneOfTheFour) {
  EXPECT_TRUE(assert_call("assert_alignment(buf2, 16, 'torch.ops.my.op.default')"));
  for (const char* line : {"assert_alignment(buf2, n, 'torch.ops.my.op.default')", "assert_alignment(buf2)",
                           "assert_size_stride(buf2, (1, 2), (1, ))", "assert_size_stride(buf2, 4, 4)",
                           "assert_size_stride_grouped((a, b), ((1, ), ), ((1, ), ))",
                           "assert_that(buf2, (1, ), (1, ))", "assert_size_stride("}) {
    EXPECT_FALSE(assert_call(line)) << line;
  }
}

TEST(GeneratedCode, WhoMakesABuffer) {
  const GeneratedCode code = generated_code_in(
      pasted::plain_lines("    def call(self, args):\n"
                          "        arg0_1, arg1_1 = args\n"
                          "        s77 = arg0_1\n"
                          "        buf0 = empty_strided_cuda((s77, 4), (4, 1), torch.float16)\n"
                          "        buf1 = torch.ops.my.two.default(reinterpret_tensor(buf0, (4, s77), (1, 4), 0), 3)\n"
                          "        buf2 = buf1[1]\n"
                          "        assert_size_stride(buf2, (4, 4), (4, 1))\n"
                          "        buf3 = buf2; del buf2  # reuse\n"
                          "        buf4 = extern_kernels.convolution(buf3, arg1_1, stride=(1, 1))\n"
                          "        torch.ops.my.append_.default(arg1_1, buf3)\n"
                          "        return (buf3, buf4, )\n"
                          "def get_args():\n"
                          "    arg0_1 = 11\n"
                          "    arg1_1 = rand_strided((2, 2), (2, 1), device='cuda:0', dtype=torch.int64)\n"));
  EXPECT_THAT(code.inputs, ElementsAre("arg0_1", "arg1_1"));
  EXPECT_EQ(code.numbers.at("s77"), "11");
  EXPECT_EQ(code.buffers.at("buf0").by, MadeBuffer::By::Inductor);
  EXPECT_EQ(code.buffers.at("buf0").laid_out->device, "cuda");
  EXPECT_EQ(code.buffers.at("buf2").op, "my.two.default");
  EXPECT_EQ(code.buffers.at("buf2").result, 1);
  EXPECT_EQ(code.buffers.at("buf3").result, 1);
  EXPECT_EQ(code.buffers.at("buf4").by, MadeBuffer::By::Library);
  EXPECT_EQ(code.buffers.at("arg1_1").by, MadeBuffer::By::Input);
  EXPECT_EQ(code.buffers.at("arg1_1").laid_out->dtype, "torch.int64");
  ASSERT_EQ(code.writes.size(), 1u);
  EXPECT_THAT(code.writes[0].arguments, ElementsAre("arg1_1", "buf3"));
  EXPECT_THAT(code.returned, ElementsAre("buf3", "buf4"));
}

TEST(FakeMismatch, TheKernelComesFirst) {
  const auto m = fake_mismatch(
      "MetadataMismatchError: When comparing the output of my.op.default on FakeTensor and concrete Tensors, found "
      "mismatched tensor metadata for output[2]: Shapes torch.Size([10, 3]) and torch.Size([12, 3]) are not equal!");
  ASSERT_TRUE(m);
  EXPECT_EQ(m->op, "my.op.default");
  EXPECT_EQ(m->result, 2);
  EXPECT_EQ(m->real, "[10, 3]");
  EXPECT_EQ(m->fake, "[12, 3]");
  const auto alias = fake_mismatch("found mismatch in outputs_alias_inputs check False != True");
  ASSERT_TRUE(alias);
  EXPECT_EQ(alias->real, "True");
  EXPECT_EQ(alias->fake, "False");
  EXPECT_FALSE(fake_mismatch("Shapes are not equal!"));
}

TEST(OpcheckText, ExceptionsDictsAndLists) {
  const auto raised =
      opcheck_tests({"OpCheckError: opcheck(op, ...): test_schema failed with X is Y (scroll up for stack trace)"});
  ASSERT_EQ(raised.size(), 1u);
  EXPECT_EQ(raised[0].name, "test_schema");
  EXPECT_EQ(raised[0].error, "X is Y");
  const auto dict = opcheck_tests({"{'test_schema': 'SUCCESS', 'test_faketensor': MetadataMismatchError('a, b')}"});
  ASSERT_EQ(dict.size(), 2u);
  EXPECT_TRUE(dict[0].passed);
  EXPECT_FALSE(dict[1].passed);
  const auto list = opcheck_tests({"test_schema: SUCCESS", "test_faketensor: TypeError: x", "", "test_schema: again"});
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].error, "again");  // the later failure replaces the pass
}

std::vector<ExportIssue> issues_in(std::string_view text) {
  const Strings lines = pasted::plain_lines(text);
  return export_issues(lines, frames_of(lines));
}

TEST(ExportText, ViolatedConstraints) {
  const auto found = issues_in(
      "UserError: Constraints violated (a, b, c)! For more information\n"
      "  - You marked a as dynamic but your code specialized it to be a constant (8). If you're using x\n"
      "  - The values of b = L['y'].size()[0] and c = L['z'].size()[0] must always be equal.\n"
      "  - Not all values of c = L['z'].size()[0] in the specified range c <= 9 satisfy the generated guard "
      "L['z'].size()[0] <= 7.\n"
      "Suggested fixes:\n  a = 8\n  b = c\n\nThe error above\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].kind, ExportIssue::Kind::DimFixed);
  EXPECT_EQ(found[0].constant, 8);
  EXPECT_EQ(found[1].kind, ExportIssue::Kind::DimsEqual);
  EXPECT_EQ(found[1].other, "c");
  EXPECT_EQ(found[2].kind, ExportIssue::Kind::DimGuard);
  EXPECT_THAT(found[2].guards, ElementsAre("L['z'].size()[0] <= 7"));
  EXPECT_THAT(found[0].suggested, ElementsAre("a = 8", "b = c"));
}

TEST(ExportText, CallersOfExportAreNoLineOfModel) {
  const std::string callers =
      "  File \"/home/me/run.py\", line 7, in save\n    try: f()\n         ^^^\n"
      "  File \"/home/me/run.py\", line 9, in <lambda>\n    save(lambda: export(B(), args))\n"
      "  File \"/usr/lib/python3/site-packages/torch/export/__init__.py\", line 3, in export\n    raise e\n";
  const std::string model =
      "  File \"/home/me/model.py\", line 4, in forward\n    return x + y\n"
      "  File \"/usr/lib/python3/site-packages/torch/_ops.py\", line 5, in call\n    return f()\n";
  const std::string head = "Traceback (most recent call last):\n";
  const std::string error =
      "UserError: Constraints violated (w)! For more information\n"
      "  - You marked w as dynamic but your code specialized it to be a constant (7). If you're using x\n\n"
      "During handling of the above exception, another exception occurred:\n\n";
  const auto found = issues_in(error + head + callers);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].place);
  const auto with_model = issues_in(head + model + error + head + callers);
  ASSERT_EQ(with_model.size(), 1u);
  ASSERT_TRUE(with_model[0].place);
  EXPECT_EQ(with_model[0].place->file, "/home/me/model.py");
}

TEST(ExportText, DataDependentGuardsWithNodeThatMakesNumber) {
  const auto found = issues_in(
      "    index: \"f32[u0]\" = torch.ops.aten.index.Tensor(a, [b]);  a = b = None\n"
      "  File \"/home/me/run.py\", line 3, in <module>\n    ep = torch.export.export(m, args)\n"
      "  File \"/home/me/model.py\", line 7, in forward\n    if y.shape[0] % 4 != 0:\n       ^^^^\n"
      "GuardOnDataDependentSymNode: Could not guard on data-dependent expression Ne(Mod(u0, 4), 0) (unhinted: x).  "
      "(Size-like symbols: u0)\n\nCaused by: (home/me/model.py:7 in forward)\n"
      "To fix the error, insert one of the following checks before this call:\n  1. torch._check(a)\n  2. "
      "torch._check(b)\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].expression, "Ne(Mod(u0, 4), 0)");
  EXPECT_THAT(found[0].sizelike, ElementsAre("u0"));
  EXPECT_EQ(found[0].source, "torch.ops.aten.index.Tensor(a, [b])");
  ASSERT_TRUE(found[0].place);
  EXPECT_EQ(found[0].place->file, "/home/me/model.py");
  EXPECT_EQ(found[0].place->code, "if y.shape[0] % 4 != 0:");
  EXPECT_THAT(found[0].suggested, ElementsAre("torch._check(a)", "torch._check(b)"));
}

TEST(ExportText, OlderTextsOfADimThatIsFixed) {
  const auto found = issues_in(
      "Constraints violated (n)!\n"
      "  - Not all values of n = L['x'].size()[0] in the specified range are valid because n was inferred to be a "
      "constant (4).\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, ExportIssue::Kind::DimFixed);
  EXPECT_EQ(found[0].constant, 4);
}

TEST(OnnxText, Steps) {
  const auto steps = onnx_steps({"\xe2\x9c\x85 Obtain", "\xe2\x9d\x8c Decompose", "\xe2\x9a\xaa Translate", "other"});
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[1].name, "Decompose");
  EXPECT_EQ(steps[1].outcome, OnnxStep::Outcome::Failed);
  EXPECT_EQ(steps[2].outcome, OnnxStep::Outcome::NotRun);
}

TEST(MessageKind, TheFirstRowThatFitsDecides) {
  // This report of opcheck quotes an error of export.
  const MessageKindRow* row = message_kind(
      "GuardOnDataDependentSymNode: Could not guard on data-dependent expression u0\nopcheck(op, ...): test_faketensor "
      "failed\n");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->kind, MessageKind::Opcheck);
  EXPECT_EQ(message_kind("the fog comes"), nullptr);
  for (const MessageKindRow& r : message_kinds()) EXPECT_EQ(&row_of(r.kind), &r);
}

TEST(Messages, AnyBytesAreRead) {
  const std::string_view bytes = "expected size =,()[]'\"\n\x1b&#>0123456789assert_torch.ops buf";
  std::string noise;
  uint64_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    noise += bytes[(state >> 33) % bytes.size()];
  }
  const Strings lines = pasted::plain_lines(noise);
  const std::vector<Frame> frames = frames_of(lines);
  EXPECT_LE(assertions_of(lines, frames).size(), lines.size());
  EXPECT_LE(export_issues(lines, frames).size(), lines.size());
  EXPECT_LE(generated_code_in(lines).asserts.size(), lines.size());
  EXPECT_FALSE(gradient_strides(lines));
}

}  // namespace
}  // namespace ersatz
