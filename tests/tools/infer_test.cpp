// Rules found from examples: proposals, refusals, files, C++, and recorded calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "fake/mode/fake_mode.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/sample.h"
#include "runtime/plugin/plugin.h"
#include "tests/infer_accuracy/drawn_ops.h"
#include "tests/tools/command_line.h"
#include "tools/command/command.h"
#include "tools/infer/infer.h"
#include "tools/infer/rule_file.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;

const OpEntry& demo_op(const std::string& name) {
  load_plugin(ERSATZ_BINARY_DIR "/lib/demo_ops.so");
  return op_named("demo." + name + ".default");
}

std::string metas(const InferredRule& rule, const OpEntry& op, std::string_view arguments) {
  const std::vector<Value> args = bind_sample(op.schema, arguments);
  const auto predicted = predict(rule, *seen_arguments(args));
  if (!predicted) return "says nothing";
  std::string text;
  for (const SeenResult& r : *predicted) text += (text.empty() ? "" : " ") + to_string(tensor_meta(r.meta));
  return text;
}

// BEY-36
TEST(Infer, OpWithoutRuleGetsAConfirmedOne) {
  const OpEntry& op = demo_op("top_pairs");
  const Inference found = infer(op);
  ASSERT_TRUE(found.rule) << found.declined;
  EXPECT_GE(found.confidence(), kHighConfidence);
  EXPECT_EQ(metas(*found.rule, op, "f32[7,9]{1,7}, 3"), "f32[7,3]{3,1}+0@cpu i64[7,3]{3,1}+0@cpu");
}

// BEY-36
TEST(Infer, StridesOfTheirOwnAreFound) {
  const OpEntry& op = demo_op("leaky_mix");
  const Inference found = infer(op);
  ASSERT_TRUE(found.rule) << found.declined;
  EXPECT_EQ(metas(*found.rule, op, "f32[5,6,7], f32[5,6,7]"), "f32[5,6,7]{1,5,30}+0@cpu");
}

// BEY-36
TEST(Infer, DimsThatAreProductsAreFound) {
  const OpEntry& op = op_named("aten.repeat_interleave.self_int");
  const Inference found = infer(op);
  ASSERT_TRUE(found.rule) << found.declined;
  EXPECT_EQ(metas(*found.rule, op, "f32[5,7], 3, 1"), "f32[5,21]{21,1}+0@cpu");
}

TEST(Infer, DataDependentSizesAreDeclaredSo) {
  const Inference found = infer(op_named("aten.nonzero.default"));
  EXPECT_TRUE(found.data_dependent);
  EXPECT_FALSE(found.rule);
}

// BEY-36
TEST(Infer, UnexplainedFieldIsDeclinedWithAnExample) {
  const Inference found = infer(op_named("aten.arange.default"));
  EXPECT_FALSE(found.rule);
  EXPECT_THAT(found.declined, HasSubstr("nothing explains the size of result 0"));
}

TEST(Infer, RuleSaysNothingOfUnseenDtypesAndRanks) {
  const OpEntry& op = demo_op("leaky_mix");
  const Inference found = infer(op);
  ASSERT_TRUE(found.rule);
  EXPECT_EQ(metas(*found.rule, op, "i64[5,6], i64[5,6]"), "says nothing");
}

TEST(Infer, ProposalForADrawnOpFitsOtherCalls) {
  int64_t proposals = 0;
  for (const OpEntry* op : tests::drawn_ops(12, 1)) {
    const Inference found = infer(*op);
    if (!found.rule) continue;
    const tests::OtherCalls other = tests::hold_against(*op, *found.rule, 1000);
    proposals += other.agree > 0;
    EXPECT_EQ(other.differ, 0) << op->name << " " << other.first;
  }
  EXPECT_GE(proposals, 6);
}

// BEY-36
TEST(InferredRule, FileOfRulesRoundTrips) {
  const Inference found = infer(demo_op("top_pairs"));
  ASSERT_TRUE(found.rule);
  const std::string text = rules_text({{*found.rule}});
  EXPECT_EQ(rules_text(parse_rules(text, "rules.json")), text);
}

