// `ersatz explain`: results by device, deciding operands, texts on dtypes and memory, recorded calls, bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kNoRecords = ERSATZ_SOURCE_DIR "/tests/conformance/relu.jsonl";

nlohmann::json explained(const std::string& op, const std::string& arguments) {
  const CommandResult r = run_command({"explain", op, arguments, "--records", kNoRecords, "--json"});
  EXPECT_EQ(r.status, 0) << r.err;
  return r.json();
}

nlohmann::json first_result(const std::string& op, const std::string& arguments) {
  return explained(op, arguments)["answers"][0]["results"][0];
}

TEST(Explain, TheOperandThatDecidesTheStridesIsNamed) {
  const nlohmann::json sum = first_result("add", "f32[2,3]{1,2}, f32[3]");
  EXPECT_EQ(sum["meta"], "f32[2,3]{1,2}+0@cpu");
  EXPECT_EQ(sum["decided_by"], nlohmann::json::array({"self"}));
  const nlohmann::json swapped = first_result("add", "f32[3], f32[2,3]{1,2}");
  EXPECT_EQ(swapped["decided_by"], nlohmann::json::array({"other"}));
}

TEST(Explain, OperandDecidingSomeStridesIsNamedToo) {
  // `self` decides the order of the last two dims, and `other` decides where the first dim is in memory.
  const nlohmann::json r = first_result("mul", "f32[3,2]{2,1}, f32[2,3,2]{6,1,3}");
  EXPECT_EQ(r["meta"], "f32[2,3,2]{6,2,1}+0@cpu");
  EXPECT_EQ(r["decided_by"], nlohmann::json::array({"self", "other"}));
}

TEST(Explain, ItemOfListIsNamedByItsPlace) {
  const nlohmann::json r = first_result("cat", "[f32[2,2,3,3]{18,1,6,2}, f32[2,2,3,3]{18,1,6,2}], 1");
  EXPECT_THAT(r["strides"].get<std::string>(), HasSubstr("tensors[0], tensors[1]"));
}

TEST(Explain, ResultWhoseLayoutNoOperandChangesIsSaid) {
  const nlohmann::json r = first_result("mm", "f32[2,3]{1,2}, f32[3,4]");
  EXPECT_TRUE(r["decided_by"].empty());
  EXPECT_EQ(r["strides"], "row-major: no operand alone changes that");
}

TEST(Explain, DtypesAreToldInWords) {
  EXPECT_EQ(first_result("relu", "f32[2]")["dtype"], "f32, as self");
  EXPECT_EQ(first_result("mul", "f32[2], f32[2]")["dtype"], "f32, as its operands");
  EXPECT_EQ(first_result("mul", "f16[3], f64[]")["dtype"],
            "f16, promoted from self f16, other f64 (no dims): tensors with dims outrank those without, within a kind");
  EXPECT_EQ(first_result("eq", "f32[2], f32[2]")["dtype"],
            "bool, which the op chooses (operands: self f32, other f32)");
  EXPECT_EQ(first_result("aten.add.Scalar", "i64[2], 1.5")["dtype"],
            "f32, promoted from self i64, other 1.5, alpha 1: a number decides only by its kind");
}

TEST(Explain, ViewsAndWritesNameTheirArgument) {
  EXPECT_EQ(first_result("t", "f32[2,3]")["memory"], "a view of self");
  const nlohmann::json in_place = explained("relu_", "f32[2,3]");
  EXPECT_EQ(in_place["answers"][0]["results"][0]["memory"], "self itself");
  EXPECT_EQ(in_place["answers"][0]["writes"], nlohmann::json::array({"self"}));
}

TEST(Explain, ArgumentsMayBeSpelledAsPythonDoes) {
  const std::pair<std::string, std::string> cases[] = {
      {"torch.float32[2, 3], float16[3]", "aten.add.Tensor(f32[2,3]{3,1}+0@cpu, f16[3]{1}+0@cpu, 1)"},
      {"long[2], int64[ 2 ], alpha=2", "aten.add.Tensor(i64[2]{1}+0@cpu, i64[2]{1}+0@cpu, 2)"}};
  for (const auto& [typed, call] : cases) EXPECT_EQ(explained("add", typed)["call"], call);
  EXPECT_EQ(explained("div", "f32[2], f32[2], rounding_mode='floor'")["call"],
            "aten.div.Tensor_mode(f32[2]{1}+0@cpu, f32[2]{1}+0@cpu, \"floor\")");
  EXPECT_EQ(explained("contiguous", "f32[2,3,4,5], memory_format=torch.channels_last")["call"],
            "aten.contiguous.default(f32[2,3,4,5]{60,20,5,1}+0@cpu, channels_last)");
}

TEST(Explain, OverloadForNumbersIsTakenForNumbers) {
  const nlohmann::json r = explained("clamp", "f32[4], min=None, max=2");
  EXPECT_EQ(r["op"], "aten.clamp.default");
  EXPECT_EQ(r["also"], nlohmann::json::array({"aten.clamp.Tensor"}));
}

TEST(Explain, DevicesThatAnswerTheSameStandTogether) {
  const nlohmann::json one = explained("relu", "f32[2,3]");
  ASSERT_EQ(one["answers"].size(), 1u);
  EXPECT_EQ(one["answers"][0]["devices"].size(), 5u);
}