TEST(InferredRule, AFileOfAnotherFormatIsRefused) {
  try {
    parse_rules(R"({"format":2,"rules":[]})", "rules.json");
    FAIL() << "was read";
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "rules.json: inferred rules of format 2, this version reads 1");
  }
}

TEST(InferredRule, FileWithAnUnknownArgumentIsRefused) {
  const Inference found = infer(demo_op("top_pairs"));
  ASSERT_TRUE(found.rule);
  std::string text = rules_text({{*found.rule}});
  const size_t at = text.find("\"of\": 0");
  ASSERT_NE(at, text.npos);
  text.replace(at, 7, "\"of\": 9");
  EXPECT_THROW(parse_rules(text, "rules.json"), Error);
}

// BEY-36
TEST(InferredRule, FakeRunAnswersByItAndSaysSo) {
  const Inference found = infer(demo_op("top_pairs"));
  ASSERT_TRUE(found.rule);
  const std::string rules = scratch_file("rules.json", rules_text({{*found.rule}}));
  const std::string program = scratch_file("inferred.txt",
                                           "graph(%x: f32[3,4]):\n"
                                           "  %v: tensor, %i: tensor = demo.top_pairs.default(%x, 2)\n"
                                           "  return %v, %i\n");
  const std::string plugin = ERSATZ_BINARY_DIR "/lib/demo_ops.so";
  const CommandResult r = run_command({"fake", program, "--plugin", plugin, "--rules", rules, "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.json()["results"][0]["meta"], "f32[3,2]{2,1}+0@cpu") << r.out;
  EXPECT_EQ(r.json()["results"][1]["meta"], "i64[3,2]{2,1}+0@cpu");
  EXPECT_EQ(r.json()["sources"]["inferred"], 1);
}

TEST(InferredRule, ItsCppCompilesAsRuleOfPlugin) {
  const OpEntry& op = demo_op("top_pairs");
  const Inference found = infer(op);
  ASSERT_TRUE(found.rule);
  std::string why;
  const std::string rule = rule_cpp(*found.rule, op.schema, why);
  ASSERT_FALSE(rule.empty()) << why;
  const std::string source = scratch_file(
      "pasted.cpp",
      "#include <ersatz/plugin_op.h>\n#include <algorithm>\nusing namespace ersatz::plugin;\n" + rule +
          "std::tuple<Result, Result> kernel(Call& call, const View& x, int64_t k) {\n"
          "  Dims sizes = x.sizes();\n  sizes.back() = k;\n"
          "  return {call.allocate(DType::F32, sizes), call.allocate(DType::I64, sizes)};\n}\n"
          "ERSATZ_PLUGIN(p) {\n"
          "  p.op(\"pasted::top_pairs(Tensor x, int k) -> (Tensor, Tensor)\").kernel(kernel).rule(top_pairs_rule);\n"
          "}\n");
  const std::string library = source.substr(0, source.size() - 4) + ".so";
  const std::string command = "c++ -std=c++20 -fPIC -shared -I" ERSATZ_SOURCE_DIR "/include -I" ERSATZ_SOURCE_DIR
                              " -I" ERSATZ_BINARY_DIR "/generated -o " +
                              library + " " + source;
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  load_plugin(library);
  FakeMode mode;
  const OpEntry& pasted = op_named("pasted.top_pairs.default");
  const Tensor x = make_sample_tensor(parse_meta("f32[5,7]"));
  const Value args[] = {Value(mode.from_tensor(x)), Value(int64_t(2))};
  Values results;
  dispatch(pasted, args, results);
  EXPECT_EQ(to_string(results[0].tensor_impl()->meta), "f32[5,2]{2,1}+0@cpu");
  EXPECT_EQ(to_string(results[1].tensor_impl()->meta), "i64[5,2]{2,1}+0@cpu");
}

/// Calls of a custom op that halves the last dim, one line each.
std::vector<std::string> halved_lines(int64_t count, const std::string& library = "mylib",
                                      const std::string& schema = "") {
  std::vector<std::string> lines;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t a = 1 + i * 7 % 5, b = 2 + i * 3 % 11;
    const auto t = [](int64_t n, int64_t m, int s) {
      return fmt::format(R"({{"t":"f32[{},{}]{{{},1}}+0@cpu","s":{},"n":{}}})", n, m, m, s, n * m * 4);
    };
    lines.push_back(fmt::format(R"({{"id":"h/{}","op":"{}.halve.default",{}"args":[{}],"kwargs":{{}},"out":[{}]}})", i,
                                library, schema.empty() ? "" : fmt::format(R"("schema":"{}",)", schema), t(a, b, 0),
                                t(a, b / 2 > 0 ? b / 2 : 0, 1)));
  }
  return lines;
}
std::vector<CallRecord> halved(int64_t count) {
  std::vector<CallRecord> records;
  for (const std::string& line : halved_lines(count)) records.push_back(parse_call_record(line, "test:1"));
  return records;
}
/// The rules file that `validate --infer` writes for these calls.
std::string rules_of_halved(const std::string& library, const std::string& schema) {
  std::string text;
  for (const std::string& line : halved_lines(60, library, schema)) text += line + "\n";
  const std::string records = scratch_file(library + ".jsonl", text), rules = scratch_file(library + ".json", "");
  // The command runs as a process of its own, because it forks and this process has threads.
  const std::string command = ERSATZ_BINARY_DIR "/bin/ersatz validate " + records + " --infer --rules " + rules;
  EXPECT_NE(std::system((command + " > /dev/null").c_str()), -1);
  return rules;
}

TEST(InferFromRecords, ProgramUsesTheRuleOfAnUnregisteredOp) {
  const std::string rules = rules_of_halved("elsewhere", "elsewhere::halve(Tensor x, *, bool keep=False) -> Tensor");
  const std::string program = scratch_file("halved_twice.txt",
                                           "graph(%x: f32[6,40]):\n"
                                           "  %y: tensor = elsewhere.halve.default(%x)\n"
                                           "  %z: tensor = aten.relu.default(%y)\n"
                                           "  %w: tensor = elsewhere.halve.default(%z, keep=False)\n"
                                           "  return %w\n");
  EXPECT_EQ(run_command({"fake", program}).status, 2);
  const CommandResult r = run_command({"fake", program, "--rules", rules, "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.json()["results"][2]["meta"], "f32[6,10]{10,1}+0@cpu") << r.out;
  EXPECT_EQ(r.json()["sources"]["inferred"], 2);
}

TEST(InferFromRecords, RuleWithoutSchemaIsRefusedForUnregisteredOp) {
  const std::string rules = rules_of_halved("bare", "");
  const CommandResult r = run_command({"fake", committed_program("mlp"), "--rules", rules});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("bare.halve.default is not registered, and its inferred rule has no schema"));
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
}

TEST(InferFromRecords, ForeignOpGetsProposalFromItsCalls) {
  EXPECT_FALSE(registry().find("mylib.halve.default"));
  const Inference found = infer("mylib.halve.default", halved(60), {});
  ASSERT_TRUE(found.rule) << found.declined;
  EXPECT_EQ(found.refused, 0);
  SeenArgument x{
      .kind = SeenArgument::Kind::Tensor, .tensors = {{DType::F32, kCPU, {3, 20}, {20, 1}, 0}}, .first_flat = 0};
  const auto predicted = predict(*found.rule, {{x}});
  ASSERT_TRUE(predicted);
  EXPECT_EQ(to_string(tensor_meta((*predicted)[0].meta)), "f32[3,10]{10,1}+0@cpu");
}

TEST(InferFromRecords, FewRecordsGiveNoHighConfidence) {
  const Inference found = infer("mylib.halve.default", halved(40), {});
  EXPECT_LT(found.confidence(), kHighConfidence);
}

TEST(InferFromRecords, TooFewRecordsGiveNoProposal) {
  const Inference found = infer("mylib.halve.default", halved(6), {});
  EXPECT_FALSE(found.rule);
  EXPECT_EQ(found.declined, "5 examples are too few: 8 are needed");
}

}  // namespace
}  // namespace ersatz::tools