TEST(Explain, GpusThatAnswerOtherwiseStandApart) {
  const std::string query = "f32[2,4,8,16]{512,16,64,1}", key = "f32[2,4,8,16]";
  const CommandResult r = run_command({"explain", "scaled_dot_product_attention", query + ", " + key + ", " + key,
                                       "--records", kNoRecords, "--backend", "sm_80", "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  const nlohmann::json answers = r.json()["answers"];
  ASSERT_GE(answers.size(), 2u) << r.out;
  EXPECT_THAT(r.out, HasSubstr("only a library on the device can tell"));
  for (const nlohmann::json& a : answers) {
    const nlohmann::json& of = a["results"][0];
    EXPECT_EQ(of.value("strides_by_backend", false), a["devices"] == nlohmann::json{"cuda"}) << a;
  }
}

TEST(Explain, StridesThatOnlyAGpuTellsAreMarked) {
  const std::string heads = "f16[2,4,8,16]{512,16,64,1}";
  const CommandResult r = run_command(
      {"explain", "scaled_dot_product_attention", heads + ", " + heads + ", " + heads, "--records", kNoRecords});
  EXPECT_THAT(r.out, HasSubstr("\ncuda:\n  f16[2,4,8,16]{512,128,16,1}?+0@cuda:0\n"));
  EXPECT_THAT(r.out, HasSubstr("\n  f16[2,4,8,16]{512,16,64,1}+0@cpu\n"));
}

TEST(Explain, ARecordedCallSaysWhatPytorchAnswers) {
  const std::string records = scratch_file(
      "calls.jsonl", R"({"id":"one","op":"aten.relu.default","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8}],"kwargs":{},)"
                     R"("out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8}],"cuda_fake":{"fake_err":"RuntimeError"}})"
                     "\n");
  const CommandResult r = run_command({"explain", "relu", "f32[2]", "--records", records});
  EXPECT_THAT(r.out, HasSubstr("PyTorch, as one recorded it:\n  eager on the cpu: f32[2]{1}+0@cpu\n"
                               "  its fake on the cpu: the same\n  its fake on cuda: no prediction"));
  const CommandResult other = run_command({"explain", "relu", "f32[3]", "--records", records});
  EXPECT_THAT(other.out, HasSubstr("PyTorch: unknown: "));
}

TEST(Explain, CallThatIsRefusedEverywhereIsStatusOne) {
  const CommandResult r = run_command({"explain", "view", "f32[2,3]{1,2}, [6]", "--records", kNoRecords});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("  refused: view: strides do not allow sizes [6] without a copy"));
}

TEST(Explain, DataDependentSizesAreKnownOnlyWithData) {
  const CommandResult r = run_command({"explain", "nonzero", "f32[3]", "--records", kNoRecords});
  EXPECT_THAT(r.out, HasSubstr("  known only with data: nonzero: the size of the result depends on data"));
}

TEST(Explain, SizesMayBeSymbols) {
  const nlohmann::json sum = explained("add", "f32[s0,4], f32[5,4]")["answers"][0];
  EXPECT_EQ(sum["results"][0]["meta"], "f32[s0,4]{4,1}+0@cpu");
  EXPECT_THAT(sum["conditions"].dump(), HasSubstr("assert s0 == 5"));
  const nlohmann::json cat = explained("cat", "[f32[s0,4], f32[u0,4]]")["answers"][0];
  EXPECT_EQ(cat["results"][0]["meta"], "f32[s0+u0,4]{4,1}+0@cpu");
  EXPECT_EQ(cat["results"][0]["strides"], "row-major");
  const nlohmann::json turned = first_result("t", "f32[n,m]");
  EXPECT_EQ(turned["meta"], "f32[m,n]{1,Max(1,m)}+0@cpu");
  EXPECT_EQ(turned["strides"], "not row-major for all sizes");
  const nlohmann::json rows = explained("nonzero", "f32[s0,4]")["answers"][0];
  EXPECT_THAT(rows["results"][0]["meta"].get<std::string>(), HasSubstr("i64[u0,2]"));
  EXPECT_TRUE(explained("relu", "f32[2,4]")["answers"][0]["conditions"].empty());
}

TEST(Explain, BadInputIsOneLineAndStatusTwo) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"no_such_op", "f32[3]"}, "no_such_op"},
      {{"add", "f32[2,"}, "metadata: a size is needed: at 6 of 'f32[2,'"},
      {{"add", "3.0"}, "add: argument other is missing"},
      {{"add", "f32(2)"}, "; tensors are written f32[2,3] or f32[2,3]{1,2}"},
      {{"add", "f32[2], f32[2], beta=3"}, "; aten.add.Tensor: add: "},
      {{"div", "f32[2], f32[2], rounding_mode='floor"}, "; tensors are written f32[2,3] or f32[2,3]{1,2}"},
      {{"relu", "f32[3], f32[3], f32[3]"}, "relu"},
      {{"relu", "f32[3] ~in0"}, "tensors of a call that is explained have their own storages"},
      {{"relu", "f32[3]", "--backend", "gtx"}, "--backend"},
      {{"relu", "f32[3]", "--records", "/no/such/folder"}, "/no/such/folder"}};
  for (const auto& [arguments, says] : cases) {
    std::vector<std::string> line = {"explain"};
    line.insert(line.end(), arguments.begin(), arguments.end());
    const CommandResult r = run_command(line);
    EXPECT_EQ(r.status, 2) << says;
    EXPECT_THAT(r.err, HasSubstr(says));
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
}

}  // namespace
}  // namespace ersatz::tools
